package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// genGamma is dgen.gamma(r, lambda, b): (lambda·X)^b has the gamma distribution of shape r and rate 1.
func genGamma() *Scalar {
	return &Scalar{
		Name:        "dgen.gamma",
		Aliases:     []string{"dggamma"},
		Params:      []string{"r", "lambda", "b"},
		Formula:     "log(b) + b*r*log(lambda) + (b*r-1)*log(x) - pow(lambda*x, b) - loggam(r)",
		slide:       slideGenGamma,
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("r", p[0]), checkPositive("lambda", p[1]), checkPositive("b", p[2]))
		},
		Support: halfLine,
		LogProb: func(x float64, p []float64) float64 { return GenGammaLogProb(x, p[0], p[1], p[2]) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			r, lambda, b := p[0], p[1], p[2]
			l := vec.Log(lambda) + vec.Log(x)
			y := vec.Exp(float64(b * l))
			dp[0] = float64(b*l) - vec.Digamma(r)
			dp[1] = float64(b*(r-y)) / lambda
			dp[2] = 1/b + float64(l*(r-y))
			return (float64(b*(r-y)) - 1) / x
		},
		Sample: func(r *rand.Rand, p []float64) float64 {
			return positiveDraw(genGammaFromLog(LogGamma1(r, p[0]), p))
		},
		CDF:    func(x float64, p []float64) float64 { return vec.Exp(vec.LogGammaP(p[0], genGammaPower(x, p))) },
		LogCDF: func(x float64, p []float64) float64 { return vec.LogGammaP(p[0], genGammaPower(x, p)) },
		LogSF:  func(x float64, p []float64) float64 { return vec.LogGammaQ(p[0], genGammaPower(x, p)) },
		Quantile: func(q float64, p []float64) float64 {
			return genGammaFromLog(gammaLogQuantile(q, p[0], 1), p)
		},
		Mean: func(p []float64) float64 { return vec.Exp(genGammaLogMoment(1, p)) },
		Variance: func(p []float64) float64 {
			l1, l2 := genGammaLogMoment(1, p), genGammaLogMoment(2, p)
			return float64(vec.Exp(l2) * -vec.Expm1(2*l1-l2))
		},
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			ll, b := vec.Log(p[1]), p[2]
			t := truncLogGamma(r, p[0], 1, float64(b*(vec.Log(lo)+ll)), float64(b*(vec.Log(hi)+ll)))
			return positiveDraw(genGammaFromLog(t, p))
		},
	}
}

func genGammaOK(r, lambda, b float64) bool { return positive(r) && positive(lambda) && positive(b) }

// GenGammaLogProb is the log density of dgen.gamma(r, lambda, b): log b + b r log lambda − log Γ(r) + (b r − 1) log x −
// (lambda x)^b.
func GenGammaLogProb(x, r, lambda, b float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64 && genGammaOK(r, lambda, b)) {
		if x == 0 && genGammaOK(r, lambda, b) {
			return densityAtZero(float64(b*r), vec.Log(b)-vec.Lgamma(r)+vec.Log(lambda))
		}
		return outside(x, genGammaOK(r, lambda, b))
	}
	lx := vec.Log(x)
	l := float64(b * (vec.Log(lambda) + lx)) // log of the gamma variable
	return vec.Log(b) - lx + float64(r*l) - vec.Exp(l) - vec.Lgamma(r)
}

// genGammaPower is (lambda·x)^b ≥ 0, NaN outside the domain.
func genGammaPower(x float64, p []float64) float64 {
	if !genGammaOK(p[0], p[1], p[2]) || x != x {
		return math.NaN()
	}
	return vec.Exp(float64(p[2] * (vec.Log(max(x, 0)) + vec.Log(p[1]))))
}

// genGammaFromLog is x for the logarithm l of the gamma variable.
func genGammaFromLog(l float64, p []float64) float64 {
	if !genGammaOK(p[0], p[1], p[2]) {
		return math.NaN()
	}
	return vec.Exp(l/p[2] - vec.Log(p[1]))
}

// genGammaLogMoment is log E X^k.
func genGammaLogMoment(k float64, p []float64) float64 {
	return vec.Lgamma(p[0]+k/p[2]) - vec.Lgamma(p[0]) - float64(k*vec.Log(p[1]))
}
