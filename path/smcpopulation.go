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
	p, err := onePopulation(ctx, f, set.Settings, set.Particles, "population", func(p *population[S], r *rand.Rand, t *tally) error {
		return p.anneal(s, set, r, t)
	})
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

// onePopulation makes a population of draws from the base and works on it, as a job of one run.
func onePopulation[S any](ctx context.Context, f Family[S], set Settings, particles int, purpose string, work func(p *population[S], r *rand.Rand, t *tally) error) (*population[S], error) {
	set.Runs, set.Checkpoint, set.Resume = 1, "", false
	p := newPopulation(f, particles)
	_, err := job{purpose: purpose, worker: func() runFunc {
		return func(_ int, r *rand.Rand, _ []float64, t *tally) error {
			p.start(r)
			return work(p, r, t)
		}
	}}.do(ctx, set)
	return p, err
}
