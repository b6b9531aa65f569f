package ensemble

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/jobs"
	"github.com/ergodic-mcmc/ergodic/internal/owned"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Job is a mcmc.Job whose chains are independent ensembles. Every walker of every
// draw is recorded: a variable theta[1:3] of the target becomes theta[1:3,1:32], the walker its
// last index.
type Job struct {
	Target       mcmc.Target
	Walkers, Dim int
	// Init writes the start of a walker to x. It is called again, up to 100 times a walker,
	// until the density there is positive and finite. Walkers must differ in every direction.
	Init func(chain, walker int, r *rand.Rand, x []float64)
	// Move makes the kernel of a chain; nil: [Stretch] in halves. Called again for
	// the same chain it must not fail.
	Move func(chain int) (mcmc.Kernel[*State], error)
	// Named are the variables that the coordinates make up, in order; nil: one vector, x.
	Named []draws.Variable
}

// NewJob checks the job: that nothing is missing, that the variables have Dim elements and
// that kernels can be made for the chains of the settings.
func NewJob(job Job, set mcmc.Settings) (*Job, error) {
	if job.Target == nil || job.Init == nil || job.Dim < 1 {
		return nil, errors.New("ensemble: a job needs Target, Init and a Dim of 1 or more")
	}
	if err := checkSize(job.Walkers, job.Dim); err != nil {
		return nil, err
	}
	var err error
	if job.Named, err = jobs.Vector(job.Named, job.Dim); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if job.Move == nil {
		target, walkers, dim := job.Target, job.Walkers, job.Dim
		job.Move = func(int) (mcmc.Kernel[*State], error) {
			return New(target, walkers, dim, Stretch{}, Settings{})
		}
	}
	if err := owned.Kernels(job.Move, set.WithDefaults().Chains); err != nil {
		return nil, err
	}
	return &job, nil
}

// Start calls Init until the density is positive.
func (j *Job) Start(ctx context.Context, chain int, r *rand.Rand) (*State, error) {
	x := make([]float64, j.Walkers*j.Dim)
	for w := range j.Walkers {
		if err := j.start(ctx, chain, w, r, x[w*j.Dim:(w+1)*j.Dim]); err != nil {
			return nil, err
		}
	}
	return NewState(j.Target, j.Dim, x)
}

func (j *Job) start(ctx context.Context, chain, walker int, r *rand.Rand, x []float64) error {
	err := jobs.Start(ctx, fmt.Sprintf("walker %d", walker+1), func() (any, float64, error) {
		j.Init(chain, walker, r, x)
		return x, j.Target.LogDensity(x), nil
	})
	if err != nil {
		return fmt.Errorf("ensemble: %w", err)
	}
	return nil
}

// Kernel is what Move makes.
func (j *Job) Kernel(chain int) mcmc.Kernel[*State] { return jobs.Kernel(j.Move, chain) }

// Variables are Named with the walker as one more dimension.
func (j *Job) Variables() []draws.Variable {
	vars := make([]draws.Variable, len(j.Named))
	for i, v := range j.Named {
		vars[i] = draws.Variable{Name: v.Name, Dims: append(append([]int(nil), v.Dims...), j.Walkers)}
		if v.Lower != nil {
			vars[i].Lower = append(append([]int(nil), v.Lower...), 1)
		}
	}
	return vars
}

// LogDensity is that of all walkers, whose target is the product of their densities.
func (j *Job) LogDensity(s *State) float64 {
	sum := 0.0
	for _, f := range s.LogP {
		sum += f
	}
	return sum
}

// Record copies the coordinates, variable after variable, and of each walker after walker.
func (j *Job) Record(s *State, _ *rand.Rand, dst []float64) {
	first := 0
	for _, v := range j.Named {
		size := v.Size()
		for w := range s.Walkers() {
			dst = dst[copy(dst, s.Walker(w)[first:first+size]):]
		}
		first += size
	}
}

// MarshalState writes the ensemble bit for bit.
func (j *Job) MarshalState(s *State) ([]byte, error) { return s.MarshalBinary() }

// UnmarshalState reads what MarshalState wrote.
func (j *Job) UnmarshalState(_ int, b []byte) (*State, error) {
	s := new(State)
	if err := s.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	if s.Dim != j.Dim || s.Walkers() != j.Walkers {
		return nil, fmt.Errorf("ensemble: %d walkers in %d dimensions, not %d in %d", s.Walkers(), s.Dim, j.Walkers, j.Dim)
	}
	return s, nil
}
