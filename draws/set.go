package draws

import (
	"fmt"
	"math"
	"slices"
)

// Set is draws in memory: chains × draws × elements, stored so that the
// draws of one element in one chain are a slice.
type Set struct {
	vars   []Variable
	names  []string
	index  map[string]int
	starts []int         // first element of each variable
	cols   [][][]float64 // element, chain, draw
	chains int
}

// NewSet returns a set without draws. It fails when a variable has a bad
// shape or stands twice, or chains is negative.
func NewSet(vars []Variable, chains int) (*Set, error) {
	if chains < 0 {
		return nil, fmt.Errorf("a set of draws cannot have %d chains", chains)
	}
	if err := checkAll(vars); err != nil {
		return nil, err
	}
	s := &Set{vars: vars, chains: chains, index: make(map[string]int)}
	for _, v := range vars {
		s.starts = append(s.starts, len(s.names))
		s.names = append(s.names, v.ElementNames()...)
	}
	for i, n := range s.names {
		s.index[n] = i
	}
	s.cols = make([][][]float64, len(s.names))
	for i := range s.cols {
		s.cols[i] = make([][]float64, chains)
	}
	return s, nil
}

// Reserve makes room for so many more draws of every chain, so that Append need not move
// what is there.
func (s *Set) Reserve(draws int) {
	for _, col := range s.cols {
		for c := range col {
			col[c] = slices.Grow(col[c], max(draws, 0))
		}
	}
}

// Variables are the variables of the set in order. Do not modify.
func (s *Set) Variables() []Variable { return s.vars }

// Names are the BUGS names of all elements, in the order of a draw.
// Do not modify.
func (s *Set) Names() []string { return s.names }

// Chains is the number of chains.
func (s *Set) Chains() int { return s.chains }

// Draws is the number of draws that every chain has: the length of the
// shortest.
func (s *Set) Draws() int {
	if len(s.cols) == 0 || s.chains == 0 {
		return 0
	}
	n := math.MaxInt
	for _, c := range s.cols[0] {
		n = min(n, len(c))
	}
	return n
}

// Chain returns the draws of one element in one chain. The slice is the
// set's own.
func (s *Set) Chain(chain, element int) []float64 { return s.cols[element][chain] }

// Element returns the draws of one element, chain by chain: what package
// diag takes. The slices are the set's own.
func (s *Set) Element(element int) [][]float64 { return s.cols[element] }

// Lookup returns the position of an element by its BUGS name.
func (s *Set) Lookup(name string) (element int, ok bool) {
	element, ok = s.index[name]
	return element, ok
}

// Variable returns a variable by name and the position of its first element.
func (s *Set) Variable(name string) (v Variable, first int, ok bool) {
	for i, v := range s.vars {
		if v.Name == name {
			return v, s.starts[i], true
		}
	}
	return Variable{}, 0, false
}

// Append adds one draw of a chain: the values of all elements in order.
// Different chains may be appended to at the same time.
func (s *Set) Append(chain int, draw []float64) error {
	if chain < 0 || chain >= s.chains {
		return fmt.Errorf("chain %d of a set of %d", chain, s.chains)
	}
	if len(draw) != len(s.cols) {
		return fmt.Errorf("a draw of %d values for %d elements", len(draw), len(s.cols))
	}
	for i, x := range draw {
		s.cols[i][chain] = append(s.cols[i][chain], x)
	}
	return nil
}

// truncate keeps the first n draws of a chain.
func (s *Set) truncate(chain, n int) {
	for i := range s.cols {
		if c := s.cols[i][chain]; len(c) > n {
			s.cols[i][chain] = c[:n]
		}
	}
}
