package vec

import "math"

// Finite tells numbers from ±Inf and NaN. It subtracts nothing: x − x of a product may be fused, and is then its rounding error.
func Finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// AllFinite tells whether none of x is ±Inf or NaN.
func AllFinite(x []float64) bool {
	for _, v := range x {
		if !Finite(v) {
			return false
		}
	}
	return true
}
