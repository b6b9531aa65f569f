package vec

import "math"

const (
	sqrtHalf  = math.Sqrt2 / 2
	invSqrtPi = 0.5641895835477563
	halfLn2Pi = 0.9189385332046728 // log(2π)/2
)

// Erf is the error function.
func Erf(x float64) float64 {
	ax := math.Abs(x)
	switch {
	case ax <= 1:
		return float64(x * erfSmall(float64(x*x)))
	case ax < 6:
		return math.Copysign(1-erfcTail(ax), x)
	case ax != ax:
		return x
	}
	return math.Copysign(1, x)
}

// Erfc is 1 − Erf(x), accurate also for large x.
func Erfc(x float64) float64 {
	switch {
	case x <= -0.5:
		return 1 + Erf(-x)
	case x < 0.5:
		return 1 - float64(x*erfSmall(float64(x*x)))
	case x < 27.3:
		return erfcTail(x)
	case x != x:
		return x
	}
	return 0
}

// erfcTail is Erfc for 0.5 ≤ x < 27.3.
func erfcTail(x float64) float64 {
	return float64(expMinusSquare(x) * Erfcx(x))
}

// expMinusSquare is exp(−x²) for 0 ≤ x < 30; the square is taken as the sum of an exact part and a small one.
func expMinusSquare(x float64) float64 {
	h := math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
	d := float64((x - h) * (x + h))
	y := Exp(-float64(h * h))
	return y + float64(y*Expm1(-d))
}

// Erfcx is exp(x²)·Erfc(x).
func Erfcx(x float64) float64 {
	switch {
	case x < 0.5:
		if x < -26.7 {
			return math.Inf(1)
		}
		h := math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
		return float64(float64(Exp(float64(h*h))*Exp(float64((x-h)*(x+h)))) * Erfc(x))
	case x < 1.5:
		return erfcxNear(x)
	case x < 4:
		return erfcxMid(x)
	case x < 0x1p30:
		return float64(invSqrtPi / x * erfcxFar(1/float64(x*x)))
	}
	return invSqrtPi / x
}

// NormCDF is Φ, the standard normal distribution function, accurate in both tails.
func NormCDF(x float64) float64 {
	if x < -2 {
		if x < -38.6 {
			return 0
		}
		// Through x²/2 itself: x/√2 would be rounded first, and the tail magnifies that.
		return float64(normKernel(x) * float64(0.5*Erfcx(float64(-sqrtHalf*x))))
	}
	return float64(0.5 * Erfc(float64(-sqrtHalf*x)))
}

// normKernel is exp(−x²/2) for |x| < 39.
func normKernel(x float64) float64 {
	h := math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
	d := float64((x - h) * (x + h))
	y := Exp(float64(-0.5 * float64(h*h)))
	return y + float64(y*Expm1(float64(-0.5*d)))
}

// LogNormCDF is log Φ(x), accurate for every x: about −x²/2 − log(−x√2π) far on the left.
func LogNormCDF(x float64) float64 {
	if x < -1 {
		return Log(float64(0.5*Erfcx(float64(-sqrtHalf*x)))) - float64(0.5*float64(x*x))
	}
	return Log1p(-NormCDF(-x))
}

// NormHazard is φ(x)/Φ(−x), the hazard of the standard normal distribution (inverse Mills ratio): the derivative of
// LogNormCDF at −x.
func NormHazard(x float64) float64 {
	if x < -37 {
		return 0.3989422804014327 * normKernel(max(x, -38.9))
	}
	return 0.7978845608028654 / Erfcx(float64(sqrtHalf*x))
}

// NormQuantile is Φ⁻¹, with a relative error below 1e-14; ∓Inf for 0 and 1, NaN outside [0, 1].
func NormQuantile(p float64) float64 {
	q := p - 0.5
	switch {
	case math.Abs(q) <= 0.3:
		return float64(q * quantileMid(float64(q*q)))
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case q < 0:
		return -normUpper(Log(p))
	}
	return normUpper(Log(1 - p))
}

// NormQuantileLog is Φ⁻¹(exp(logp)) for logp ≤ 0, to 1e-14 also where exp(logp) underflows.
func NormQuantileLog(logp float64) float64 {
	if !(logp <= 0) {
		return math.NaN()
	}
	if logp < -1.6 { // p below 0.202
		return -normUpper(logp)
	}
	if logp < -0.23 { // p below 0.79
		q := float64(0.5 * Expm1((logp+ln2)+2.319046813846300e-17))
		return float64(q * quantileMid(float64(q*q)))
	}
	return normUpper(Log(-Expm1(logp)))
}

// normUpper is −Φ⁻¹(exp(l)) for l below -1.56; +Inf for l = -Inf.
func normUpper(l float64) float64 {
	s := math.Sqrt(-l)
	switch {
	case s < 2.5:
		return quantileTail1(s - 1.875)
	case s < 5.5:
		return quantileTail2(s - 4)
	case s < 12:
		return quantileTail3(s - 8.75)
	case s < 28:
		return quantileTail4(s - 20)
	case s > 0x1p400:
		return float64(math.Sqrt2 * s)
	}
	// Fixed point of x² = −2l − 2 log(x√2π) + 2 log of the Mills ratio's series, then Newton on log Φ(−x).
	x := math.Sqrt(float64(-2*l) - float64(2*(Log(s)+halfLn2Pi+0.5*ln2)))
	for range 2 {
		d := (LogNormCDF(-x) - l) / NormHazard(x)
		x += d
	}
	return x
}
