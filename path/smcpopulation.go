package path

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// WeightedParticles is a weighted sample of the target, with weights that sum to 1.
type WeightedParticles[S any] struct {
	States  []S
	Weights []float64
}

// SMCPopulation anneals one population as SMC does and returns its particles at the target. Each of several distant modes has
// about its share of the weight, which chains started at arbitrary points would not give. Runs is not used.
func SMCPopulation[S any](ctx context.Context, f Family[S], s Schedule, set SMCSettings) (*WeightedParticles[S], error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set, err := set.filled()
	if err != nil {
		return nil, err
	}
	set.Runs, set.Checkpoint, set.Resume = 1, "", false
	p := newPopulation(f, set.Particles)
	_, err = job{purpose: "population", width: 0, worker: func() runFunc {
		return func(_ int, r *rand.Rand, _ []float64, t *tally) error {
			p.start(r)
			return p.anneal(s, set, r, t)
		}
	}}.do(ctx, set.Settings)
	if err != nil {
		return nil, err
	}
	w := &WeightedParticles[S]{States: p.x, Weights: p.work}
	total := vec.LogSumExp(p.logw)
	if math.IsInf(total, -1) {
		return nil, fmt.Errorf("path: none of %d particles has reached the support of the target; take more temperatures or particles", len(p.x))
	}
	for i, lw := range p.logw {
		w.Weights[i] = vec.Exp(lw - total)
	}
	return w, nil
}
