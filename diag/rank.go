package diag

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// normalScores are Φ⁻¹((r - 3/8)/(S + 1/4)) for the ranks r = 1, …, S of S
// draws, at position r - 1 (Vehtari et al. 2021, equation 14).
func (w *Work) normalScores(size int) []float64 {
	if len(w.normal) == size {
		return w.normal
	}
	w.normal = resize(w.normal, size)
	for i := range (size + 1) / 2 {
		z := normalScore(float64(i+1), size)
		w.normal[i], w.normal[size-1-i] = z, -z
	}
	return w.normal
}

func normalScore(rank float64, size int) float64 {
	return vec.NormQuantile((rank - 0.375) / (float64(size) + 0.25))
}

// scores puts the normal score of every draw at its position; ties share the
// mean of their ranks.
func (w *Work) scores(dst, sorted []float64, order []int32) []float64 {
	size := len(sorted)
	dst = resize(dst, size)
	normal, order := w.normalScores(size)[:size], order[:size]
	for i := 0; i < size; {
		x := sorted[i]
		if i+1 >= size || sorted[i+1] != x {
			dst[order[i]] = normal[i]
			i++
			continue
		}
		j := i + 2
		for j < size && sorted[j] == x {
			j++
		}
		z := normalScore(float64(i+j+1)/2, size)
		for _, pos := range order[i:j] {
			dst[pos] = z
		}
		i = j
	}
	return dst
}

// bulk is the R-hat and the effective sample size of the normal scores of the
// half chains.
func (w *Work) bulk() (rhat, ess float64) {
	if w.hasNaN || len(w.x) == 0 {
		return math.NaN(), math.NaN()
	}
	w.sort()
	w.seq = w.scores(w.seq, w.halfSorted, w.halfOrder)
	m, h := 2*w.chains, w.half()
	rhat = w.rhat(w.seq, m, h, 0)
	if math.IsNaN(rhat) || h < 3 {
		return rhat, math.NaN()
	}
	return rhat, w.size(m, h)
}

// folded is the R-hat of the normal scores of |x - median|. It needs the
// draws sorted.
func (w *Work) folded(median float64) float64 {
	if math.IsNaN(median) || math.IsInf(median, 0) {
		return math.NaN()
	}
	w.fold(w.halfSorted, w.halfOrder, median)
	w.seq = w.scores(w.seq, w.centred, w.foldOrder)
	return w.rhat(w.seq, 2*w.chains, w.half(), 0)
}

// fold orders sorted draws by their distance from centre. Both sides of the
// centre are sorted already, so it merges them: the near draws from the centre
// outwards and the far ones from the ends inwards, as two strands of one loop
// and without branches, which a processor could not foresee. The distances
// come to lie in w.centred.
func (w *Work) fold(sorted []float64, order []int32, centre float64) {
	n := len(sorted)
	w.centred, w.foldOrder = resize(w.centred, n), resize(w.foldOrder, n)
	dst, dstOrder := w.centred, w.foldOrder[:n]
	order = order[:n]
	right, first, last := lowerBound(sorted, centre), 0, n-1
	left := right - 1
	k := 0
	for ; first <= left && right <= last; k++ {
		goLeft := 0
		if centre-sorted[left] < sorted[right]-centre {
			goLeft = 1
		}
		near := right ^ (left^right)&-goLeft
		left -= goLeft
		right += 1 - goLeft
		dst[k], dstOrder[k] = math.Abs(sorted[near]-centre), order[near]

		goRight := 0
		if sorted[last]-centre > centre-sorted[first] {
			goRight = 1
		}
		far := first ^ (last^first)&-goRight
		last -= goRight
		first += 1 - goRight
		dst[n-1-k], dstOrder[n-1-k] = math.Abs(sorted[far]-centre), order[far]
	}
	for ; left >= first; left-- {
		dst[k], dstOrder[k] = centre-sorted[left], order[left]
		k++
	}
	for ; right <= last; right++ {
		dst[k], dstOrder[k] = sorted[right]-centre, order[right]
		k++
	}
}

// lowerBound is the number of sorted draws below x.
func lowerBound(sorted []float64, x float64) int {
	n, _ := slices.BinarySearch(sorted, x)
	return n
}

// upperBound is the number of sorted draws not above x.
func upperBound(sorted []float64, x float64) int {
	n, _ := slices.BinarySearchFunc(sorted, x, func(v, x float64) int {
		if v <= x {
			return -1
		}
		return 1
	})
	return n
}
