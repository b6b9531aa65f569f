package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// asLongAsPi is the shape of a value by those of a vector pi of weights and a number k.
func asLongAsPi(pdims [][]int) ([]int, error) {
	if err := scalarShape("k", pdims[1]); err != nil {
		return nil, err
	}
	n, err := vectorLen("pi", pdims[0])
	return []int{n}, err
}

// multi is dmulti(pi, k): probability k! Π (π_i/Σπ)^(x_i)/x_i! of counts x that sum to k.
func multi() *Multi {
	return &Multi{
		Name:    "dmulti",
		Aliases: []string{"dmultinom"},
		Params:  []string{"pi", "k"},
		Formula: "logfact(k) - sum(logfact(x)) + sum(x*log(pi)) - k*log(sum(pi))",
		Dims:    asLongAsPi,
		Check: func(p [][]float64, _ [][]int) string {
			if k := p[1][0]; !isCount(k) {
				return fmt.Sprintf("k = %v must be a whole number, not negative", k)
			}
			return checkWeights("pi", p[0])
		},
		LogProb: func(x []float64, p [][]float64, _ [][]int, _ *Work) float64 {
			return MultinomialLogProb(x, p[0], p[1][0])
		},
		Grad: multinomialGrad,
		Sample: func(dst []float64, r *rand.Rand, p [][]float64, _ [][]int, _ *Work) {
			Multinomial(dst, r, p[0], p[1][0])
		},
		Mean: func(dst []float64, p [][]float64, _ [][]int) {
			normalise(dst, p[0])
			for i := range dst {
				dst[i] *= p[1][0]
			}
		},
	}
}

// MultinomialLogProb is the log probability of the counts x of n independent draws from the weights w, which need not
// sum to 1; -Inf where x has an entry that is no count or does not sum to n.
func MultinomialLogProb(x, w []float64, n float64) float64 {
	total := weightSum(w)
	if !(total > 0) || math.IsInf(total, 1) || !isCount(n) {
		return math.NaN()
	}
	sum := 0.0
	for i, v := range x {
		if !isCount(v) || v > 0 && w[i] == 0 {
			return math.Inf(-1)
		}
		sum += v
	}
	switch {
	case sum != n:
		return math.Inf(-1)
	case n < logFactSize:
		return multinomialTable(x, w, n, total)
	}
	return multinomialStirling(x, w, n, total)
}

func multinomialTable(x, w []float64, n, total float64) float64 {
	lp := logFactTable[int(n)]
	for i, v := range x {
		if v > 0 {
			lp += float64(v*vec.Log(w[i]/total)) - logFactTable[int(v)]
		}
	}
	return lp
}

// multinomialStirling is Loader's (2000) form of the binomial for more categories.
func multinomialStirling(x, w []float64, n, total float64) float64 {
	lp := stirlingErr(n) + halfLog2Pi + float64(0.5*vec.Log(n))
	for i, v := range x {
		lp -= deviance(v, float64(n*(w[i]/total)))
		if v > 0 {
			lp -= stirlingErr(v) + halfLog2Pi + float64(0.5*vec.Log(v))
		}
	}
	return lp
}

func multinomialGrad(dx []float64, dp [][]float64, x []float64, p [][]float64, _ [][]int, _ *Work) {
	fillNaN(dx)
	if dp[1] != nil {
		dp[1][0] = 0
	}
	total := weightSum(p[0])
	for i := range dp[0] {
		dp[0][i] = -p[1][0] / total
		if x[i] > 0 {
			dp[0][i] += x[i] / p[0][i]
		}
	}
}

// Multinomial draws the counts of n independent draws from the weights w into dst: one binomial a category, given
// those before it. All NaN where n is no whole number ≥ 0 or w has a negative or infinite entry or none positive.
func Multinomial(dst []float64, r *rand.Rand, w []float64, n float64) {
	// dst first holds the sums of the weights behind each category, so that none is found by subtraction.
	rest := 0.0
	for i := len(w) - 1; i >= 0; i-- {
		dst[i] = rest
		if rest += w[i]; !(w[i] >= 0) {
			rest = math.NaN()
		}
	}
	if !(rest > 0) || math.IsInf(rest, 1) || !isCount(n) {
		fillNaN(dst)
		return
	}
	for i, v := range w {
		rest = dst[i]
		dst[i] = 0
		if v > 0 && n > 0 {
			dst[i] = binomialPair(r, v/(v+rest), rest/(v+rest), n)
			n -= dst[i]
		}
	}
}
