package mcmc

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Cycle applies the kernels one after another; each leaves the target invariant, so
// the cycle does, though it is not reversible even if they are. Adaptation, freezing
// and marshalling reach every part. The info of a step joins those of its parts: the
// mean acceptance probability, the sum of evaluations, accepted or divergent if any
// part was. A [Teller] among the parts tells its statistics.
func Cycle[S any](kernels ...Kernel[S]) Adapter[S] {
	return &cycle[S]{parts[S](kernels)}
}

// Mixture applies one kernel a step, chosen with probability proportional to its
// weight, whatever the state. It keeps reversibility. Weights are finite, not negative, and
// not all zero.
func Mixture[S any](weights []float64, kernels ...Kernel[S]) (Adapter[S], error) {
	if len(weights) != len(kernels) {
		return nil, fmt.Errorf("mcmc: mixture of %d kernels has %d weights; give one weight a kernel", len(kernels), len(weights))
	}
	upto := make([]float64, len(weights))
	sum := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("mcmc: mixture weight %d is %v; weights must be finite and not negative", i+1, w)
		}
		sum += w
		upto[i] = sum
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil, fmt.Errorf("mcmc: the weights of a mixture add up to %v; the sum must be positive and finite", sum)
	}
	return &mixture[S]{upto, parts[S](kernels)}, nil
}

// Repeat applies the kernel n times a step; with n ≤ 0 it leaves the state where it is.
func Repeat[S any](n int, k Kernel[S]) Adapter[S] {
	return &repeat[S]{n, parts[S]{k}}
}

type cycle[S any] struct{ parts[S] }

func (c *cycle[S]) Step(s S, r *rand.Rand) Info {
	var sum joint
	for _, k := range c.parts {
		sum.add(k.Step(s, r))
	}
	return sum.info()
}

func (c *cycle[S]) Adapt(s S, r *rand.Rand, w Warmup) Info {
	var sum joint
	for i := range c.parts {
		sum.add(c.adapt(i, s, r, w))
	}
	return sum.info()
}

type mixture[S any] struct {
	upto []float64 // cumulative weights
	parts[S]
}

func (m *mixture[S]) Step(s S, r *rand.Rand) Info {
	return m.parts[m.pick(r)].Step(s, r)
}

func (m *mixture[S]) Adapt(s S, r *rand.Rand, w Warmup) Info {
	return m.adapt(m.pick(r), s, r, w)
}

// pick never returns a kernel of weight zero: u < total is strict, and so is the search.
func (m *mixture[S]) pick(r *rand.Rand) int {
	last := len(m.upto) - 1
	u := r.Float64() * m.upto[last]
	for i, c := range m.upto {
		if u < c {
			return i
		}
	}
	return m.heaviest()
}

// heaviest answers the one case in which rounding makes u equal to the total.
func (m *mixture[S]) heaviest() int {
	best, weight, prev := 0, 0.0, 0.0
	for i, c := range m.upto {
		if c-prev > weight {
			best, weight = i, c-prev
		}
		prev = c
	}
	return best
}

type repeat[S any] struct {
	n int
	parts[S]
}

func (k *repeat[S]) Step(s S, r *rand.Rand) Info {
	var sum joint
	for range k.n {
		sum.add(k.parts[0].Step(s, r))
	}
	return sum.info()
}

// Adapt tells the part how far it is in its own steps, n to one of the cycle's.
func (k *repeat[S]) Adapt(s S, r *rand.Rand, w Warmup) Info {
	var sum joint
	for i := range k.n {
		sum.add(k.adapt(0, s, r, Warmup{Iteration: w.Iteration*k.n + i, Total: w.Total * k.n}))
	}
	return sum.info()
}

// joint joins the infos of several moves into one.
type joint struct {
	sum Info
	n   int
}

func (j *joint) add(i Info) {
	j.n++
	j.sum.Accepted = j.sum.Accepted || i.Accepted
	j.sum.AcceptProb += i.AcceptProb
	j.sum.Evals += i.Evals
	j.sum.Divergent = j.sum.Divergent || i.Divergent
}

func (j *joint) info() Info {
	if j.n > 0 {
		j.sum.AcceptProb /= float64(j.n)
	}
	return j.sum
}
