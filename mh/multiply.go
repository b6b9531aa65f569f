package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Multiply is the move of positive vectors that multiplies each coordinate by a factor of its
// own, x'ᵢ = xᵢ exp(σ zᵢ) with zᵢ standard normal. Its log ratio is the logarithm of the
// Jacobian, Σ log(x'ᵢ/xᵢ). It is a random walk of log x, for quantities whose scale is
// unknown by orders of magnitude. In warm-up it tunes σ to [OptimalAcceptance]. A coordinate keeps
// its sign, and one that is 0 stays, without a part in the Jacobian.
type Multiply struct{ factors }

// NewMultiply returns a move whose first factors have the standard deviation sd on the log scale.
func NewMultiply(sd float64) (*Multiply, error) {
	f, err := newFactors(sd)
	return &Multiply{f}, err
}

// Propose multiplies each coordinate.
func (k *Multiply) Propose(dst, x []float64, r *rand.Rand) ([]float64, float64) {
	if len(dst) != len(x) {
		dst = make([]float64, len(x))
	}
	sum := 0.0
	for i, v := range x {
		log := float64(k.sigma * dist.StdNormal(r))
		dst[i] = v * vec.Exp(log)
		switch {
		case v == 0: // a structural zero, which has no density
		case !scalable(dst[i]):
			sum = math.Inf(-1)
		default:
			sum += log
		}
	}
	return dst, sum
}

// scalable reports whether a float is normal and finite: from a subnormal one, from 0 and from infinity the
// inverse factor does not lead back.
func scalable(v float64) bool {
	a := math.Abs(v)
	return a >= 0x1p-1022 && a <= math.MaxFloat64
}

// LogDensity is the sum of log-normal log densities over the coordinates that are not 0 at
// either end.
func (k *Multiply) LogDensity(to, from []float64) float64 {
	sum := 0.0
	logs := float64(vec.Log(k.sigma)) + logSqrt2Pi
	for i, v := range to {
		if v == 0 && from[i] == 0 {
			continue
		}
		log := vec.Log(v / from[i]) // NaN where the signs differ
		z := log / k.sigma
		sum -= float64(z*z/2) + logs + vec.Log(math.Abs(v))
	}
	if math.IsNaN(sum) {
		return math.Inf(-1)
	}
	return sum
}

// Learn tunes σ.
func (k *Multiply) Learn(x []float64, acceptProb float64, _ mcmc.Warmup) {
	k.tune(acceptProb, OptimalAcceptance(len(x)))
}

// Dilate is the move that multiplies all coordinates by one factor, x' = x exp(σ z). The
// Jacobian is the factor to the power of the number of coordinates that are not 0: those stay. It changes a common scale of all coordinates, which
// [Multiply] and walks change slowly. In warm-up it tunes σ to an acceptance
// of 0.44.
type Dilate struct{ factors }

// NewDilate returns a move whose first factors have the standard deviation sd on the log scale.
func NewDilate(sd float64) (*Dilate, error) {
	f, err := newFactors(sd)
	return &Dilate{f}, err
}

// Propose multiplies all coordinates.
func (k *Dilate) Propose(dst, x []float64, r *rand.Rand) ([]float64, float64) {
	if len(dst) != len(x) {
		dst = make([]float64, len(x))
	}
	log := float64(k.sigma * dist.StdNormal(r))
	by := vec.Exp(log)
	power, lost := 0, false
	for i, v := range x {
		dst[i] = v * by
		if v != 0 {
			power++
			lost = lost || !scalable(dst[i])
		}
	}
	if lost {
		return dst, math.Inf(-1)
	}
	return dst, float64(log * float64(power))
}

// Learn tunes σ.
func (k *Dilate) Learn(_ []float64, acceptProb float64, _ mcmc.Warmup) {
	k.tune(acceptProb, OptimalAcceptance(1))
}

// factors are random factors exp(σ z) whose σ is tuned.
type factors struct {
	scale Univariate
	sigma float64
}

func newFactors(sd float64) (factors, error) {
	if !(sd > 0) || math.IsInf(sd, 1) {
		return factors{}, fmt.Errorf("mh: factors whose logarithms have the standard deviation %v; it must be positive and finite", sd)
	}
	return factors{Univariate{Scale{Log: vec.Log(sd)}}, sd}, nil
}

func (f *factors) tune(prob, target float64) {
	f.scale.Scale.Update(prob, target)
	f.sigma = f.scale.Scale.Sigma()
}

// MarshalBinary writes the tuning.
func (f *factors) MarshalBinary() ([]byte, error) { return f.scale.MarshalBinary() }

// UnmarshalBinary reads what MarshalBinary wrote.
func (f *factors) UnmarshalBinary(b []byte) error {
	if err := f.scale.UnmarshalBinary(b); err != nil {
		return err
	}
	if f.scale.Scale.N > 0 { // before, sigma is what the user gave, not exp(log sd)
		f.sigma = f.scale.Scale.Sigma()
	}
	return nil
}
