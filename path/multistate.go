package path

import (
	"fmt"
	"math"
)

// Multistate finds the constants of several states from draws of each, whose densities at all of them are known: the multistate Bennett
// acceptance ratio (Shirts and Chodera 2008), which for histograms of energies at several temperatures is the multiple histogram method
// (Ferrenberg and Swendsen 1989, equations 2 and 3).
type Multistate struct{ m *multistate }

// NewMultistate begins with no draws of so many states.
func NewMultistate(states int) *Multistate { return &Multistate{newMultistate(states)} }

// Add adds equal draws of a state by their log density at every state, up to what Solve finds. Their number need not be whole: draws
// that depend on each other count for fewer.
func (s *Multistate) Add(logDensity []float64, state int, number float64) {
	s.m.addTimes(logDensity, state, number)
}

// Solve returns log Z of every state, that of the first state with draws being its start. It begins at start, and at zeros
// where that is nil. It is an error for states to overlap too little, or a density of a draw not to be finite.
func (s *Multistate) Solve(start []float64) ([]float64, error) {
	if start == nil {
		start = make([]float64, s.m.k)
	}
	for _, u := range s.m.u {
		if math.IsNaN(u) || math.IsInf(u, 0) {
			return nil, fmt.Errorf("path: a draw's log density is %v", u)
		}
	}
	if err := s.m.solve(start); err != nil {
		return nil, err
	}
	return append([]float64(nil), s.m.logZ...), nil
}
