package path

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// softmax sets x to exp(x + bias), normalised to sum to 1.
func softmax(x, bias []float64) error {
	top := math.Inf(-1)
	for k := range x {
		x[k] += bias[k]
		if math.IsNaN(x[k]) || math.IsInf(x[k], 1) {
			return fmt.Errorf("%w: number %d is %v", errNaN, k+1, x[k])
		}
		top = max(top, x[k])
	}
	if math.IsInf(top, -1) {
		return fmt.Errorf("%w: all are −Inf", errNaN)
	}
	sum := 0.0
	for k := range x {
		x[k] = vec.Exp(x[k] - top)
		sum += x[k]
	}
	for k := range x {
		x[k] /= sum
	}
	return nil
}

// pick draws an index with these probabilities.
func pick(p []float64, r *rand.Rand) int {
	u, last := r.Float64(), 0
	for k, v := range p {
		if v > 0 {
			if u < v {
				return k
			}
			last = k
		}
		u -= v
	}
	return last // rounding
}
