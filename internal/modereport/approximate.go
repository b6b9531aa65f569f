package modereport

import (
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

// Methods of approximation.
const (
	Laplace    = "laplace"
	Pathfinder = "pathfinder"
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

// Approximate draws from an approximation of the posterior: by Laplace at the mode that Find has found, with the Jacobian, or by Pathfinder from the starts.
// It completes the result, which Pathfinder makes anew.
func (s *Search) Approximate(r *Result, method string, keep int) (*Result, *Draws, []report.Warning, error) {
	var a *mode.Approximation
	var err error
	info := &Approximation{Method: method, Kept: keep}
	if method == Laplace {
		if !s.definite() || len(s.ends) > 0 {
			return r, nil, nil, fmt.Errorf("there is no normal approximation: the density has no mode that it falls off from in all directions")
		}
		a, err = mode.Laplace(s.surface, s.curve, perKept*keep, rng.New(s.Seed, "laplace").Rand)
	} else {
		if err := s.begin(); err != nil {
			return nil, nil, nil, err
		}
		r = &Result{Jacobian: true, Starts: s.Starts}
		a, err = s.follow(info, r, keep)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	sample, err := a.Sample()
	if err != nil {
		return nil, nil, nil, err
	}
	_, khat := sample.Smooth()
	info.Khat, info.ESS, info.Drawn = report.Number(khat), report.Number(sample.ESS()), sample.Len()
	r.Approximate = info
	kept, err := a.Resample(rng.New(s.Seed, "resample").Rand, keep)
	if err != nil {
		return nil, nil, nil, err
	}
	var warn []report.Warning
	if limit := diag.KThreshold(sample.Len()); khat > limit {
		warn = append(warn, report.Warning{Code: codeWeights, Value: report.Number(khat), Message: fmt.Sprintf(
			"Pareto k-hat of the weights is %.2f, above %.2g: the draws are not those of the posterior, and more of them will hardly help. Sample it", khat, limit)})
	} else if sample.ESS() < 0.5*float64(keep) {
		warn = append(warn, report.Warning{Code: codeWeights, Value: info.ESS, Message: fmt.Sprintf(
			"the weights leave %.0f effective draws of %d: the %d that are kept repeat them. Sample the posterior for more", float64(info.ESS), info.Drawn, keep)})
	}
	return r, &Draws{s.surface, kept, rng.New(s.Seed, "discrete").Rand}, warn, nil
}

// follow is Pathfinder from all starts.
func (s *Search) follow(info *Approximation, r *Result, keep int) (*mode.Approximation, error) {
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
		info.Paths = append(info.Paths, one)
	}
	return a, err
}
