package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// logis is dlogis(mu, tau): the logistic distribution of mean mu and scale 1/tau.
func logis() *Scalar {
	return &Scalar{
		Name:        "dlogis",
		Params:      []string{"mu", "tau"},
		Formula:     "log(tau) - abs(tau*(x-mu)) - 2*log(1+exp(-abs(tau*(x-mu))))",
		slide:       slideScaled,
		CanTruncate: true,
		Check:       locationScaleCheck,
		Support:     realLine,
		LogProb:     func(x float64, p []float64) float64 { return LogisLogProb(x, p[0], p[1]) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			d := x - p[0]
			t := vec.Tanh(float64(0.5 * float64(p[1]*d)))
			dx = -float64(p[1] * t)
			dp[0] = -dx
			dp[1] = 1/p[1] - float64(d*t)
			return dx
		},
		Sample: func(r *rand.Rand, p []float64) float64 {
			u := uniformFine(r)
			z := vec.Log(u) - vec.Log1p(-u)
			if r.Uint64()>>63 == 1 { // the lattice of u is fine near 0 only
				z = -z
			}
			return unscaled(z, p)
		},
		CDF:      func(x float64, p []float64) float64 { return vec.Ilogit(scaled(x, p)) },
		LogCDF:   func(x float64, p []float64) float64 { return -vec.Log1pExp(-scaled(x, p)) },
		LogSF:    func(x float64, p []float64) float64 { return -vec.Log1pExp(scaled(x, p)) },
		Quantile: func(q float64, p []float64) float64 { return unscaled(vec.Logit(q), p) },
		Mean:     func(p []float64) float64 { return p[0] },
		Variance: func(p []float64) float64 { return math.Pi * math.Pi / (3 * p[1] * p[1]) },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return unscaled(truncLogConcave(r, scaled(lo, p), scaled(hi, p), 0, func(z float64) (h, dh float64) {
				return -math.Abs(z) - float64(2*vec.Log1p(vec.Exp(-math.Abs(z)))), -vec.Tanh(float64(0.5 * z))
			}), p)
		},
	}
}

// LogisLogProb is the log density of dlogis(mu, tau): log tau + z − 2 log(1+eᶻ), z = tau (x−mu).
func LogisLogProb(x, mu, tau float64) float64 {
	if !(tau > 0 && tau <= math.MaxFloat64 && mu-mu == 0) { // the last: mu is finite
		return math.NaN()
	}
	z := float64(tau * math.Abs(x-mu))
	return vec.Log(tau) - z - float64(2*vec.Log1p(vec.Exp(-z)))
}
