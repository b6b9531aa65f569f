package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// The four textbook ways to make draws from uniform ones, for laws that have no sampler of their own.

// InverseCDF draws quantile(U), U uniform on the open interval (0, 1). With the quantile function of any law, discrete
// or not, that is a draw from it. U is a multiple of 2⁻⁵³: what is rarer than that is not seen.
func InverseCDF(r *rand.Rand, quantile func(u float64) float64) float64 { return quantile(uniform(r)) }

// BoxMuller draws two independent standard normals, √(2E) (cos 2πU, sin 2πU) with E exponential (Box and Muller 1958,
// Ann. Math. Stat. 29). StdNormal is faster.
func BoxMuller(r *rand.Rand) (z1, z2 float64) {
	radius := math.Sqrt(2 * StdExp(r))
	angle := 2 * math.Pi * uniform(r)
	return radius * vec.Cos(angle), radius * vec.Sin(angle)
}

// Rejection draws from the density f by von Neumann's (1951) method: a proposal x from the density g is accepted with
// probability exp(logRatio(x)) = f(x)/(M g(x)), where M bounds f/g. It also returns the number of proposals, M on
// average where f and g are normalised. It is an error that logRatio is positive or NaN somewhere, since the draws
// would be wrong, or that maxTries proposals are all rejected.
func Rejection(r *rand.Rand, propose func(*rand.Rand) float64, logRatio func(x float64) float64, maxTries int) (x float64, tries int, err error) {
	for tries = 1; tries <= maxTries; tries++ {
		x = propose(r)
		l := logRatio(x)
		if !(l <= 0) {
			return math.NaN(), tries, fmt.Errorf("dist: log f(x)/(M g(x)) = %v at x = %v must not be positive; raise M", l, x)
		}
		if StdExp(r) >= -l {
			return x, tries, nil
		}
	}
	return math.NaN(), maxTries, fmt.Errorf("dist: all of %d proposals were rejected; propose closer to the target, or allow more", maxTries)
}

// ImportanceEstimate is what Importance returns.
type ImportanceEstimate struct {
	Mean    float64 // Σ w h / Σ w
	SE      float64 // its standard error by the delta method, √(Σ w² (h − Mean)²) / Σ w
	LogMass float64 // log of the mean weight: where the weights are f/g with g normalised, log ∫ f
	ESS     float64 // Kish's (1965) effective sample size (Σ w)²/Σ w²
}

// Importance estimates the mean of h under a density f known up to a constant, from n draws of another density g:
// the self-normalised estimate, with weights exp(logWeight(x)) = f(x)/g(x). The error is finite only where the weights
// have a variance; a small ESS warns, a large one proves nothing. It is an error that n is not positive, that a log
// weight is NaN or +Inf, or that all weights are zero.
func Importance(r *rand.Rand, n int, propose func(*rand.Rand) float64, logWeight, h func(x float64) float64) (ImportanceEstimate, error) {
	if n < 1 {
		return ImportanceEstimate{}, fmt.Errorf("dist: importance sampling needs at least one draw, not %d", n)
	}
	top := math.Inf(-1) // greatest log weight so far; the sums are in units of it
	var origin float64  // h is summed as a difference from its first value of positive weight
	var w1, w2, wh, w2h, w2hh float64
	for range n {
		x := propose(r)
		l := logWeight(x)
		switch {
		case math.IsNaN(l) || math.IsInf(l, 1):
			return ImportanceEstimate{}, fmt.Errorf("dist: log weight at x = %v is %v; it must be a number below +Inf", x, l)
		case math.IsInf(l, -1):
			continue
		case math.IsInf(top, -1):
			top, origin = l, h(x)
		case l > top:
			s := vec.Exp(top - l)
			w1, wh = float64(w1*s), float64(wh*s)
			w2, w2h, w2hh = float64(w2*s*s), float64(w2h*s*s), float64(w2hh*s*s)
			top = l
		}
		w, d := vec.Exp(l-top), h(x)-origin
		w1 += w
		w2 += float64(w * w)
		wh += float64(w * d)
		w2h += float64(w * w * d)
		w2hh += float64(w * w * d * d)
	}
	if w1 == 0 {
		return ImportanceEstimate{}, fmt.Errorf("dist: all %d importance weights are zero; propose where the target has mass", n)
	}
	mean := wh / w1
	square := w2hh - float64(2*mean*w2h) + float64(mean*mean*w2)
	return ImportanceEstimate{
		Mean:    origin + mean,
		SE:      math.Sqrt(max(square, 0)) / w1,
		LogMass: top + vec.Log(w1/float64(n)),
		ESS:     w1 * w1 / w2,
	}, nil
}
