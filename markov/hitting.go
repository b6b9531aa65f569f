package markov

import (
	"errors"
	"math"
)

// Hitting gives the expected number of steps from each state to the first visit to one of the targets: 0 at these, +Inf
// where the chain may never get there. The work grows with the cube of the states from which a target is surely reached, the memory with
// their square: beyond 2 GiB it is refused ([*SizeError]).
func Hitting(c Chain, targets ...int) ([]float64, error) {
	if len(targets) == 0 {
		return nil, errNoTarget
	}
	for _, t := range targets {
		if err := checkState(t, c.Len()); err != nil {
			return nil, err
		}
	}
	sure := surely(AsSparse(c), targets)
	const target = -2
	at := make([]int, c.Len())
	var states []int32
	for i := range at {
		at[i] = -1
		if sure[i] {
			at[i] = len(states)
			states = append(states, int32(i))
		}
	}
	for _, t := range targets {
		at[t] = target
	}
	m := len(states)
	if err := fits("hitting times", m, "Solver.HittingLarge finds those of an irreducible chain by iteration"); err != nil {
		return nil, err
	}
	r := newReduction(m, m+1, m)
	for k, i := range states {
		row := r.row(k)
		for j, v := range c.Row(int(i)) {
			if at[j] == target {
				row[m] += v
			} else {
				row[at[j]] = v
			}
		}
	}
	r.run()
	h := make([]float64, c.Len())
	for i := range h {
		h[i] = math.Inf(1)
	}
	for k, v := range r.expected(make([]float64, m+1)) {
		h[states[k]] = v
	}
	for _, t := range targets {
		h[t] = 0
	}
	return h, nil
}

// surely marks the states, targets excepted, from which a target is reached with probability 1: those that cannot get
// to a state from which no target can be reached.
func surely(s *Sparse, targets []int) []bool {
	back := s.transpose()
	reach := back.search(targets, nil)
	var lost []int
	for i, ok := range reach {
		if !ok {
			lost = append(lost, i)
		}
	}
	stop := make([]bool, s.Len())
	for _, t := range targets {
		stop[t] = true
	}
	sure := back.search(lost, stop)
	for i := range sure {
		sure[i] = !sure[i] && !stop[i]
	}
	return sure
}

var errNoTarget = errors.New("markov: hitting times need a state to hit")
