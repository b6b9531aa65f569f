package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// gamma is dgamma(r, lambda): the gamma distribution of shape r and rate lambda.
func gamma() *Scalar {
	return &Scalar{
		Name:        "dgamma",
		Params:      []string{"r", "lambda"},
		Formula:     "r*log(lambda) + (r-1)*log(x) - lambda*x - loggam(r)",
		slide:       slideRate,
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("r", p[0]), checkPositive("lambda", p[1]))
		},
		Support:  halfLine,
		LogProb:  func(x float64, p []float64) float64 { return GammaLogProb(x, p[0], p[1]) },
		Grad:     gammaGrad,
		Sample:   func(r *rand.Rand, p []float64) float64 { return Gamma(r, p[0], p[1]) },
		CDF:      func(x float64, p []float64) float64 { return vec.Exp(gammaLogCDF(x, p)) },
		LogCDF:   gammaLogCDF,
		LogSF:    gammaLogSF,
		Quantile: func(q float64, p []float64) float64 { return vec.Exp(gammaLogQuantile(q, p[0], p[1])) },
		Mean:     func(p []float64) float64 { return p[0] / p[1] },
		Variance: func(p []float64) float64 { return p[0] / p[1] / p[1] },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return positiveDraw(vec.Exp(truncLogGamma(r, p[0], p[1], vec.Log(lo), vec.Log(hi))))
		},
	}
}

// chisqr is dchisqr(k): the chi-squared distribution with k degrees of freedom, that is dgamma(k/2, 1/2).
func chisqr() *Scalar {
	asGamma := func(p []float64) (shape, rate float64) { return 0.5 * p[0], 0.5 }
	return &Scalar{
		Name:        "dchisqr",
		Aliases:     []string{"dchisq"},
		Params:      []string{"k"},
		Formula:     "(k/2-1)*log(x) - x/2 - k/2*log(2) - loggam(k/2)",
		CanTruncate: true,
		Check:       func(p []float64) string { return checkPositive("k", p[0]) },
		Support:     halfLine,
		LogProb:     func(x float64, p []float64) float64 { return ChisqrLogProb(x, p[0]) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			a := float64(0.5 * p[0])
			dp[0] = float64(0.5 * (vec.Log(x) - math.Ln2 - vec.Digamma(a)))
			return (a-1)/x - 0.5
		},
		Sample: func(r *rand.Rand, p []float64) float64 { a, b := asGamma(p); return Gamma(r, a, b) },
		CDF: func(x float64, p []float64) float64 {
			return vec.GammaP(0.5*p[0], 0.5*x)
		},
		LogCDF:   func(x float64, p []float64) float64 { return vec.LogGammaP(0.5*p[0], 0.5*x) },
		LogSF:    func(x float64, p []float64) float64 { return vec.LogGammaQ(0.5*p[0], 0.5*x) },
		Quantile: func(q float64, p []float64) float64 { return vec.Exp(gammaLogQuantile(q, 0.5*p[0], 0.5)) },
		Mean:     func(p []float64) float64 { return p[0] },
		Variance: func(p []float64) float64 { return 2 * p[0] },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return positiveDraw(vec.Exp(truncLogGamma(r, 0.5*p[0], 0.5, vec.Log(lo), vec.Log(hi))))
		},
	}
}

// GammaLogProb is the log density r log lambda − log Γ(r) + (r−1) log x − lambda x of dgamma(r, lambda).
func GammaLogProb(x, r, lambda float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64 && r > 0 && r <= math.MaxFloat64 && lambda > 0 && lambda <= math.MaxFloat64) {
		if x == 0 && positive(r) && positive(lambda) {
			return densityAtZero(r, vec.Log(lambda))
		}
		return outside(x, positive(r) && positive(lambda))
	}
	if r > 100 {
		return gammaLogProbLarge(x, r, lambda)
	}
	lx := vec.Log(x)
	return float64(r*(vec.Log(lambda)+lx)) - lx - float64(lambda*x) - vec.Lgamma(r)
}

// gammaLogProbLarge has the large terms of GammaLogProb cancelled by Stirling's formula (Loader, 2000).
func gammaLogProbLarge(x, r, lambda float64) float64 {
	y := float64(lambda * x)
	if !(y >= smallest && y <= math.MaxFloat64) {
		lx := vec.Log(x)
		return float64(r*(vec.Log(lambda)+lx)) - lx - y - vec.Lgamma(r)
	}
	return float64(0.5*vec.Log(r)) - halfLog2Pi - stirlingErr(r) - vec.Log(x) - vec.Deviance(r, y, y-r)
}

// ChisqrLogProb is the log density of dchisqr(k): x^(k/2−1) e^(−x/2)/(2^(k/2) Γ(k/2)) for x > 0.
func ChisqrLogProb(x, k float64) float64 { return GammaLogProb(x, 0.5*k, 0.5) }

// GammaGrad gives the derivatives of GammaLogProb by x, r and lambda.
func GammaGrad(x, r, lambda float64) (dx, dr, dlambda float64) {
	return (r-1)/x - lambda, vec.Log(lambda) + vec.Log(x) - vec.Digamma(r), r/lambda - x
}

func gammaGrad(x float64, p, dp []float64) (dx float64) {
	dx, dp[0], dp[1] = GammaGrad(x, p[0], p[1])
	return dx
}

// gammaArgument is lambda·x ≥ 0, NaN outside the domain.
func gammaArgument(x float64, p []float64) float64 {
	if !positive(p[1]) {
		return math.NaN()
	}
	return float64(p[1] * max(x, 0))
}

func gammaLogCDF(x float64, p []float64) float64 { return vec.LogGammaP(p[0], gammaArgument(x, p)) }
func gammaLogSF(x float64, p []float64) float64  { return vec.LogGammaQ(p[0], gammaArgument(x, p)) }

// gammaLogQuantile is the logarithm of the quantile.
func gammaLogQuantile(q, shape, rate float64) float64 {
	if !probability(q) || !positive(rate) {
		return math.NaN()
	}
	return vec.GammaQuantileLog(shape, vec.Log(q), false) - vec.Log(rate)
}

// truncLogGamma draws the logarithm t of a gamma variable given a ≤ t ≤ b; its log density shape·t − rate·eᵗ is concave.
func truncLogGamma(r *rand.Rand, shape, rate, a, b float64) float64 {
	lr := vec.Log(rate)
	return truncLogConcave(r, a, b, vec.Log(shape)-lr, func(t float64) (h, dh float64) {
		y := vec.Exp(t + lr)
		return float64(shape*t) - y, shape - y
	})
}
