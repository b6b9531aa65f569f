//go:build !amd64 || noasm

package prefetch

// Elements prefetches the elements of x at these indices, each of which must be below its length.
func Elements[T any]([]T, []uint32) {}

// Slice prefetches x.
func Slice[T any]([]T) {}
