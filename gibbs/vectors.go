package gibbs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/jobs"
	"github.com/ergodic-mcmc/ergodic/internal/owned"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Number is what the nodes of a [Vectors] job may be.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Vectors is a job for mcmc.Run whose states are slices with a number for each node.
type Vectors[E Number] struct {
	Nodes int
	// Init writes a start of the chain to s, observed nodes included.
	Init func(chain int, r *rand.Rand, s []E)
	// Move makes the kernel of a chain. It is called more than once for a chain, and must succeed each time.
	Move func(chain int) (mcmc.Kernel[[]E], error)
	// Named are the variables that the nodes make up, in order; nil: one vector, x.
	Named []draws.Variable
}

// NewVectors checks the job: that nothing is missing, that the variables have an element
// for each node and that kernels can be made for the chains of the settings.
func NewVectors[E Number](job Vectors[E], set mcmc.Settings) (*Vectors[E], error) {
	switch {
	case job.Init == nil || job.Move == nil:
		return nil, errors.New("gibbs: a job needs Init and Move")
	case job.Nodes < 1:
		return nil, fmt.Errorf("gibbs: a job of %d nodes; there must be 1 or more", job.Nodes)
	}
	var err error
	if job.Named, err = jobs.Vector(job.Named, job.Nodes); err != nil {
		return nil, fmt.Errorf("gibbs: %w", err)
	}
	if err := owned.Kernels(job.Move, set.WithDefaults().Chains); err != nil {
		return nil, err
	}
	return &job, nil
}

// Start asks Init for a state.
func (j *Vectors[E]) Start(_ context.Context, chain int, r *rand.Rand) ([]E, error) {
	s := make([]E, j.Nodes)
	j.Init(chain, r, s)
	return s, nil
}

// Kernel is what Move makes.
func (j *Vectors[E]) Kernel(chain int) mcmc.Kernel[[]E] { return jobs.Kernel(j.Move, chain) }

// Variables are Named.
func (j *Vectors[E]) Variables() []draws.Variable { return j.Named }

// Record copies the nodes.
func (j *Vectors[E]) Record(s []E, _ *rand.Rand, dst []float64) {
	for i, v := range s {
		dst[i] = float64(v)
	}
}

// MarshalState writes the nodes bit for bit.
func (j *Vectors[E]) MarshalState(s []E) ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, s)
}

// UnmarshalState reads what MarshalState wrote.
func (j *Vectors[E]) UnmarshalState(_ int, b []byte) ([]E, error) {
	s := make([]E, j.Nodes)
	if len(b) != binary.Size(s) {
		return nil, fmt.Errorf("gibbs: %d bytes are not a state of %d nodes, which has %d", len(b), j.Nodes, binary.Size(s))
	}
	return s, binary.Read(bytes.NewReader(b), binary.LittleEndian, s)
}
