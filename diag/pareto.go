package diag

import "math"

// Tail names the tail that [ParetoK] judges.
type Tail int

// The tails of a distribution.
const (
	BothTails Tail = iota // the heavier one
	LeftTail
	RightTail
)

// ParetoK is the shape k of a generalised Pareto distribution fitted to the
// tail of the draws: moments of order 1/k and above do not exist. From 0.7 on
// the mean cannot be estimated in practice (Vehtari, Simpson, Gelman, Yao and
// Gabry 2024, "Pareto smoothed importance sampling"). The length of the tail
// follows the tail ESS; NaN when that does not exist or the tail has ties at
// its start.
func ParetoK(chains [][]float64, tail Tail) float64 {
	w := loaded(chains)
	ess := min(w.essQuantile(0.05), w.essQuantile(0.95))
	size := len(w.x)
	length := int(tailLength(size, ess/float64(size)))
	if tail == BothTails {
		length = min(length, size/2)
	}
	if math.IsNaN(ess) || length < 5 || length >= size {
		return math.NaN()
	}
	left, right := w.tailShape(length, true), w.tailShape(length, false)
	switch tail {
	case LeftTail:
		return left
	case RightTail:
		return right
	}
	return max(left, right)
}

// tailShape fits the excesses over the draw just inside the tail.
func (w *Work) tailShape(length int, left bool) float64 {
	size := len(w.sorted)
	excess := make([]float64, length)
	for i := range excess {
		if left {
			excess[i] = w.sorted[length] - w.sorted[length-1-i]
		} else {
			excess[i] = w.sorted[size-length+i] - w.sorted[size-length-1]
		}
	}
	k, _ := FitGPD(excess)
	if math.IsInf(k, 0) {
		return math.NaN()
	}
	return k
}

// tailLength is the number of largest draws that a Pareto distribution is
// fitted to, not yet rounded: min(S/5, 3√(S/r)) for S draws of relative
// efficiency r (Vehtari et al. 2024, section 3.2).
func tailLength(size int, efficiency float64) float64 {
	if !(efficiency > 0) {
		efficiency = 1
	}
	return min(0.2*float64(size), 3*math.Sqrt(float64(size)/efficiency))
}

// FitGPD fits a generalised Pareto distribution with location 0 to ascending
// positive values: the empirical Bayes estimate of Zhang and Stephens (2009),
// with k shrunk to 1/2 by the weight of ten observations (Vehtari et al. 2024,
// appendix C). k is +Inf where the fit fails.
func FitGPD(sorted []float64) (k, sigma float64) {
	k, sigma = fitGPD(sorted)
	n := float64(len(sorted))
	k = (n*k + 10*0.5) / (n + 10)
	if math.IsNaN(k) {
		k = math.Inf(1)
	}
	return k, sigma
}

func fitGPD(x []float64) (k, sigma float64) {
	n := len(x)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	const prior, leastGrid = 3, 30
	grid := leastGrid + int(math.Sqrt(float64(n)))
	quartile := x[max(int(float64(n)/4+0.5), 1)-1]
	theta, profile := make([]float64, grid), make([]float64, grid)
	for j := range theta {
		theta[j] = 1/x[n-1] + (1-math.Sqrt(float64(grid)/(float64(j)+0.5)))/prior/quartile
		shape := gpdShape(theta[j], x)
		profile[j] = float64(n) * (math.Log(-theta[j]/shape) - shape - 1)
	}
	// The posterior mean of θ under a flat prior on the grid.
	mean := 0.0
	for j := range theta {
		inverse := 0.0
		for _, l := range profile {
			inverse += math.Exp(l - profile[j])
		}
		mean += theta[j] / inverse
	}
	k = gpdShape(mean, x)
	return k, -k / mean
}

// gpdShape is the likelihood's best k for a given θ = -k/σ.
func gpdShape(theta float64, x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += math.Log1p(-theta * v)
	}
	return s / float64(len(x))
}
