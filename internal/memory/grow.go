package memory

import "unsafe"

// slow is from how many elements on arrays grow by a quarter: the old one and the new one are held at the same time.
const slow = 1 << 20

// Grow gives s room for n elements more, if there is memory.
func Grow[T any](s []T, n int) ([]T, error) {
	if n <= cap(s)-len(s) {
		return s, nil
	}
	more := cap(s)
	if more > slow {
		more /= 4
	}
	size := len(s) + max(n, more, 16)
	var element T
	if err := Room(float64(unsafe.Sizeof(element)) * float64(size)); err != nil {
		return s, err
	}
	return append(make([]T, 0, size), s...), nil
}

// Append appends elements, if there is memory.
func Append[T any](s []T, elements ...T) ([]T, error) {
	s, err := Grow(s, len(elements))
	if err != nil {
		return s, err
	}
	return append(s, elements...), nil
}
