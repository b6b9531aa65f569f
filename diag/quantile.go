package diag

import "math"

// Quantile is the p-quantile of all draws by linear interpolation between
// order statistics (type 7 of Hyndman and Fan, 1996: R's default).
func Quantile(chains [][]float64, p float64) float64 {
	w := loaded(chains)
	if w.hasNaN {
		return math.NaN()
	}
	w.sort()
	return quantile(w.sorted, p)
}

// Median is the 0.5-quantile.
func Median(chains [][]float64) float64 { return Quantile(chains, 0.5) }

// MAD is 1.4826 times the median distance from the median: the standard
// deviation of a normal distribution, hardly moved by outliers.
func MAD(chains [][]float64) float64 {
	w := loaded(chains)
	if w.hasNaN {
		return math.NaN()
	}
	w.sort()
	return w.mad(quantile(w.sorted, 0.5))
}

// mad needs the draws sorted.
func (w *Work) mad(median float64) float64 {
	size := len(w.sorted)
	if math.IsNaN(median) || math.IsInf(median, 0) {
		return math.NaN()
	}
	w.fold(w.sorted, w.order, median)
	below, above := w.centred[(size-1)/2], w.centred[size/2]
	if math.IsInf(above, 1) {
		return above
	}
	return 1.4826 * (below + above) / 2
}

// QuantileSorted is the p-quantile (type 7) of ascending values; NaN when
// there are none or p is outside [0, 1].
func QuantileSorted(sorted []float64, p float64) float64 { return quantile(sorted, p) }

func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	at := float64(len(sorted)-1) * p
	i := int(at)
	h := at - float64(i)
	if h == 0 || sorted[i] == sorted[i+1] {
		return sorted[i]
	}
	return (1-h)*sorted[i] + h*sorted[i+1]
}
