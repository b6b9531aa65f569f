package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// hyper is dhyper(n1, n2, m1, psi), Fisher's noncentral hypergeometric distribution:
// P(x) ∝ C(n1, x) C(n2, m1−x) ψ^x. Everything about it is a sum over the values that matter, of the order of the
// standard deviation in number.
func hyper() *Scalar {
	return &Scalar{
		Name:     "dhyper",
		Params:   []string{"n1", "n2", "m1", "psi"},
		Discrete: true,
		Check:    hyperCheck,
		Support: func(p []float64) (lo, hi float64) {
			return max(0, p[2]-p[1]), min(p[0], p[2])
		},
		LogProb:  func(x float64, p []float64) float64 { return HyperLogProb(x, p[0], p[1], p[2], p[3]) },
		Grad:     hyperGrad,
		Sample:   hyperSample,
		CDF:      func(x float64, p []float64) float64 { return vec.Exp(hyperLogCDF(x, p)) },
		LogCDF:   hyperLogCDF,
		LogSF:    hyperLogSF,
		Quantile: hyperQuantile,
		Mean:     func(p []float64) float64 { mean, _ := hyperMoments(p); return mean },
		Variance: func(p []float64) float64 { _, variance := hyperMoments(p); return variance },
	}
}

func hyperCheck(p []float64) string {
	if s := firstNonEmpty(checkCount("n1", p[0]), checkCount("n2", p[1]), checkCount("m1", p[2]),
		checkPositive("psi", p[3])); s != "" {
		return s
	}
	if p[2] > p[0]+p[1] {
		return fmt.Sprintf("m1 = %v must not exceed n1 + n2 = %v", p[2], p[0]+p[1])
	}
	return ""
}

// hyperLaw is one noncentral hypergeometric distribution with what its sums start from.
type hyperLaw struct {
	n1, n2, m1, psi float64
	lo, hi, mode    float64
	// Probabilities of odds ratio ψ under which the two binomials of the weight peak near the mode.
	p1, q1, p2, q2 float64
}

