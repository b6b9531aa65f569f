package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// improper are distributions of OpenBUGS that have no normalised density, and its trapezium, whose density has corners.
// Lookup finds them; they are not among Scalars, of which all have tails, quantiles and moments that are smooth.
func improper() []*Scalar { return []*Scalar{flat(), loglik(), cut(), trapez()} }

// flat is dflat(lo, hi): the density 1 between two bounds, either being possibly infinite.
// Sample draws where a chain may start, for there is no draw from the whole: normally
// about 0, or beyond the one bound by an exponential variable.
func flat() *Scalar {
	ok := func(p []float64) bool { return p[0] < p[1] }
	return &Scalar{
		Name:   "dflat",
		Params: []string{"lo", "hi"},
		Check: func(p []float64) string {
			if !ok(p) {
				return fmt.Sprintf("lo = %v must be below hi = %v", p[0], p[1])
			}
			return ""
		},
		Support: func(p []float64) (lo, hi float64) { return p[0], p[1] },
		LogProb: func(x float64, p []float64) float64 {
			if ok(p) && x >= p[0] && x <= p[1] && finite(x) {
				return 0
			}
			return outside(x, ok(p))
		},
		Grad: func(_ float64, _, dp []float64) (dx float64) {
			dp[0], dp[1] = 0, 0
			return 0
		},
		Sample: func(r *rand.Rand, p []float64) float64 {
			low, high := finite(p[0]), finite(p[1])
			switch {
			case !ok(p):
				return math.NaN()
			case low && high:
				return min(max(p[0]+float64(uniform(r)*(p[1]-p[0])), p[0]), p[1])
			case low:
				return p[0] + StdExp(r)
			case high:
				return p[1] - StdExp(r)
			}
			return StdNormal(r)
		},
		Mean:     func([]float64) float64 { return math.NaN() },
		Variance: func([]float64) float64 { return math.NaN() },
	}
}

// loglik is dloglik(logp): the log density logp at any x, which is for an observation
// alone and brings any likelihood into a model.
func loglik() *Scalar {
	return &Scalar{
		Name:   "dloglik",
		Params: []string{"logp"},
		Check: func(p []float64) string {
			if p[0] != p[0] || math.IsInf(p[0], 1) {
				return fmt.Sprintf("logp = %v must be a number below infinity", p[0])
			}
			return ""
		},
		Support: realLine,
		LogProb: func(x float64, p []float64) float64 {
			if !finite(x) || math.IsInf(p[0], 1) {
				return outside(x, p[0] == p[0] && !math.IsInf(p[0], 1))
			}
			return p[0]
		},
		Grad: func(_ float64, _, dp []float64) (dx float64) {
			dp[0] = 1
			return 0
		},
		Sample:   func(*rand.Rand, []float64) float64 { return 0 },
		Mean:     func([]float64) float64 { return math.NaN() },
		Variance: func([]float64) float64 { return math.NaN() },
	}
}

// cut is dcut(value): the value, which what is drawn with it does not tell about. Its log density is 0 everywhere, so that no
// evidence goes back, and its only draw is the value.
func cut() *Scalar {
	return &Scalar{
		Name:    "dcut",
		Params:  []string{"value"},
		Check:   func(p []float64) string { return checkFinite("value", p[0]) },
		Support: realLine,
		LogProb: func(x float64, p []float64) float64 {
			if !finite(x) || !finite(p[0]) {
				return outside(x, finite(p[0]))
			}
			return 0
		},
		Grad: func(_ float64, _, dp []float64) (dx float64) {
			dp[0] = 0
			return 0
		},
		Sample: func(_ *rand.Rand, p []float64) float64 {
			if !finite(p[0]) {
				return math.NaN()
			}
			return p[0]
		},
		Mean:     func(p []float64) float64 { return p[0] },
		Variance: func([]float64) float64 { return 0 },
	}
}
