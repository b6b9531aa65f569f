package mcmc

import (
	"context"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// Job is what a run samples. Its methods may be called for different chains at the
// same time, never for one chain twice at once.
type Job[S any] interface {
	// Start gives a chain its initial state. Its stream is used for nothing else.
	Start(ctx context.Context, chain int, r *rand.Rand) (S, error)
	// Kernel makes the chain's own kernel, untuned.
	Kernel(chain int) Kernel[S]
	// Variables are what is recorded, in the order in which Record flattens them.
	Variables() []draws.Variable
	// Record writes one draw to dst, whose length is the sum of the variables' sizes.
	// It draws forward-sampled quantities from r, a stream apart, so that watching more
	// never changes the chain.
	Record(s S, r *rand.Rand, dst []float64)
	// MarshalState writes all of the state that a later step can depend on, caches
	// included where recomputing them would not give the same bits.
	MarshalState(s S) ([]byte, error)
	UnmarshalState(chain int, b []byte) (S, error)
}

// Place is one of the chains of a run that are to start.
type Place struct {
	Chain, Chains int
	// Common is the same stream for each of the chains, and always at its beginning: what is drawn
	// from it the chains agree upon, without waiting for one another.
	Common *rand.Rand
}

// Spread is a [Job] whose chains start in different parts of the distribution. StartApart then takes
// the place of Start.
type Spread[S any] interface {
	StartApart(ctx context.Context, at Place, r *rand.Rand) (S, error)
}

// Weighed is a [Job] whose states know their log density, up to a constant. A recorder that keeps
// it needs one, or a kernel that knows it, and a run that is resumed without a [Settings.Fingerprint] is known by it: by the log densities
// at which its chains started.
type Weighed[S any] interface {
	Job[S]
	// LogDensity is that of what is recorded of the state.
	LogDensity(s S) float64
}

// Recorder keeps draws. Calls for one chain come one at a time; calls for different
// chains may come at the same time.
type Recorder interface {
	// Append takes one draw; the slice is the runner's and changes after the call.
	Append(chain int, warmup bool, draw []float64, stat Stat) error
	// Sync returns when all draws of the chain would survive a power cut. The digest, which
	// the checkpoint keeps, stands for these draws: others have another. It is nil where
	// the recorder makes none.
	Sync(chain int) (digest []byte, err error)
	// Truncate drops all draws of the chain but the first warmup and kept ones. It fails
	// if there are fewer, or if digest is not nil and not what Sync returned for these.
	Truncate(chain int, warmup, kept int, digest []byte) error
	// Close ends recording. Run never calls it: whoever opened a recorder closes it.
	Close() error
}

// Fitter is a [Recorder] that can tell, before the run, whether it can keep its draws.
type Fitter interface {
	// Fits says why the draws of the variables in a run with these settings cannot be kept.
	Fits(vars []draws.Variable, set Settings) error
}

// Observer watches a run. Progress is called from one goroutine, at most every 100 ms
// and once at the end; it must be quick, and must not keep p.Chains.
type Observer interface {
	Progress(p Progress)
}

// ErrInterrupted is wrapped by the error of a run that its context ended; if the run
// keeps checkpoints, they are written and it can be resumed.
var ErrInterrupted = runner.ErrInterrupted
