package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// beta is dbeta(a, b).
func beta() *Scalar {
	return &Scalar{
		Name:        "dbeta",
		Params:      []string{"a", "b"},
		Formula:     "(a-1)*log(x) + (b-1)*log(1-x) + loggam(a+b) - loggam(a) - loggam(b)",
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("a", p[0]), checkPositive("b", p[1]))
		},
		Support: unitInterval,
		LogProb: func(x float64, p []float64) float64 { return BetaLogProb(x, p[0], p[1]) },
		Grad:    betaGrad,
		Sample:  func(r *rand.Rand, p []float64) float64 { return Beta(r, p[0], p[1]) },
		CDF:     func(x float64, p []float64) float64 { return vec.Exp(betaLogCDF(x, p)) },
		LogCDF:  betaLogCDF,
		LogSF:   betaLogSF,
		Quantile: func(q float64, p []float64) float64 {
			if !probability(q) {
				return math.NaN()
			}
			return vec.Ilogit(vec.BetaQuantileLogit(p[0], p[1], vec.Log(q), false))
		},
		Mean: func(p []float64) float64 { return p[0] / (p[0] + p[1]) },
		Variance: func(p []float64) float64 {
			s := p[0] + p[1]
			return p[0] / s * (p[1] / s) / (s + 1)
		},
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			x := vec.Ilogit(truncLogitBeta(r, p[0], p[1], vec.Logit(lo), vec.Logit(hi)))
			return min(max(x, smallest), 1-0x1p-53)
		},
	}
}

// BetaLogProb is the log density (a−1) log x + (b−1) log(1−x) − log B(a, b) of dbeta(a, b).
func BetaLogProb(x, a, b float64) float64 {
	if !(x > 0 && x < 1 && a > 0 && a <= math.MaxFloat64 && b > 0 && b <= math.MaxFloat64) {
		switch {
		case x == 0 && positive(a) && positive(b):
			return densityAtZero(a, vec.Log(b))
		case x == 1 && positive(a) && positive(b):
			return densityAtZero(b, vec.Log(a))
		}
		return outside(x, positive(a) && positive(b))
	}
	if a > 100 && b > 100 {
		return logitBetaLarge(x, 1-x, a, b) - vec.Log(x) - vec.Log1p(-x)
	}
	return float64((a-1)*vec.Log(x)) + float64((b-1)*vec.Log1p(-x)) - vec.LogBeta(a, b)
}

// logitBetaLarge is the log density of t = log(x/y), y = 1 − x, at large a and b, with the large terms cancelled by
// Stirling's formula (Loader, 2000).
func logitBetaLarge(x, y, a, b float64) float64 {
	n := a + b
	d := float64(b*x) - float64(a*y) // n x − a
	gap := vec.Deviance(a, float64(n*x), d) + vec.Deviance(b, float64(n*y), -d)
	s := (stirlingErr(n) - stirlingErr(a)) - stirlingErr(b)
	return s - gap + float64(0.5*(vec.Log(a)+vec.Log(b/n))) - halfLog2Pi
}

// BetaGrad gives the derivatives of BetaLogProb by x, a and b.
func BetaGrad(x, a, b float64) (dx, da, db float64) {
	s := vec.Digamma(a + b)
	return (a-1)/x - (b-1)/(1-x), vec.Log(x) + s - vec.Digamma(a), vec.Log1p(-x) + s - vec.Digamma(b)
}

func betaGrad(x float64, p, dp []float64) (dx float64) {
	dx, dp[0], dp[1] = BetaGrad(x, p[0], p[1])
	return dx
}

func betaLogCDF(x float64, p []float64) float64 {
	l, _ := vec.BetaTails(p[0], p[1], x, 1-x)
	return l
}

func betaLogSF(x float64, p []float64) float64 {
	_, l := vec.BetaTails(p[0], p[1], x, 1-x)
	return l
}

// truncLogitBeta draws t = log(X/(1−X)) given lo ≤ t ≤ hi, X ~ Beta(a, b). The density of t,
// −a log(1+e⁻ᵗ) − b log(1+eᵗ), is log-concave.
func truncLogitBeta(r *rand.Rand, a, b, lo, hi float64) float64 {
	return truncLogConcave(r, lo, hi, vec.Log(a/b), func(t float64) (h, dh float64) {
		e := vec.Log1p(vec.Exp(-math.Abs(t)))
		u := min(t, 0) - e  // log x
		v := -max(t, 0) - e // log(1−x)
		return float64(a*u) + float64(b*v), float64(a*vec.Ilogit(-t)) - float64(b*vec.Ilogit(t))
	})
}
