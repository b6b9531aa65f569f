package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Proposal is a distribution that proposals are drawn from, whatever the state.
type Proposal interface {
	Draw(dst []float64, r *rand.Rand)
	LogDensity(x []float64) float64 // up to a constant, −Inf where Draw never goes
}

// Independence is Metropolis–Hastings with proposals that do not depend on the state
// (Tierney 1994, section 2.3.3). It mixes well only if the proposal has tails as heavy as
// the target. It has nothing to tune.
type Independence struct {
	target   Target
	from     Proposal
	proposal []float64
}

// NewIndependence returns a kernel for vectors of length dim.
func NewIndependence(target Target, from Proposal, dim int) (*Independence, error) {
	if target == nil || from == nil || dim < 1 {
		return nil, fmt.Errorf("mh: an independence sampler needs a target, a proposal and a length of 1 or more, not %d", dim)
	}
	if d := dimOf(from); d != 0 && d != dim {
		return nil, fmt.Errorf("mh: an independence sampler over vectors of length %d with proposals of length %d", dim, d)
	}
	return &Independence{target: target, from: from, proposal: make([]float64, dim)}, nil
}

// Dim is the length of the vectors.
func (k *Independence) Dim() int { return len(k.proposal) }

// Step proposes once.
func (k *Independence) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	k.from.Draw(k.proposal, r)
	f := k.target.LogDensity(k.proposal)
	info := mcmc.Info{Evals: 1, Divergent: broken(f)}
	ratio := LogRatio(f, s.LogP)
	if vec.Finite(s.LogP) { // a point of zero density is left whatever the proposal
		back := k.from.LogDensity(s.X) - k.from.LogDensity(k.proposal)
		if broken(back) { // a density that is zero where it was drawn
			back, info.Divergent = math.Inf(-1), true
		}
		ratio += back
	}
	info.Accepted, info.AcceptProb = Accept(r, ratio)
	if info.Accepted {
		copy(s.X, k.proposal)
		s.LogP = f
	}
	return info
}

// Prior is Metropolis–Hastings with proposals from the prior: the prior cancels, and the
// ratio is that of the likelihoods. The LogP of its points is the log likelihood.
type Prior struct {
	loglik   Target
	draw     func(dst []float64, r *rand.Rand)
	proposal []float64
}

// NewPrior returns a kernel for vectors of length dim, given the log likelihood and a
// sampler of the prior.
func NewPrior(loglik Target, draw func(dst []float64, r *rand.Rand), dim int) (*Prior, error) {
	if loglik == nil || draw == nil || dim < 1 {
		return nil, fmt.Errorf("mh: proposals from a prior need a likelihood, a sampler and a length of 1 or more, not %d", dim)
	}
	return &Prior{loglik: loglik, draw: draw, proposal: make([]float64, dim)}, nil
}

// Dim is the length of the vectors.
func (k *Prior) Dim() int { return len(k.proposal) }

// Step proposes once.
func (k *Prior) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	k.draw(k.proposal, r)
	f := k.loglik.LogDensity(k.proposal)
	info := mcmc.Info{Evals: 1, Divergent: broken(f)}
	info.Accepted, info.AcceptProb = Accept(r, LogRatio(f, s.LogP))
	if info.Accepted {
		copy(s.X, k.proposal)
		s.LogP = f
	}
	return info
}
