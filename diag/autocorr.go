package diag

import "math"

// Autocovariance returns γ(t) = Σ_i (x_i - x̄)(x_{i+t} - x̄) / n for the lags
// t = 0, …, n-1: the biased estimate, whose variance stays bounded at large
// lags (Geyer 1992, section 3.1). By FFT, O(n log n).
func Autocovariance(x []float64) []float64 {
	if len(x) == 0 {
		return nil
	}
	w := new(Work)
	w.centre(x, 1, len(x), mean(x))
	w.spectral(1, len(x), len(x))
	return w.acov
}

// Autocorrelation returns γ(t)/γ(0); NaN for a constant.
func Autocorrelation(x []float64) []float64 {
	acov := Autocovariance(x)
	if len(acov) == 0 {
		return acov
	}
	variance := acov[0]
	for t := range acov {
		acov[t] /= variance
	}
	return acov
}

// centre copies m sequences of length h without their means, and keeps the
// means less shift, a number near them.
func (w *Work) centre(seq []float64, m, h int, shift float64) {
	w.centred, w.means = resize(w.centred, m*h), resize(w.means, m)
	for j := range m {
		part := seq[j*h : (j+1)*h]
		dst := w.centred[j*h : (j+1)*h]
		if constant(part) { // to which rounding would give a variance
			w.means[j] = part[0] - shift
			clear(dst)
			continue
		}
		w.means[j] = sumLess(part, shift) / float64(h)
		subtract(dst, part, shift+w.means[j])
	}
}

func subtract(dst, x []float64, m float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = v - m
	}
}

// varies tells whether values differ by 2⁻⁵² or more.
func varies(x []float64) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = min(lo, v), max(hi, v)
		if hi-lo >= epsilon {
			return true
		}
	}
	return false
}

func constant(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// lagsAtOnce is how many autocovariances one pass over the draws computes.
const lagsAtOnce = 4

// lagged adds the autocovariances at the next few lags to w.acov, averaged
// over the m centred sequences.
func (w *Work) lagged(m, h int) {
	first := len(w.acov)
	lags := min(lagsAtOnce, h-first)
	var total [lagsAtOnce]float64
	for j := range m {
		x := w.centred[j*h : (j+1)*h]
		y := x[first:]
		done := products(&total, x, y)
		for k := range lags {
			for i := done; i < len(y)-k; i++ {
				total[k] += x[i] * y[i+k]
			}
		}
	}
	for _, s := range total[:lags] {
		w.acov = append(w.acov, s/float64(m)/float64(h))
	}
}

// products adds Σ x_i y_{i+k} to total[k] for the first indices i, of which it
// returns the number. Every y it loads serves several lags and draws.
func products(total *[lagsAtOnce]float64, x, y []float64) (n int) {
	const drawsAtOnce = 4
	n = max(len(y)-(lagsAtOnce-1), 0) / drawsAtOnce * drawsAtOnce
	var s0, s1, s2, s3 float64
	for i := 0; i < n; i += drawsAtOnce {
		a := (*[drawsAtOnce]float64)(x[i:])
		b := (*[drawsAtOnce + lagsAtOnce - 1]float64)(y[i:])
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		s0 += (a0*b[0] + a1*b[1]) + (a2*b[2] + a3*b[3])
		s1 += (a0*b[1] + a1*b[2]) + (a2*b[3] + a3*b[4])
		s2 += (a0*b[2] + a1*b[3]) + (a2*b[4] + a3*b[5])
		s3 += (a0*b[3] + a1*b[4]) + (a2*b[5] + a3*b[6])
	}
	total[0] += s0
	total[1] += s1
	total[2] += s2
	total[3] += s3
	return n
}
