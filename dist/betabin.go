package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// betabin is dbetabin(a, b, n): P(x) = C(n, x) B(x+a, n−x+b)/B(a, b), a binomial whose probability is Beta(a, b).
// Its distribution function costs at most a few thousand terms.
func betabin() *Scalar {
	return &Scalar{
		Name:        "dbetabin",
		Aliases:     []string{"dbetabinom"},
		Params:      []string{"a", "b", "n"},
		Formula:     "logfact(n) - logfact(x) - logfact(n-x) + loggam(x+a) + loggam(n-x+b) - loggam(n+a+b) + loggam(a+b) - loggam(a) - loggam(b)",
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

// BetabinLogProb is the log of C(n, x) B(x+a, n−x+b)/B(a, b) for x = 0, …, n, the probability under dbetabin(a, b, n) of x successes
// in n trials whose probability is Beta(a, b).
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
	if x > betabinTerms {
		return betabinIntegral(x, a, b, n)
	}
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

// betabinTerms is the most terms of a tail that are summed one by one.
const betabinTerms = 4000

// betabinIntegral is log P(X ≤ x) as log E F(U), F the distribution function of Beta(a, b) and U of Beta(x+1, n−x), the law
// of the (x+1)-th least of n uniforms: a binomial is at most x where that is above its probability. In v = logit U the
// integrand is log-concave, and analytic in a strip around the line: the trapezoidal rule from its greatest value outwards.
func betabinIntegral(x, a, b, n float64) float64 {
	g := betabinIntegrand{a: a, b: b, up: x + 1, down: n - x, all: n + 1}
	g.scale = float64(0.5*vec.Log(g.up/g.all*g.down/(2*math.Pi))) - stirlingErr(g.up) - countErr(g.down) + stirlingErr(g.all)
	w, curvature := g.peak()
	step := min(0.4/math.Sqrt(curvature), 0.1)
	base := g.log(w)
	sum := 1.0
	for _, dir := range [2]float64{1, -1} {
		for i := 1.0; ; i++ {
			term := vec.Exp(g.log(w+float64(dir*float64(i*step))) - base)
			sum += term
			if !(term > 0x1p-60*sum) {
				break
			}
		}
	}
	return base + vec.Log(float64(sum*step))
}

// countErr is stirlingErr, also of a difference of counts.
func countErr(n float64) float64 { return stirlingErr(max(n, 1)) }

// betabinIntegrand is a function of w, the distance of v from the mode of Beta(up, down) on that scale.
type betabinIntegrand struct {
	a, b, up, down, all, scale float64
}

// at is the probability, its complement, and what it has above up/all.
func (g *betabinIntegrand) at(w float64) (p, q, above float64) {
	e := vec.Expm1(w)
	p0, q0 := g.up/g.all, g.down/g.all
	total := 1 + float64(p0*e)
	return float64(p0*(1+e)) / total, q0 / total, float64(p0*q0) * e / total
}

func (g *betabinIntegrand) log(w float64) float64 {
	p, q, above := g.at(w)
	d := float64(g.all * above)
	l := g.scale - vec.Deviance(g.up, g.up+d, d) - vec.Deviance(g.down, g.down-d, -d)
	if p >= 1 || q <= 0 || p <= 0 {
		return math.Inf(-1)
	}
	logF, _ := vec.BetaTails(g.a, g.b, p, q)
	return l + logF
}

// hazard is the derivative of log F by w.
func (g *betabinIntegrand) hazard(w float64) (hazard, p float64) {
	p, q, _ := g.at(w)
	logF, _ := vec.BetaTails(g.a, g.b, p, q)
	return vec.Exp(float64(g.a*vec.Log(p)) + float64(g.b*vec.Log(q)) - vec.LogBeta(g.a, g.b) - logF), p
}

// peak solves for the mode by bisection of the slope, which falls, and gives the curvature there.
func (g *betabinIntegrand) peak() (w, curvature float64) {
	slope := func(w float64) float64 {
		h, _ := g.hazard(w)
		_, _, above := g.at(w)
		return h - float64(g.all*above)
	}
	lo, hi := 0.0, 1/math.Sqrt(g.up/g.all*g.down)
	for slope(hi) > 0 && hi < 700 {
		lo, hi = hi, 2*hi
	}
	for range 30 {
		if mid := 0.5 * (lo + hi); slope(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	h, p := g.hazard(lo)
	return lo, float64(g.all*p*(1-p)) + max(h*(h-g.a+float64((g.a+g.b)*p)), 0)
}

func betabinQuantile(q float64, p []float64) float64 {
	if !betabinDomain(p[0], p[1], p[2]) {
		return math.NaN()
	}
	guess := p[2] * p[0] / (p[0] + p[1])
	return discreteQuantile(q, guess, 0, p[2], func(x float64) float64 { return vec.Exp(betabinLogCDF(x, p)) })
}
