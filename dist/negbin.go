package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// negbin is dnegbin(p, r): P(x) = Γ(x+r)/(x! Γ(r)) p^r (1−p)^x, the failures before the r-th success, r real.
// r = 0 and p = 1 are all mass at 0.
func negbin() *Scalar {
	d := &Scalar{
		Name:        "dnegbin",
		Aliases:     []string{"dnbinom"},
		Params:      []string{"p", "r"},
		Formula:     "loggam(x+r) - loggam(r) - logfact(x) + r*log(p) + x*log(1-p)",
		Discrete:    true,
		slide:       slideNegBinomial,
		CanTruncate: true,
		Check: func(p []float64) string {
			if p[0] == 0 {
				return "p = 0 must be greater than 0"
			}
			if p[1] == 0 {
				return checkProbability("p", p[0])
			}
			return firstNonEmpty(checkProbability("p", p[0]), checkPositive("r", p[1]))
		},
		Support:  func([]float64) (lo, hi float64) { return 0, math.Inf(1) },
		LogProb:  func(x float64, p []float64) float64 { return NegbinLogProb(x, p[0], p[1]) },
		Grad:     negbinGrad,
		Sample:   func(r *rand.Rand, p []float64) float64 { return NegBinomial(r, p[0], p[1]) },
		CDF:      func(x float64, p []float64) float64 { return vec.Exp(negbinLogCDF(x, p)) },
		LogCDF:   negbinLogCDF,
		LogSF:    negbinLogSF,
		Quantile: negbinQuantile,
		Mean:     func(p []float64) float64 { return p[1] * (1 - p[0]) / p[0] },
		Variance: func(p []float64) float64 { return p[1] * (1 - p[0]) / (p[0] * p[0]) },
	}
	d.sampleT = func(r *rand.Rand, p []float64, lo, hi float64) float64 {
		if p[1] < 1 {
			return d.sampleDiscreteT(r, p, lo, hi)
		}
		return negbinSampleT(r, p, lo, hi)
	}
	return d
}

func negbinDomain(p, r float64) bool { return p > 0 && p <= 1 && r >= 0 && r <= math.MaxFloat64 }

// NegbinLogProb is the log probability of x = 0, 1, … under dnegbin(p, r): Γ(x+r)/(x! Γ(r)) pʳ (1−p)ˣ.
func NegbinLogProb(x, p, r float64) float64 {
	switch {
	case !negbinDomain(p, r):
		return math.NaN()
	case !isCount(x):
		return offSupport(x)
	case (p == 1 || r == 0) && x > 0:
		return math.Inf(-1)
	}
	return negbinLogProb(x, p, 1-p, r)
}

// negbinLogProb is NegbinLogProb inside the domain, with q = 1 − p to full precision where it is small.
func negbinLogProb(x, p, q, r float64) float64 {
	if x+r >= 1e3 && r >= 16 && x > 0 {
		// r/(x+r) times the probability of r successes in x + r trials.
		return binomialStirling(r, x, p, q) - vec.Log1p(x/r)
	}
	logp, logq := vec.Log(p), vec.Log1p(-p)
	if q < p {
		logp, logq = vec.Log1p(-q), vec.Log(q)
	}
	switch {
	case x == 0:
		return float64(r * logp)
	case x+r < 1e3:
		return vec.Lgamma(x+r) - vec.Lgamma(r) - logFact(x) + float64(r*logp) + float64(x*logq)
	}
	return lgammaRise(x, r) - vec.Log(x) - vec.Lgamma(r) + float64(r*logp) + float64(x*logq)
}

func negbinGrad(x float64, p, dp []float64) float64 {
	dp[0] = p[1]/p[0] - ratioOrZero(x, 1-p[0])
	dp[1] = vec.Log(p[0])
	if x > 0 {
		dp[1] += vec.Digamma(x+p[1]) - vec.Digamma(p[1])
	}
	return math.NaN()
}

// NegBinomial draws from dnegbin(p, r), a Poisson variable whose mean is Gamma(r, p/(1−p)).
func NegBinomial(r *rand.Rand, p, size float64) float64 {
	switch {
	case !negbinDomain(p, size):
		return math.NaN()
	case p == 1 || size == 0:
		return 0
	}
	return Poisson(r, min(Gamma(r, size, p/(1-p)), math.MaxFloat64))
}

func negbinLogCDF(x float64, p []float64) float64 { l, _ := negbinTails(x, p[0], p[1]); return l }
func negbinLogSF(x float64, p []float64) float64  { _, s := negbinTails(x, p[0], p[1]); return s }

// negbinTails returns log P(X ≤ x) and log P(X > x). The tail that does not hold the mean is summed.
func negbinTails(x, p, r float64) (logCDF, logSF float64) {
	x = math.Floor(x)
	q := 1 - p
	switch {
	case !negbinDomain(p, r) || math.IsNaN(x):
		return math.NaN(), math.NaN()
	case x < 0:
		return math.Inf(-1), 0
	case p == 1 || r == 0 || math.IsInf(x, 1):
		return 0, math.Inf(-1)
	case x < r*q/p:
		// Below the mean the ratios need not fall (r < 1), but the sum is finite.
		if s, ok := sumTail(0, func(j float64) float64 { return (x - j + 1) / ((x - j + r) * q) }); ok {
			return tails(true, NegbinLogProb(x, p, r)+vec.Log(s))
		}
		return tails(true, vec.LogRegIncBeta(r, x+1, p))
	}
	if s, ok := sumTail(q, func(j float64) float64 { return (x + j + r) / (x + j + 1) * q }); ok {
		return tails(false, NegbinLogProb(x+1, p, r)+vec.Log(s))
	}
	return tails(false, vec.LogRegIncBeta(x+1, r, q))
}

func negbinQuantile(q float64, p []float64) float64 {
	switch {
	case !negbinDomain(p[0], p[1]) || !(q >= 0 && q <= 1):
		return math.NaN()
	case p[0] == 1 || p[1] == 0:
		return 0
	}
	mean := p[1] * (1 - p[0]) / p[0]
	guess := mean + float64(math.Sqrt(mean/p[0])*vec.NormQuantile(q))
	return discreteQuantile(q, guess, 0, math.Inf(1), func(x float64) float64 { return vec.Exp(negbinLogCDF(x, p)) })
}
