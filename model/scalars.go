package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func add(a, b float64) float64 { return a + b }
func sub(a, b float64) float64 { return a - b }
func div(a, b float64) float64 { return a / b }
func square(a float64) float64 { return a * a }

// times is BUGS's product: 0 times anything but NaN is 0, also 0 times ∞, so that
// 0·log 0 drops out of a sum of deviances as JAGS has it.
func times(a, b float64) float64 {
	p := a * b
	if p != p && (a == 0 && b == b || b == 0 && a == a) {
		return 0
	}
	return p
}

// equalTo is the difference, measured with JAGS 4.3.1, from which its equals()
// tells numbers apart; == has no tolerance.
const equalTo = 16 * 0x1p-52

// power is x^y with the small whole exponents that models are full of done by
// multiplication.
func power(x, y float64) float64 {
	switch y {
	case 0:
		return 1
	case 1:
		return x
	case 2:
		return x * x
	case 3:
		return x * x * x
	case -1:
		return 1 / x
	case -2:
		return 1 / (x * x)
	case 0.5:
		return math.Sqrt(x)
	}
	p := vec.Pow(x, y)
	if y > 0 && y == math.Trunc(y) && x == math.Trunc(x) && math.Abs(p) < 1<<52 {
		return math.Round(p) // an index may hang on it
	}
	return p
}

// powerSlope is the derivative of p = x^y by x.
func powerSlope(x, y, p float64) float64 {
	if x == 0 {
		return y * power(x, y-1)
	}
	return y * (p / x)
}

func equals(a, b float64) float64 { return truth(a == b || math.Abs(a-b) < equalTo) }

func roundDigits(a, b float64) float64 {
	s := vec.Pow(10, b)
	return math.RoundToEven(a*s) / s
}

func choose(a, b, c float64) float64 {
	if a != 0 {
		return b
	}
	return c
}

func icloglog(a float64) float64 { return -vec.Expm1(-vec.Exp(a)) }
func cloglog(a float64) float64  { return vec.Log(-vec.Log1p(-a)) }
func logFact(a float64) float64  { return vec.Lgamma(a + 1) }
func round(a float64) float64    { return math.Floor(a + 0.5) }
