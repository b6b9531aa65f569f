package qap

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/words"
)

// maxSize keeps places and the squares of n within 32 bits.
const maxSize = 1 << 15

// Read reads a problem as QAPLIB writes it: n, then the n² entries of a and those of b, by rows and with any line breaks. Errors name the file,
// line and column; the name is only for them.
func Read(name string, text []byte) (*Problem, error) {
	s := words.New(name, text)
	size, at, err := s.Int(func() string { return "the number of facilities" }, 1, maxSize)
	if err != nil {
		return nil, err
	}
	n := int(size)
	if 2*n*n > s.Left() {
		return nil, s.Fault(at, "there are %d facilities, and the file is too short for two matrices of %d × %d", n, n, n)
	}
	if err := memory.Room(bytesAPair * memory.Product(n, n)); err != nil {
		return nil, s.Fault(at, "there are %d facilities: %v", n, err)
	}
	var m [2][]int64
	for k := range m {
		m[k] = make([]int64, n*n)
		for i := range m[k] {
			entry := func() string {
				return fmt.Sprintf("entry %d,%d of the %s matrix", i/n+1, i%n+1, [2]string{"first", "second"}[k])
			}
			if m[k][i], _, err = s.Int(entry, -math.MaxInt64, math.MaxInt64); err != nil {
				return nil, err
			}
		}
	}
	if err := s.End("n is too small, or there are more than two matrices of " + strconv.Itoa(n*n) + " entries"); err != nil {
		return nil, err
	}
	p, err := New(n, m[0], m[1])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// ReadSolution reads a solution as QAPLIB writes it: n, the value, and the places of the facilities from 1, which it gives from 0. It does not
// compare the value with that of [Problem.Evaluate]: some files of the library hold the places' facilities instead.
func ReadSolution(name string, text []byte) (value int64, place []int, err error) {
	s := words.New(name, text)
	size, at, err := s.Int(func() string { return "the number of facilities" }, 1, maxSize)
	if err != nil {
		return 0, nil, err
	}
	n := int(size)
	if n+1 > s.Left() {
		return 0, nil, s.Fault(at, "there are %d facilities, and the file is too short for their places", n)
	}
	if value, _, err = s.Int(func() string { return "the value" }, -maxValue, maxValue); err != nil {
		return 0, nil, err
	}
	place = make([]int, n)
	has := make([]int, n) // the facility at a place, from 1
	for i := range place {
		k, at, err := s.Int(func() string { return "the place of facility " + strconv.Itoa(i+1) }, 1, size)
		if err != nil {
			return 0, nil, err
		}
		if has[k-1] > 0 {
			return 0, nil, s.Fault(at, "facilities %d and %d are both at place %d", has[k-1], i+1, k)
		}
		has[k-1], place[i] = i+1, int(k-1)
	}
	return value, place, s.End("n is too small")
}
