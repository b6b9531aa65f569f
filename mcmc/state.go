package mcmc

import "math/rand/v2"

// Density is a distribution over states of any kind, known up to a constant factor: numbers,
// vectors, trees. [Target] is that over vectors.
type Density[X any] interface {
	// LogDensity is −Inf where the density is zero. It must not keep or change x.
	LogDensity(x X) float64
}

// State is what kernels for any kind of state move: X and its log density, which every
// kernel leaves up to date. A step may replace X by another value, not only write into it.
type State[X any] struct {
	X    X
	LogP float64
}

// NewState evaluates the density at x and keeps x.
func NewState[X any](d Density[X], x X) *State[X] {
	return &State[X]{X: x, LogP: d.LogDensity(x)}
}

// OnPoints makes a kernel of states that are vectors one of points, for [Points] and for
// compositions with other kernels of vectors. It costs nothing: a Point is such a state.
func OnPoints(k Kernel[*State[[]float64]]) Adapter[*Point] {
	return &onPoints{parts[*State[[]float64]]{k}}
}

type onPoints struct {
	parts[*State[[]float64]]
}

func (k *onPoints) Step(s *Point, r *rand.Rand) Info {
	return k.parts[0].Step((*State[[]float64])(s), r)
}

func (k *onPoints) Adapt(s *Point, r *rand.Rand, w Warmup) Info {
	return k.adapt(0, (*State[[]float64])(s), r, w)
}
