package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// par is dpar(alpha, c): the Pareto distribution with density alpha c^alpha x^−(alpha+1) for x ≥ c.
func par() *Scalar {
	return &Scalar{
		Name:          "dpar",
		MovingSupport: true,
		Params:        []string{"alpha", "c"},
		Formula:       "log(alpha) + alpha*log(c) - (alpha+1)*log(x)",
		slide:         slidePareto,
		CanTruncate:   true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("alpha", p[0]), checkPositive("c", p[1]))
		},
		Support: func(p []float64) (lo, hi float64) { return p[1], math.Inf(1) },
		LogProb: func(x float64, p []float64) float64 { return ParLogProb(x, p[0], p[1]) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			dp[0] = 1/p[0] - vec.Log(x/p[1])
			dp[1] = p[0] / p[1]
			return -(p[0] + 1) / x
		},
		Sample: func(r *rand.Rand, p []float64) float64 { return positiveDraw(parBeyond(p, StdExp(r))) },
		CDF:    func(x float64, p []float64) float64 { return -vec.Expm1(parLogSF(x, p)) },
		LogCDF: func(x float64, p []float64) float64 { return vec.Log1mExp(parLogSF(x, p)) },
		LogSF:  parLogSF,
		Quantile: func(q float64, p []float64) float64 {
			if !probability(q) {
				return math.NaN()
			}
			return parBeyond(p, -vec.Log1p(-q))
		},
		Mean: func(p []float64) float64 {
			if p[0] <= 1 {
				return math.Inf(1)
			}
			return p[0] * p[1] / (p[0] - 1)
		},
		Variance: func(p []float64) float64 {
			if p[0] <= 2 {
				return math.Inf(1)
			}
			return p[1] * p[1] * p[0] / ((p[0] - 1) * (p[0] - 1) * (p[0] - 2))
		},
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			// log(X/lo) is exponential again.
			width := float64(p[0] * vec.Log(hi/lo))
			return positiveDraw(float64(lo * vec.Exp(truncExp(r, width)/p[0])))
		},
	}
}

// ParLogProb is the log density of dpar(alpha, c): alpha c^alpha x^−(alpha+1) for x ≥ c.
func ParLogProb(x, alpha, c float64) float64 {
	if !(x >= c && x <= math.MaxFloat64 && positive(alpha) && c > 0) {
		return outside(x, positive(alpha) && positive(c))
	}
	return vec.Log(alpha) - float64(alpha*vec.Log(x/c)) - vec.Log(x)
}

func parLogSF(x float64, p []float64) float64 {
	if !(positive(p[0]) && positive(p[1])) {
		return math.NaN()
	}
	if x <= p[1] {
		return 0
	}
	return -float64(p[0] * vec.Log(x/p[1]))
}

// parBeyond is c·exp(e/alpha): the x with log SF(x) = −e.
func parBeyond(p []float64, e float64) float64 {
	if !(positive(p[0]) && positive(p[1])) {
		return math.NaN()
	}
	return float64(p[1] * vec.Exp(e/p[0]))
}
