package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// pois is dpois(lambda): P(x) = λ^x e^(−λ)/x!. λ = 0 is all mass at 0.
func pois() *Scalar {
	return &Scalar{
		Name:        "dpois",
		Params:      []string{"lambda"},
		Formula:     "x*log(lambda) - lambda - logfact(x)",
		Discrete:    true,
		slide:       slidePoisson,
		CanTruncate: true,
		Check: func(p []float64) string {
			if p[0] == 0 {
				return ""
			}
			return checkPositive("lambda", p[0])
		},
		Support:  func([]float64) (lo, hi float64) { return 0, math.Inf(1) },
		LogProb:  func(x float64, p []float64) float64 { return PoisLogProb(x, p[0]) },
		Grad:     poisGrad,
		Sample:   func(r *rand.Rand, p []float64) float64 { return Poisson(r, p[0]) },
		CDF:      func(x float64, p []float64) float64 { return vec.Exp(poisLogCDF(x, p)) },
		LogCDF:   poisLogCDF,
		LogSF:    poisLogSF,
		Quantile: poisQuantile,
		sampleT:  poisSampleT,
		Mean:     func(p []float64) float64 { return p[0] },
		Variance: func(p []float64) float64 { return p[0] },
	}
}

// PoisLogProb is the log probability of x under dpois(lambda).
func PoisLogProb(x, lambda float64) float64 {
	if !(lambda >= 0 && lambda <= math.MaxFloat64) {
		return math.NaN()
	}
	switch {
	case !isCount(x):
		return offSupport(x)
	case x < logFactSize:
		return xlogy(x, lambda) - lambda - logFactTable[int(x)]
	case lambda == 0:
		return math.Inf(-1)
	}
	return poissonStirling(x, lambda)
}

// PoisLogKernel is PoisLogProb without −log x!: x log λ − λ. It is what varies with λ.
func PoisLogKernel(x, lambda float64) float64 {
	if !(lambda >= 0 && lambda <= math.MaxFloat64) {
		return math.NaN()
	}
	if !isCount(x) {
		return offSupport(x)
	}
	return xlogy(x, lambda) - lambda
}

func poisGrad(x float64, p, dp []float64) float64 {
	dp[0] = ratioOrZero(x, p[0]) - 1
	return math.NaN()
}

func poisLogCDF(x float64, p []float64) float64 { l, _ := poisTails(x, p[0]); return l }
func poisLogSF(x float64, p []float64) float64  { _, s := poisTails(x, p[0]); return s }

// poisTails returns log P(X ≤ x) and log P(X > x). The tail that does not hold the mean is summed.
func poisTails(x, lambda float64) (logCDF, logSF float64) {
	x = math.Floor(x)
	switch {
	case !(lambda >= 0 && lambda <= math.MaxFloat64) || math.IsNaN(x):
		return math.NaN(), math.NaN()
	case x < 0:
		return math.Inf(-1), 0
	case lambda == 0 || math.IsInf(x, 1):
		return 0, math.Inf(-1)
	case x < lambda:
		if s, ok := sumTail(0, func(j float64) float64 { return (x - j + 1) / lambda }); ok {
			return tails(true, PoisLogProb(x, lambda)+vec.Log(s))
		}
		return tails(true, vec.LogGammaQ(x+1, lambda))
	}
	if s, ok := sumTail(0, func(j float64) float64 { return lambda / (x + 1 + j) }); ok {
		return tails(false, PoisLogProb(x+1, lambda)+vec.Log(s))
	}
	return tails(false, vec.LogGammaP(x+1, lambda))
}

func poisQuantile(q float64, p []float64) float64 {
	switch {
	case !(p[0] >= 0 && p[0] <= math.MaxFloat64 && q >= 0 && q <= 1):
		return math.NaN()
	case p[0] == 0:
		return 0
	}
	guess := p[0] + float64(math.Sqrt(p[0])*vec.NormQuantile(q))
	return discreteQuantile(q, guess, 0, math.Inf(1), func(x float64) float64 { return vec.Exp(poisLogCDF(x, p)) })
}
