package memory

import "unsafe"

// Large makes a slice of n zeros that is read and written at random. Where the system gives pages of 2 MB only to who asks, it
// is asked: with pages of 4 kB every second access would wait for the address before it waits for the memory.
func Large[T any](n int) []T {
	s := make([]T, n)
	if n == 0 {
		return s
	}
	const page = 2 << 20
	p := unsafe.Pointer(unsafe.SliceData(s))
	first := -uintptr(p) % page
	end := uintptr(n) * unsafe.Sizeof(s[0])
	if whole := (end - min(first, end)) / page * page; whole > 0 {
		onLargePages(unsafe.Slice((*byte)(unsafe.Add(p, first)), whole))
	}
	return s
}
