package importance

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Sample is weighted draws: independent ones of a density g, with weights f/g for a density f.
type Sample[S any] struct {
	draws   []S
	logw    []float64
	w       []float64 // normalised
	logMean float64
}

// New is the sample of these draws with these log weights, known up to a constant. It keeps both slices. It is an error
// that they differ in length, that a log weight is NaN or +Inf, or that all weights are zero.
func New[S any](draws []S, logWeights []float64) (*Sample[S], error) {
	if len(draws) != len(logWeights) {
		return nil, fmt.Errorf("importance: %d draws have %d log weights; give each draw one", len(draws), len(logWeights))
	}
	s := &Sample[S]{draws: draws, logw: logWeights, w: make([]float64, len(draws))}
	var err error
	s.logMean, err = Normalise(s.w, logWeights)
	return s, err
}

// Draw is a sample of n draws of a proposal; propose returns a state of its own each time. The weight f(x)/g(x) is
// exp(logWeight(x)). The errors are those of New.
func Draw[S any](r *rand.Rand, n int, propose func(r *rand.Rand) S, logWeight func(x S) float64) (*Sample[S], error) {
	if n < 1 {
		return nil, fmt.Errorf("importance: a sample of %d draws; it needs at least one", n)
	}
	draws, logw := make([]S, n), make([]float64, n)
	for i := range draws {
		draws[i] = propose(r)
		logw[i] = logWeight(draws[i])
		if math.IsNaN(logw[i]) || math.IsInf(logw[i], 1) {
			return nil, fmt.Errorf("importance: the log weight of draw %d, %v, is %v; it must be a number below +Inf", i+1, draws[i], logw[i])
		}
	}
	return New(draws, logw)
}

// Len is the number of draws.
func (s *Sample[S]) Len() int { return len(s.draws) }

// Draws are the draws, and Weights their weights divided by their sum. They belong to the sample.
func (s *Sample[S]) Draws() []S         { return s.draws }
func (s *Sample[S]) Weights() []float64 { return s.w }

// ESS is Kish's effective sample size of the weights: see the function of this name.
func (s *Sample[S]) ESS() float64 { return ESS(s.w) }

// Estimate is an estimate with its standard error.
type Estimate struct{ Value, SE float64 }

// Mean estimates the mean of h under f by Σ w h with the normalised weights w. The standard error is that of the delta
// method, √Σ w² (h − Mean)² (Owen 2013, Monte Carlo theory, methods and examples, equation 9.8); it is finite in
// truth only where the weights have a variance, which [Sample.Warning] judges, and NaN for one draw. h is not asked about
// draws of weight zero. It is an error that h is not finite at another.
func (s *Sample[S]) Mean(h func(x S) float64) (Estimate, error) {
	value := make([]float64, len(s.draws))
	mean := 0.0
	for i, w := range s.w {
		if w == 0 {
			continue
		}
		value[i] = h(s.draws[i])
		if v := value[i]; math.IsNaN(v) || math.IsInf(v, 0) {
			return Estimate{}, fmt.Errorf("importance: the function is %v at draw %d, %v; it must be finite", v, i+1, s.draws[i])
		}
		mean += float64(w * value[i])
	}
	if len(s.w) == 1 {
		return Estimate{mean, math.NaN()}, nil
	}
	square := 0.0
	for i, w := range s.w {
		d := float64(w * (value[i] - mean))
		square += float64(d * d)
	}
	return Estimate{mean, math.Sqrt(square)}, nil
}

// LogMass estimates the logarithm of ∫ f, where the weights are f/g with a normalised g: the log of the mean weight.
// The standard error is that of the mean weight over the mean weight. Evidences and free energies are estimated so.
func (s *Sample[S]) LogMass() Estimate {
	n := float64(len(s.w))
	return Estimate{s.logMean, math.Sqrt(max(n/s.ESS()-1, 0) / (n - 1))}
}

// Resample draws n of the draws with probability proportional to their weights by the given scheme:
// sampling-importance-resampling (Rubin 1988); nil is [Systematic]. States are shared, not copied.
func (s *Sample[S]) Resample(r *rand.Rand, n int, scheme Resampler) ([]S, error) {
	if n < 1 {
		return nil, fmt.Errorf("importance: resampling %d draws; ask for at least one", n)
	}
	if scheme == nil {
		scheme = Systematic
	}
	parent := make([]int, n)
	if err := scheme(parent, s.w, r); err != nil {
		return nil, err
	}
	out := make([]S, n)
	for i, p := range parent {
		out[i] = s.draws[p]
	}
	return out, nil
}
