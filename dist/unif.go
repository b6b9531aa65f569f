package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// unif is dunif(a, b): the uniform distribution on [a, b].
func unif() *Scalar {
	return &Scalar{
		Name:          "dunif",
		MovingSupport: true,
		Params:        []string{"a", "b"},
		Formula:       "-log(b-a)",
		Check:         unifCheck,
		Support:       func(p []float64) (lo, hi float64) { return p[0], p[1] },
		LogProb:       func(x float64, p []float64) float64 { return UnifLogProb(x, p[0], p[1]) },
		Grad: func(_ float64, p, dp []float64) (dx float64) {
			dp[0] = 1 / (p[1] - p[0])
			dp[1] = -dp[0]
			return 0
		},
		Sample: func(r *rand.Rand, p []float64) float64 { return unifBetween(r, p, p[0], p[1]) },
		CDF:    func(x float64, p []float64) float64 { return unifShare(x, p, x-p[0]) },
		LogCDF: func(x float64, p []float64) float64 { return vec.Log(unifShare(x, p, x-p[0])) },
		LogSF:  func(x float64, p []float64) float64 { return vec.Log(unifShare(x, p, p[1]-x)) },
		Quantile: func(q float64, p []float64) float64 {
			if !probability(q) || !unifOK(p[0], p[1]) {
				return math.NaN()
			}
			return min(p[0]+float64(q*(p[1]-p[0])), p[1])
		},
		Mean:     func(p []float64) float64 { return p[0] + float64(0.5*(p[1]-p[0])) },
		Variance: func(p []float64) float64 { return (p[1] - p[0]) * (p[1] - p[0]) / 12 },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			return unifBetween(r, p, lo, hi)
		},
	}
}

func unifOK(a, b float64) bool { return finite(a) && finite(b) && a < b }

func unifCheck(p []float64) string {
	if m := firstNonEmpty(checkFinite("a", p[0]), checkFinite("b", p[1])); m != "" {
		return m
	}
	if !(p[0] < p[1]) {
		return fmt.Sprintf("a = %v must be below b = %v", p[0], p[1])
	}
	return ""
}

// UnifLogProb is the log density −log(b−a) of dunif(a, b) on [a, b].
func UnifLogProb(x, a, b float64) float64 {
	if x >= a && x <= b && a < b && b-a <= math.MaxFloat64 {
		return -vec.Log(b - a)
	}
	if x >= a && x <= b && unifOK(a, b) { // b − a overflows
		return -vec.Log(float64(0.5*b)-float64(0.5*a)) - math.Ln2
	}
	return outside(x, unifOK(a, b))
}

// unifBetween draws uniformly from the part [lo, hi] of the support.
func unifBetween(r *rand.Rand, p []float64, lo, hi float64) float64 {
	if !unifOK(p[0], p[1]) {
		return math.NaN()
	}
	return min(max(lo+float64(uniform(r)*(hi-lo)), lo), hi)
}

// unifShare is part/(b−a) within [0, 1].
func unifShare(x float64, p []float64, part float64) float64 {
	if !unifOK(p[0], p[1]) || x != x {
		return math.NaN()
	}
	return min(max(part/(p[1]-p[0]), 0), 1)
}
