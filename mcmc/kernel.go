package mcmc

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// Info says what one step did; a [Teller] tells more. It has four words because Go passes no more in registers,
// and a fast step takes no longer than copying through memory.
type Info struct {
	Accepted   bool    // the proposal was taken (a Gibbs draw always is)
	AcceptProb float64 // probability with which it was taken, in [0, 1]
	Evals      int     // evaluations of the log density
	Divergent  bool    // the step left the region where its integrator holds
}

// Kernel moves a state at random and leaves one distribution invariant. Step works
// in place and allocates nothing; a non-finite density is data to it, not an error.
//
// A kernel whose later steps depend on anything but the state and the stream, such
// as a tuned step size, implements encoding.BinaryMarshaler and
// encoding.BinaryUnmarshaler: what it marshals goes into the checkpoint.
type Kernel[S any] interface {
	Step(s S, r *rand.Rand) Info
}

// Warmup is the place of an adaptive step in the warm-up: Iteration counts from 0 to
// Total-1.
type Warmup struct {
	Iteration, Total int
}

// Failure is what a Step that cannot go on panics with, for it has no error to return: the run ends with Err, and keeps the draws
// made before. A rejected proposal or a non-finite density is none.
type Failure = runner.Failure

// Adapter is a kernel that tunes itself. The runner calls Adapt in place of Step
// throughout the warm-up, Freeze once at its end, and only Step after that, so that
// the draws kept come from one fixed kernel. Its marshalled tuning includes whether
// it is frozen.
type Adapter[S any] interface {
	Kernel[S]
	Adapt(s S, r *rand.Rand, w Warmup) Info
	Freeze()
}
