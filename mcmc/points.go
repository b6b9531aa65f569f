package mcmc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/jobs"
)

// Points describe a job over vectors of length Dim: any target with a density, any kernel that
// moves a [Point].
type Points struct {
	Target Target // chains call it at the same time
	Dim    int
	// Init writes a start of the chain to x. It is asked again, up to 100 times, until the
	// density there is positive and finite.
	Init func(chain int, r *rand.Rand, x []float64)
	// Move makes the kernel of a chain, untuned and with all its parts its own: kernels, and moves
	// that learn, must not be shared. It is called more than once for a chain, and must succeed each time.
	// A kernel that has a method Dim() int tells the length of its vectors, 0 for any.
	Move func(chain int) (Kernel[*Point], error)
	// Named are the variables that the coordinates make up, in order; nil: one vector, x.
	Named []draws.Variable
}

// NewPoints makes the job and checks it: that nothing is missing, that the variables have Dim elements
// and that kernels for vectors of this length can be made for the chains of the settings.
func NewPoints(p Points, set Settings) (*PointsJob, error) {
	switch {
	case p.Target == nil || p.Init == nil || p.Move == nil:
		return nil, errors.New("mcmc: a job over vectors needs Target, Init and Move")
	case p.Dim < 1:
		return nil, fmt.Errorf("mcmc: vectors of length %d; Dim must be 1 or more", p.Dim)
	}
	named, err := jobs.Vector(p.Named, p.Dim)
	if err != nil {
		return nil, fmt.Errorf("mcmc: %w", err)
	}
	j, err := NewStates(States[[]float64]{
		Named: named,
		Write: copyVector,
		Codec: PointCodec(p.Dim),
		Init: func(chain int, r *rand.Rand) (*Point, error) {
			x := make([]float64, p.Dim)
			p.Init(chain, r, x)
			return NewState(p.Target, x), nil
		},
		Move: func(chain int) (Kernel[*Point], error) {
			k, err := p.Move(chain)
			if err != nil || k == nil {
				return nil, err
			}
			return k, fitsLength(k, p.Dim)
		},
	}, set)
	if err != nil {
		return nil, err
	}
	return &PointsJob{*j}, nil
}

// PointsJob is a [Job] over vectors.
type PointsJob struct{ States[[]float64] }

// Record copies the coordinates, without the call of a function that costs a twentieth of a fast step.
func (j *PointsJob) Record(s *Point, _ *rand.Rand, dst []float64) { copyVector(s.X, dst) }

func copyVector(x, dst []float64) {
	dst = dst[:len(x)]
	//lint:ignore S1001 a call to copy costs more than a short loop
	for i, v := range x {
		dst[i] = v
	}
}

// fitsLength finds out whether a kernel, or a part of it, is for vectors of another length. A
// kernel tells its own by a method Dim.
func fitsLength(k any, dim int) error {
	switch k := k.(type) {
	case interface{ fitsLength(dim int) error }:
		return k.fitsLength(dim)
	case interface{ Dim() int }:
		if d := k.Dim(); d != dim && d != 0 {
			return fmt.Errorf("%T is for vectors of length %d, and Dim is %d", k, d, dim)
		}
	}
	return nil
}

// SamplePoints draws from a target over vectors of length dim by kernels that move makes for each chain, and keeps the draws in memory as the variable
// x. Chains start at standard normal vectors, at some of which the target must be positive.
func SamplePoints(ctx context.Context, target Target, dim int, move func() (Kernel[*Point], error), set Settings) (*draws.Set, error) {
	job, err := NewPoints(Points{
		Target: target, Dim: dim,
		Init: func(_ int, r *rand.Rand, x []float64) {
			for i := range x {
				x[i] = dist.StdNormal(r)
			}
		},
		Move: func(int) (Kernel[*Point], error) { return move() },
	}, set)
	if err != nil {
		return nil, err
	}
	rec, err := NewMemory(job.Variables(), set)
	if err != nil {
		return nil, err
	}
	_, err = Run(ctx, job, set, rec, nil)
	return rec.Draws(), err
}
