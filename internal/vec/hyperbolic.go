package vec

import "math"

// Sinh is the hyperbolic sine.
func Sinh(x float64) float64 {
	ax := math.Abs(x)
	var y float64
	switch {
	case ax < 22:
		t := Expm1(ax)
		y = float64(0.5 * (t + t/(1+t)))
	case ax < 709:
		y = float64(0.5 * Exp(ax))
	default:
		t := Exp(float64(0.5 * ax))
		y = float64(float64(0.5*t) * t)
	}
	return math.Copysign(y, x)
}

// Cosh is the hyperbolic cosine.
func Cosh(x float64) float64 {
	ax := math.Abs(x)
	if ax < 709 {
		t := Exp(ax)
		return float64(0.5*t) + 0.5/t
	}
	t := Exp(float64(0.5 * ax))
	return float64(float64(0.5*t) * t)
}

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	ax := math.Abs(x)
	y := 1.0
	switch {
	case ax != ax:
		return x
	case ax < 22:
		t := Expm1(float64(2 * ax))
		y = t / (t + 2)
	}
	return math.Copysign(y, x)
}

// Asinh is the inverse of Sinh.
func Asinh(x float64) float64 {
	ax := math.Abs(x)
	var y float64
	switch {
	case ax < 0x1p28:
		z := float64(ax * ax)
		y = Log1p(ax + z/(1+math.Sqrt(1+z)))
	default:
		y = Log(ax) + ln2
	}
	return math.Copysign(y, x)
}

// Acosh is the non-negative inverse of Cosh, NaN for x < 1.
func Acosh(x float64) float64 {
	if x < 1 {
		return math.NaN()
	}
	if x < 0x1p28 {
		t := x - 1
		return Log1p(t + math.Sqrt(float64(t*(t+2))))
	}
	return Log(x) + ln2
}

// Atanh is the inverse of Tanh, NaN outside [-1, 1].
func Atanh(x float64) float64 {
	ax := math.Abs(x)
	return math.Copysign(float64(0.5*Log1p(float64(2*ax)/(1-ax))), x)
}
