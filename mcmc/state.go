package mcmc

// Density is a distribution over states of any kind, known up to a constant factor: numbers,
// vectors, trees.
type Density[X any] interface {
	// LogDensity is −Inf where the density is zero. It must not keep or change x.
	LogDensity(x X) float64
}

// Target is a distribution over vectors.
type Target = Density[[]float64]

// TargetFunc is a log density as a [Target].
type TargetFunc func(x []float64) float64

// LogDensity calls the function.
func (f TargetFunc) LogDensity(x []float64) float64 { return f(x) }

// State is what kernels move: X and its log density, which every
// kernel leaves up to date. A step may replace X by another value, not only write into it.
type State[X any] struct {
	X    X
	LogP float64
}

// Point is the state that kernels over vectors move.
type Point = State[[]float64]

// NewState evaluates the density at x and keeps x.
func NewState[X any](d Density[X], x X) *State[X] {
	return &State[X]{X: x, LogP: d.LogDensity(x)}
}

// NewPoint copies x and evaluates the target there.
func NewPoint(t Target, x []float64) *Point { return NewState(t, append([]float64(nil), x...)) }
