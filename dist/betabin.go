package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// betabin is dbetabin(a, b, n): P(x) = C(n, x) B(x+a, n−x+b)/B(a, b), a binomial whose probability is Beta(a, b).
// Its distribution function costs up to n/2 terms.
func betabin() *Scalar {
	return &Scalar{
		Name:        "dbetabin",
		Aliases:     []string{"dbetabinom"},
		Params:      []string{"a", "b", "n"},
		Discrete:    true,
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("a", p[0]), checkPositive("b", p[1]), checkCount("n", p[2]))
		},
		Support:  func(p []float64) (lo, hi float64) { return 0, p[2] },
		LogProb:  func(x float64, p []float64) float64 { return BetabinLogProb(x, p[0], p[1], p[2]) },
		Grad:     betabinGrad,
		Sample:   betabinSample,
		CDF:      func(x float64, p []float64) float64 { return vec.Exp(betabinLogCDF(x, p)) },
		LogCDF:   betabinLogCDF,
		LogSF:    betabinLogSF,
		Quantile: betabinQuantile,
		Mean:     func(p []float64) float64 { return p[2] * p[0] / (p[0] + p[1]) },
		Variance: betabinVariance,
	}
}

func betabinDomain(a, b, n float64) bool {
	return a > 0 && b > 0 && a <= math.MaxFloat64 && b <= math.MaxFloat64 && isCount(n)
}

// BetabinLogProb is the log probability of x under dbetabin(a, b, n).
func BetabinLogProb(x, a, b, n float64) float64 {
	switch {
	case !betabinDomain(a, b, n):
		return math.NaN()
	case !isCount(x) || x > n:
		return offSupport(x)
	}
	s := a + b
	if s+n < logFactSize {
		return logFactTable[int(n)] - logFactTable[int(x)] - logFactTable[int(n-x)] +
			vec.Lgamma(x+a) - vec.Lgamma(a) + vec.Lgamma(n-x+b) - vec.Lgamma(b) - vec.Lgamma(s+n) + vec.Lgamma(s)
	}
	// It is the law of one of two negative binomials given their sum, whatever their common p: with p that makes the
	// sum likely, no large terms cancel.
	p, q := max(s/(s+n), smallest), n/(s+n)
	return negbinLogProb(x, p, q, a) + negbinLogProb(n-x, p, q, b) - negbinLogProb(n, p, q, s)
}

func betabinGrad(x float64, p, dp []float64) float64 {
	a, b, n := p[0], p[1], p[2]
	both := vec.Digamma(a+b) - vec.Digamma(n+a+b)
	dp[0] = vec.Digamma(x+a) - vec.Digamma(a) + both
	dp[1] = vec.Digamma(n-x+b) - vec.Digamma(b) + both
	dp[2] = 0
	return math.NaN()
}

func betabinSample(r *rand.Rand, p []float64) float64 {
	if !betabinDomain(p[0], p[1], p[2]) {
		return math.NaN()
	}
	prob, rest := betaPair(r, p[0], p[1])
	return binomialPair(r, prob, rest, p[2])
}

func betabinVariance(p []float64) float64 {
	a, b, n := p[0], p[1], p[2]
	s := a + b
	return n * (a / s) * (b / s) * ((s + n) / (s + 1))
}

func betabinLogCDF(x float64, p []float64) float64 {
	l, _ := betabinTails(x, p[0], p[1], p[2])
	return l
}
func betabinLogSF(x float64, p []float64) float64 {
	_, s := betabinTails(x, p[0], p[1], p[2])
	return s
}

// betabinTails returns log P(X ≤ x) and log P(X > x), from a sum over the side that does not hold the mean. The
// probabilities may have two modes, so every term counts.
func betabinTails(x, a, b, n float64) (logCDF, logSF float64) {
	x = math.Floor(x)
	switch {
	case !betabinDomain(a, b, n) || math.IsNaN(x):
		return math.NaN(), math.NaN()
	case x < 0:
		return math.Inf(-1), 0
	case x >= n:
		return 0, math.Inf(-1)
	case x < n*(a/(a+b)):
		return tails(true, betabinLowerTail(x, a, b, n))
	}
	return tails(false, betabinLowerTail(n-x-1, b, a, n))
}

// betabinLowerTail is log P(X ≤ x), summed from x to 0 and rescaled where the terms grow.
func betabinLowerTail(x, a, b, n float64) float64 {
	top := BetabinLogProb(x, a, b, n)
	sum, term := 1.0, 1.0
	for k := x; k > 0; k-- {
		term = float64(term * (k / (n - k + 1) * ((n - k + b) / (k - 1 + a))))
		if sum += term; sum > 1e280 {
			top += vec.Log(sum)
			term /= sum
			sum = 1
		}
	}
	return top + vec.Log(sum)
}

func betabinQuantile(q float64, p []float64) float64 {
	if !betabinDomain(p[0], p[1], p[2]) {
		return math.NaN()
	}
	guess := p[2] * p[0] / (p[0] + p[1])
	return discreteQuantile(q, guess, 0, p[2], func(x float64) float64 { return vec.Exp(betabinLogCDF(x, p)) })
}
