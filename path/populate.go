package path

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Weighted is states with weights that sum to 1: averages over them with these weights are about those over the target.
type Weighted[S any] struct {
	States  []S
	Weights []float64
}

// Populate anneals one population as SMC does and returns it at the target. Where several modes are far apart, each has
// about its share, which chains that start from anywhere would not give them. Runs is not used.
func Populate[S any](ctx context.Context, f Family[S], s Schedule, set SMCSettings) (*Weighted[S], error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set, err := set.filled()
	if err != nil {
		return nil, err
	}
	set.Runs, set.Checkpoint, set.Resume = 1, "", false
	var p *population[S]
	_, err = job{purpose: "population", width: 0, worker: func() runner {
		return func(_ int, r *rand.Rand, _ []float64, t *tally) error {
			p = newPopulation(f, set.Particles, r)
			return p.climb(s, set, r, t)
		}
	}}.do(ctx, set.Settings)
	if err != nil {
		return nil, err
	}
	w := &Weighted[S]{States: p.x, Weights: p.work}
	total := vec.LogSumExp(p.logw)
	if math.IsInf(total, -1) {
		return nil, fmt.Errorf("path: none of %d states has reached the support of the target; take more temperatures or particles", len(p.x))
	}
	for i, lw := range p.logw {
		w.Weights[i] = vec.Exp(lw - total)
	}
	return w, nil
}
