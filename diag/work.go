package diag

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Work is the scratch space of a summary: reused, it makes [Summarize] free of
// allocations. The zero value is ready. A Work serves one goroutine.
type Work struct {
	chains, n int       // chains and draws of a chain
	x         []float64 // draws, chain after chain
	lo, hi    float64
	hasNaN    bool
	mean      float64

	// All draws in order, and the positions in x that they come from.
	sorted []float64
	order  []int32
	// The same without the middle draws of odd chains, as positions in halves.
	halfSorted []float64
	halfOrder  []int32
	foldSorted []float64
	foldOrder  []int32

	keys, keys2 []keyed
	count       *[digits][digitValues]int32
	normal      []float64 // normal scores by twice the rank, for normalSize draws
	normalSize  int

	seq     []float64 // a transformed copy of the half chains
	centred []float64
	means   []float64
	rho     []float64

	fft    *fourier.FFT
	padded []float64
	coeff  []complex128
	power  []complex128
	acov   []float64
}

// load copies the draws of one scalar in.
func (w *Work) load(chains [][]float64) {
	w.chains, w.n = len(chains), shortest(chains)
	w.x = resize(w.x, w.chains*w.n)
	for c, draws := range chains {
		copy(w.x[c*w.n:], draws[:w.n])
	}
	w.lo, w.hi, w.hasNaN = math.Inf(1), math.Inf(-1), false
	for _, x := range w.x {
		w.lo, w.hi = min(w.lo, x), max(w.hi, x)
	}
	w.hasNaN = math.IsNaN(w.lo)
	w.mean = mean(w.x)
}

func loaded(chains [][]float64) *Work {
	w := new(Work)
	w.load(chains)
	return w
}

func shortest(chains [][]float64) int {
	if len(chains) == 0 {
		return 0
	}
	n := len(chains[0])
	for _, c := range chains {
		n = min(n, len(c))
	}
	return n
}

// half is the length of half a chain; the middle draw of an odd one is left out.
func (w *Work) half() int { return w.n / 2 }

// valued reports whether the values of the draws (not only their ranks) can be
// judged: finite and not constant.
func (w *Work) valued() bool { return len(w.x) > 0 && varied(w.lo, w.hi) }

// varied is false for NaN, infinite or constant limits.
func varied(lo, hi float64) bool {
	const epsilon = 0x1p-52
	return hi-lo >= epsilon && !math.IsInf(hi-lo, 0)
}

// splitInto copies the draws as half chains.
func (w *Work) splitInto(dst []float64) []float64 {
	h := w.half()
	dst = resize(dst, 2*w.chains*h)
	for c := range w.chains {
		chain := w.x[c*w.n : (c+1)*w.n]
		copy(dst[2*c*h:], chain[:h])
		copy(dst[(2*c+1)*h:], chain[w.n-h:])
	}
	return dst
}

// sort orders the draws once for quantiles and ranks. The draws are free of NaN.
func (w *Work) sort() {
	total := len(w.x)
	w.keys, w.keys2 = resize(w.keys, total), resize(w.keys2, total)
	if w.count == nil {
		w.count = new([digits][digitValues]int32)
	}
	for i, x := range w.x {
		w.keys[i] = keyed{sortKey(x), int32(i)}
	}
	sorted := radixSort(w.keys, w.keys2, w.count)
	w.sorted, w.order = resize(w.sorted, total), resize(w.order, total)
	for i, k := range sorted {
		w.sorted[i], w.order[i] = keyValue(k.key), k.pos
	}
}

// sortHalves derives the order of the half chains from that of the chains.
func (w *Work) sortHalves() {
	w.halfSorted, w.halfOrder = w.halfSorted[:0], w.halfOrder[:0]
	n, h := int32(w.n), int32(w.half())
	odd := n - 2*h
	for i, pos := range w.order {
		c, t := pos/n, pos%n
		if odd == 1 && t == h {
			continue
		}
		if t >= h {
			t -= odd
		}
		w.halfSorted = append(w.halfSorted, w.sorted[i])
		w.halfOrder = append(w.halfOrder, c*2*h+t)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// mean is corrected for the rounding of the first pass.
func mean(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	n, s := float64(len(x)), 0.0
	for _, v := range x {
		s += v
	}
	m := s / n
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	s = 0
	for _, v := range x {
		s += v - m
	}
	return m + s/n
}

// variance has the divisor n-1.
func variance(x []float64, mean float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	s := 0.0
	for _, v := range x {
		s += (v - mean) * (v - mean)
	}
	return s / float64(len(x)-1)
}
