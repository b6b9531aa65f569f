package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// simplexTolerance is how far from 1 the sum of a probability vector may be: data files are rounded.
const simplexTolerance = 1e-6

// dirch is ddirch(alpha): density Γ(Σα) Π x_i^(α_i−1)/Γ(α_i) on the simplex, with respect to all but one coordinate.
// Where alpha has zeros, the value has them too, and they drop out.
func dirch() *Multi {
	return &Multi{
		Name:    "ddirch",
		Aliases: []string{"ddirich"},
		Params:  []string{"alpha"},
		Formula: "sum(ifelse(alpha > 0, (alpha-1)*log(x) - loggam(alpha), 0)) + loggam(sum(alpha))",
		Dims: func(pdims [][]int) ([]int, error) {
			n, err := vectorLen("alpha", pdims[0])
			return []int{n}, err
		},
		Check:   func(p [][]float64, _ [][]int) string { return checkWeights("alpha", p[0]) },
		LogProb: func(x []float64, p [][]float64, _ [][]int, _ *Work) float64 { return DirichletLogProb(x, p[0]) },
		Grad: func(dx []float64, dp [][]float64, x []float64, p [][]float64, _ [][]int, _ *Work) {
			dirichletGrad(dx, dp[0], x, p[0])
		},
		Sample: func(dst []float64, r *rand.Rand, p [][]float64, _ [][]int, _ *Work) { Dirichlet(dst, r, p[0]) },
		Mean:   func(dst []float64, p [][]float64, _ [][]int) { normalise(dst, p[0]) },
	}
}

// checkWeights says what keeps w from being non-negative, finite and not all zero.
func checkWeights(name string, w []float64) string {
	total := 0.0
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Sprintf("%s[%d] = %v must be finite and not negative", name, i+1, v)
		}
		total += v
	}
	if total == 0 {
		return name + " is all zero; at least one entry must be positive"
	}
	return ""
}

// normalise writes w/Σw to dst.
func normalise(dst, w []float64) {
	total := weightSum(w)
	for i, v := range w {
		dst[i] = v / total
	}
}

// DirichletLogProb is the log density of x on the simplex under Dirichlet(alpha), Γ(Σ αᵢ)/∏ Γ(αᵢ) ∏ xᵢ^(αᵢ−1): -Inf where x is off the simplex by
// more than 1e-6, or has other zeros than alpha. Each set of zeros is a face of the simplex with a measure of its own, and a
// draw is on the face of its alpha with probability 1.
func DirichletLogProb(x, alpha []float64) float64 {
	total := weightSum(alpha)
	if !(total > 0) || math.IsInf(total, 1) {
		return math.NaN()
	}
	sum, lp := 0.0, vec.Lgamma(total)
	for i, a := range alpha {
		v := x[i]
		if sum += v; !(v >= 0) || (v == 0) != (a == 0) {
			return math.Inf(-1)
		}
		if a != 0 {
			lp += float64((a-1)*vec.Log(v)) - vec.Lgamma(a)
		}
	}
	if !(math.Abs(sum-1) <= simplexTolerance) {
		return math.Inf(-1)
	}
	return lp
}

func dirichletGrad(dx, dalpha, x, alpha []float64) {
	for i := range dx {
		dx[i] = 0
		if alpha[i] > 0 {
			dx[i] = (alpha[i] - 1) / x[i]
		}
	}
	if dalpha == nil {
		return
	}
	top := vec.Digamma(weightSum(alpha))
	for i, a := range alpha {
		dalpha[i] = 0
		if a > 0 {
			dalpha[i] = top - vec.Digamma(a) + vec.Log(x[i])
		}
	}
}
