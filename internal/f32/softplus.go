package f32

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Sigmoid sets dst[i] = 1/(1 + exp(−x[i])), to a few units in the last place for x[i] ≥ −87, below which it stays
// at 1.6e-38. dst may be x.
func Sigmoid(dst, x []float32) {
	for i, v := range x[:len(dst)] {
		dst[i] = 1 / (1 + exp(-v))
	}
}

// Softplus sets dst[i] = log(1 + exp(x[i])), accurate as Sigmoid. dst may be x.
func Softplus(dst, x []float32) {
	for i, v := range x[:len(dst)] {
		dst[i] = softplus(v)
	}
}

// SumSoftplus is Σ log(1 + exp(scale·x[i])), each term rounded to float32.
func SumSoftplus(x []float32, scale float64) float64 {
	return sumSoftplus(x, float32(scale))
}

// SumSoftplusStep is Σ log(1 + exp(to·x[i])) − log(1 + exp(from·x[i])), each term rounded to float32. Terms
// are relatively accurate however small the step: with δ = (to−from)·x they are log1p(σ(from·x)·expm1(δ)).
func SumSoftplusStep(x []float32, from, to float64) float64 {
	return sumSoftplusStep(x, from, to)
}

func sumSoftplus(x []float32, scale float32) float64 {
	var s sums
	for i, v := range x {
		s[i%block] += float64(softplus(float32(scale * v)))
	}
	return s.total()
}

func softplus(x float32) float32 {
	neg := math.Float32frombits(math.Float32bits(x) | 1<<31)
	e := exp(neg)
	y := logRatio(e / (2 + e))
	if 0 > x {
		return y
	}
	return x + y
}

func sumSoftplusStep(x []float32, from, to float64) float64 {
	var s sums
	f, d := float32(from), float32(to-from)
	for i, v := range x {
		delta := float32(d * v)
		if delta >= -stepMax && delta <= stepMax {
			s[i%block] += float64(smallStep(float32(f*v), delta))
		} else {
			s[i%block] += float64(largeStep(v, from, to))
		}
	}
	return s.total()
}

// stepMax is the largest step that smallStep can take.
const stepMax = 0.5

// smallStep is softplus(a+δ) − softplus(a) = log(1+z) with z = expm1(δ)/(1+exp(−a)), |δ| ≤ ½.
func smallStep(a, delta float32) float32 {
	m := expm1(delta)
	d := 1 + exp(-a)
	return logRatio(m / (d + d + m))
}

func largeStep(x float32, from, to float64) float32 {
	return float32(vec.Log1pExp(float64(to*float64(x))) - vec.Log1pExp(float64(from*float64(x))))
}
