package diag

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// normalScores are Φ⁻¹((r - 3/8)/(S + 1/4)) for the ranks r = 1, 3/2, 2, …, S
// of S draws, at position 2r (Vehtari et al. 2021, equation 14).
func (w *Work) normalScores(size int) []float64 {
	if w.normalSize == size {
		return w.normal
	}
	w.normal = resize(w.normal, 2*size+1)
	for i := 2; i <= 2*size; i++ {
		w.normal[i] = mathext.NormalQuantile((float64(i)/2 - 0.375) / (float64(size) + 0.25))
	}
	w.normalSize = size
	return w.normal
}

// scores puts the normal score of every draw at its position; ties share the
// mean of their ranks.
func (w *Work) scores(dst, sorted []float64, order []int32) []float64 {
	size := len(sorted)
	dst = resize(dst, size)
	normal := w.normalScores(size)
	for i := 0; i < size; {
		j := i + 1
		for j < size && sorted[j] == sorted[i] {
			j++
		}
		z := normal[i+j+1]
		for _, pos := range order[i:j] {
			dst[pos] = z
		}
		i = j
	}
	return dst
}

// fold orders the distances of the half chains from the median.
func (w *Work) fold(median float64) {
	size := len(w.halfSorted)
	w.foldSorted, w.foldOrder = resize(w.foldSorted, size), resize(w.foldOrder, size)
	byDistance(w.halfSorted, median, func(k, i int, distance float64) bool {
		w.foldSorted[k], w.foldOrder[k] = distance, w.halfOrder[i]
		return true
	})
}

// byDistance visits sorted draws in the order of their distance from centre
// until visit returns false. Both sides of the centre are sorted already, so
// it merges them.
func byDistance(sorted []float64, centre float64, visit func(k, i int, distance float64) bool) {
	right := lowerBound(sorted, centre)
	left := right - 1
	for k := range sorted {
		i, d := left, math.Inf(1)
		if left >= 0 {
			d = math.Abs(sorted[left] - centre)
		}
		if right < len(sorted) && (left < 0 || !(d < math.Abs(sorted[right]-centre))) {
			i, d = right, math.Abs(sorted[right]-centre)
			right++
		} else {
			left--
		}
		if !visit(k, i, d) {
			return
		}
	}
}

// lowerBound is the number of sorted draws below x.
func lowerBound(sorted []float64, x float64) int {
	lo, hi := 0, len(sorted)
	for lo < hi {
		mid := (lo + hi) / 2
		if sorted[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
