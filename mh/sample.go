package mh

import (
	"context"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Sample draws from a target over vectors of length dim by a [RandomWalk], and keeps the draws in memory as the
// variable x, in one call. Chains start at standard normal vectors, at some of which the
// target must be positive. For other starts, kernels, names or recorders, put a mcmc.Points together.
func Sample(ctx context.Context, target Target, dim int, set mcmc.Settings) (*draws.Set, error) {
	return mcmc.SamplePoints(ctx, target, dim, func() (mcmc.Kernel[*mcmc.Point], error) {
		sd := make([]float64, max(dim, 0))
		for i := range sd {
			sd[i] = 1
		}
		return NewRandomWalk(target, sd)
	}, set)
}
