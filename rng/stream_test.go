package rng_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// golden freezes the first draws of some streams: a change of any breaks every saved run and every published seed.
// The second row was also computed in Python, from SHA-256 and a PCG-DXSM written there.
var golden = []struct {
	seed    uint64
	purpose string
	index   []uint64
	want    [4]uint64
}{
	{0, "", nil, [4]uint64{0xb27df656dc6f6b4e, 0x36c9df93a6476360, 0xaa2e656f03d493eb, 0x8cbf2f31786b6cd2}},
	{1, "chain", []uint64{0}, [4]uint64{0x5632cb7bc45d6b4e, 0xcc5b1e3da42db263, 0x77a7851c5cffb822, 0x66ef466cd7da318e}},
	{1, "chain", []uint64{1}, [4]uint64{0x025285ffc9f422ef, 0x90cd33c85d490507, 0x30d5aca2a34958c6, 0x5a8748502d99bb19}},
	{18446744073709551615, "init", []uint64{3, 7}, [4]uint64{0xe2b9d97c07761e68, 0x7d0ff221fdbd7c36, 0x99919d6b756b9358, 0xa12ee7916ef862d3}},
	{20240229, "données", []uint64{0, 0, 9223372036854775808}, [4]uint64{0x7021e7e788ca4ff5, 0xb2d664dcfc26d53e, 0x3cd0cb0d5cb6a053, 0x1396bcb9c31bae1a}},
}

func TestGoldenStreams(t *testing.T) {
	for _, g := range golden {
		s := rng.New(g.seed, g.purpose, g.index...)
		for i, want := range g.want {
			if got := s.Uint64(); got != want {
				t.Errorf("New(%d, %q, %v): draw %d is %#x, want %#x", g.seed, g.purpose, g.index, i, got, want)
			}
		}
	}
}

func TestResume(t *testing.T) {
	s := rng.New(7, "chain", 3)
	for range 1000 {
		s.NormFloat64()
	}
	state, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var fresh rng.Stream
	if err := fresh.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	used := rng.New(1, "other")
	held := used.Rand // a kernel may hold this: it must follow
	if err := used.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		want := s.Float64()
		if a, b := fresh.Float64(), held.Float64(); a != want || b != want {
			t.Fatalf("draw %d after resuming: %v and %v, want %v", i, a, b, want)
		}
	}
}

func TestBadState(t *testing.T) {
	s := rng.New(1, "chain")
	state, _ := s.MarshalBinary()
	want := rng.New(1, "chain").Uint64()
	for _, bad := range [][]byte{nil, {}, []byte("pcg:"), state[:10], append([]byte("x"), state...), []byte("PCG:0123456789abcdef")} {
		if err := s.UnmarshalBinary(bad); err == nil {
			t.Errorf("UnmarshalBinary(%q) accepted", bad)
		}
	}
	if got := s.Uint64(); got != want {
		t.Error("a refused state changed the stream")
	}
	var zero rng.Stream
	if _, err := zero.MarshalBinary(); err == nil {
		t.Error("MarshalBinary of the zero Stream succeeded")
	}
}

// Names that look alike, and neighbouring indices, must not share numbers or be correlated.
func TestDistinctNames(t *testing.T) {
	streams := map[string]*rng.Stream{
		"empty":        rng.New(0, ""),
		"seed":         rng.New(1, ""),
		"purpose":      rng.New(0, "a"),
		"longer":       rng.New(0, "ab"),
		"nul":          rng.New(0, "a\x00"),
		"index 0":      rng.New(0, "a", 0),
		"index 0 0":    rng.New(0, "a", 0, 0),
		"index in":     rng.New(0, "a\x00\x00\x00\x00\x00\x00\x00\x00"),
		"index 1":      rng.New(0, "a", 1),
		"index 256":    rng.New(0, "a", 256),
		"index 1 2":    rng.New(0, "a", 1, 2),
		"index 2 1":    rng.New(0, "a", 2, 1),
		"other letter": rng.New(0, "b", 1),
	}
	const n = 2000
	first := map[uint64]string{}
	draws := map[string][]uint64{}
	for name, s := range streams {
		for range n {
			u := s.Uint64()
			if other, ok := first[u]; ok {
				t.Fatalf("%s and %s both draw %#x", name, other, u)
			}
			first[u] = name
			draws[name] = append(draws[name], u)
		}
	}
	// The bits of two independent streams differ in half of the places; 6.1 standard deviations are exceeded with
	// probability 1e-9 a pair, 1e-7 in all.
	for a := range draws {
		for b := range draws {
			if a >= b {
				continue
			}
			d := 0
			for i := range n {
				d += bits.OnesCount64(draws[a][i] ^ draws[b][i])
			}
			z := (float64(d) - 32*n) / 178.9 // √(64n/4)
			if z > 6.1 || z < -6.1 {
				t.Errorf("%s and %s differ in %d of %d bits", a, b, d, 64*n)
			}
		}
	}
}

func ExampleNew() {
	chain := rng.New(1, "chain", 0)
	again := rng.New(1, "chain", 0)
	other := rng.New(1, "chain", 1)
	x := chain.Uint64()
	fmt.Println(x == again.Uint64(), x == other.Uint64())
	// Output: true false
}

func BenchmarkUint64(b *testing.B) {
	s := rng.New(1, "chain")
	for b.Loop() {
		s.Uint64()
	}
}