func newHyperLaw(n1, n2, m1, psi float64) (h hyperLaw, ok bool) {
	if !isCount(n1) || !isCount(n2) || !isCount(m1) || m1 > n1+n2 || !(psi > 0 && psi <= math.MaxFloat64) {
		return h, false
	}
	h = hyperLaw{n1: n1, n2: n2, m1: m1, psi: psi, lo: max(0, m1-n2), hi: min(n1, m1)}
	// The ratios fall, so the mode is the last x that ratio(x) ≥ 1 leads to.
	lo, hi := h.lo, h.hi
	for lo < hi {
		mid := math.Ceil(lo + float64((hi-lo)/2))
		if h.ratio(mid) >= 1 {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	h.mode = lo
	h.p1 = (h.mode + 0.5) / (n1 + 1)
	h.q1 = (n1 - h.mode + 0.5) / (n1 + 1)
	odds := h.p1 / h.q1 / psi
	h.p2, h.q2 = odds/(1+odds), 1/(1+odds)
	return h, true
}

// ratio is P(x)/P(x−1).
func (h *hyperLaw) ratio(x float64) float64 {
	return (h.n1 - x + 1) / x * ((h.m1 - x + 1) / (h.n2 - h.m1 + x)) * h.psi
}

// logWeight is log C(n1, x) C(n2, m1−x) ψ^x up to a constant.
func (h *hyperLaw) logWeight(x float64) float64 {
	return binomialStirling(x, h.n1-x, h.p1, h.q1) + binomialStirling(h.m1-x, h.n2-h.m1+x, h.p2, h.q2)
}

// total is Σ P(k)/P(mode).
func (h *hyperLaw) total() float64 {
	return sumBelow(h.mode, h.lo, h.ratio) + (sumAbove(h.mode, h.hi, h.ratio) - 1)
}

func (h *hyperLaw) logProb(x float64) float64 {
	return h.logWeight(x) - h.logWeight(h.mode) - vec.Log(h.total())
}

// HyperLogProb is the log probability of x under dhyper(n1, n2, m1, psi): C(n1, x) C(n2, m1−x) psiˣ, over the sum of that
// from x = max(0, m1−n2) to min(n1, m1).
func HyperLogProb(x, n1, n2, m1, psi float64) float64 {
	h, ok := newHyperLaw(n1, n2, m1, psi)
	switch {
	case !ok:
		return math.NaN()
	case !(x >= h.lo && x <= h.hi) || math.Floor(x) != x:
		return offSupport(x)
	}
	return h.logProb(x)
}

func hyperGrad(x float64, p, dp []float64) float64 {
	mean, _ := hyperMoments(p)
	dp[0], dp[1], dp[2] = 0, 0, 0
	dp[3] = (x - mean) / p[3]
	return math.NaN()
}

func hyperMoments(p []float64) (mean, variance float64) {
	h, ok := newHyperLaw(p[0], p[1], p[2], p[3])
	if !ok {
		return math.NaN(), math.NaN()
	}
	sum, s1, s2 := 1.0, 0.0, 0.0 // moments about the mode
	add := func(term, d float64) {
		sum += term
		s1 += float64(d * term)
		s2 += float64(d * d * term)
	}
	term := 1.0
	for k := h.mode + 1; k <= h.hi && term > 1e-22*sum; k++ {
		term = float64(term * h.ratio(k))
		add(term, k-h.mode)
	}
	term = 1.0
	for k := h.mode; k > h.lo && term > 1e-22*sum; k-- {
		term /= h.ratio(k)
		add(term, k-1-h.mode)
	}
	d := s1 / sum
	return h.mode + d, s2/sum - float64(d*d)
}

func hyperSample(r *rand.Rand, p []float64) float64 {
	h, ok := newHyperLaw(p[0], p[1], p[2], p[3])
	if !ok {
		return math.NaN()
	}
	return walk(r, h.mode, h.lo, h.hi, h.ratio)
}

// walk inverts the distribution function of a law on lo, …, hi with ratio(x) = P(x)/P(x−1), searching outward from the
// most probable value.
func walk(r *rand.Rand, start, lo, hi float64, ratio func(x float64) float64) float64 {
	u := float64(uniform(r) * (sumAbove(start, hi, ratio) + sumBelow(start, lo, ratio) - 1))
	if u -= 1; u < 0 {
		return start
	}
	up, down := start, start
	upTerm, downTerm := 1.0, 1.0
	for upTerm+downTerm > 1e-30 {
		if upTerm > 0 && up < hi {
			up++
			upTerm = float64(upTerm * ratio(up))
			if u -= upTerm; u < 0 {
				return up
			}
		} else {
			upTerm = 0
		}
		if downTerm > 0 && down > lo {
			downTerm /= ratio(down)
			down--
			if u -= downTerm; u < 0 {
				return down
			}
		} else {
			downTerm = 0
		}
	}
	return start // rounding left a remainder of the order of 1e-16
}

// sumAbove is Σ_{x≤k≤hi} P(k)/P(x), sumBelow Σ_{lo≤k≤x} P(k)/P(x).
func sumAbove(x, hi float64, ratio func(x float64) float64) float64 {
	sum, term := 1.0, 1.0
	for k := x + 1; k <= hi && term > 1e-19*sum; k++ {
		term = float64(term * ratio(k))
		sum += term
	}
	return sum
}

func sumBelow(x, lo float64, ratio func(x float64) float64) float64 {
	sum, term := 1.0, 1.0
	for k := x; k > lo && term > 1e-19*sum; k-- {
		term /= ratio(k)
		sum += term
	}
	return sum
}

func hyperLogCDF(x float64, p []float64) float64 { l, _ := hyperTails(x, p); return l }
func hyperLogSF(x float64, p []float64) float64  { _, s := hyperTails(x, p); return s }

func hyperTails(x float64, p []float64) (logCDF, logSF float64) {
	h, ok := newHyperLaw(p[0], p[1], p[2], p[3])
	x = math.Floor(x)
	switch {
	case !ok || math.IsNaN(x):
		return math.NaN(), math.NaN()
	case x < h.lo:
		return math.Inf(-1), 0
	case x >= h.hi:
		return 0, math.Inf(-1)
	case x < h.mode:
		return tails(true, h.logProb(x)+vec.Log(sumBelow(x, h.lo, h.ratio)))
	}
	return tails(false, h.logProb(x+1)+vec.Log(sumAbove(x+1, h.hi, h.ratio)))
}

func hyperQuantile(q float64, p []float64) float64 {
	h, ok := newHyperLaw(p[0], p[1], p[2], p[3])
	if !ok {
		return math.NaN()
	}
	return discreteQuantile(q, h.mode, h.lo, h.hi, func(x float64) float64 { return vec.Exp(hyperLogCDF(x, p)) })
}
