package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// student is dt(mu, tau, k): (X−mu)√tau has Student's t distribution with k degrees of freedom.
func student() *Scalar {
	return &Scalar{
		Name:        "dt",
		Params:      []string{"mu", "tau", "k"},
		Formula:     "loggam((k+1)/2) - loggam(k/2) + 0.5*log(tau/(3.141592653589793*k)) - (k+1)/2*log(1+tau*sqr(x-mu)/k)",
		slide:       slideStandard,
		CanTruncate: true,
		Check:       tCheck,
		Support:     realLine,
		LogProb:     func(x float64, p []float64) float64 { return TLogProb(x, p[0], p[1], p[2]) },
		Grad:        tGrad,
		Sample: func(r *rand.Rand, p []float64) float64 {
			return normUnstandardise(StdNormal(r)/math.Sqrt(Gamma(r, 0.5*p[2], 0.5)/p[2]), p)
		},
		CDF:    func(x float64, p []float64) float64 { return vec.Exp(tLogTail(standardise(x, p), p[2])) },
		LogCDF: func(x float64, p []float64) float64 { return tLogTail(standardise(x, p), p[2]) },
		LogSF:  func(x float64, p []float64) float64 { return tLogTail(-standardise(x, p), p[2]) },
		Quantile: func(q float64, p []float64) float64 {
			switch {
			case !probability(q):
				return math.NaN()
			case q < 0.5:
				return normUnstandardise(-tUpperQuantile(vec.Log(q), p[2]), p)
			}
			return normUnstandardise(tUpperQuantile(vec.Log(1-q), p[2]), p)
		},
		Mean: func(p []float64) float64 {
			if p[2] <= 1 {
				return math.NaN()
			}
			return p[0]
		},
		Variance: func(p []float64) float64 {
			switch {
			case p[2] <= 1:
				return math.NaN()
			case p[2] <= 2:
				return math.Inf(1)
			}
			return p[2] / (p[2] - 2) / p[1]
		},
		sampleT: tSampleT,
	}
}

func tCheck(p []float64) string {
	return firstNonEmpty(checkFinite("mu", p[0]), checkPositive("tau", p[1]), checkPositive("k", p[2]))
}

// TLogProb is the log density of dt(mu, tau, k): ½ log(tau/k) − log B(½, ½k) − ½(k+1) log(1 + tau (x−mu)²/k).
func TLogProb(x, mu, tau, k float64) float64 {
	if !(tau > 0 && tau <= math.MaxFloat64 && k > 0 && k <= math.MaxFloat64 && mu-mu == 0) {
		return math.NaN()
	}
	d := x - mu
	q := float64(tau*float64(d*d)) / k
	l := vec.Log1p(q)
	if q > 1e300 { // the square may overflow
		l = 2*vec.Log(math.Abs(d)) + vec.Log(tau/k)
	}
	return float64(0.5*vec.Log(tau/k)) - vec.LogBeta(0.5, 0.5*k) - float64(float64(0.5*(k+1))*l)
}

func tGrad(x float64, p, dp []float64) (dx float64) {
	mu, tau, k := p[0], p[1], p[2]
	d := x - mu
	q := float64(tau*float64(d*d)) / k
	w := (k + 1) / (1 + q) / k // weight of the observation in a scale mixture of normals
	dx = -float64(float64(tau*w) * d)
	dp[0] = -dx
	dp[1] = float64(0.5 * (1/tau - float64(w*float64(d*d))))
	dp[2] = float64(0.5 * (vec.Digamma(0.5*(k+1)) - vec.Digamma(0.5*k) - vec.Log1p(q) + float64(float64(w*q)) - 1/k))
	return dx
}

// tLogTail is log P(T ≤ z) with k degrees of freedom.
func tLogTail(z, k float64) float64 {
	if z != z {
		return z
	}
	// T² /(k+T²) ~ Beta(½, ½k).
	t := float64(2*vec.Log(math.Abs(z))) - vec.Log(k)
	_, sf := vec.BetaTails(0.5, 0.5*k, vec.Ilogit(t), vec.Ilogit(-t))
	sf -= math.Ln2 // half of it lies on each side
	if z <= 0 {
		return sf
	}
	return vec.Log1mExp(sf)
}

// tUpperQuantile is the z ≥ 0 with log P(T > z) = logp ≤ log ½.
func tUpperQuantile(logp, k float64) float64 {
	t := vec.BetaQuantileLogit(0.5, 0.5*k, min(logp+math.Ln2, 0), true)
	return math.Sqrt(k) * vec.Exp(0.5*t)
}

func tSampleT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	// T = √k sinh w: the density of w is proportional to cosh(w)^−k, which is log-concave.
	k := p[2]
	s := math.Sqrt(k)
	a, b := vec.Asinh(standardise(lo, p)/s), vec.Asinh(standardise(hi, p)/s)
	w := truncLogConcave(r, a, b, 0, func(w float64) (h, dh float64) {
		u := math.Abs(w)
		return -float64(k * (u + vec.Log1p(vec.Exp(-2*u)))), -float64(k * vec.Tanh(w))
	})
	return normUnstandardise(float64(s*vec.Sinh(w)), p)
}
