package mcmc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/jobs"
	"github.com/ergodic-mcmc/ergodic/internal/owned"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// States is a [Job] over states of any kind: numbers, vectors of numbers, structs.
type States[X any] struct {
	// Init gives a chain its start. It is asked again, up to 100 times, until the log density
	// there is finite.
	Init func(chain int, r *rand.Rand) (*State[X], error)
	// Move makes the kernel of a chain, untuned and with all its parts its own. It is called more than once for a
	// chain, and must succeed each time.
	Move func(chain int) (Kernel[*State[X]], error)
	// Named are the variables that Write writes, in order.
	Named []draws.Variable
	// Write writes what is recorded of x to dst, as long as the variables' elements.
	Write func(x X, dst []float64)
	// Codec writes states to checkpoints; nil: as package encoding/gob does, so that all of X must be in exported
	// fields, or X must marshal itself.
	Codec Codec[*State[X]]
}

// NewStates checks the job: that nothing is missing, that kernels can be made for the chains
// of the settings and, where these want checkpoints, that a state can be written to one.
func NewStates[X any](job States[X], set Settings) (*States[X], error) {
	if job.Init == nil || job.Move == nil || job.Write == nil || len(job.Named) == 0 {
		return nil, errors.New("mcmc: a job over states needs Init, Move, Write and the variables that Write writes")
	}
	if err := owned.Kernels(job.Move, set.WithDefaults().Chains); err != nil {
		return nil, err
	}
	if set.Dir == "" || job.Codec != nil {
		return &job, nil
	}
	if err := storable(reflect.TypeFor[X]()); err != nil {
		return nil, fmt.Errorf("mcmc: a checkpoint cannot hold all of a %v: %w; export it, let the type implement encoding.BinaryMarshaler and BinaryUnmarshaler, "+
			"give the job a Codec, or run without checkpoints (Settings.Dir)", reflect.TypeFor[X](), err)
	}
	s, err := job.Start(context.Background(), 0, rng.New(set.Seed, "init", 0).Rand)
	if err != nil {
		return nil, err
	}
	if _, err := job.MarshalState(s); err != nil {
		return nil, err
	}
	return &job, nil
}

// Start asks Init for a state of positive density.
func (j *States[X]) Start(ctx context.Context, chain int, r *rand.Rand) (*State[X], error) {
	name := fmt.Sprintf("chain %d", chain+1)
	var s *State[X]
	err := jobs.Start(ctx, name, func() (x any, logp float64, err error) {
		if s, err = j.Init(chain, r); err != nil {
			return nil, 0, fmt.Errorf("the start of %s: %w", name, err)
		}
		if s == nil {
			return nil, 0, fmt.Errorf("the start of %s: there is no state, only nil", name)
		}
		return s.X, s.LogP, nil
	})
	if err != nil {
		return nil, fmt.Errorf("mcmc: %w", err)
	}
	return s, nil
}

// Kernel is what Move makes.
func (j *States[X]) Kernel(chain int) Kernel[*State[X]] { return jobs.Kernel(j.Move, chain) }

// Variables are Named.
func (j *States[X]) Variables() []draws.Variable { return j.Named }

// LogDensity is that of the state.
func (j *States[X]) LogDensity(s *State[X]) float64 { return s.LogP }

// Record calls Write.
func (j *States[X]) Record(s *State[X], _ *rand.Rand, dst []float64) { j.Write(s.X, dst) }

func (j *States[X]) codec() Codec[*State[X]] {
	if j.Codec == nil {
		return gobCodec[X]{}
	}
	return j.Codec
}

// MarshalState writes the state as the codec does.
func (j *States[X]) MarshalState(s *State[X]) ([]byte, error) { return j.codec().MarshalState(s) }

// UnmarshalState reads what MarshalState wrote.
func (j *States[X]) UnmarshalState(_ int, b []byte) (*State[X], error) {
	return j.codec().UnmarshalState(b)
}
