package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// bern is dbern(p): P(1) = p, P(0) = 1 − p.
func bern() *Scalar {
	return &Scalar{
		Name:     "dbern",
		Params:   []string{"p"},
		Formula:  "x*log(p) + (1-x)*log(1-p)",
		Discrete: true,
		Check:    func(p []float64) string { return checkProbability("p", unlessRounded(p[0])) },
		Support:  func([]float64) (lo, hi float64) { return 0, 1 },
		LogProb:  func(x float64, p []float64) float64 { return BernLogProb(x, p[0]) },
		Grad:     bernGrad,
		Sample:   func(r *rand.Rand, p []float64) float64 { return Bernoulli(r, p[0]) },
		CDF:      func(x float64, p []float64) float64 { return vec.Exp(bernLogCDF(x, p)) },
		LogCDF:   bernLogCDF,
		LogSF:    bernLogSF,
		Quantile: bernQuantile,
		Mean:     func(p []float64) float64 { return p[0] },
		Variance: func(p []float64) float64 { return p[0] * (1 - p[0]) },
	}
}

// roundedAbove is by how much a probability may be above 1 because it was computed: the chance to enter a population at the last occasion, b[T]/(1 − sum(b[1:(T−1)])), is 1 but for that.
const roundedAbove = 1e-9

// unlessRounded is 1 where p is above 1 by rounding, else p.
func unlessRounded(p float64) float64 {
	if p > 1 && p <= 1+roundedAbove {
		return 1
	}
	return p
}

// BernLogProb is the log probability of x under dbern(p): log p at 1, log(1−p) at 0.
func BernLogProb(x, p float64) float64 {
	switch p = unlessRounded(p); {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case x == 1:
		return vec.Log(p)
	case x == 0:
		return vec.Log1p(-p)
	}
	return offSupport(x)
}

// BernProb is the probability of x under dbern(p): p at 1, 1−p at 0, and at other x none; NaN unless 0 ≤ p ≤ 1.
func BernProb(x, p float64) float64 {
	switch p = unlessRounded(p); {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case x == 1:
		return p
	case x == 0:
		return 1 - p
	case math.IsNaN(x):
		return x
	}
	return 0
}

// Bernoulli draws 1 with probability p, else 0; NaN unless 0 ≤ p ≤ 1.
func Bernoulli(r *rand.Rand, p float64) float64 {
	switch p = unlessRounded(p); {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case uniformFine(r) < p:
		return 1
	}
	return 0
}

func bernGrad(x float64, p, dp []float64) float64 {
	if x == 1 {
		dp[0] = 1 / p[0]
	} else {
		dp[0] = -1 / (1 - unlessRounded(p[0]))
	}
	return math.NaN()
}

func bernLogCDF(x float64, p []float64) float64 {
	switch q := unlessRounded(p[0]); {
	case !(q >= 0 && q <= 1) || math.IsNaN(x):
		return math.NaN()
	case x < 0:
		return math.Inf(-1)
	case x < 1:
		return vec.Log1p(-q)
	}
	return 0
}

func bernLogSF(x float64, p []float64) float64 {
	switch q := unlessRounded(p[0]); {
	case !(q >= 0 && q <= 1) || math.IsNaN(x):
		return math.NaN()
	case x < 0:
		return 0
	case x < 1:
		return vec.Log(q)
	}
	return math.Inf(-1)
}

func bernQuantile(q float64, p []float64) float64 {
	switch above := unlessRounded(p[0]); {
	case !(q >= 0 && q <= 1 && above >= 0 && above <= 1):
		return math.NaN()
	case q <= vec.Exp(vec.Log1p(-above)):
		return 0
	}
	return 1
}
