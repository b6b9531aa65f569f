package dist

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Loader (2000), "Fast and accurate computation of binomial probabilities": with log n! written as Stirling's formula
// plus a small error, the large terms of a log probability cancel on paper instead of in the computer.

const halfLog2Pi = 0.91893853320467274178 // log(2π)/2

// smallStirlingErr holds δ(1) … δ(15), from 40 digits.
var smallStirlingErr = [16]float64{
	0, // unused
	0.08106146679532725822, 0.041340695955409294094, 0.027677925684998339149,
	0.020790672103765093112, 0.016644691189821192163, 0.013876128823070747999,
	0.011896709945891770095, 0.010411265261972096497, 0.0092554621827127329177,
	0.0083305634333628712565, 0.007573675487951840795, 0.0069428401072095298657,
	0.0064089941880042070684, 0.0059513701127588477356, 0.005554733551962801371,
}

// stirlingErr is δ(n) = log n! − (n log n − n + log(2πn)/2) for a whole n ≥ 1 or a real n ≥ 16.
func stirlingErr(n float64) float64 {
	if n < 16 {
		return smallStirlingErr[int(n)]
	}
	// DLMF 5.11.1; the first term left out is below 2e-18 at n = 16.
	v := 1 / (n * n)
	s := 1.0/156 - float64(3617.0/122400*v)
	s = -691.0/360360 + float64(s*v)
	s = 1.0/1188 + float64(s*v)
	s = -1.0/1680 + float64(s*v)
	s = 1.0/1260 + float64(s*v)
	s = -1.0/360 + float64(s*v)
	s = 1.0/12 + float64(s*v)
	return s / n
}

// deviance is D(x, m) = x log(x/m) + m − x ≥ 0, for x ≥ 0 and m > 0 (m = 0 where x is), without cancellation where x is close to m.
func deviance(x, m float64) float64 {
	if x == 0 {
		return m
	}
	d := x - m
	if math.Abs(d) > 0.1*(x+m) {
		return float64(x*vec.Log(x/m)) - d
	}
	// log(x/m) = 2 atanh(v), v = (x−m)/(x+m), hence D = d v + 2x Σ_{j≥1} v^(2j+1)/(2j+1). |v| ≤ 0.1.
	v := d / (x + m)
	v2 := v * v
	s := 1.0 / 15
	for k := 13.0; k >= 3; k -= 2 {
		s = 1/k + float64(s*v2)
	}
	return float64(d*v) + float64(2*x*v*v2*s)
}

// binomialStirling is the log probability of x successes and y failures in n = x + y trials with probability p,
// q = 1 − p, 0 < p < 1, to a relative precision that does not suffer from large n.
func binomialStirling(x, y, p, q float64) float64 {
	n := x + y
	switch {
	case x == 0 && p < q:
		return float64(n * vec.Log1p(-p))
	case x == 0:
		return float64(n * vec.Log(q))
	case y == 0 && q < p:
		return float64(n * vec.Log1p(-q))
	case y == 0:
		return float64(n * vec.Log(p))
	}
	return stirlingErr(n) - stirlingErr(x) - stirlingErr(y) - deviance(x, float64(n*p)) - deviance(y, float64(n*q)) -
		halfLog2Pi - float64(0.5*vec.Log(x*(y/n)))
}

// poissonStirling is the log probability of x under Poisson(lambda), lambda > 0, x ≥ 0.
func poissonStirling(x, lambda float64) float64 {
	if x == 0 {
		return -lambda
	}
	return -stirlingErr(x) - deviance(x, lambda) - halfLog2Pi - float64(0.5*vec.Log(x))
}
