package mh

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Target is a distribution over vectors, known up to a constant factor.
type Target = mcmc.Target

// Accept decides on a proposal whose log ratio, densities and proposal densities
// together, is logRatio. NaN is rejected. It takes one number from r in every case.
func Accept(r *rand.Rand, logRatio float64) (accepted bool, prob float64) {
	prob = acceptProb(logRatio)
	return r.Float64() < prob, prob
}

// acceptProb is min(1, exp(logRatio)), 0 for NaN. It is small enough to be inlined.
func acceptProb(logRatio float64) float64 {
	if logRatio >= 0 {
		return 1
	}
	if logRatio < 0 {
		return vec.Exp(logRatio)
	}
	return 0
}

// LogRatio is log π(x') − log π(x), with densities of zero where they are not finite: −Inf for a proposal of density zero, and else
// +Inf from a state of density zero, which any other proposal leaves.
func LogRatio(proposed, current float64) float64 {
	if !vec.Finite(proposed) {
		return math.Inf(-1)
	}
	if !vec.Finite(current) {
		return math.Inf(1)
	}
	return proposed - current
}
