package path

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/importance"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// SMCSettings are the settings of SMC.
type SMCSettings struct {
	Settings                        // Runs: independent populations, 20 unless set
	Particles  int                  // in each population; 0: 50
	Threshold  float64              // resample when the effective sample size falls below this share of the particles; 0: one half
	Resampling importance.Resampler // nil: importance.Systematic
}

// SMC is annealed importance sampling with resampling: the sequential Monte Carlo sampler of Del Moral, Doucet and
// Jasra (2006, section 3.3.2.3). For a given schedule the estimate of Z from a population is unbiased, so populations are
// averaged as the weighted runs of AIS are, and their spread is the error.
func SMC[S any](ctx context.Context, f Family[S], s Schedule, set SMCSettings) (*Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set, err := set.filled()
	if err != nil {
		return nil, err
	}
	scheme, err := signature(set.Resampling)
	if err != nil {
		return nil, err
	}
	shape := fmt.Sprint(s.hash(), " ", set.Particles, " ", set.Threshold, " ", scheme)
	o, err := job{purpose: "smc", shape: shape, width: 1, worker: func() runFunc {
		p := newPopulation(f, set.Particles)
		return func(_ int, r *rand.Rand, row []float64, t *tally) error {
			p.start(r)
			if err := p.anneal(s, set, r, t); err != nil {
				return err
			}
			row[0] = p.logZ + logMeanExp(p.logw)
			return nil
		}
	}}.do(ctx, set.Settings)
	if o == nil {
		return nil, err
	}
	return annealed("SMC", f.LogZBase(), column(o, 0), o, set.Seed), err
}

// filled replaces zeros by defaults.
func (set SMCSettings) filled() (SMCSettings, error) {
	set.Settings = set.withDefaults(20)
	set.Particles = cmp.Or(set.Particles, 50)
	set.Threshold = cmp.Or(set.Threshold, 0.5)
	if set.Resampling == nil {
		set.Resampling = importance.Systematic
	}
	if set.Particles < 1 || !(set.Threshold > 0 && set.Threshold <= 1) {
		return set, fmt.Errorf("path: %d particles, resampled below %v of their number; there must be 1 or more, and the threshold lies in (0, 1]",
			set.Particles, set.Threshold)
	}
	return set, nil
}

// signature identifies a resampling scheme in checkpoints by its draws for fixed weights.
func signature(scheme importance.Resampler) (string, error) {
	parents, w := make([]int, 16), make([]float64, 11)
	for i := range w {
		w[i] = float64(1 + i%4)
	}
	if err := scheme(parents, w, rng.New(1, "path resampling").Rand); err != nil {
		return "", fmt.Errorf("path: the scheme of resampling: %w", err)
	}
	return fmt.Sprint(parents), nil
}

// population is a set of weighted particles at one temperature.
type population[S any] struct {
	f             resolved[S]
	x             []S
	r             []*rand.Rand // the same one for all
	logw          []float64    // since the last resampling
	logZ          float64      // up to the last resampling
	work          []float64
	parent, count []int
}

func newPopulation[S any](f Family[S], n int) *population[S] {
	p := &population[S]{f: resolve(f), x: make([]S, n), r: make([]*rand.Rand, n), logw: make([]float64, n), work: make([]float64, n), parent: make([]int, n), count: make([]int, n)}
	for i := range p.x {
		p.x[i] = f.New()
	}
	return p
}

// start fills the population with draws from the base.
func (p *population[S]) start(r *rand.Rand) {
	for i, x := range p.x {
		p.r[i] = r
		p.f.Base(x, r)
	}
	clear(p.logw)
	p.logZ = 0
}

// anneal moves the population from the base to the target.
func (p *population[S]) anneal(s Schedule, set SMCSettings, r *rand.Rand, t *tally) error {
	for k := 1; k < len(s); k++ {
		if err := p.step(s[k-1], s[k], set.Threshold, set.Resampling, r, t); err != nil {
			return err
		}
	}
	return nil
}

// step reweights the particles from one temperature to the next, resamples them if their effective size is low, and moves them.
func (p *population[S]) step(from, to, threshold float64, scheme importance.Resampler, r *rand.Rand, t *tally) error {
	for i, x := range p.x {
		d, err := p.f.logRatio(x, from, to, t)
		if err != nil {
			return err
		}
		p.logw[i] += d
	}
	if to == 1 {
		return nil
	}
	if err := p.resample(threshold, scheme, r); err != nil {
		return err
	}
	return p.f.moveInGroups(p.x, to, p.r, t)
}

// resample resamples the particles when their effective sample size is below the threshold.
func (p *population[S]) resample(threshold float64, scheme importance.Resampler, r *rand.Rand) error {
	top := slices.Max(p.logw)
	if math.IsInf(top, -1) {
		return nil // all weights are zero: the estimate of Z is zero
	}
	for i, lw := range p.logw {
		p.work[i] = vec.Exp(lw - top)
	}
	if importance.ESS(p.work) >= threshold*float64(len(p.x)) {
		return nil
	}
	if err := scheme(p.parent, p.work, r); err != nil {
		return err
	}
	p.logZ += logMeanExp(p.logw)
	clear(p.logw)
	p.copyOffspring()
	return nil
}

// copyOffspring copies particles that have several offspring over those that have none.
func (p *population[S]) copyOffspring() {
	clear(p.count)
	for _, i := range p.parent {
		p.count[i]++
	}
	free := 0
	for i, c := range p.count {
		for ; c > 1; c-- {
			for p.count[free] > 0 {
				free++
			}
			p.f.Copy(p.x[free], p.x[i])
			free++
		}
	}
}
