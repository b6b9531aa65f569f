package vec

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

func Digamma(x float64) float64  { return mathext.Digamma(x) }
func Trigamma(x float64) float64 { return mathext.Zeta(2, x) }

// Lgamma is log|Γ(x)|.
func Lgamma(x float64) float64 { l, _ := math.Lgamma(x); return l }

func LogBeta(a, b float64) float64 { return Lgamma(a) + Lgamma(b) - Lgamma(a+b) }

// Logit is log(p/(1-p)).
func Logit(p float64) float64 { return math.Log(p / (1 - p)) }

// Ilogit is 1/(1+exp(-x)).
func Ilogit(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Log1pExp is log(1+exp(x)).
func Log1pExp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// Log1mExp is log(1-exp(x)) for x ≤ 0.
func Log1mExp(x float64) float64 { return math.Log(-math.Expm1(x)) }

// LogFact is log n!.
func LogFact(n int) float64 { return Lgamma(float64(n) + 1) }

// LogChoose is log of the binomial coefficient, real n and k.
func LogChoose(n, k float64) float64 { return Lgamma(n+1) - Lgamma(k+1) - Lgamma(n-k+1) }

// LogSumExp is log Σ exp(x_i).
func LogSumExp(x []float64) float64 {
	m := math.Inf(-1)
	for _, v := range x {
		m = max(m, v)
	}
	if math.IsInf(m, 0) {
		return m
	}
	s := 0.0
	for _, v := range x {
		s += math.Exp(v - m)
	}
	return m + math.Log(s)
}

// ExpSlice sets dst[i] = Exp(x[i]).
func ExpSlice(dst, x []float64) {
	for i, v := range x {
		dst[i] = Exp(v)
	}
}

// LogSlice sets dst[i] = Log(x[i]).
func LogSlice(dst, x []float64) {
	for i, v := range x {
		dst[i] = Log(v)
	}
}

// RegIncBeta is I_x(a, b).
func RegIncBeta(a, b, x float64) float64    { return mathext.RegIncBeta(a, b, x) }
func InvRegIncBeta(a, b, q float64) float64 { return mathext.InvRegIncBeta(a, b, q) }

// GammaP is the regularised lower incomplete gamma function P(a, x), GammaQ the upper one.
func GammaP(a, x float64) float64    { return mathext.GammaIncReg(a, x) }
func GammaQ(a, x float64) float64    { return mathext.GammaIncRegComp(a, x) }
func InvGammaP(a, q float64) float64 { return mathext.GammaIncRegInv(a, q) }
func InvGammaQ(a, q float64) float64 { return mathext.GammaIncRegCompInv(a, q) }

// LogGammaP, LogGammaQ: logs, accurate in far tails. LogRegIncBeta is log I_x(a,b).
func LogGammaP(a, x float64) float64        { return math.Log(GammaP(a, x)) }
func LogGammaQ(a, x float64) float64        { return math.Log(GammaQ(a, x)) }
func LogRegIncBeta(a, b, x float64) float64 { return math.Log(RegIncBeta(a, b, x)) }
