package markov

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Simulator moves through a chain. It is an [mcmc.Kernel] on *int, the state.
type Simulator struct {
	start []int
	to    []int32
	cum   []float64 // sums of each row up to and with the entry
}

// NewSimulator prepares a chain for simulation in time and memory linear in its transitions. A step searches the row's
// cumulative probabilities by halving, and uses one random number.
func NewSimulator(c Chain) *Simulator {
	s := AsSparse(c)
	sim := &Simulator{start: s.start, to: s.to, cum: make([]float64, len(s.p))}
	for i := range s.Len() {
		sum := 0.0
		for k := s.start[i]; k < s.start[i+1]; k++ {
			sum += s.p[k]
			sim.cum[k] = sum
		}
	}
	return sim
}

// Next draws the state after i.
func (s *Simulator) Next(i int, r *rand.Rand) int {
	lo, hi := s.start[i], s.start[i+1]-1
	u := r.Float64() * s.cum[hi]
	for lo < hi {
		if mid := (lo + hi) / 2; u < s.cum[mid] {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return int(s.to[lo])
}

// Step moves *i to the next state.
func (s *Simulator) Step(i *int, r *rand.Rand) mcmc.Info {
	*i = s.Next(*i, r)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// Path draws the states X_0 = start, X_1, …, X_steps.
func (s *Simulator) Path(start, steps int, r *rand.Rand) ([]int, error) {
	if err := checkState(start, len(s.start)-1); err != nil {
		return nil, err
	}
	if steps < 0 {
		return nil, fmt.Errorf("markov: a path of %d steps; the number cannot be negative", steps)
	}
	path := make([]int, steps+1)
	path[0] = start
	for t := range steps {
		path[t+1] = s.Next(path[t], r)
	}
	return path, nil
}

// SimulateFrom draws X_0 from a distribution and a path of steps after it.
func SimulateFrom(c Chain, start []float64, steps int, r *rand.Rand) ([]int, error) {
	if err := checkDistribution(start, c.Len()); err != nil {
		return nil, err
	}
	u := r.Float64()
	first, sum := 0, 0.0
	for i, v := range start {
		if v == 0 {
			continue
		}
		first = i
		if sum += v; u < sum {
			break
		}
	}
	return NewSimulator(c).Path(first, steps, r)
}
