package tempering

import (
	"errors"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Points are a target over vectors of length Dim and a path that leads to it.
type Points struct {
	Path Path
	Dim  int
	// Init writes an initial point to x, once for each replica. It is called again, up to 100 times,
	// until the target's density there is positive and finite.
	Init func(chain int, r *rand.Rand, x []float64)
	// Move makes the kernel that moves a replica of a chain at beta; see [Path.At].
	Move func(chain int, beta float64) (mcmc.Kernel[*mcmc.Point], error)
	// Named are the variables that the coordinates form, in order; nil: one vector, x.
	Named []draws.Variable
}

// NewPointsJob is [NewJob] over vectors.
func NewPointsJob(p Points, set Settings, run mcmc.Settings) (*Job[*mcmc.Point], error) {
	if p.Path == nil || p.Move == nil {
		return nil, errors.New("tempering: a job over vectors needs Path and Move")
	}
	if err := checkLadder(set.Betas); err != nil {
		return nil, err
	}
	target := set.Betas[len(set.Betas)-1]
	base, err := mcmc.NewPoints(mcmc.Points{
		Target: p.Path.At(target), Dim: p.Dim, Init: p.Init, Named: p.Named,
		Move: func(chain int) (mcmc.Kernel[*mcmc.Point], error) { return p.Move(chain, target) },
	}, run)
	if err != nil {
		return nil, err
	}
	return NewJob(base, p.Path, p.Move, set, run)
}
