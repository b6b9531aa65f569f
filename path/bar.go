package path

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// barRatio is Bennett's acceptance ratio (BAR), the log ratio of constants Δ = log Z_1/Z_0 at which
// Σ_i 1/(1 + (n₀/n₁) exp(Δ − up_i)) = Σ_j 1/(1 + (n₁/n₀) exp(−Δ − down_j))
// (Bennett 1976, equation 12a; Shirts, Bair, Hooker and Pande 2003, equation 8): up is log f_1/f_0, or the log weight of
// a path, for n₀ draws from p_0, and down is log f_0/f_1 for n₁ draws from p_1. NaN where a side has no finite value.
func barRatio(up, down []float64) float64 { return weightedBAR(up, down, nil) }

// weightedBAR counts the draw j from p_1 as share[j] draws, and their sum is n₁: for draws from another density with
// importance weights for p_1. nil counts each as one.
func weightedBAR(up, down, share []float64) float64 {
	lo, hi, ok := bracket(up, down, share)
	if !ok {
		return math.NaN()
	}
	n1 := float64(len(down))
	if share != nil {
		n1, _ = moments(share)
	}
	m := vec.Log(float64(len(up)) / n1)
	lo, hi = lo-math.Abs(m)-1, hi+math.Abs(m)+1
	for gap, _ := barGap(lo, m, up, down, share); gap < 0; gap, _ = barGap(lo, m, up, down, share) { // the root may lie outside the range of the works
		lo -= 2 * (hi - lo)
	}
	for gap, _ := barGap(hi, m, up, down, share); gap > 0; gap, _ = barGap(hi, m, up, down, share) {
		hi += 2 * (hi - lo)
	}
	return root(lo, hi, func(delta float64) (gap, slope float64) { return barGap(delta, m, up, down, share) })
}

const rootSteps = 400 // every fourth is a bisection

// root is the zero of a decreasing function between lo and hi: Newton's steps, and bisection where they leave the bracket and
// at every fourth step.
func root(lo, hi float64, f func(x float64) (value, slope float64)) float64 {
	x := lo + float64((hi-lo)/2)
	for step := 1; step <= rootSteps; step++ {
		value, slope := f(x)
		if value > 0 {
			lo = x
		} else {
			hi = x
		}
		next := x + float64(value/slope)
		if !(next >= lo && next <= hi) || step%4 == 0 {
			next = lo + float64((hi-lo)/2)
		}
		small := 1e-13 * max(1, math.Abs(x))
		if math.Abs(next-x) <= small || hi-lo <= small {
			return next
		}
		x = next
	}
	return x
}

// barGap is the left side less the right side of the equation at Δ, with m = log n₀/n₁, and minus its derivative.
func barGap(delta, m float64, up, down, share []float64) (gap, slope float64) {
	for _, w := range up {
		p := vec.Ilogit(w - m - delta)
		gap += p
		slope += float64(p * (1 - p))
	}
	for j, w := range down {
		p, n := vec.Ilogit(w+m+delta), 1.0
		if share != nil {
			n = share[j]
		}
		gap -= float64(n * p)
		slope += float64(n * p * (1 - p))
	}
	return gap, slope
}

// bracket is the range of the finite works; ok when both sides have some.
func bracket(up, down, share []float64) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	var ups, downs bool
	for _, w := range up {
		if !math.IsInf(w, 0) {
			lo, hi, ups = min(lo, w), max(hi, w), true
		}
	}
	for j, w := range down {
		if !math.IsInf(w, 0) && (share == nil || share[j] > 0) {
			lo, hi, downs = min(lo, -w), max(hi, -w), true
		}
	}
	return lo, hi, ups && downs
}
