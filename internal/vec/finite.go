package vec

import "math"

// Finite tells numbers from ±Inf and NaN. It subtracts nothing: x − x of a product may be fused, and is then its rounding error.
func Finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
