package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// cat is dcat(pi): P(k) = π_k/Σπ, k = 1, …, len(π). Its p is the whole vector π, which need not sum to 1.
func cat() *Scalar {
	return &Scalar{
		Name:     "dcat",
		Params:   []string{"pi"},
		Formula:  "sum(equals(x, upto(length(pi)))*log(pi)) - log(sum(pi))",
		Discrete: true,
		Check:    func(p []float64) string { return checkWeights("pi", p) },
		Support:  func(p []float64) (lo, hi float64) { return 1, float64(len(p)) },
		LogProb:  CatLogProb,
		Grad:     catGrad,
		Sample:   catSample,
		Mean:     catMean,
		Variance: catVariance,
	}
}

// CatLogProb is the log probability of category x, counted from 1, under the weights w, which need not sum to 1.
func CatLogProb(x float64, w []float64) float64 {
	total := weightSum(w)
	switch {
	case !(total > 0) || math.IsInf(total, 1):
		return math.NaN()
	case !(x >= 1 && x <= float64(len(w))) || math.Floor(x) != x:
		return offSupport(x)
	}
	return vec.Log(w[int(x)-1] / total)
}

func catGrad(x float64, p, dp []float64) float64 {
	total := weightSum(p)
	for i := range p {
		dp[i] = -1 / total
	}
	if x >= 1 && x <= float64(len(p)) {
		dp[int(x)-1] += 1 / p[int(x)-1]
	}
	return math.NaN()
}

func catSample(r *rand.Rand, p []float64) float64 {
	if k := Categorical(r, p); k >= 0 {
		return float64(k + 1)
	}
	return math.NaN()
}

func catMean(p []float64) float64 {
	mean := 0.0
	for i, v := range p {
		mean += float64(float64(i+1) * v)
	}
	return mean / weightSum(p)
}

func catVariance(p []float64) float64 {
	mean, s := catMean(p), 0.0
	for i, v := range p {
		d := float64(i+1) - mean
		s += float64(d * d * v)
	}
	return s / weightSum(p)
}

// Interval is the value of dinterval(t, cuts): the number of cut points, in increasing order, that are below t. So
// y = Interval(t, c) means c[y] < t ≤ c[y+1] with c counted from 1. NaN where t is.
func Interval(t float64, cuts []float64) float64 {
	if math.IsNaN(t) {
		return t
	}
	y := 0
	for y < len(cuts) && cuts[y] < t {
		y++
	}
	return float64(y)
}
