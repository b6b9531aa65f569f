package dist

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// searchQuantile solves for the quantile in the smaller of the two tails, by bracketing from guess and bisection: for
// the distributions that know no better way. NaN for q outside [0, 1].
func searchQuantile(q float64, p []float64, lo, hi, guess float64, logCDF, logSF func(x float64, p []float64) float64) float64 {
	switch {
	case !probability(q):
		return math.NaN()
	case q == 0:
		return lo
	case q == 1:
		return hi
	}
	below := func(x float64) bool { return logCDF(x, p) < vec.Log(q) }
	if q > 0.5 {
		target := vec.Log1p(-q)
		below = func(x float64) bool { return logSF(x, p) > target }
	}
	for step := max(math.Abs(guess), 1); ; step *= 4 {
		if below(guess) {
			lo = guess
			if hi < math.Inf(1) {
				break
			}
			guess += step
		} else {
			hi = guess
			if lo > math.Inf(-1) {
				break
			}
			guess -= step
		}
	}
	for {
		mid := middle(lo, hi)
		if !(mid > lo && mid < hi) {
			return hi
		}
		if below(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
}
