package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// scaledGamma is dscaled.gamma(s, df): the distribution of a precision X whose standard deviation 1/√X has a half-t
// distribution with scale s and df degrees of freedom (Gelman, 2006), so that s²X ~ F(df, 1).
func scaledGamma() *Scalar {
	return &Scalar{
		Name:        "dscaled.gamma",
		Params:      []string{"s", "df"},
		Formula:     "loggam((df+1)/2) - loggam(df/2) - 0.5*log(3.141592653589793*df) - log(s) - 1.5*log(x) - (df+1)/2*log(1+1/(df*sqr(s)*x))",
		slide:       slideScaledGamma,
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("s", p[0]), checkPositive("df", p[1]))
		},
		Support: halfLine,
		LogProb: func(x float64, p []float64) float64 { return ScaledGammaLogProb(x, p[0], p[1]) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			s2 := p[0] * p[0]
			dx, dp[1], _ = FGrad(float64(s2*x), p[1], 1)
			dp[0] = 2 / p[0] * (1 + float64(float64(s2*x)*dx))
			return s2 * dx
		},
		Sample: func(r *rand.Rand, p []float64) float64 { return scaledGammaFrom(fSample(r, p[1], 1), p) },
		CDF: func(x float64, p []float64) float64 {
			l, _ := scaledGammaTails(x, p)
			return vec.Exp(l)
		},
		LogCDF:   func(x float64, p []float64) float64 { l, _ := scaledGammaTails(x, p); return l },
		LogSF:    func(x float64, p []float64) float64 { _, l := scaledGammaTails(x, p); return l },
		Quantile: func(q float64, p []float64) float64 { return scaledGammaFrom(fQuantile(q, p[1], 1), p) },
		Mean:     func([]float64) float64 { return math.Inf(1) },
		Variance: func([]float64) float64 { return math.Inf(1) },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			s2 := p[0] * p[0]
			return fSampleT(r, p[1], 1, float64(s2*lo), float64(s2*hi)) / s2
		},
	}
}

// ScaledGammaLogProb is the log density of dscaled.gamma(s, df), for x > 0 and y = df s² x:
// y^(df/2) (1+y)^(−(df+1)/2)/(x B(df/2, ½)).
func ScaledGammaLogProb(x, s, df float64) float64 {
	if !(positive(s) && positive(df)) {
		return math.NaN()
	}
	return FLogProb(float64(float64(s*s)*x), df, 1) + float64(2*vec.Log(s))
}

func scaledGammaFrom(f float64, p []float64) float64 {
	if !positive(p[0]) {
		return math.NaN()
	}
	return f / (p[0] * p[0])
}

func scaledGammaTails(x float64, p []float64) (logCDF, logSF float64) {
	if !positive(p[0]) {
		return math.NaN(), math.NaN()
	}
	return fTails(float64(p[0]*p[0]*x), p[1], 1)
}
