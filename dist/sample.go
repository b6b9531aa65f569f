package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// smallest is the least positive double of full precision. Draws of positive variables that are smaller are returned
// as it: zero is outside their support, and its logarithm and inverse would overflow.
const smallest = 0x1p-1022

// Gamma draws from the gamma distribution with the given shape and rate (mean shape/rate), by Marsaglia and Tsang
// (2000), "A simple method for generating gamma variables", ACM TOMS 26(3). NaN unless both are positive and finite.
func Gamma(r *rand.Rand, shape, rate float64) float64 {
	if !(rate > 0) || math.IsInf(rate, 1) {
		return math.NaN()
	}
	if shape >= 1 {
		return max(gamma1(r, shape)/rate, smallest)
	}
	return max(vec.Exp(LogGamma1(r, shape)-vec.Log(rate)), smallest)
}

// LogGamma1 draws the logarithm of a Gamma(shape, 1) variable. It stays finite where the variable itself underflows:
// for shape below 1 it is log G − E/shape with G ~ Gamma(shape+1, 1) and E exponential.
func LogGamma1(r *rand.Rand, shape float64) float64 {
	if shape >= 1 {
		return vec.Log(gamma1(r, shape))
	}
	if !(shape > 0) {
		return math.NaN()
	}
	return max(vec.Log(gamma1(r, shape+1))-StdExp(r)/shape, -math.MaxFloat64)
}

// gamma1 draws from Gamma(shape, 1), shape ≥ 1.
func gamma1(r *rand.Rand, shape float64) float64 {
	if !(shape <= math.MaxFloat64) {
		return math.NaN()
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := StdNormal(r)
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		u := uniform(r)
		x2 := x * x
		if u < 1-float64(0.0331*x2*x2) {
			return d * v
		}
		if vec.Log(u) < float64(0.5*x2)+float64(d*(1-v+vec.Log(v))) {
			return d * v
		}
	}
}

// Beta draws from the beta distribution; NaN unless a and b are positive and finite. The draw is inside the open unit
// interval also where a or b is tiny.
func Beta(r *rand.Rand, a, b float64) float64 {
	x, _ := betaPair(r, a, b)
	return min(x, 1-0x1p-53)
}

// betaPair draws x ~ Beta(a, b) together with 1 − x, both to full relative precision.
func betaPair(r *rand.Rand, a, b float64) (x, y float64) {
	if a >= 1 && b >= 1 {
		x, y = gamma1(r, a), gamma1(r, b)
		s := x + y
		return x / s, y / s
	}
	d := LogGamma1(r, b) - LogGamma1(r, a)
	if d > 0 {
		e := vec.Exp(-d)
		return max(e/(1+e), smallest), 1 / (1 + e)
	}
	e := vec.Exp(d) // NaN parameters come this way
	return 1 / (1 + e), max(e/(1+e), smallest)
}

// Dirichlet draws from the Dirichlet distribution into dst. A zero in alpha is a structural zero of the draw. Small
// alpha are drawn in logarithms, so that no draw is 0/0. All NaN where alpha has a negative or no positive entry.
func Dirichlet(dst []float64, r *rand.Rand, alpha []float64) {
	top := math.Inf(-1)
	for i, a := range alpha {
		dst[i] = math.Inf(-1)
		if a != 0 {
			dst[i] = LogGamma1(r, a)
		}
		top = max(top, dst[i])
	}
	sum := 0.0
	for i, a := range alpha {
		if a == 0 && !math.IsInf(top, -1) {
			dst[i] = 0
			continue
		}
		dst[i] = vec.Exp(dst[i] - top)
		sum += dst[i]
	}
	for i, a := range alpha {
		if dst[i] /= sum; a != 0 {
			dst[i] = max(dst[i], smallest)
		}
	}
}

// Categorical draws an index with probability proportional to its weight, in O(len(w)); -1 where the weights have a
// negative or infinite one or no positive one. NewAlias is faster for many draws from the same weights.
func Categorical(r *rand.Rand, w []float64) int {
	total := weightSum(w)
	if !(total > 0) || math.IsInf(total, 1) {
		return -1
	}
	u := float64(uniform(r) * total)
	last := -1
	for i, v := range w {
		if v == 0 {
			continue
		}
		last = i
		if u -= v; u < 0 {
			return i
		}
	}
	return last // rounding left a remainder of the order of 1e-16
}

// weightSum is the sum of w, or NaN where a weight is negative or NaN.
func weightSum(w []float64) float64 {
	total := 0.0
	for _, v := range w {
		if !(v >= 0) {
			return math.NaN()
		}
		total += v
	}
	return total
}

// CategoricalLog draws an index with probability proportional to exp(logw), and leaves in logw the weights
// exp(logw − max logw). It returns -1 where a log weight is NaN or +Inf or all are -Inf.
func CategoricalLog(r *rand.Rand, logw []float64) int {
	top := math.Inf(-1)
	for _, v := range logw {
		top = max(top, v)
	}
	if math.IsNaN(top) || math.IsInf(top, 0) {
		return -1
	}
	for i, v := range logw {
		logw[i] = vec.Exp(v - top)
	}
	return Categorical(r, logw)
}
