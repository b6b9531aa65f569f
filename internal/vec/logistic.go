package vec

import "math"

// Logit is log(p/(1−p)): ∓Inf at 0 and 1, NaN outside [0, 1].
func Logit(p float64) float64 {
	if p > 0.25 && p < 0.75 {
		// Relative accuracy at the zero 1/2.
		d := 2*p - 1
		return float64(2 * Atanh(d))
	}
	return Log(p) - Log1p(-p)
}

// Ilogit is 1/(1+exp(−x)), accurate also where it is tiny.
func Ilogit(x float64) float64 {
	if x < 0 {
		e := Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + Exp(-x))
}

// Log1pExp is log(1+exp(x)), also where exp(x) overflows.
func Log1pExp(x float64) float64 {
	if x > 0 {
		return x + Log1p(Exp(-x))
	}
	return Log1p(Exp(x))
}

// Log1mExp is log(1−exp(x)) for x ≤ 0, NaN for x > 0.
func Log1mExp(x float64) float64 {
	if x > -ln2 {
		return Log(-Expm1(x))
	}
	return Log1p(-Exp(x))
}

// LogSumExp is log Σ exp(xᵢ), -Inf for an empty x. No term overflows, as the greatest is taken out first.
func LogSumExp(x []float64) float64 {
	m := math.Inf(-1)
	for _, v := range x {
		if v != v {
			return v
		}
		m = max(m, v)
	}
	if math.IsInf(m, 0) {
		return m
	}
	s := 0.0
	for _, v := range x {
		s += Exp(v - m)
	}
	return m + Log(s)
}

// LogAddExp is log(exp(a)+exp(b)).
func LogAddExp(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if b == math.Inf(-1) || a == math.Inf(1) {
		return a
	}
	return a + Log1p(Exp(b-a))
}

// LogSubExp is log(exp(a)−exp(b)) for a ≥ b, NaN for a < b.
func LogSubExp(a, b float64) float64 {
	switch {
	case b == math.Inf(-1):
		return a
	case a == b:
		return math.Inf(-1)
	}
	return a + Log1mExp(b-a)
}
