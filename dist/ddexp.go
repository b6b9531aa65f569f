package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// ddexp is ddexp(mu, tau): the double exponential (Laplace) distribution with density ½ tau exp(−tau |x−mu|).
func ddexp() *Scalar {
	return &Scalar{
		Name:        "ddexp",
		Params:      []string{"mu", "tau"},
		Formula:     "log(tau/2) - tau*abs(x-mu)",
		slide:       slideScaled,
		CanTruncate: true,
		Check:       locationScaleCheck,
		Support:     realLine,
		LogProb:     func(x float64, p []float64) float64 { return DexpLogProb(x, p[0], p[1]) },
		Grad:        ddexpGrad,
		Sample: func(r *rand.Rand, p []float64) float64 {
			if !locationScaleOK(p) {
				return math.NaN()
			}
			e := StdExp(r) / p[1]
			if r.Uint64()>>63 == 1 {
				return p[0] - e
			}
			return p[0] + e
		},
		CDF:    func(x float64, p []float64) float64 { return vec.Exp(ddexpLogTail(scaled(x, p))) },
		LogCDF: func(x float64, p []float64) float64 { return ddexpLogTail(scaled(x, p)) },
		LogSF:  func(x float64, p []float64) float64 { return ddexpLogTail(-scaled(x, p)) },
		Quantile: func(q float64, p []float64) float64 {
			if !probability(q) {
				return math.NaN()
			}
			if q < 0.5 {
				return unscaled(vec.Log(2*q), p)
			}
			return unscaled(-vec.Log(2*(1-q)), p)
		},
		Mean:     func(p []float64) float64 { return p[0] },
		Variance: func(p []float64) float64 { return 2 / (p[1] * p[1]) },
		sampleT:  ddexpSampleT,
	}
}

// DexpLogProb is the log density log(tau/2) − tau |x−mu| of ddexp(mu, tau).
func DexpLogProb(x, mu, tau float64) float64 {
	if !(tau > 0 && tau <= math.MaxFloat64 && mu-mu == 0) { // the last: mu is finite
		return math.NaN()
	}
	return vec.Log(tau) - math.Ln2 - float64(tau*math.Abs(x-mu))
}

func ddexpGrad(x float64, p, dp []float64) (dx float64) {
	d := x - p[0]
	dp[1] = 1/p[1] - math.Abs(d)
	switch {
	case d > 0:
		dx = -p[1]
	case d < 0:
		dx = p[1]
	}
	dp[0] = -dx
	return dx
}

// scaled is (x−mu)·tau, NaN outside the domain; unscaled is its inverse.
func scaled(x float64, p []float64) float64 {
	if !locationScaleOK(p) {
		return math.NaN()
	}
	return float64((x - p[0]) * p[1])
}

func unscaled(z float64, p []float64) float64 {
	if !locationScaleOK(p) {
		return math.NaN()
	}
	return p[0] + z/p[1]
}

// ddexpLogTail is log P(Z ≤ z) for the standard distribution.
func ddexpLogTail(z float64) float64 {
	if z < 0 {
		return z - math.Ln2
	}
	return vec.Log1p(-float64(0.5 * vec.Exp(-z)))
}

func ddexpSampleT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	mu, tau := p[0], p[1]
	if lo >= mu {
		return min(lo+truncExp(r, float64(tau*(hi-lo)))/tau, hi)
	}
	if hi <= mu {
		return max(hi-truncExp(r, float64(tau*(hi-lo)))/tau, lo)
	}
	below := -vec.Expm1(float64(-tau * (mu - lo)))
	above := -vec.Expm1(float64(-tau * (hi - mu)))
	if float64(uniform(r)*(below+above)) < below {
		return max(mu-truncExp(r, float64(tau*(mu-lo)))/tau, lo)
	}
	return min(mu+truncExp(r, float64(tau*(hi-mu)))/tau, hi)
}
