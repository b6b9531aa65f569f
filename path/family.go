package path

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// Family is a path of unnormalised densities f_β for β from 0 to 1, with p_β = f_β / Z_β.
// At β = 0 is the base, with exact draws and known log Z; at β = 1 the target, whose log Z is estimated.
//
// A family is used by several goroutines at once, each with states of its own, so it must hold no scratch memory:
// that belongs in S.
type Family[S any] interface {
	// LogDensity is log f_β, a finite number or −Inf.
	tempering.Family[S]
	// New returns a state to be filled by Base or Copy.
	New() S
	// Copy makes dst equal to src in everything that a later move depends on, except the random generator:
	// a state with a generator of its own keeps it.
	Copy(dst, src S)
	// Base fills s with an exact draw from p_0. A state with a generator of its own seeds it from r here.
	Base(s S, r *rand.Rand)
	// LogZBase is log ∫ f_0.
	LogZBase() float64
	// Move changes s by a transition that leaves p_β invariant.
	Move(s S, beta float64, r *rand.Rand)
}

// Ratio is a family that computes log f_to(s) − log f_from(s) directly, which stays accurate for temperatures so near that
// the difference of two log densities would cancel.
type Ratio[S any] = tempering.Ratio[S]

// Deriv is a family that computes d/dβ log f_β(s). For others it is approximated by finite differences.
type Deriv[S any] interface {
	DLogDensity(s S, beta float64) float64
}

// Batch is a family that computes log f at many temperatures faster than one by one: dst[i] is set to log f_betas[i](s).
type Batch[S any] interface {
	LogDensities(dst []float64, s S, betas []float64)
}

// Marshal is a family whose states, with generators of their own, can be saved in a checkpoint.
type Marshal[S any] = mcmc.Codec[S]
