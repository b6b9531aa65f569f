package vec

// Finite tells numbers from ±Inf and NaN, for which x − x is NaN.
func Finite(x float64) bool { return x-x == 0 }
