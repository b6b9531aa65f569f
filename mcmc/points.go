package mcmc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/owned"
)

// Points is a [Job] over vectors of length Dim: any target with a density, any kernel that
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

const startTries = 100

// NewPoints checks the job: that nothing is missing, that the variables have Dim elements
// and that kernels for vectors of this length can be made for the chains of the settings.
func NewPoints(job Points, set Settings) (*Points, error) {
	switch {
	case job.Target == nil || job.Init == nil || job.Move == nil:
		return nil, errors.New("mcmc: a job over vectors needs Target, Init and Move")
	case job.Dim < 1:
		return nil, fmt.Errorf("mcmc: vectors of length %d; Dim must be 1 or more", job.Dim)
	}
	if job.Named == nil {
		job.Named = []draws.Variable{{Name: "x", Dims: []int{job.Dim}}}
	}
	n := 0
	for _, v := range job.Named {
		n += v.Size()
	}
	if n != job.Dim {
		return nil, fmt.Errorf("mcmc: the variables have %d elements, the vectors %d; Named must cover each coordinate once", n, job.Dim)
	}
	move := job.Move
	job.Move = func(chain int) (Kernel[*Point], error) {
		k, err := move(chain)
		if err != nil || k == nil {
			return nil, err
		}
		return k, fitsLength(k, job.Dim)
	}
	if err := owned.Kernels(job.Move, set.WithDefaults().Chains); err != nil {
		return nil, err
	}
	return &job, nil
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

// Start asks Init for a point of positive density.
func (j *Points) Start(ctx context.Context, chain int, r *rand.Rand) (*Point, error) {
	x := make([]float64, j.Dim)
	var f float64
	for range startTries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		j.Init(chain, r, x)
		if f = j.Target.LogDensity(x); !math.IsInf(f, 0) && !math.IsNaN(f) {
			return NewPoint(j.Target, x), nil
		}
	}
	return nil, fmt.Errorf("mcmc: none of %d starts of chain %d has a finite log density; the last, %v, has %v: let Init stay inside the support",
		startTries, chain+1, x, f)
}

// Kernel is what Move makes.
func (j *Points) Kernel(chain int) Kernel[*Point] {
	k, err := j.Move(chain)
	if err != nil {
		panic(fmt.Sprintf("mcmc: Points.Move made the kernel of chain %d before, and now fails: %v", chain+1, err))
	}
	return k
}

// Variables are Named.
func (j *Points) Variables() []draws.Variable { return j.Named }

// LogDensity is that of the point.
func (j *Points) LogDensity(s *Point) float64 { return s.LogP }

// Record copies the coordinates.
func (j *Points) Record(s *Point, _ *rand.Rand, dst []float64) {
	dst = dst[:len(s.X)]
	//lint:ignore S1001 a call to copy costs more than a short loop
	for i, x := range s.X {
		dst[i] = x
	}
}

// MarshalState writes the point bit for bit.
func (j *Points) MarshalState(s *Point) ([]byte, error) { return s.MarshalBinary() }

// UnmarshalState reads what MarshalState wrote.
func (j *Points) UnmarshalState(_ int, b []byte) (*Point, error) {
	s := new(Point)
	if err := s.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	if len(s.X) != j.Dim {
		return nil, fmt.Errorf("mcmc: a point of %d coordinates, not %d", len(s.X), j.Dim)
	}
	return s, nil
}
