package mh

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Noisy is a distribution whose density cannot be computed but estimated without bias, as
// when latent variables are integrated out by importance sampling or a particle filter.
type Noisy[X any] interface {
	// LogEstimate is the logarithm of an estimate of the density at x, made with random
	// numbers from r. The estimate, not its logarithm, has the density as its mean, up to one
	// constant factor for all x. It is −Inf where the estimate is 0.
	LogEstimate(x X, r *rand.Rand) float64
}

// PseudoMarginal is Metropolis–Hastings with an estimated density (Andrieu and Roberts,
// 2009). The state keeps the estimate with which it was accepted in LogP, until it moves:
// so the chain has the exact target. To estimate anew at every step would be wrong. It works
// best where the estimate's logarithm has a standard deviation of about 1.2 (Doucet,
// Pitt, Deligiannidis and Kohn, 2015); with one of 3 the chain sticks.
type PseudoMarginal[X any] struct {
	tuned[X]
	target Noisy[X]
	spare  X
}

// NewPseudoMarginal returns a kernel.
func NewPseudoMarginal[X any](target Noisy[X], move Move[X]) (*PseudoMarginal[X], error) {
	if target == nil || move == nil {
		return nil, errNoMove
	}
	return &PseudoMarginal[X]{tuned: tuned[X]{move}, target: target}, nil
}

// NewNoisyState estimates the density at x and keeps x and the estimate.
func NewNoisyState[X any](target Noisy[X], x X, r *rand.Rand) *mcmc.State[X] {
	return &mcmc.State[X]{X: x, LogP: target.LogEstimate(x, r)}
}

// Step proposes once.
func (k *PseudoMarginal[X]) Step(s *mcmc.State[X], r *rand.Rand) mcmc.Info {
	to, ratio := k.move.Propose(k.spare, s.X, r)
	if !usable(ratio) {
		k.spare = to
		return mcmc.Info{Divergent: broken(ratio)}
	}
	f := k.target.LogEstimate(to, r)
	info := mcmc.Info{Evals: 1, Divergent: broken(f)}
	info.AcceptProb = MetropolisHastings.Prob(Ends{From: s.LogP, To: f, Back: ratio})
	if r.Float64() < info.AcceptProb {
		info.Accepted = true
		s.X, to = to, s.X
		s.LogP = f
	}
	k.spare = to
	return info
}

// noisyAcceptance is the best acceptance rate of a random walk with a noisy density over that
// with an exact one, both in many dimensions: 0.07 and 0.234 (Sherlock, Thiery, Roberts and
// Rosenthal, 2015). The noise alone may keep the rate below what an exact density would have,
// and a walk tuned to that would come to a halt.
const noisyAcceptance = 0.07 / 0.234

// Adapt proposes once and lets the move learn, which aims at 0.3 times its usual acceptance
// rate.
func (k *PseudoMarginal[X]) Adapt(s *mcmc.State[X], r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	info := k.Step(s, r)
	k.learn(s.X, info.AcceptProb/noisyAcceptance, w)
	return info
}
