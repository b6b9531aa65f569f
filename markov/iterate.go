package markov

import (
	"fmt"
	"math"
)

// iterate is the stationary distribution of a large closed class.
func (s Solver) iterate(c Chain, states []int32, out *Stationary) ([]float64, error) {
	p := restrict(AsSparse(c), states)
	if p.Transitions() > math.MaxInt32 {
		return nil, fmt.Errorf("markov: %d transitions are too many; at most %d can be held", p.Transitions(), math.MaxInt32)
	}
	l := newLevel(p)
	for i := range l.x {
		l.x[i] = 1 / float64(l.n())
	}
	// The coarsening needs the approximate flow of each transition.
	for range 4 {
		l.relax(false)
		l.relax(true)
	}
	l.coarsen()
	return s.converge(l, out)
}

// converge cycles, with acceleration, until the error is small enough.
func (s Solver) converge(l *level, out *Stationary) ([]float64, error) {
	acc := newAnderson(l.n())
	old := make([]float64, l.n())
	var estimate errorEstimate
	for out.Cycles = 1; out.Cycles <= s.Cycles; out.Cycles++ {
		copy(old, l.x)
		l.cycle()
		scale(l.x)
		acc.step(l.x, old)
		scale(l.x)
		out.Error = estimate.update(TotalVariation(l.x, old), acc.amplify)
		if out.Error <= s.Error {
			return l.x, nil
		}
	}
	return nil, fmt.Errorf("markov: the stationary distribution of %d states is not found after %d cycles: the error is still some %.2g in total variation; allow more cycles or a larger error", l.n(), s.Cycles, out.Error)
}

// errorEstimate estimates the error from the changes of x so far: twice the larger of the last two, times the largest
// factor between errors and changes observed.
type errorEstimate struct {
	cycles       int
	last, factor float64
}

// firstEstimate is the number of cycles before the first estimate.
const firstEstimate = 4

func (w *errorEstimate) update(change, amplify float64) float64 {
	w.cycles++
	recent := max(change, w.last, 4e-15) // rounding errors do not shrink
	w.last = change
	w.factor = max(w.factor, amplify, 1)
	if w.cycles < firstEstimate {
		return math.Inf(1)
	}
	return 2 * recent * w.factor
}
