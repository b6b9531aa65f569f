//go:build unix

package prefetch

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Indices are read to their end and no further, and what is prefetched is not read: it lies in a page that would end the test.
func TestReads(t *testing.T) {
	page := unix.Getpagesize()
	b, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(b)
	if err := unix.Mprotect(b[page:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	at := unsafe.Slice((*uint32)(unsafe.Pointer(&b[0])), page/4)
	for i := range at {
		at[i] = uint32(i)
	}
	for n := range 20 {
		Elements(unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b[page:]))), page/4), at[len(at)-n:])
		Elements(unsafe.Slice(unsafe.SliceData(b[page:]), page), at[len(at)-n:])
	}
	Elements([]uint64(nil), nil)
	Slice(b[page:])
	Slice(b[page+3 : page+3])
	Slice([]uint64(nil))
}

// BenchmarkElements sums elements of memory that is larger than caches, in blocks of 200 at random, when it asks for the next
// block and when it does not.
func BenchmarkElements(b *testing.B) {
	x := make([]uint32, 1<<26)
	r := rand.New(rng.New(1, "prefetch"))
	at := make([]uint32, 1<<20)
	for i := range at {
		at[i] = r.Uint32N(uint32(len(x)))
		x[at[i]] = at[i]
	}
	const block = 200
	var sum uint32
	for _, ahead := range []bool{false, true} {
		b.Run(map[bool]string{false: "read", true: "prefetch"}[ahead], func(b *testing.B) {
			for range b.N {
				for i := 0; i+2*block <= len(at); i += block {
					if ahead {
						Elements(x, at[i+block:i+2*block])
					}
					for _, p := range at[i : i+block] {
						for range 10 { // work that depends on it
							sum = sum*1664525 + x[p]
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(at)), "ns/element")
		})
	}
	_ = sum
}
