package path

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// bennett is the log ratio of constants Δ = log Z_1/Z_0 at which
// Σ_i 1/(1 + (n₀/n₁) exp(Δ − up_i)) = Σ_j 1/(1 + (n₁/n₀) exp(−Δ − down_j))
// (Bennett 1976, equation 12a; Shirts, Bair, Hooker and Pande 2003, equation 8): up is log f_1/f_0, or the log weight of
// a path, for n₀ draws from p_0, and down is log f_0/f_1 for n₁ draws from p_1. NaN where a side has no finite value.
func bennett(up, down []float64) float64 {
	lo, hi, ok := bracket(up, down)
	if !ok {
		return math.NaN()
	}
	m := vec.Log(float64(len(up)) / float64(len(down)))
	lo, hi = lo-math.Abs(m)-1, hi+math.Abs(m)+1
	for bennettGap(lo, m, up, down) < 0 { // the root may lie beyond all works
		lo -= 2 * (hi - lo)
	}
	for bennettGap(hi, m, up, down) > 0 {
		hi += 2 * (hi - lo)
	}
	for hi-lo > 1e-12*max(1, math.Abs(lo), math.Abs(hi)) {
		mid := lo + float64((hi-lo)/2)
		if mid == lo || mid == hi {
			break
		}
		if bennettGap(mid, m, up, down) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + float64((hi-lo)/2)
}

// bennettGap is the left side less the right. It falls with Δ.
func bennettGap(delta, m float64, up, down []float64) float64 {
	sum := 0.0
	for _, w := range up {
		sum += vec.Ilogit(w - m - delta)
	}
	for _, w := range down {
		sum -= vec.Ilogit(w + m + delta)
	}
	return sum
}

// bracket is the range of the finite works; ok when both sides have some.
func bracket(up, down []float64) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	var ups, downs bool
	for _, w := range up {
		if !math.IsInf(w, 0) {
			lo, hi, ups = min(lo, w), max(hi, w), true
		}
	}
	for _, w := range down {
		if !math.IsInf(w, 0) {
			lo, hi, downs = min(lo, -w), max(hi, -w), true
		}
	}
	return lo, hi, ups && downs
}
