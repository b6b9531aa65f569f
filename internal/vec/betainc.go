package vec

import "math"

// BetaTails gives the logarithms of the regularised incomplete beta function I_x(a, b) and of 1 − I_x(a, b), for
// a, b > 0 and x + y = 1; y is asked for because x may be too close to 1 to give it. The smaller of the two has a
// relative error of some 1e-13 in the function itself however far out x lies.
func BetaTails(a, b, x, y float64) (logI, logJ float64) {
	switch {
	case !(a > 0 && a <= math.MaxFloat64 && b > 0 && b <= math.MaxFloat64) || x != x || y != y:
		return math.NaN(), math.NaN()
	case x <= 0:
		return math.Inf(-1), 0
	case y <= 0:
		return 0, math.Inf(-1)
	}
	if max(a, b) > 1000 {
		if float64(b*x) > float64(a*y) {
			logJ = min(betaTailIntegral(a, b, x, y), 0)
			return Log1mExp(logJ), logJ
		}
		logI = min(betaTailIntegral(b, a, y, x), 0)
		return logI, Log1mExp(logI)
	}
	// The continued fraction converges fast on this side of the mean (Press et al., Numerical Recipes, 6.4).
	if float64(x*(a+b+2)) < a+1 {
		logI = betaPrefix(a, b, x, y) + Log(betaFraction(a, b, x))
		return logI, Log1mExp(min(logI, 0))
	}
	logJ = betaPrefix(b, a, y, x) + Log(betaFraction(b, a, y))
	return Log1mExp(min(logJ, 0)), logJ
}

// RegIncBeta is I_x(a, b).
func RegIncBeta(a, b, x float64) float64 {
	i, _ := BetaTails(a, b, x, 1-x)
	return Exp(i)
}

// betaPrefix is log(xᵃyᵇ/(a B(a, b))).
func betaPrefix(a, b, x, y float64) float64 {
	if min(a, b) < 8 {
		return float64(a*logOf(x, y)) + float64(b*logOf(y, x)) - logABeta(a, b)
	}
	// With Stirling's formula the large terms are a·gap(nx/a − 1) + b·gap(ny/b − 1), n = a+b.
	n := a + b
	d := float64(b*x) - float64(a*y) // n x − a
	g := Deviance(a, float64(n*x), d) + Deviance(b, float64(n*y), -d)
	s := (stirlingTail(n) - stirlingTail(a)) - stirlingTail(b)
	return s - g + float64(0.5*(Log(b)-Log(a)-Log(n))) - halfLn2Pi
}

// betaTailIntegral is log(1 − I_x(a, b)) for x beyond the mean, by quadrature. With w = log(y/(1−u)), u the variable of
// the integral, the integrand is (1 + (1−e⁻ʷ)y/x)^(a−1) e^(−b w), apart from what is at x. The substitution
// w = L exp(v − e⁻ᵛ) makes the trapezoidal rule converge exponentially (Takahasi and Mori, 1974).
func betaTailIntegral(a, b, x, y float64) float64 {
	odds := y / x
	slope := b - float64((a-1)*odds)
	bend := max(float64(float64((a-1)*odds)/x), 0)
	length := 2 / (slope + math.Sqrt(float64(slope*slope)+float64(2*bend)))
	const step = 1.0 / 14
	sum := 0.0
	for i := -60; i < 1000; i++ {
		v := float64(float64(i) * step)
		e := Exp(-v)
		g := Exp(v - e)
		w := float64(length * g)
		f := float64((a-1)*Log1p(-float64(odds*Expm1(-w)))) - float64(b*w)
		t := float64(Exp(f) * float64(g*(1+e)))
		sum += t
		if i > 0 && t < 0x1p-60*sum {
			break
		}
	}
	return betaPrefix(b, a, y, x) + Log(b/x) + Log(float64(float64(sum*step)*length))
}

// logOf is log y where y + x = 1: the smaller of the two has the more correct digits.
func logOf(y, x float64) float64 {
	if x < y {
		return Log1p(-x)
	}
	return Log(y)
}

// logABeta is log(a B(a, b)).
func logABeta(a, b float64) float64 {
	if a < 0.5 && b < 8 {
		// log Γ(a+1) + log Γ(b) − log Γ(a+b), all of order a where a is small.
		return lgamma1p(a) - lgammaStep(a, b)
	}
	if a < 0.5 {
		return lgamma1p(a) + lgammaRatio(a, b)
	}
	return Log(a) + LogBeta(a, b)
}

// lgammaStep is log Γ(a+b) − log Γ(b) for 0 < a < 1/2 and b < 8.
func lgammaStep(a, b float64) float64 {
	if a > 1e-5 {
		return Lgamma(a+b) - Lgamma(b)
	}
	if a > float64(1e-3*b) {
		return lgamma1p(a+b) - lgamma1p(b) - Log1p(a/b)
	}
	return float64(a * (Digamma(b) + float64(0.5*float64(a*Trigamma(b)))))
}

// betaFraction is the continued fraction of I_x(a, b)·a B(a, b)/(xᵃyᵇ) (DLMF 8.17.22), by Lentz's method.
func betaFraction(a, b, x float64) float64 {
	const tiny = 0x1p-900
	c := 1.0
	d := 1 - float64((a+b)*x)/(a+1)
	if math.Abs(d) < tiny {
		d = tiny
	}
	d = 1 / d
	h := d
	step := func(n float64) float64 {
		d = 1 + float64(n*d)
		if math.Abs(d) < tiny {
			d = tiny
		}
		c = 1 + n/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		f := float64(c * d)
		h = float64(h * f)
		return f
	}
	for m := 1.0; m < 1e5; m++ {
		step(m / (a + 2*m - 1) * (b - m) / (a + 2*m) * x)
		f := step(-(a + m) / (a + 2*m) * (a + b + m) / (a + 2*m + 1) * x)
		if math.Abs(f-1) < 0x1p-52 {
			break
		}
	}
	return h
}

// LogRegIncBeta is log I_x(a, b), accurate also in the far lower tail.
func LogRegIncBeta(a, b, x float64) float64 { i, _ := BetaTails(a, b, x, 1-x); return i }
