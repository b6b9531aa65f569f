package mrf

import (
	"fmt"
	"math"
	"slices"
)

// State is values of all variables of a [Field], and where they stand in the tables of its kernels. Change it by Set or by kernels
// of that field.
type State struct {
	X []int32

	slots []int32 // see conditionals
	stale bool    // slots are not those of X

	// What the factors say that a [Path] tempers, where known.
	known bool
	rest  float64
	holes int
}

// NewState returns a state with these values; fixed variables take the value that they must have. Nil stands for the first value of
// each variable that is left.
func (f *Field) NewState(x []int) (*State, error) {
	s := &State{X: make([]int32, len(f.cards)), slots: make([]int32, f.plan.slots)}
	if x != nil && len(x) != len(f.cards) {
		return nil, fmt.Errorf("mrf: a state of %d values for %d variables", len(x), len(f.cards))
	}
	for i, k := range f.cards {
		switch {
		case f.fixed[i] >= 0:
			s.X[i] = f.fixed[i]
		case x == nil:
			s.X[i] = int32(slices.Index(f.domains[i], true))
		case x[i] < 0 || x[i] >= int(k):
			return nil, fmt.Errorf("mrf: variable %s is %d, and its values are 0 to %d", f.model.VariableName(i), x[i], k-1)
		default:
			s.X[i] = int32(x[i])
		}
	}
	s.stale = true
	f.settle(s)
	return s, nil
}

// Set gives a variable a value.
func (f *Field) Set(s *State, i, value int) {
	f.settle(s)
	f.set(s, int32(i), int32(value))
}

// Copy makes one state equal to another.
func (f *Field) Copy(dst, src *State) {
	copy(dst.X, src.X)
	copy(dst.slots, src.slots)
	dst.stale, dst.known, dst.rest, dst.holes = src.stale, src.known, src.rest, src.holes
}

// Values are those of all variables.
func (s *State) Values() []int {
	x := make([]int, len(s.X))
	for i, v := range s.X {
		x[i] = int(v)
	}
	return x
}

// set changes a free variable in a state that is not stale.
func (f *Field) set(s *State, i, value int32) {
	d := value - s.X[i]
	if d == 0 {
		return
	}
	s.X[i], s.known = value, false
	for _, l := range f.plan.links.of(i) {
		s.slots[l.slot] += d * l.stride
	}
}

// settle computes the slots of a state whose values were changed without them.
func (f *Field) settle(s *State) {
	if !s.stale {
		return
	}
	copy(s.slots, f.plan.origin)
	for i, x := range s.X {
		for _, l := range f.plan.links.of(int32(i)) {
			s.slots[l.slot] += x * l.stride
		}
	}
	s.stale, s.known = false, false
}

// Possible tells whether the state has positive probability.
func (f *Field) Possible(s *State) bool { return !math.IsInf(f.LogDensity(s.X), -1) }

// takes tells whether x is values of the variables.
func (f *Field) takes(x []int32) bool {
	if len(x) != len(f.cards) {
		return false
	}
	for i, v := range x {
		if v < 0 || v >= f.cards[i] {
			return false
		}
	}
	return true
}
