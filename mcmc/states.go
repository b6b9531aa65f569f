package mcmc

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/owned"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// States is a [Job] over states of any kind: numbers, vectors of numbers, structs. A
// checkpoint holds X as package encoding/gob writes it, so that all of X must be in exported
// fields, or X must marshal itself.
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
	if set.Dir == "" {
		return &job, nil
	}
	if err := storable(reflect.TypeFor[X]()); err != nil {
		return nil, fmt.Errorf("mcmc: a checkpoint cannot hold all of a %v: %w; export it, let the type implement encoding.BinaryMarshaler and BinaryUnmarshaler, "+
			"or run without checkpoints (Settings.Dir)", reflect.TypeFor[X](), err)
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
	var s *State[X]
	for range startTries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if s, err = j.Init(chain, r); err != nil {
			return nil, fmt.Errorf("mcmc: the start of chain %d: %w", chain+1, err)
		}
		if s == nil {
			return nil, fmt.Errorf("mcmc: Init gave chain %d no state", chain+1)
		}
		if !math.IsInf(s.LogP, 0) && !math.IsNaN(s.LogP) {
			return s, nil
		}
	}
	return nil, fmt.Errorf("mcmc: none of %d starts of chain %d has a finite log density; the last, %v, has %v: let Init stay inside the support",
		startTries, chain+1, s.X, s.LogP)
}

// Kernel is what Move makes.
func (j *States[X]) Kernel(chain int) Kernel[*State[X]] {
	k, err := j.Move(chain)
	if err != nil {
		panic(fmt.Sprintf("mcmc: States.Move made the kernel of chain %d before, and now fails: %v", chain+1, err))
	}
	return k
}

// Variables are Named.
func (j *States[X]) Variables() []draws.Variable { return j.Named }

// LogDensity is that of the state.
func (j *States[X]) LogDensity(s *State[X]) float64 { return s.LogP }

// Record calls Write.
func (j *States[X]) Record(s *State[X], _ *rand.Rand, dst []float64) { j.Write(s.X, dst) }

// MarshalState writes X and its log density, floats bit for bit.
func (j *States[X]) MarshalState(s *State[X]) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return nil, fmt.Errorf("mcmc: a state of type %T cannot be written to a checkpoint; let it implement encoding.BinaryMarshaler: %w", s.X, err)
	}
	return b.Bytes(), nil
}

// UnmarshalState reads what MarshalState wrote.
func (j *States[X]) UnmarshalState(_ int, b []byte) (*State[X], error) {
	s := new(State[X])
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(s); err != nil {
		return nil, fmt.Errorf("mcmc: these bytes are not a state of type %T: %w", s.X, err)
	}
	return s, nil
}
