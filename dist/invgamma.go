package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// invGamma is dinvgamma(shape, scale): the distribution of 1/X for X ~ dgamma(shape, scale), with density
// scale^shape x^(−shape−1) exp(−scale/x)/Γ(shape).
func invGamma() *Scalar {
	g := gamma()
	return &Scalar{
		Name:        "dinvgamma",
		Params:      []string{"shape", "scale"},
		Formula:     "shape*log(scale) - (shape+1)*log(x) - scale/x - loggam(shape)",
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("shape", p[0]), checkPositive("scale", p[1]))
		},
		Support: halfLine,
		LogProb: func(x float64, p []float64) float64 { return InvGammaLogProb(x, p[0], p[1]) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			dp[0] = vec.Log(p[1]) - vec.Log(x) - vec.Digamma(p[0])
			dp[1] = p[0]/p[1] - 1/x
			return (p[1]/x - p[0] - 1) / x
		},
		Sample: func(r *rand.Rand, p []float64) float64 {
			if !positive(p[1]) {
				return math.NaN()
			}
			return positiveDraw(vec.Exp(vec.Log(p[1]) - LogGamma1(r, p[0])))
		},
		CDF:    func(x float64, p []float64) float64 { return vec.Exp(invGammaLogCDF(x, p)) },
		LogCDF: invGammaLogCDF,
		LogSF:  invGammaLogSF,
		Quantile: func(q float64, p []float64) float64 {
			switch {
			case !probability(q) || !positive(p[0]) || !positive(p[1]):
				return math.NaN()
			case q > 0.5:
				return vec.Exp(-gammaLogQuantile(1-q, p[0], p[1]))
			case q == 0:
				return 0
			}
			return 1 / g.solveTail(p, 0, math.Inf(1), p[0]/p[1], vec.Log(q), true)
		},
		Mean: func(p []float64) float64 {
			if p[0] <= 1 {
				return math.Inf(1)
			}
			return p[1] / (p[0] - 1)
		},
		Variance: func(p []float64) float64 {
			if p[0] <= 2 {
				return math.Inf(1)
			}
			m := p[1] / (p[0] - 1)
			return m * m / (p[0] - 2)
		},
		slide: func(k int, x float64, p []float64) float64 {
			if k == 0 {
				return math.NaN()
			}
			return -x / p[1]
		},
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return positiveDraw(vec.Exp(-truncLogGamma(r, p[0], p[1], -vec.Log(hi), -vec.Log(lo))))
		},
	}
}

// InvGammaLogProb is the log density of dinvgamma(shape, scale): that of dgamma at 1/x, less 2 log x.
func InvGammaLogProb(x, shape, scale float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64 && positive(shape) && positive(scale)) {
		return outside(x, positive(shape) && positive(scale))
	}
	if y := 1 / x; positive(y) {
		return GammaLogProb(y, shape, scale) - float64(2*vec.Log(x))
	}
	return float64(shape*vec.Log(scale)) - float64((shape+1)*vec.Log(x)) - scale/x - vec.Lgamma(shape)
}

func invGammaLogCDF(x float64, p []float64) float64 {
	return vec.LogGammaQ(p[0], invGammaArgument(x, p))
}

func invGammaLogSF(x float64, p []float64) float64 {
	return vec.LogGammaP(p[0], invGammaArgument(x, p))
}

// invGammaArgument is scale/x for x ≥ 0, NaN outside the domain.
func invGammaArgument(x float64, p []float64) float64 {
	if !positive(p[1]) {
		return math.NaN()
	}
	return p[1] / max(x, 0)
}
