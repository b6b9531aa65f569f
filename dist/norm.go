package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// norm is dnorm(mu, tau): the normal distribution of mean mu and precision tau = 1/variance.
func norm() *Scalar {
	return &Scalar{
		Name:        "dnorm",
		Params:      []string{"mu", "tau"},
		Formula:     "0.5*log(tau/6.283185307179586) - 0.5*tau*sqr(x-mu)",
		slide:       slideStandard,
		CanTruncate: true,
		Check:       locationScaleCheck,
		Support:     realLine,
		LogProb:     func(x float64, p []float64) float64 { return NormLogProb(x, p[0], p[1]) },
		Grad:        normGrad,
		Sample:      normSample,
		CDF:         func(x float64, p []float64) float64 { return vec.NormCDF(standardise(x, p)) },
		LogCDF:      func(x float64, p []float64) float64 { return vec.LogNormCDF(standardise(x, p)) },
		LogSF:       func(x float64, p []float64) float64 { return vec.LogNormCDF(-standardise(x, p)) },
		Quantile: func(q float64, p []float64) float64 {
			return normUnstandardise(vec.NormQuantile(q), p)
		},
		Mean:     func(p []float64) float64 { return p[0] },
		Variance: func(p []float64) float64 { return 1 / p[1] },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return TruncNormal(r, p[0], 1/math.Sqrt(p[1]), lo, hi)
		},
	}
}

// NormLogProb is the log density ½ log(tau/2π) − ½ tau (x−mu)² of dnorm(mu, tau).
func NormLogProb(x, mu, tau float64) float64 {
	if !(tau > 0 && tau <= math.MaxFloat64 && mu-mu == 0) { // the last: mu is finite
		return math.NaN()
	}
	d := x - mu
	return float64(0.5*(vec.Log(tau)-float64(tau*float64(d*d)))) - halfLog2Pi
}

// NormGrad gives the derivatives of NormLogProb by x, mu and tau.
func NormGrad(x, mu, tau float64) (dx, dmu, dtau float64) {
	d := x - mu
	g := float64(tau * d)
	return -g, g, float64(0.5 * (1/tau - float64(d*d)))
}

func normGrad(x float64, p, dp []float64) (dx float64) {
	dx, dp[0], dp[1] = NormGrad(x, p[0], p[1])
	return dx
}

func normSample(r *rand.Rand, p []float64) float64 {
	if !locationScaleOK(p) {
		return math.NaN()
	}
	return p[0] + StdNormal(r)/math.Sqrt(p[1])
}

// standardise is (x−mu)√tau, NaN outside the domain.
func standardise(x float64, p []float64) float64 {
	if !locationScaleOK(p) {
		return math.NaN()
	}
	return float64((x - p[0]) * math.Sqrt(p[1]))
}

// normUnstandardise is mu + z/√tau, NaN outside the domain.
func normUnstandardise(z float64, p []float64) float64 {
	if !locationScaleOK(p) {
		return math.NaN()
	}
	return p[0] + z/math.Sqrt(p[1])
}
