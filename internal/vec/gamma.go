package vec

import "math"

const lnPi = 1.1447298858494002

// Lgamma is log|Γ(x)|: +Inf at 0 and the negative integers. Its relative error is below 1e-15 for x ≥ 1/2 (also at
// its zeros 1 and 2).
func Lgamma(x float64) float64 {
	switch {
	case x >= 8:
		if x > 1e300 {
			return lgammaHuge(x)
		}
		return float64((x-0.5)*Log(x)) - x + (halfLn2Pi + stirlingTail(x))
	case x >= 2.5:
		// Γ(x) = (x-1)(x-2)…y Γ(y) with 3/2 ≤ y < 5/2.
		p := 1.0
		for x >= 2.5 {
			x--
			p = float64(p * x)
		}
		u := x - 2
		return Log(p) + float64(u*lgammaTwo(u))
	case x >= 1.5:
		u := x - 2
		return float64(u * lgammaTwo(u))
	case x >= 1:
		u := x - 1
		return float64(u * lgammaOne(u))
	case x >= 0.5:
		u := x - 1
		return float64(u*lgammaTwo(u)) - Log1p(u)
	case x > 0:
		return float64(x*lgammaOne(x)) - Log(x)
	}
	return lgammaNegative(x)
}

func lgammaHuge(x float64) float64 {
	if x > 2.5e305 {
		return math.Inf(1)
	}
	return float64(x * (Log(x) - 1))
}

// lgammaNegative is Lgamma for x ≤ 0 and NaN, by reflection: Γ(x)Γ(1−x) = π/sin πx.
func lgammaNegative(x float64) float64 {
	switch {
	case x != x:
		return x
	case x == math.Floor(x): // also -Inf
		return math.Inf(1)
	}
	s := math.Abs(x - math.Floor(x+0.5))
	return lnPi - Log(Sin(float64(math.Pi*s))) - Lgamma(1-x)
}

// stirlingTail is log Γ(x) − ((x−½) log x − x + ½ log 2π) for x ≥ 8 (Abramowitz and Stegun 6.1.41); the first term
// left out is below 2e-17.
func stirlingTail(x float64) float64 {
	y := 1 / x
	z := float64(y * y)
	p := 1.0/1188 + float64(z*(-691.0/360360+float64(z*(1.0/156+float64(z*(-3617.0/122400))))))
	p = 1.0/12 + float64(z*(-1.0/360+float64(z*(1.0/1260+float64(z*(-1.0/1680+float64(z*p)))))))
	return float64(y * p)
}

// Digamma is ψ(x), the derivative of log Γ(x); NaN at 0 and the negative integers. Its error is some ulp, relative for
// x > 0 also at its zero 1.4616….
func Digamma(x float64) float64 {
	switch {
	case x >= 10:
		y := 1 / x
		z := float64(y * y)
		p := 1.0/252 + float64(z*(-1.0/240+float64(z*(1.0/132+float64(z*(-691.0/32760+float64(z*(1.0/12))))))))
		p = float64(z * (1.0/12 + float64(z*(-1.0/120+float64(z*p)))))
		return Log(x) - (float64(0.5*y) + p)
	case x > 0:
		s := 0.0
		for x < 1 {
			s -= 1 / x
			x++
		}
		for x > 2 {
			x--
			s += 1 / x
		}
		const zero, zeroLo = 1.4616321449683622, 9.549995429965697e-17
		return s + float64(((x-zero)-zeroLo)*digammaMid(x-1.5))
	case x == math.Floor(x) || x != x:
		return math.NaN()
	}
	d := float64(math.Pi * (x - math.Floor(x+0.5)))
	return Digamma(1-x) - math.Pi/Tan(d)
}

