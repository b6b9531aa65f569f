package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// bin is dbin(p, n): P(x) = C(n, x) p^x (1−p)^(n−x).
func bin() *Scalar {
	return &Scalar{
		Name:        "dbin",
		Aliases:     []string{"dbinom"},
		Params:      []string{"p", "n"},
		Formula:     "logfact(n) - logfact(x) - logfact(n-x) + x*log(p) + (n-x)*log(1-p)",
		Discrete:    true,
		slide:       slideBinomial,
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkProbability("p", p[0]), checkCount("n", p[1]))
		},
		Support:  func(p []float64) (lo, hi float64) { return 0, p[1] },
		LogProb:  func(x float64, p []float64) float64 { return BinLogProb(x, p[0], p[1]) },
		Grad:     binGrad,
		Sample:   func(r *rand.Rand, p []float64) float64 { return Binomial(r, p[0], p[1]) },
		CDF:      func(x float64, p []float64) float64 { return vec.Exp(binLogCDF(x, p)) },
		LogCDF:   binLogCDF,
		LogSF:    binLogSF,
		Quantile: binQuantile,
		sampleT:  binSampleT,
		Mean:     func(p []float64) float64 { return p[0] * p[1] },
		Variance: func(p []float64) float64 { return p[1] * p[0] * (1 - p[0]) },
	}
}

// BinLogProb is the log probability of x under dbin(p, n): x successes in n trials of probability p.
func BinLogProb(x, p, n float64) float64 {
	if !(p >= 0 && p <= 1) || !isCount(n) {
		return math.NaN()
	}
	if !isCount(x) || x > n {
		return offSupport(x)
	}
	switch {
	case n < logFactSize:
		return logFactTable[int(n)] - logFactTable[int(x)] - logFactTable[int(n-x)] + binKernel(x, p, n)
	case p == 0 || p == 1:
		return binKernel(x, p, n)
	}
	return binomialStirling(x, n-x, p, 1-p)
}

// BinLogKernel is BinLogProb without the binomial coefficient: x log p + (n−x) log(1−p). It is what varies with p.
func BinLogKernel(x, p, n float64) float64 {
	if !(p >= 0 && p <= 1) || !isCount(n) {
		return math.NaN()
	}
	if !isCount(x) || x > n {
		return offSupport(x)
	}
	return binKernel(x, p, n)
}

func binKernel(x, p, n float64) float64 { return xlogy(x, p) + xlog1my(n-x, p) }

func binGrad(x float64, p, dp []float64) float64 {
	dp[0] = ratioOrZero(x, p[0]) - ratioOrZero(p[1]-x, 1-p[0])
	dp[1] = 0
	return math.NaN()
}

func binLogCDF(x float64, p []float64) float64 { l, _ := binTails(x, p[0], p[1]); return l }
func binLogSF(x float64, p []float64) float64  { _, s := binTails(x, p[0], p[1]); return s }

// binTails returns log P(X ≤ x) and log P(X > x). The tail that does not hold the mean is summed.
func binTails(x, p, n float64) (logCDF, logSF float64) {
	x = math.Floor(x)
	switch {
	case !(p >= 0 && p <= 1) || !isCount(n) || math.IsNaN(x):
		return math.NaN(), math.NaN()
	case x < 0 || p == 1 && x < n:
		return math.Inf(-1), 0
	case x >= n || p == 0:
		return 0, math.Inf(-1)
	}
	q := 1 - p
	odds := p / q
	if x < n*p {
		if s, ok := sumTail(0, func(j float64) float64 { return (x - j + 1) / ((n - x + j) * odds) }); ok {
			return tails(true, BinLogProb(x, p, n)+vec.Log(s))
		}
		return tails(true, vec.LogRegIncBeta(n-x, x+1, q))
	}
	if s, ok := sumTail(0, func(j float64) float64 { return (n - x - j) / (x + 1 + j) * odds }); ok {
		return tails(false, BinLogProb(x+1, p, n)+vec.Log(s))
	}
	return tails(false, vec.LogRegIncBeta(x+1, n-x, p))
}

func binQuantile(q float64, p []float64) float64 {
	switch {
	case !(p[0] >= 0 && p[0] <= 1 && q >= 0 && q <= 1) || !isCount(p[1]):
		return math.NaN()
	case p[0] == 0:
		return 0
	}
	mean, sd := float64(p[0]*p[1]), math.Sqrt(p[1]*p[0]*(1-p[0]))
	guess := mean + float64(sd*vec.NormQuantile(q))
	return discreteQuantile(q, guess, 0, p[1], func(x float64) float64 { return vec.Exp(binLogCDF(x, p)) })
}
