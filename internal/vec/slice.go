package vec

// ExpSlice sets dst[i] = Exp(x[i]) for all i < len(x); dst may be x.
func ExpSlice(dst, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = Exp(v)
	}
}

// LogSlice sets dst[i] = Log(x[i]) for all i < len(x); dst may be x.
func LogSlice(dst, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = Log(v)
	}
}
