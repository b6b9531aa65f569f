package hmc

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

const (
	// farLogDensity is where rounding of the energy hides differences of a hundredth: trajectories are then accepted or refused at random.
	farLogDensity = 1e13
	mostApproach  = 1000 // gradients
)

// approach climbs from where a chain starts, along the gradient with steps that are doubled while they lead up and halved where they do not, until the
// density is in sight. Recursions whose parameters explode start at log densities of −10⁴⁰. It says whether the point moved, and how many gradients that took.
func (k *sampler) approach(s *mcmc.Point) (moved bool, evals int) {
	if k.at.logp > -farLogDensity {
		return false, 0
	}
	for length := 1.0; k.at.logp <= -farLogDensity && evals < mostApproach; evals++ {
		if length = k.climb(length); length == 0 {
			break
		}
	}
	k.metric.whiten(k.at.h, k.at.grad)
	copy(s.X, k.at.x)
	s.LogP = k.at.logp
	return true, evals
}

// climb tries a step of a length, and returns the next one to try: 0 where there is none.
func (k *sampler) climb(length float64) float64 {
	most := 0.0
	for _, g := range k.at.grad {
		most = max(most, math.Abs(g))
	}
	norm := 0.0
	for _, g := range k.at.grad {
		norm += float64((g / most) * (g / most))
	}
	norm = math.Sqrt(norm)
	same := true
	for i, x := range k.at.x {
		k.trial.x[i] = x + float64(length*(k.at.grad[i]/most/norm))
		same = same && k.trial.x[i] == x
	}
	if same || most == 0 {
		return 0
	}
	k.trial.logp = k.target.Gradient(k.trial.x, k.trial.grad)
	if !k.trial.finite() || k.trial.logp <= k.at.logp {
		return length / 2
	}
	copy(k.at.x, k.trial.x)
	copy(k.at.grad, k.trial.grad)
	k.at.logp = k.trial.logp
	return 2 * length
}
