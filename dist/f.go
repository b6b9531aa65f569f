package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// fisher is df(n, m): the F distribution with n and m degrees of freedom; n X/(n X + m) ~ Beta(n/2, m/2).
func fisher() *Scalar {
	return &Scalar{
		Name:        "df",
		Params:      []string{"n", "m"},
		Formula:     "loggam((n+m)/2) - loggam(n/2) - loggam(m/2) + n/2*log(n/m) + (n/2-1)*log(x) - (n+m)/2*log(1+n*x/m)",
		CanTruncate: true,
		Check: func(p []float64) string {
			return firstNonEmpty(checkPositive("n", p[0]), checkPositive("m", p[1]))
		},
		Support: halfLine,
		LogProb: func(x float64, p []float64) float64 { return FLogProb(x, p[0], p[1]) },
		Grad:    func(x float64, p, dp []float64) (dx float64) { dx, dp[0], dp[1] = FGrad(x, p[0], p[1]); return dx },
		Sample:  func(r *rand.Rand, p []float64) float64 { return fSample(r, p[0], p[1]) },
		CDF:     func(x float64, p []float64) float64 { l, _ := fTails(x, p[0], p[1]); return vec.Exp(l) },
		LogCDF:  func(x float64, p []float64) float64 { l, _ := fTails(x, p[0], p[1]); return l },
		LogSF:   func(x float64, p []float64) float64 { _, l := fTails(x, p[0], p[1]); return l },
		Quantile: func(q float64, p []float64) float64 {
			return fQuantile(q, p[0], p[1])
		},
		Mean:     func(p []float64) float64 { return fMean(p[1]) },
		Variance: func(p []float64) float64 { return fVariance(p[0], p[1]) },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return fSampleT(r, p[0], p[1], lo, hi)
		},
	}
}

// FLogProb is the log density of df(n, m): ½n log(n/m) + (½n−1) log x − ½(n+m) log(1+nx/m) − log B(½n, ½m).
func FLogProb(x, n, m float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64 && positive(n) && positive(m)) {
		if x == 0 && positive(n) && positive(m) {
			return densityAtZero(0.5*n, 0)
		}
		return outside(x, positive(n) && positive(m))
	}
	a, b := float64(0.5*n), float64(0.5*m)
	l := vec.Log(x) + (vec.Log(n) - vec.Log(m))
	if w := float64(n*x) + m; a > 100 && b > 100 && w <= math.MaxFloat64 {
		return logitBetaLarge(float64(n*x)/w, m/w, a, b) - vec.Log(x)
	}
	if l > 0 { // the larger of 1 and nx/m is taken out of the sum
		return -float64(b*l) - float64((a+b)*vec.Log1p(vec.Exp(-l))) - vec.LogBeta(a, b) - vec.Log(x)
	}
	return float64(a*l) - float64((a+b)*vec.Log1p(vec.Exp(l))) - vec.LogBeta(a, b) - vec.Log(x)
}

// FGrad gives the derivatives of FLogProb by x, n and m.
func FGrad(x, n, m float64) (dx, dn, dm float64) {
	a, b := float64(0.5*n), float64(0.5*m)
	l := vec.Log(x) + (vec.Log(n) - vec.Log(m))
	w := vec.Ilogit(l) // the beta variable
	s := vec.Digamma(a + b)
	g := float64(a*(1-w)) - float64(b*w) // derivative by l, without −log x
	lw, lv := -vec.Log1pExp(-l), -vec.Log1pExp(l)
	dn = float64(0.5*(lw+s-vec.Digamma(a))) + g/n
	dm = float64(0.5*(lv+s-vec.Digamma(b))) - g/m
	return (g - 1) / x, dn, dm
}

func fSample(r *rand.Rand, n, m float64) float64 {
	if !(positive(n) && positive(m)) {
		return math.NaN()
	}
	l := LogGamma1(r, 0.5*n) - LogGamma1(r, 0.5*m) + (vec.Log(m) - vec.Log(n))
	return positiveDraw(vec.Exp(l))
}

func fTails(x, n, m float64) (logCDF, logSF float64) {
	if !(positive(n) && positive(m)) || x != x {
		return math.NaN(), math.NaN()
	}
	t := vec.Log(max(x, 0)) + (vec.Log(n) - vec.Log(m))
	return vec.BetaTails(0.5*n, 0.5*m, vec.Ilogit(t), vec.Ilogit(-t))
}

func fQuantile(q, n, m float64) float64 {
	if !probability(q) || !(positive(n) && positive(m)) {
		return math.NaN()
	}
	return vec.Exp(vec.BetaQuantileLogit(0.5*n, 0.5*m, vec.Log(q), false) - (vec.Log(n) - vec.Log(m)))
}

func fSampleT(r *rand.Rand, n, m, lo, hi float64) float64 {
	shift := vec.Log(n) - vec.Log(m)
	t := truncLogitBeta(r, 0.5*n, 0.5*m, vec.Log(lo)+shift, vec.Log(hi)+shift)
	return positiveDraw(vec.Exp(t - shift))
}

func fMean(m float64) float64 {
	if m <= 2 {
		return math.Inf(1)
	}
	return m / (m - 2)
}

func fVariance(n, m float64) float64 {
	if m <= 4 {
		return math.Inf(1)
	}
	c := m / (m - 2)
	return 2 * c * c * (n + m - 2) / (n * (m - 4))
}
