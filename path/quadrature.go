package path

// quadrature returns the weights of the corrected trapezoidal rule Σ h/2 (E_k + E_{k+1}) + h²/12 (E'_k − E'_{k+1}), with the
// slopes E' of parabolas through neighbouring points.
func quadrature(s []float64) []float64 {
	n := len(s)
	w := make([]float64, n)
	for k := range n - 1 {
		h := s[k+1] - s[k]
		w[k] += float64(h / 2)
		w[k+1] += float64(h / 2)
		addSlope(w, s, k, h*h/12)
		addSlope(w, s, k+1, -h*h/12)
	}
	return w
}

// addSlope adds c times the slope at point k to the weights.
func addSlope(w, s []float64, k int, c float64) {
	n := len(s)
	if n == 2 { // one step: both ends have the same slope, and the terms cancel
		return
	}
	m := min(max(k, 1), n-2) // the parabola's middle
	a, b, x := s[m-1], s[m], s[k]
	d := s[m+1]
	w[m-1] += c * ((x - b) + (x - d)) / ((a - b) * (a - d))
	w[m] += c * ((x - a) + (x - d)) / ((b - a) * (b - d))
	w[m+1] += c * ((x - a) + (x - b)) / ((d - a) * (d - b))
}

// coarse returns the weights of the rule on every second point.
func coarse(s []float64) []float64 {
	var half []float64
	var at []int
	for k := 0; k < len(s); k += 2 {
		half, at = append(half, s[k]), append(at, k)
	}
	if last := len(s) - 1; at[len(at)-1] != last {
		half, at = append(half, s[last]), append(at, last)
	}
	w := make([]float64, len(s))
	for i, v := range quadrature(half) {
		w[at[i]] = v
	}
	return w
}
