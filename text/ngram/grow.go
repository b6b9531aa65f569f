package ngram

import (
	"unsafe"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// push appends an element, if there is memory.
func push[T any](s []T, element T) ([]T, error) {
	if len(s) == cap(s) {
		size := max(16, len(s)+len(s)/2)
		if err := memory.Room(float64(unsafe.Sizeof(element)) * float64(size)); err != nil {
			return s, err
		}
		s = append(make([]T, 0, size), s...)
	}
	return append(s, element), nil
}
