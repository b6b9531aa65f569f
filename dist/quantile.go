package dist

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// searchQuantile solves for the quantile in the smaller of the two tails, for the distributions that know no better way;
// p is in the domain. NaN for q outside [0, 1].
func (d *Scalar) searchQuantile(q float64, p []float64, guess float64) float64 {
	lo, hi := d.Support(p)
	switch {
	case !probability(q):
		return math.NaN()
	case q == 0:
		return lo
	case q == 1:
		return hi
	case q > 0.5:
		return d.solveTail(p, lo, hi, guess, vec.Log1p(-q), true)
	}
	return d.solveTail(p, lo, hi, guess, vec.Log(q), false)
}
