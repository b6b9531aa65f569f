package diag

import (
	"math"
	"slices"
)

// PSIS smooths the largest of the importance ratios exp(logRatios) by the
// expected order statistics of a generalised Pareto distribution (Vehtari,
// Simpson, Gelman, Yao and Gabry 2024, "Pareto smoothed importance sampling",
// algorithm 1) and returns normalised log weights and the shape k.
// efficiency is the relative efficiency ESS/S of the draws, 1 for independent
// ones. Estimates with k above min(1 - 1/log₁₀S, 0.7) ([KThreshold]) are not
// to be trusted. k is NaN where the tail is too short or constant: the
// weights are then as they were. Without a finite ratio the weights are NaN.
func PSIS(logRatios []float64, efficiency float64) (logWeights []float64, k float64) {
	var s smoother
	weights, k := s.smooth(logRatios, efficiency)
	return slices.Clone(weights), k
}

// KThreshold is the k up to which S draws give a trustworthy estimate:
// min(1 - 1/log₁₀S, 0.7) (Vehtari et al. 2024, equation 13).
func KThreshold(size int) float64 { return min(1-1/math.Log10(float64(size)), 0.7) }

// smoother is the scratch space of PSIS.
type smoother struct {
	weights, tail []float64
	lowest        float64 // of the weights
	sorter
	gpd gpd
}

// smooth is PSIS; the weights are its own.
func (s *smoother) smooth(logRatios []float64, efficiency float64) (logWeights []float64, k float64) {
	s.weights = resize(s.weights, len(logRatios))
	top := math.Inf(-1)
	for _, r := range logRatios {
		top = max(top, r)
	}
	if math.IsNaN(top) || math.IsInf(top, 0) {
		for i := range s.weights {
			s.weights[i] = math.NaN()
		}
		return s.weights, math.NaN()
	}
	s.lowest = 0
	for i, r := range logRatios {
		s.weights[i] = r - top
		s.lowest = min(s.lowest, s.weights[i])
	}
	k = s.smoothTail(int(math.Ceil(tailLength(len(logRatios), efficiency))))
	total := logSumExp(s.weights)
	for i := range s.weights {
		s.weights[i] -= total
	}
	return s.weights, k
}

// sameRatios is the difference, in units of the largest, below which ratios of a tail are equal but for rounding: log densities are sums of many terms.
const sameRatios = 0x1p-30

// smoothTail replaces the largest weights, of which the maximum is 0.
func (s *smoother) smoothTail(length int) (k float64) {
	size := len(s.weights)
	if length < 5 || length >= size {
		return math.NaN()
	}
	s.tail = resize(s.tail, length)
	s.sort(s.weights, s.lowest, 0)
	cut := math.Exp(s.sorted[size-length-1])
	for i, l := range s.sorted[size-length:] {
		s.tail[i] = math.Exp(l) - cut
	}
	if s.tail[length-1]-s.tail[0] < sameRatios {
		return math.NaN()
	}
	k, sigma := s.gpd.fit(s.tail)
	if math.IsInf(k, 0) || math.IsNaN(sigma) {
		return k
	}
	for i, pos := range s.order[size-length:] {
		p := (float64(i) + 0.5) / float64(length)
		s.weights[pos] = min(math.Log(gpdQuantile(p, k, sigma)+cut), 0)
	}
	return k
}

func gpdQuantile(p, k, sigma float64) float64 {
	if k == 0 {
		return -sigma * math.Log1p(-p)
	}
	return sigma * math.Expm1(-k*math.Log1p(-p)) / k
}

// logSumExp is log Σ exp(x_i) without overflow.
func logSumExp(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, v)
	}
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return top
	}
	s := 0.0
	for _, v := range x {
		s += math.Exp(v - top)
	}
	return top + math.Log(s)
}
