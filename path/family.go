package path

import "math/rand/v2"

// Family is a path of unnormalised densities f_β, β from 0 to 1: p_β = f_β / Z_β.
// At β = 0 lies the base, whose draws and log Z are exact; at β = 1 the target, whose log Z is sought.
//
// A family is used from several goroutines at once, each with states of its own,
// so it holds no scratch: scratch belongs in S.
type Family[S any] interface {
	// New returns a state to be filled by Base or Copy.
	New() S
	// Copy makes dst equal to src in everything that a later move depends on, except the source of randomness:
	// a state with its own vector generator keeps it.
	Copy(dst, src S)
	// Base fills s with an exact draw from p_0. A state with its own vector generator seeds it from r here.
	Base(s S, r *rand.Rand)
	// LogZBase is log ∫ f_0.
	LogZBase() float64
	// LogDensity is log f_β(s), a finite number or −Inf.
	LogDensity(s S, beta float64) float64
	// Move changes s by a transition that leaves p_β invariant.
	Move(s S, beta float64, r *rand.Rand)
}

// Ratio is a family that forms log f_to(s) − log f_from(s) itself,
// accurate when the two temperatures are so near that the difference of two densities has lost its digits.
type Ratio[S any] interface {
	LogRatio(s S, from, to float64) float64
}

// Deriv is a family that knows d/dβ log f_β(s). Others get a difference quotient.
type Deriv[S any] interface {
	DLogDensity(s S, beta float64) float64
}

// Batch is a family that finds log f at many temperatures faster together than one by one:
// dst[i] becomes log f_betas[i](s).
type Batch[S any] interface {
	LogDensities(dst []float64, s S, betas []float64)
}

// Marshal is a family whose states are kept as bytes, their own generators included, so that a checkpoint can hold them.
type Marshal[S any] interface {
	MarshalState(s S) ([]byte, error)
	UnmarshalState(data []byte) (S, error)
}
