package ensemble

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// flat is the share of a coordinate's norm below which its residual, after projection on the coordinates
// before it, counts as rounding; emcee refuses condition numbers above its inverse.
const flat = 1e-8

// checkSpread finds a coordinate that all walkers have as an affine function of those
// before it, by modified Gram–Schmidt on the centred coordinates.
func checkSpread(x []float64, dim int) error {
	n := len(x) / dim
	basis := make([][]float64, 0, dim)
	for j := range dim {
		col := make([]float64, n)
		mean := 0.0
		for w := range col {
			col[w] = x[w*dim+j]
			if math.IsNaN(col[w]) || math.IsInf(col[w], 0) {
				return fmt.Errorf("ensemble: coordinate %d of walker %d is %v; starts must be finite", j+1, w+1, col[w])
			}
			mean += col[w] / float64(n)
		}
		floats.AddConst(-mean, col)
		before := floats.Norm(col, 2)
		if before <= flat*flat*math.Abs(mean) {
			return fmt.Errorf("ensemble: all walkers have the same coordinate %d, %v, and could never leave it: spread the starts", j+1, x[j])
		}
		for _, b := range basis {
			along := vec.Dot(col, b)
			for w, v := range b {
				col[w] -= float64(along * v)
			}
		}
		left := floats.Norm(col, 2)
		if left <= flat*before {
			return fmt.Errorf("ensemble: the starts lie in a plane: in all %d walkers coordinate %d follows from those before it, and would for ever; spread the starts in every direction",
				n, j+1)
		}
		for w := range col {
			col[w] /= left
		}
		basis = append(basis, col)
	}
	return nil
}
