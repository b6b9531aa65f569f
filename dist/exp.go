package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// expo is dexp(lambda): the exponential distribution of rate lambda.
func expo() *Scalar {
	return &Scalar{
		Name:        "dexp",
		Params:      []string{"lambda"},
		Formula:     "log(lambda) - lambda*x",
		slide:       slideRate,
		CanTruncate: true,
		Check:       func(p []float64) string { return checkPositive("lambda", p[0]) },
		Support:     halfLine,
		LogProb:     func(x float64, p []float64) float64 { return ExpLogProb(x, p[0]) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			dp[0] = 1/p[0] - x
			return -p[0]
		},
		Sample: func(r *rand.Rand, p []float64) float64 {
			if !positive(p[0]) {
				return math.NaN()
			}
			return StdExp(r) / p[0]
		},
		CDF:    func(x float64, p []float64) float64 { return -vec.Expm1(expLogSF(x, p)) },
		LogCDF: func(x float64, p []float64) float64 { return vec.Log1mExp(expLogSF(x, p)) },
		LogSF:  expLogSF,
		Quantile: func(q float64, p []float64) float64 {
			if !probability(q) || !positive(p[0]) {
				return math.NaN()
			}
			return -vec.Log1p(-q) / p[0]
		},
		Mean:     func(p []float64) float64 { return 1 / p[0] },
		Variance: func(p []float64) float64 { return 1 / (p[0] * p[0]) },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return min(lo+truncExp(r, float64(p[0]*(hi-lo)))/p[0], hi)
		},
	}
}

// ExpLogProb is the log density log lambda − lambda x of dexp(lambda) for x ≥ 0.
func ExpLogProb(x, lambda float64) float64 {
	if !(x >= 0 && lambda > 0 && lambda <= math.MaxFloat64) {
		return outside(x, positive(lambda))
	}
	return vec.Log(lambda) - float64(lambda*x)
}

func expLogSF(x float64, p []float64) float64 {
	if !positive(p[0]) {
		return math.NaN()
	}
	return -float64(p[0] * max(x, 0))
}

// truncExp draws a standard exponential variable given that it is at most width, by inversion.
func truncExp(r *rand.Rand, width float64) float64 {
	if width < 0x1p-40 {
		return float64(uniform(r) * width)
	}
	return min(-vec.Log1p(float64(uniform(r)*vec.Expm1(-width))), width)
}
