package modereport

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mode"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const (
	methodLaplace    = "laplace"
	methodPathfinder = "pathfinder"
)

// perKept is how many draws there are for each that is kept.
const perKept = 4

// Draws are those that are kept of an approximation.
type Draws struct {
	surface *plan.Surface
	u       [][]float64
	r       *rand.Rand
}

// Len is their number, and At the state of one of them, which changes with the next call; nodes that are summed out are drawn, so that At is called for each in turn.
func (d *Draws) Len() int              { return len(d.u) }
func (d *Draws) At(i int) *model.State { return d.surface.Draw(d.u[i], d.r) }

// Laplace draws from the normal density at the mode that Find has found, with the Jacobian, and completes its result.
func (s *Search) Laplace(r *Result, keep int) (*Draws, []report.Warning, error) {
	if !s.definite() || len(s.ends) > 0 {
		return nil, nil, errors.New("there is no normal approximation: the density has no mode that it falls off from in all directions")
	}
	a, err := mode.Laplace(s.surface, s.curve, perKept*keep, rng.New(s.Seed, "laplace").Rand)
	if err != nil {
		return nil, nil, err
	}
	r.Approximate = &Approximation{Method: methodLaplace}
	return s.keep(r.Approximate, a, keep)
}

// Pathfinder draws from the normal densities on the ways from all starts, in place of Find.
func (s *Search) Pathfinder(keep int) (*Result, *Draws, []report.Warning, error) {
	if err := s.begin(); err != nil {
		return nil, nil, nil, err
	}
	r := &Result{Jacobian: true, Starts: s.Starts, Approximate: &Approximation{Method: methodPathfinder}}
	a, err := s.follow(r, keep)
	if err != nil {
		return nil, nil, nil, err
	}
	d, warn, err := s.keep(r.Approximate, a, keep)
	return r, d, warn, err
}

// keep resamples the draws and judges their weights.
func (s *Search) keep(info *Approximation, a *mode.Approximation, keep int) (*Draws, []report.Warning, error) {
	sample, err := a.Sample()
	if err != nil {
		return nil, nil, err
	}
	kept, err := a.Resample(rng.New(s.Seed, "resample").Rand, keep)
	if err != nil {
		return nil, nil, err
	}
	_, khat := sample.Smooth()
	info.Kept, info.Drawn, info.Khat, info.ESS = keep, sample.Len(), report.Number(khat), report.Number(sample.ESS())
	return &Draws{s.surface, kept, rng.New(s.Seed, "discrete").Rand}, info.judge(), nil
}

// judge warns of weights that do not make the draws those of the posterior.
func (a *Approximation) judge() []report.Warning {
	khat, ess := float64(a.Khat), float64(a.ESS)
	if limit := diag.KThreshold(a.Drawn); khat > limit {
		return []report.Warning{{Code: codeWeights, Value: a.Khat, Message: fmt.Sprintf(
			"Pareto k-hat of the weights is %.2f, above %.2g: the draws are not those of the posterior, and more of them will hardly help. Sample it", khat, limit)}}
	}
	if ess < 0.5*float64(a.Kept) {
		return []report.Warning{{Code: codeWeights, Value: a.ESS, Message: fmt.Sprintf(
			"the weights leave %.0f effective draws of %d: the %d that are kept repeat them. Sample the posterior for more", ess, a.Drawn, a.Kept)}}
	}
	return nil
}

// follow is Pathfinder from all starts.
func (s *Search) follow(r *Result, keep int) (*mode.Approximation, error) {
	each := (perKept*keep + s.Starts - 1) / s.Starts
	a, paths, err := mode.Pathfinder(func() hmc.Target { return s.surface.Fork() }, s.u,
		mode.PathfinderSettings{Settings: mode.Settings{Iterations: s.Iterations}, Seed: s.Seed, Draws: each, Threads: s.Threads})
	for _, p := range paths {
		one := Path{ELBO: report.Number(p.ELBO), Steps: p.Steps}
		if p.Top != nil {
			one.Iterations = p.Top.Iterations
			r.Gradients += p.Top.Evals
		}
		if p.Err != nil {
			one.Failed = p.Err.Error()
		} else if vec.Finite(p.ELBO) {
			r.Arrived++
		}
		r.Approximate.Paths = append(r.Approximate.Paths, one)
	}
	return a, err
}
