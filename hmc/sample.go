package hmc

import (
	"context"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Sample draws from a target over vectors of length dim by [NUTS] with its usual settings, and keeps the draws in memory as the variable x, in
// one call. Chains start at standard normal vectors, at some of which the target must be positive. For
// other starts, kernels, names or recorders, put a mcmc.Points together.
func Sample(ctx context.Context, target Target, dim int, set mcmc.Settings) (*draws.Set, error) {
	job, err := mcmc.NewPoints(mcmc.Points{
		Target: target, Dim: dim,
		Init: func(_ int, r *rand.Rand, x []float64) {
			for i := range x {
				x[i] = dist.StdNormal(r)
			}
		},
		Move: func(int) (mcmc.Kernel[*mcmc.Point], error) { return NewNUTS(target, dim, Settings{}) },
	}, set)
	if err != nil {
		return nil, err
	}
	rec, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		return nil, err
	}
	_, err = mcmc.Run(ctx, job, set, rec, nil)
	return rec.Draws(), err
}
