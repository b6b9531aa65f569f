package f32

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Sigmoid sets dst[i] = 1/(1 + exp(−x[i])), to a few units in the last place for x[i] ≥ −86, below which it stays
// at 4.5e-38. dst may be x.
func Sigmoid(dst, x []float32) {
	best().sigmoid(dst, x[:len(dst):len(x)])
}

// Softplus sets dst[i] = log(1 + exp(x[i])), accurate as Sigmoid. dst may be x.
func Softplus(dst, x []float32) {
	best().softplus(dst, x[:len(dst):len(x)])
}

// SumSoftplus is Σ log(1 + exp(scale·x[i])), each term rounded to float32.
func SumSoftplus(x []float32, scale float64) float64 {
	var s sums
	best().sumSoftplus(&s, x, float32(scale))
	return s.total()
}

// SumSoftplusStep is Σ log(1 + exp(to·x[i])) − log(1 + exp(from·x[i])), each term rounded to float32. Terms
// are relatively accurate however small the step: with δ = (to−from)·x they are log1p(σ(from·x)·expm1(δ)). Only σ is not
// let below e⁻⁶⁰.
func SumSoftplusStep(x []float32, from, to float64) float64 {
	return best().sumStep(x, from, to)
}

func (set set) sumStep(x []float32, from, to float64) float64 {
	var s sums
	f, d := float32(from), float32(to-from)
	for {
		n := set.sumSteps(&s, x, f, d)
		if n == len(x) {
			return s.total()
		}
		x = x[n:]
		n = min(block, len(x))
		for i, v := range x[:n] {
			s[i] += float64(step(v, f, d, from, to))
		}
		x = x[n:]
	}
}

func sigmoidGo(dst, x []float32) {
	for i, v := range x {
		dst[i] = 1 / (1 + exp(-v))
	}
}

func softplusGo(dst, x []float32) {
	for i, v := range x {
		dst[i] = softplus(v)
	}
}

func sumSoftplusGo(s *sums, x []float32, scale float32) {
	for i, v := range x {
		s[i%block] += float64(softplus(float32(scale * v)))
	}
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

// sigmaLeast keeps steps normal numbers.
const sigmaLeast = 60

// stepMax is the largest step that smallStep can take.
const stepMax = 0.5

func step(x, f, d float32, from, to float64) float32 {
	delta := float32(d * x)
	if delta >= -stepMax && delta <= stepMax {
		return smallStep(float32(f*x), delta)
	}
	return float32(vec.Log1pExp(float64(to*float64(x))) - vec.Log1pExp(float64(from*float64(x))))
}

// smallStep is softplus(a+δ) − softplus(a) = log(1+z) with z = expm1(δ)/(1+exp(−a)), |δ| ≤ ½.
func smallStep(a, delta float32) float32 {
	m := expm1(delta)
	a = -a
	if a > sigmaLeast {
		a = sigmaLeast
	}
	d := 1 + exp(a)
	return logRatio(m / (d + d + m))
}
