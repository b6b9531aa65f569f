package diag

import (
	"math"
	"slices"
)

// Work is the scratch space of a summary: reused, it makes [Summarize] free of
// allocations. The zero value is ready. A Work serves one goroutine.
type Work struct {
	chains, n int       // chains and draws of a chain
	x         []float64 // draws, chain after chain; never written to
	copied    []float64
	lo, hi    float64
	hasNaN    bool
	mean      float64
	m2, m4    float64 // Σ (x - mean)² and Σ (x - mean)⁴

	sorter // of all draws
	// The same without the middle draws of odd chains, as positions in halves.
	halfSorted []float64
	halfOrder  []int32
	oddSorted  []float64 // where those are not the first two
	oddOrder   []int32
	foldOrder  []int32 // of the distances from the median

	normal []float64 // normal scores by rank

	seq     []float64 // a transformed copy of the draws or half chains
	split   []float64
	centred []float64 // the half chains less their means; before that, sorted distances
	means   []float64
	acov    []float64 // as far as it is known
	rho     []float64

	indicator
	counting bool // the sequences at hand are the indicator's
	spectrum spectrum

	excess []float64 // of a tail, over its start
	gpd    gpd
}

// load takes the draws of one scalar: their own memory, where the chains lie
// in it one after another.
func (w *Work) load(chains [][]float64) {
	w.chains, w.n = len(chains), shortest(chains)
	if w.x = adjacent(chains, w.n); w.x == nil {
		w.copied = resize(w.copied, w.chains*w.n)
		for c, draws := range chains {
			copy(w.copied[c*w.n:], draws[:w.n])
		}
		w.x = w.copied
	}
	w.lo, w.hi, w.hasNaN = math.Inf(1), math.Inf(-1), false
	lo, hi := w.lo, w.hi
	for _, x := range w.x {
		if x < lo {
			lo = x
		}
		if x > hi {
			hi = x
		}
	}
	w.lo, w.hi = lo, hi
	w.mean = mean(w.x)
	if w.hasNaN = math.IsNaN(w.mean) && slices.ContainsFunc(w.x, math.IsNaN); w.hasNaN {
		w.lo, w.hi = math.NaN(), math.NaN()
	}
}

// adjacent is the chains as one slice, nil where they are not.
func adjacent(chains [][]float64, n int) []float64 {
	if n == 0 || cap(chains[0]) < len(chains)*n {
		return nil
	}
	x := chains[0][:len(chains)*n]
	for c, draws := range chains {
		if &x[c*n] != &draws[0] {
			return nil
		}
	}
	return x
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
// diagnosed: finite and not constant.
func (w *Work) valued() bool { return len(w.x) > 0 && varied(w.lo, w.hi) }

// epsilon is R's .Machine$double.eps: draws that differ by less are constant.
const epsilon = 0x1p-52

// varied is false for NaN, infinite or constant limits.
func varied(lo, hi float64) bool {
	return hi-lo >= epsilon && !math.IsInf(hi-lo, 0)
}

// halves are values of the draws as half chains: the values themselves, unless
// chains are odd.
func (w *Work) halves(x []float64) []float64 {
	h := w.half()
	if w.n == 2*h {
		return x
	}
	w.split = resize(w.split, 2*w.chains*h)
	for c := range w.chains {
		chain := x[c*w.n : (c+1)*w.n]
		copy(w.split[2*c*h:], chain[:h])
		copy(w.split[(2*c+1)*h:], chain[w.n-h:])
	}
	return w.split
}

// sort orders all draws once, for quantiles and ranks, and derives the order
// of the half chains. The draws are free of NaN.
func (w *Work) sort() {
	w.sorter.sort(w.x, w.lo, w.hi)
	n, h := int32(w.n), int32(w.half())
	if n == 2*h {
		w.halfSorted, w.halfOrder = w.sorted, w.order
		return
	}
	w.oddSorted, w.oddOrder = w.oddSorted[:0], w.oddOrder[:0]
	for i, pos := range w.order {
		c, t := pos/n, pos%n
		if t == h {
			continue
		}
		if t > h {
			t--
		}
		w.oddSorted = append(w.oddSorted, w.sorted[i])
		w.oddOrder = append(w.oddOrder, c*2*h+t)
	}
	w.halfSorted, w.halfOrder = w.oddSorted, w.oddOrder
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
	n := float64(len(x))
	m := sumLess(x, 0) / n
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	return m + sumLess(x, m)/n
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

// sumLess is Σ (x_i - m), in four strands, which a processor follows at once.
func sumLess(x []float64, m float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		s0 += x[0] - m
		s1 += x[1] - m
		s2 += x[2] - m
		s3 += x[3] - m
	}
	for _, v := range x {
		s0 += v - m
	}
	return s0 + s1 + (s2 + s3)
}

// dot is Σ x_i y_i.
func dot(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4 && len(y) >= 4; x, y = x[4:], y[4:] {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return s0 + s1 + (s2 + s3)
}
