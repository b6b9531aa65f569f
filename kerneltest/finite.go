package kerneltest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Finite is a target on finitely many states, numbered from 0.
type Finite[S any] struct {
	LogWeight []float64       // unnormalised log probability of each state
	State     func(i int) S   // a state at i, caches in place
	Index     func(s S) int   // where a state is
	Kernel    mcmc.Kernel[S]  // frozen, if it adapts
	Check     func(s S) error // optional: judges the caches of a state after the steps
}

// Exact pushes exact draws of the target through the kernel and compares how often each
// state comes out with its probability, by a binomial test a state.
func Exact[S any](f Finite[S], set Settings) error {
	set, err := set.complete()
	if err != nil {
		return err
	}
	r := rng.New(set.Seed, "kerneltest exact").Rand
	return f.frequencies(set, r, "an exact draw", func(prob []float64) int { return draw(r, prob) })
}

// Reaches runs the kernel from one state, again and again, and compares where it is after
// Steps steps with the target. The steps must be enough for the chain to forget its
// start to within the noise.
func Reaches[S any](f Finite[S], from int, set Settings) error {
	set, err := set.complete()
	if err != nil {
		return err
	}
	r := rng.New(set.Seed, "kerneltest reaches").Rand
	return f.frequencies(set, r, fmt.Sprintf("state %d", from), func([]float64) int { return from })
}

// frequencies compares how often each state comes out of the kernel with its probability.
func (f Finite[S]) frequencies(set Settings, r *rand.Rand, from string, start func(prob []float64) int) error {
	prob, err := f.probabilities()
	if err != nil {
		return err
	}
	count := make([]int, len(prob))
	for range set.Replicates {
		j, err := f.push(start(prob), set.Steps, r)
		if err != nil {
			return err
		}
		count[j]++
	}
	return compare(count, prob, set, from)
}

// DetailedBalance starts from exact draws and compares the flows between each two states:
// under π(i) P(i→j) = π(j) P(j→i) the moves from i to j are binomial with probability ½
// among those between i and j.
func DetailedBalance[S any](f Finite[S], set Settings) error {
	set, err := set.complete()
	if err != nil {
		return err
	}
	r := rng.New(set.Seed, "kerneltest balance").Rand
	prob, err := f.probabilities()
	if err != nil {
		return err
	}
	n := len(prob)
	flow := make([]int, n*n)
	for range set.Replicates {
		i := draw(r, prob)
		j, err := f.push(i, set.Steps, r)
		if err != nil {
			return err
		}
		flow[i*n+j]++
	}
	pairs := n * (n - 1) / 2
	if pairs == 0 {
		return errNothing
	}
	for i := range n {
		for j := range i {
			there, back := flow[i*n+j], flow[j*n+i]
			if p := binomialP(there, there+back, 0.5); p < set.Alpha/float64(pairs) {
				return fmt.Errorf("kerneltest: no detailed balance: %d moves from state %d to %d and %d back (p = %.2g)", there, i, j, back, p)
			}
		}
	}
	return nil
}

// push starts a fresh state at i, steps, and says where it is then.
func (f Finite[S]) push(i, steps int, r *rand.Rand) (int, error) {
	s := f.State(i)
	for range steps {
		f.Kernel.Step(s, r)
	}
	j := f.Index(s)
	if j < 0 || j >= len(f.LogWeight) {
		return 0, fmt.Errorf("kerneltest: from state %d the kernel went to %d, which is not a state", i, j)
	}
	if f.Check != nil {
		if err := f.Check(s); err != nil {
			return 0, fmt.Errorf("kerneltest: after steps from state %d: %w", i, err)
		}
	}
	return j, nil
}

// probabilities normalises the weights.
func (f Finite[S]) probabilities() ([]float64, error) {
	top, sum := math.Inf(-1), 0.0
	for _, w := range f.LogWeight {
		top = max(top, w)
	}
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return nil, errors.New("kerneltest: the log weights of a finite target must be numbers or −Inf, and one of them finite")
	}
	p := make([]float64, len(f.LogWeight))
	for i, w := range f.LogWeight {
		p[i] = math.Exp(w - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p, nil
}

// draw picks a state exactly, by inversion.
func draw(r *rand.Rand, prob []float64) int {
	u, last := r.Float64(), 0
	for i, p := range prob {
		if u -= p; u < 0 {
			return i
		}
		if p > 0 {
			last = i
		}
	}
	return last
}

func compare(count []int, prob []float64, set Settings, from string) error {
	if len(count) == 0 {
		return errNothing
	}
	for i, k := range count {
		if p := binomialP(k, set.Replicates, prob[i]); p < set.Alpha/float64(len(count)) {
			return fmt.Errorf("kerneltest: from %s the kernel came to state %d in %d of %d runs, expected %.1f (p = %.2g)",
				from, i, k, set.Replicates, prob[i]*float64(set.Replicates), p)
		}
	}
	return nil
}
