package mh

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Kernel is Metropolis–Hastings over states of any kind: a target, a move and an
// acceptance rule. Info.Divergent is set where a proposal's log density, or log ratio, is NaN
// or +Inf, which is rejected, and where the plain rule finds a target that is not normalised:
// what [Advise] puts into words, and [Watch] locates.
type Kernel[X any] struct {
	tuned[X]
	target mcmc.Density[X]
	rule   Rule
	q      Conditional[X] // the move, under Plain
	spare  X              // storage for a proposal
}

// rounding is how far a probability may exceed 1 by the error of sums of logarithms.
const rounding = 1e-9

// broken tells a log density that no point of a distribution has.
func broken(f float64) bool { return !(f <= math.MaxFloat64) }

// New returns a kernel. The rule [Plain] needs a [Conditional] move.
func New[X any](target mcmc.Density[X], move Move[X], rule Rule) (*Kernel[X], error) {
	k := &Kernel[X]{tuned: tuned[X]{move}, target: target, rule: rule}
	switch {
	case target == nil || move == nil:
		return nil, errNoMove
	case rule < MetropolisHastings || rule > Plain:
		return nil, fmt.Errorf("mh: there is no acceptance rule %d; take MetropolisHastings, Barker or Plain", rule)
	case rule == Plain:
		q, ok := move.(Conditional[X])
		if !ok {
			return nil, fmt.Errorf("mh: the plain rule needs the density of the move, which %T does not give", move)
		}
		k.q = q
	}
	return k, nil
}

// Step proposes once.
func (k *Kernel[X]) Step(s *mcmc.State[X], r *rand.Rand) mcmc.Info {
	to, ratio := k.move.Propose(k.spare, s.X, r)
	if !vec.Finite(ratio) {
		k.spare = to
		return mcmc.Info{Divergent: broken(ratio)}
	}
	e := Ends{From: s.LogP, To: k.target.LogDensity(to), Back: ratio}
	if k.q != nil {
		e.There, e.Back = k.q.LogDensity(to, s.X), k.q.LogDensity(s.X, to)
	}
	prob := k.rule.Prob(e)
	info := mcmc.Info{Evals: 1, AcceptProb: prob, Divergent: broken(e.To)}
	if prob > 1 { // only the plain rule
		info.AcceptProb = 1
		info.Divergent = prob > 1+rounding
	}
	if r.Float64() < info.AcceptProb {
		info.Accepted = true
		s.X, to = to, s.X
		s.LogP = e.To
	}
	k.spare = to
	return info
}

var errNoMove = errors.New("mh: a kernel needs a target and a move")

// Adapt proposes once and lets the move learn.
func (k *Kernel[X]) Adapt(s *mcmc.State[X], r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	info := k.Step(s, r)
	k.learn(s.X, info.AcceptProb, w)
	return info
}
