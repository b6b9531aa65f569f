package dist

import (
	"math"
	"math/rand/v2"
)

// LogProbT is the log density of d truncated to [lo, hi] and renormalised: LogProb − log P(lo ≤ X ≤ hi) inside,
// -Inf outside. Both bounds are inclusive, also for a discrete d.
func (d *Scalar) LogProbT(x float64, p []float64, lo, hi float64) float64 {
	return math.NaN()
}

// SampleT draws from d truncated to [lo, hi]; NaN where the interval has no mass at all.
func (d *Scalar) SampleT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	return math.NaN()
}
