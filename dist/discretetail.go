package dist

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// maxTailTerms bounds the direct summation of a tail; incomplete beta and gamma functions take over beyond it.
const maxTailTerms = 100_000

// sumTail is 1 + ρ₁ + ρ₁ρ₂ + …, the mass of a tail over its first term, ρ_j = ratio(j) the ratio of consecutive
// probabilities and limit an upper bound of the ratios to come where they are not decreasing. ok is false where more
// than maxTailTerms terms would matter.
func sumTail(limit float64, ratio func(j float64) float64) (sum float64, ok bool) {
	sum = 1
	term := 1.0
	for j := 1.0; j <= maxTailTerms; j++ {
		rho := ratio(j)
		if rho <= 0 {
			return sum, true
		}
		term = float64(term * rho)
		sum += term
		if term < 1e-17*sum*(1-max(rho, limit)) {
			return sum, true
		}
	}
	return sum, false
}

// tails turns the log mass of one tail into log P(X ≤ x) and log P(X > x).
func tails(lower bool, logMass float64) (logCDF, logSF float64) {
	logMass = min(logMass, 0)
	other := vec.Log1mExp(logMass)
	if lower {
		return logMass, other
	}
	return other, logMass
}

// discreteQuantile is the least whole x in [lo, hi] with cdf(x) ≥ q, found by steps that double away from the guess
// and then by bisection.
func discreteQuantile(q, guess, lo, hi float64, cdf func(x float64) float64) float64 {
	switch {
	case !(q >= 0 && q <= 1):
		return math.NaN()
	case q == 0:
		return lo
	case q == 1:
		return hi
	}
	if math.IsNaN(guess) {
		guess = lo
	}
	x := min(max(math.Floor(guess), lo), min(hi, math.MaxFloat64))
	step := 1.0
	below, above := lo-1, hi // cdf(below) < q ≤ cdf(above)
	if cdf(x) >= q {
		for above = x; x > lo; step *= 2 {
			x = max(x-step, lo)
			if cdf(x) < q {
				below = x
				break
			}
			above = x
		}
	} else {
		for below = x; x < hi; step *= 2 {
			x = min(x+step, hi)
			if cdf(x) >= q {
				above = x
				break
			}
			below = x
		}
	}
	for above-below > 1 {
		mid := math.Floor(below + float64((above-below)/2))
		if mid <= below || mid >= above {
			break // counts above 2⁵³ are not all doubles
		}
		if cdf(mid) >= q {
			above = mid
		} else {
			below = mid
		}
	}
	return above
}
