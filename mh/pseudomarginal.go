package mh

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// UnbiasedEstimator is a distribution whose density cannot be computed but estimated without bias, as
// when latent variables are integrated out by importance sampling or a particle filter.
type UnbiasedEstimator[X any] interface {
	// LogEstimate is the logarithm of an estimate of the density at x, made with random
	// numbers from r. The estimate, not its logarithm, has the density as its mean, up to one
	// constant factor for all x. It is −Inf where the estimate is 0.
	LogEstimate(x X, r *rand.Rand) float64
}

// PseudoMarginal is Metropolis–Hastings with an estimated density (Andrieu and Roberts,
// 2009). The state keeps the estimate with which it was accepted in LogP, until it moves:
// so the chain has the exact target. To estimate anew at every step would be wrong. It works
// best where the estimate's logarithm has a standard deviation of about 1.2 (Doucet,
// Pitt, Deligiannidis and Kohn, 2015); with one of 3 the chain seldom moves.
type PseudoMarginal[X any] struct {
	tuned[X]
	target UnbiasedEstimator[X]
	spare  X
}

// NewPseudoMarginal returns a kernel.
func NewPseudoMarginal[X any](target UnbiasedEstimator[X], move Move[X]) (*PseudoMarginal[X], error) {
	if target == nil || move == nil {
		return nil, errNoMove
	}
	return &PseudoMarginal[X]{tuned: tuned[X]{move}, target: target}, nil
}

// NewEstimatedState estimates the density at x and keeps x and the estimate.
func NewEstimatedState[X any](target UnbiasedEstimator[X], x X, r *rand.Rand) *mcmc.State[X] {
	return &mcmc.State[X]{X: x, LogP: target.LogEstimate(x, r)}
}

// Step proposes once.
func (k *PseudoMarginal[X]) Step(s *mcmc.State[X], r *rand.Rand) mcmc.Info {
	to, ratio := k.move.Propose(k.spare, s.X, r)
	if !vec.Finite(ratio) {
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

// pseudoMarginalAcceptance is the ratio of the best acceptance rate of a random walk with an estimated density to that
// with an exact one, both in many dimensions: 0.07 and 0.234 (Sherlock, Thiery, Roberts and
// Rosenthal, 2015). The variance of the estimate may keep the rate below that of an exact
// density, and a scale tuned to the latter would then shrink to 0.
const pseudoMarginalAcceptance = 0.07 / 0.234

// Adapt proposes once and lets the move learn, which aims at 0.3 times its usual acceptance
// rate.
func (k *PseudoMarginal[X]) Adapt(s *mcmc.State[X], r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	info := k.Step(s, r)
	k.learn(s.X, info.AcceptProb/pseudoMarginalAcceptance, w)
	return info
}
