package dist

import (
	"fmt"
	"math"
)

// positive reports whether v is positive and finite.
func positive(v float64) bool { return v > 0 && v <= math.MaxFloat64 }

// finite reports whether v is neither infinite nor NaN.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// checkFinite says what keeps v from being a number that is not infinite.
func checkFinite(name string, v float64) string {
	if !finite(v) {
		return fmt.Sprintf("%s = %v must be finite", name, v)
	}
	return ""
}

// locationScaleCheck is the domain of a distribution with a location mu and a positive tau.
func locationScaleCheck(p []float64) string {
	return firstNonEmpty(checkFinite("mu", p[0]), checkPositive("tau", p[1]))
}

func locationScaleOK(p []float64) bool { return finite(p[0]) && positive(p[1]) }

// realLine, halfLine and unitInterval are supports.
func realLine([]float64) (lo, hi float64)     { return math.Inf(-1), math.Inf(1) }
func halfLine([]float64) (lo, hi float64)     { return 0, math.Inf(1) }
func unitInterval([]float64) (lo, hi float64) { return 0, 1 }

// probability reports whether q is one.
func probability(q float64) bool { return q >= 0 && q <= 1 }

// positiveDraw keeps the draw of a positive variable a positive double: where it under- or overflows, it is the least
// one of full precision or the greatest.
func positiveDraw(x float64) float64 { return min(max(x, smallest), math.MaxFloat64) }

// outside is the log density at an x that is not inside the support: -Inf, or NaN where x is NaN or the parameters
// are not in their domain.
func outside(x float64, ok bool) float64 {
	if !ok || x != x {
		return math.NaN()
	}
	return math.Inf(-1)
}