// Trigamma is ψ′(x), the second derivative of log Γ(x); +Inf at 0 and the negative integers.
func Trigamma(x float64) float64 {
	switch {
	case x != x:
		return x
	case x <= 0:
		if x == math.Floor(x) {
			return math.Inf(1)
		}
		s := math.Pi / Sin(float64(math.Pi*(x-math.Floor(x+0.5))))
		return float64(s*s) - Trigamma(1-x)
	}
	s := 0.0
	for x < 10 {
		s += 1 / float64(x*x)
		x++
	}
	y := 1 / x
	z := float64(y * y)
	p := -1.0/30 + float64(z*(5.0/66+float64(z*(-691.0/2730+float64(z*(7.0/6))))))
	p = 1.0/6 + float64(z*(-1.0/30+float64(z*(1.0/42+float64(z*p)))))
	return s + (y + float64(z*(0.5+float64(y*p))))
}

// LogBeta is log B(a, b) = log Γ(a) + log Γ(b) − log Γ(a+b) for positive a and b, without the cancellation that this
// sum has where an argument is large (Didonato and Morris, 1992).
func LogBeta(a, b float64) float64 {
	if a > b {
		a, b = b, a
	}
	switch {
	case !(a > 0):
		if a == 0 {
			return math.Inf(1)
		}
		return math.NaN()
	case b > math.MaxFloat64:
		return math.Inf(-1)
	case a >= 8:
		c := (stirlingTail(a) - stirlingTail(a+b)) + stirlingTail(b)
		h := a / b
		return -float64(0.5*Log(b)) + halfLn2Pi + c - float64((a-0.5)*Log1p(1/h)) - float64(b*Log1p(h))
	case b >= 8:
		return Lgamma(a) + lgammaRatio(a, b)
	case a < 1e-100:
		return Lgamma(a) + (Lgamma(b) - Lgamma(a+b))
	}
	pa, la := gammaParts(a)
	pb, lb := gammaParts(b)
	pc, lc := gammaParts(a + b)
	return Log(float64(pa*pb)/pc) + ((la + lb) - lc) // one logarithm instead of three
}

// gammaParts gives p and l with Γ(x) = p·exp(l), for x > 0.
func gammaParts(x float64) (p, l float64) {
	switch {
	case x >= 8:
		return 1, Lgamma(x)
	case x >= 1.5:
		p = 1
		for x >= 2.5 {
			x--
			p = float64(p * x)
		}
		u := x - 2
		return p, float64(u * lgammaTwo(u))
	case x >= 1:
		u := x - 1
		return 1, float64(u * lgammaOne(u))
	case x >= 0.5:
		u := x - 1
		return 1 / x, float64(u * lgammaTwo(u))
	}
	return 1 / x, float64(x * lgammaOne(x))
}

// lgammaRatio is log Γ(b) − log Γ(a+b) for b ≥ 8 and 0 < a ≤ b.
func lgammaRatio(a, b float64) float64 {
	// (b−½) log b − (a+b−½) log(a+b) + a, with log(a+b) = log b + log(1+a/b).
	t := stirlingTail(b) - stirlingTail(a+b)
	return t + a - float64((a+b-0.5)*Log1p(a/b)) - float64(a*Log(b))
}

// LogChoose is the log of the binomial coefficient n over k for real 0 ≤ k ≤ n.
func LogChoose(n, k float64) float64 {
	if k == 0 || k == n {
		return 0
	}
	if n < 255 && n == math.Floor(n) && k == math.Floor(k) {
		if !(k > 0 && k < n) {
			return math.Inf(-1)
		}
		return logFactTable[int(n)] - logFactTable[int(k)] - logFactTable[int(n-k)]
	}
	return -LogBeta(n-k+1, k+1) - Log1p(n)
}

// LogFact is log n!, NaN for n < 0.
func LogFact(n int) float64 {
	switch {
	case uint(n) < uint(len(logFactTable)):
		return logFactTable[n]
	case n < 0:
		return math.NaN()
	}
	return Lgamma(float64(n) + 1)
}
