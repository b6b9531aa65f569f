//go:build amd64 && !noasm

package prefetch

import "unsafe"

//go:generate go -C ../assembly run ./prefetch -out ../prefetch/asm_amd64.s -stubs ../prefetch/asm_amd64.go -pkg prefetch

// Elements prefetches the elements of x at these indices, each of which must be below its length.
func Elements[T any](x []T, at []uint32) {
	var one T
	elements((*byte)(unsafe.Pointer(unsafe.SliceData(x))), int(unsafe.Sizeof(one)), unsafe.SliceData(at), len(at))
}

// Slice prefetches x.
func Slice[T any](x []T) {
	var one T
	slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), int(unsafe.Sizeof(one))*len(x))
}
