package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// lnorm is dlnorm(mu, tau): log X is normal with mean mu and precision tau.
func lnorm() *Scalar {
	return &Scalar{
		Name:        "dlnorm",
		Params:      []string{"mu", "tau"},
		Formula:     "0.5*log(tau/6.283185307179586) - log(x) - 0.5*tau*sqr(log(x)-mu)",
		slide:       slideLogStandard,
		CanTruncate: true,
		Check:       locationScaleCheck,
		Support:     halfLine,
		LogProb:     func(x float64, p []float64) float64 { return LnormLogProb(x, p[0], p[1]) },
		Grad:        lnormGrad,
		Sample: func(r *rand.Rand, p []float64) float64 {
			return positiveDraw(vec.Exp(normSample(r, p)))
		},
		CDF:    func(x float64, p []float64) float64 { return vec.NormCDF(lnormStandardise(x, p)) },
		LogCDF: func(x float64, p []float64) float64 { return vec.LogNormCDF(lnormStandardise(x, p)) },
		LogSF:  func(x float64, p []float64) float64 { return vec.LogNormCDF(-lnormStandardise(x, p)) },
		Quantile: func(q float64, p []float64) float64 {
			return vec.Exp(normUnstandardise(vec.NormQuantile(q), p))
		},
		Mean:     func(p []float64) float64 { return vec.Exp(p[0] + 0.5/p[1]) },
		Variance: func(p []float64) float64 { return float64(vec.Expm1(1/p[1]) * vec.Exp(2*p[0]+1/p[1])) },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return positiveDraw(vec.Exp(TruncNormal(r, p[0], 1/math.Sqrt(p[1]), vec.Log(lo), vec.Log(hi))))
		},
	}
}

// LnormLogProb is the log density of dlnorm(mu, tau): that of dnorm at log x, less log x.
func LnormLogProb(x, mu, tau float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return outside(x, finite(mu) && positive(tau))
	}
	l := vec.Log(x)
	return NormLogProb(l, mu, tau) - l
}

func lnormGrad(x float64, p, dp []float64) (dx float64) {
	dl, dmu, dtau := NormGrad(vec.Log(x), p[0], p[1])
	dp[0], dp[1] = dmu, dtau
	return (dl - 1) / x
}

func lnormStandardise(x float64, p []float64) float64 {
	return standardise(vec.Log(max(x, 0)), p)
}
