package mh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// DelayedRejection proposes again when a proposal is rejected, by another move, and stays
// only if all are rejected (Tierney and Mira, 1999; Mira, 2001). The moves start from the
// state, not from what was rejected: a large step first, then smaller ones, as
// [Walk.Shrunk] gives them. The acceptance probability of a stage accounts for the rejections before it on
// the way there and on the way back, so that each stage leaves the target invariant.
type DelayedRejection[X any] struct {
	tuned[X]
	target mcmc.Density[X]
	stages []Conditional[X]

	// The state and the proposals of the stages, in order.
	x    []X
	logp []float64
}

const maxStages = 8 // the acceptance probability of stage n costs 2ⁿ terms

// NewDelayedRejection returns a kernel that tries the stages in turn. In warm-up the first
// one learns.
func NewDelayedRejection[X any](target mcmc.Density[X], stages ...Conditional[X]) (*DelayedRejection[X], error) {
	n := len(stages)
	if target == nil || n == 0 || n > maxStages {
		return nil, fmt.Errorf("mh: delayed rejection needs a target and from 1 to %d moves, not %d", maxStages, n)
	}
	for i, s := range stages {
		if s == nil {
			return nil, fmt.Errorf("mh: move %d of delayed rejection is missing", i+1)
		}
		if _, learns := s.(Learner[X]); learns && i > 0 && reflect.TypeOf(s).Comparable() && any(s) == any(stages[0]) {
			return nil, fmt.Errorf("mh: move %d of delayed rejection is the first one, which learns from its own proposals: make another, as Walk.Shrunk does", i+1)
		}
	}
	return &DelayedRejection[X]{tuned[X]{stages[0]}, target, stages, make([]X, n+1), make([]float64, n+1)}, nil
}

// Step proposes until a proposal is accepted or the stages are at their end. AcceptProb is
// that of the last stage, or 1 if an earlier one was accepted, so that its mean is the rate
// at which the chain moves.
func (k *DelayedRejection[X]) Step(s *mcmc.State[X], r *rand.Rand) mcmc.Info {
	info, _ := k.step(s, r)
	return info
}

// step gives the probability of the first stage too.
func (k *DelayedRejection[X]) step(s *mcmc.State[X], r *rand.Rand) (info mcmc.Info, first float64) {
	k.x[0], k.logp[0] = s.X, orZero(s.LogP)
	last := len(k.stages)
	for i, move := range k.stages {
		n := i + 1
		// A proposal without a way back (a log ratio of −Inf) is rejected like any other: it is an
		// intermediate proposal on the reverse path of the later stages.
		var ratio float64
		k.x[n], ratio = move.Propose(k.x[n], s.X, r)
		info.Divergent = info.Divergent || broken(ratio)
		f := k.target.LogDensity(k.x[n])
		k.logp[n] = orZero(f)
		info.Evals++
		info.Divergent = info.Divergent || broken(f)
		prob := k.prob(0, n)
		if i == 0 {
			first = prob
		}
		if n == last {
			info.AcceptProb = prob
		}
		if r.Float64() < prob {
			if n < last {
				info.AcceptProb = 1
			}
			info.Accepted = true
			s.X, k.x[n] = k.x[n], s.X
			s.LogP = f
			break
		}
	}
	var none X
	k.x[0] = none // it is the state's
	return info, first
}

// orZero is f, or −Inf for what counts as zero density.
func orZero(f float64) float64 {
	if vec.Finite(f) {
		return f
	}
	return math.Inf(-1)
}

// prob is the probability of accepting, at stage |to − from|, the proposal at one end of a
// path that began at the other.
func (k *DelayedRejection[X]) prob(from, to int) float64 {
	back := k.flow(to, from)
	if math.IsInf(back, -1) || math.IsNaN(back) {
		return 0
	}
	d := back - k.flow(from, to)
	switch {
	case d < 0:
		return vec.Exp(d)
	case d >= 0:
		return 1 // also from a state of zero density
	}
	return 0
}

// flow is the logarithm of the density of being at from and of proposing, one after the
// other, what lies on the way to to, the rejections between included.
func (k *DelayedRejection[X]) flow(from, to int) float64 {
	sum := k.logp[from]
	if math.IsInf(sum, -1) {
		return sum
	}
	step := 1
	if to < from {
		step = -1
	}
	for i, at := 0, from+step; ; i, at = i+1, at+step {
		sum += k.stages[i].LogDensity(k.x[at], k.x[from])
		if at == to || math.IsInf(sum, -1) {
			return sum
		}
		sum += vec.Log1p(-k.prob(from, at))
	}
}

// Adapt makes a step and lets the first move learn from its own acceptance.
func (k *DelayedRejection[X]) Adapt(s *mcmc.State[X], r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	info, first := k.step(s, r)
	k.learn(s.X, first, w)
	return info
}

// Shrunk is the walk with its steps shorter by a factor, whatever the walk learns.
func (k *Walk) Shrunk(factor float64) (*Shrunk, error) {
	if !(factor > 0) || math.IsInf(factor, 1) {
		return nil, fmt.Errorf("mh: a walk shrunk by the factor %v; it must be positive and finite", factor)
	}
	return &Shrunk{k, factor, make([]float64, k.dim)}, nil
}

// Shrunk is a [Walk] at another scale.
type Shrunk struct {
	of     *Walk
	factor float64
	z      []float64
}

// Dim is the length of the vectors.
func (k *Shrunk) Dim() int { return k.of.dim }

// Propose takes a step.
func (k *Shrunk) Propose(dst, x []float64, r *rand.Rand) ([]float64, float64) {
	return k.of.step(dst, x, k.z, k.of.sigma*k.factor, r), 0
}

// LogDensity is the log density of a step from one point to the other.
func (k *Shrunk) LogDensity(to, from []float64) float64 {
	return k.of.logDensity(to, from, k.of.sigma*k.factor)
}
