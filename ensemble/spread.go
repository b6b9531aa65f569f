package ensemble

import (
	"fmt"
	"math"
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
		for w := range col {
			col[w] -= mean
		}
		before := norm(col)
		if before <= flat*flat*math.Abs(mean) {
			return fmt.Errorf("ensemble: all walkers have the same coordinate %d, %v, and could never leave it: spread the starts", j+1, x[j])
		}
		for _, b := range basis {
			axpy(col, -dot(col, b), b)
		}
		left := norm(col)
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

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += float64(v * b[i])
	}
	return s
}

// norm is scaled, so that squares neither overflow nor vanish.
func norm(a []float64) float64 {
	top := 0.0
	for _, v := range a {
		top = max(top, math.Abs(v))
	}
	if top == 0 {
		return 0
	}
	s := 0.0
	for _, v := range a {
		s += float64((v / top) * (v / top))
	}
	return top * math.Sqrt(s)
}

// axpy adds f b to a.
func axpy(a []float64, f float64, b []float64) {
	for i, v := range b {
		a[i] += float64(f * v)
	}
}
