package diag

import "math"

// Tail names the tail that [ParetoK] is of.
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
	return w.paretoK(min(w.essQuantile(0.05), w.essQuantile(0.95)), tail)
}

// paretoK needs the draws sorted.
func (w *Work) paretoK(essTail float64, tail Tail) float64 {
	size := len(w.x)
	length := int(tailLength(size, essTail/float64(size)))
	if tail == BothTails {
		length = min(length, size/2)
	}
	if math.IsNaN(essTail) || length < 5 || length >= size {
		return math.NaN()
	}
	switch tail {
	case LeftTail:
		return w.tailShape(length, true)
	case RightTail:
		return w.tailShape(length, false)
	}
	return max(w.tailShape(length, true), w.tailShape(length, false))
}

// tailShape fits the excesses over the draw just inside the tail.
func (w *Work) tailShape(length int, left bool) float64 {
	size := len(w.sorted)
	w.excess = resize(w.excess, length)
	for i := range w.excess {
		if left {
			w.excess[i] = w.sorted[length] - w.sorted[length-1-i]
		} else {
			w.excess[i] = w.sorted[size-length+i] - w.sorted[size-length-1]
		}
	}
	k, _ := w.gpd.fit(w.excess)
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
func FitGPD(sorted []float64) (k, sigma float64) { return new(gpd).fit(sorted) }

// gpd is the scratch space of a fit.
type gpd struct{ theta, profile []float64 }

// fit is FitGPD.
func (g *gpd) fit(sorted []float64) (k, sigma float64) {
	k, sigma = g.raw(sorted)
	n := float64(len(sorted))
	k = (n*k + 10*0.5) / (n + 10)
	if math.IsNaN(k) {
		k = math.Inf(1)
	}
	return k, sigma
}

// raw is the estimate before it is shrunk.
func (g *gpd) raw(x []float64) (k, sigma float64) {
	n := len(x)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	const prior, leastGrid = 3, 30
	grid := leastGrid + int(math.Sqrt(float64(n)))
	quartile := x[max(int(float64(n)/4+0.5), 1)-1]
	g.theta, g.profile = resize(g.theta, grid), resize(g.profile, grid)
	top := math.Inf(-1)
	for j := range g.theta {
		g.theta[j] = 1/x[n-1] + (1-math.Sqrt(float64(grid)/(float64(j)+0.5)))/prior/quartile
		shape := gpdShape(g.theta[j], x)
		g.profile[j] = float64(n) * (math.Log(gpdRate(g.theta[j], shape, x)) - shape - 1)
		top = max(top, g.profile[j])
	}
	// The posterior mean of θ under a flat prior on the grid.
	mean, total := 0.0, 0.0
	for j, l := range g.profile {
		weight := math.Exp(l - top)
		mean += weight * g.theta[j]
		total += weight
	}
	mean /= total
	k = gpdShape(mean, x)
	return k, 1 / gpdRate(mean, k, x)
}

// gpdRate is 1/σ = -θ/k; at θ = 0, the exponential, the reciprocal of the mean.
func gpdRate(theta, k float64, x []float64) float64 {
	if k != 0 {
		return -theta / k
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return float64(len(x)) / sum
}

// gpdShape is the likelihood's best k for a given θ = -k/σ: the mean of
// log(1 - θx). Logarithms are taken of products, while these are far from overflow,
// but near 1 they would lose what θ is divided by.
func gpdShape(theta float64, x []float64) float64 {
	const far = 1e100
	s, product, n := 0.0, 1.0, float64(len(x))
	if math.Abs(theta)*x[len(x)-1] < 1e-6 {
		for _, v := range x {
			s += math.Log1p(-theta * v)
		}
		return s / n
	}
	if last := 1 - theta*x[len(x)-1]; last < 1e45 && last > 1e-45 { // so are four factors then
		for ; len(x) >= 4; x = x[4:] {
			four := ((1 - theta*x[0]) * (1 - theta*x[1])) * ((1 - theta*x[2]) * (1 - theta*x[3]))
			if product *= four; product > far || product < 1/far {
				s += math.Log(product)
				product = 1
			}
		}
	}
	for _, v := range x {
		if product *= 1 - theta*v; product > far || product < 1/far {
			s += math.Log(product)
			product = 1
		}
	}
	return (s + math.Log(product)) / n
}
