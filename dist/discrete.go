package dist

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// discrete lists the discrete univariate distributions, in alphabetical order. Derivatives by whole-number parameters
// (n of dbin, n1, n2 and m1 of dhyper, n of dbetabin) are given as 0: no gradient moves them.
func discrete() []*Scalar {
	return []*Scalar{bern(), betabin(), bin(), cat(), geom(), hyper(), negbin(), pois()}
}

// checkProbability says what keeps p from being a probability.
func checkProbability(name string, p float64) string {
	if !(p >= 0 && p <= 1) {
		return fmt.Sprintf("%s = %v must be between 0 and 1", name, p)
	}
	return ""
}

// checkCount says what keeps n from being a whole number ≥ 0.
func checkCount(name string, n float64) string {
	if !isCount(n) {
		return fmt.Sprintf("%s = %v must be a whole number, not negative", name, n)
	}
	return ""
}

// checkPositive says what keeps v from being positive and finite.
func checkPositive(name string, v float64) string {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Sprintf("%s = %v must be positive", name, v)
	}
	return ""
}

// firstNonEmpty returns the first complaint, if any.
func firstNonEmpty(messages ...string) string {
	for _, m := range messages {
		if m != "" {
			return m
		}
	}
	return ""
}

// isCount reports whether n is a whole number ≥ 0.
func isCount(n float64) bool { return n >= 0 && n <= math.MaxFloat64 && math.Floor(n) == n }

// offSupport is the log probability of an x outside the support: -Inf, or NaN where x is NaN.
func offSupport(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	return math.Inf(-1)
}

// xlogy is x log y, 0 where x is 0.
func xlogy(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return float64(x * vec.Log(y))
}

// xlog1my is x log(1−y), 0 where x is 0.
func xlog1my(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return float64(x * vec.Log1p(-y))
}

// ratioOrZero is x/y, 0 where x is 0.
func ratioOrZero(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}
