package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// weib is dweib(v, lambda): the Weibull distribution with density v lambda x^(v−1) exp(−lambda x^v), so that
// lambda·X^v is a standard exponential variable.
func weib() *Scalar {
	return &Scalar{
		Name:        "dweib",
		Aliases:     []string{"dweibull"},
		Params:      []string{"v", "lambda"},
		Formula:     "log(v) + log(lambda) + (v-1)*log(x) - lambda*pow(x, v)",
		slide:       slideWeibull,
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("v", p[0]), checkPositive("lambda", p[1]))
		},
		Support: halfLine,
		LogProb: func(x float64, p []float64) float64 { return WeibLogProb(x, p[0], p[1]) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			v, lambda := p[0], p[1]
			l := vec.Log(x)
			y := vec.Exp(float64(v * l))
			dp[0] = 1/v + float64(l*(1-float64(lambda*y)))
			dp[1] = 1/lambda - y
			return (v - 1 - float64(float64(v*lambda)*y)) / x
		},
		Sample: func(r *rand.Rand, p []float64) float64 { return positiveDraw(weibFromExp(StdExp(r), p)) },
		CDF:    func(x float64, p []float64) float64 { return -vec.Expm1(weibLogSF(x, p)) },
		LogCDF: weibLogCDF,
		LogSF:  weibLogSF,
		Quantile: func(q float64, p []float64) float64 {
			if !probability(q) {
				return math.NaN()
			}
			return weibFromExp(-vec.Log1p(-q), p)
		},
		Mean: func(p []float64) float64 {
			return vec.Exp(vec.Lgamma(1+1/p[0]) - vec.Log(p[1])/p[0])
		},
		Variance: func(p []float64) float64 {
			l1, l2 := vec.Lgamma(1+1/p[0]), vec.Lgamma(1+2/p[0])
			return float64(vec.Exp(l2-2*vec.Log(p[1])/p[0]) * -vec.Expm1(2*l1-l2))
		},
		sampleT: weibSampleT,
	}
}

// WeibLogProb is the log density of dweib(v, lambda): v lambda x^(v−1) exp(−lambda x^v) for x ≥ 0.
func WeibLogProb(x, v, lambda float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64 && positive(v) && positive(lambda)) {
		if x == 0 && positive(v) && positive(lambda) {
			return densityAtZero(v, vec.Log(lambda))
		}
		return outside(x, positive(v) && positive(lambda))
	}
	l := vec.Log(x)
	y := vec.Exp(float64(v * l))
	return vec.Log(float64(v*lambda)) + float64((v-1)*l) - float64(lambda*y)
}

func weibLogSF(x float64, p []float64) float64 {
	if !(positive(p[0]) && positive(p[1])) {
		return math.NaN()
	}
	if x <= 0 {
		return 0
	}
	return -float64(p[1] * vec.Exp(float64(p[0]*vec.Log(x))))
}

func weibLogCDF(x float64, p []float64) float64 {
	s := weibLogSF(x, p)
	if s > -0x1p-60 && x > 0 { // lambda·x^v may underflow, its logarithm does not
		return vec.Log(p[1]) + float64(p[0]*vec.Log(x))
	}
	return vec.Log1mExp(s)
}

// weibFromExp is (e/lambda)^(1/v).
func weibFromExp(e float64, p []float64) float64 {
	if !(positive(p[0]) && positive(p[1])) {
		return math.NaN()
	}
	return vec.Exp((vec.Log(e) - vec.Log(p[1])) / p[0])
}

func weibSampleT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	// In t = log x the log density v t − lambda exp(v t) is concave.
	v, ll := p[0], vec.Log(p[1])
	t := truncLogConcave(r, vec.Log(lo), vec.Log(hi), -ll/v, func(t float64) (h, dh float64) {
		y := vec.Exp(ll + float64(v*t))
		return float64(v*t) - y, float64(v * (1 - y))
	})
	return positiveDraw(vec.Exp(t))
}

// densityAtZero is the log density at 0 of a distribution that is there about c·x^(shape−1), log c = logc.
func densityAtZero(shape, logc float64) float64 {
	switch {
	case shape < 1:
		return math.Inf(1)
	case shape > 1:
		return math.Inf(-1)
	}
	return logc
}
