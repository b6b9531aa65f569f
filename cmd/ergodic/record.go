package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// makeJob decides what is recorded and where the chains start.
func (s *sampling) makeJob() error {
	comp := s.loaded.compiled
	names, deviance, want := splitCriteria(s.spec.Monitor, comp.Model)
	if err := want.check(s); err != nil {
		return err
	}
	s.criteria = want
	j := &plan.Job{Plan: s.loaded.plan, LogLik: s.spec.LogLik || want.waic, Sampled: want.pairs()}
	if len(names) == 0 {
		var left []string
		if names, left = comp.DefaultMonitors(); len(left) > 0 {
			s.notes = append(s.notes, "not recorded unless asked for with --monitor: "+strings.Join(left, ", "))
		}
	}
	if deviance {
		names = append(slices.Clone(names), model.Deviance)
	}
	var err error
	if j.Monitors, err = comp.Monitors(names); err != nil {
		return err
	}
	if len(j.Monitors) == 0 {
		return errors.New("the model has no unobserved node and nothing computed from one: there is nothing to sample\n  Give a node a distribution and no data")
	}
	if j.Inits, err = s.readInits(); err != nil {
		return err
	}
	s.job = j
	return nil
}

// readInits reads the initial values; what several files have in common to
// remark is said once.
func (s *sampling) readInits() (all []model.Inits, err error) {
	if n := len(s.spec.Inits); n > 1 && n < s.spec.Chains {
		return nil, usage("%d files of initial values for %d %s\n  Give one for all, or one for each.", n, s.spec.Chains, s.each[1])
	}
	said := map[string]bool{}
	for _, read := range s.initFiles() {
		d, err := read()
		if err != nil {
			return nil, err
		}
		in, warnings, err := s.loaded.compiled.Inits(d)
		if err != nil {
			return nil, err
		}
		for _, name := range s.unreached(in) {
			warnings = append(warnings, fmt.Sprintf("the initial value of %s is ignored: no data depend on it, and every iteration draws it anew", name))
		}
		for _, w := range warnings {
			if !said[w] {
				s.notes = append(s.notes, w)
			}
			said[w] = true
		}
		all = append(all, in)
	}
	switch n := len(all); {
	case n == 1 && s.spec.Chains > 1 && len(s.spec.Inits) > 0:
		s.notes = append(s.notes, "one file of initial values serves all "+s.each[1])
	case n > s.spec.Chains && len(s.spec.Inits) > 0:
		s.notes = append(s.notes, fmt.Sprintf("%d files of initial values for %s: those from %s on are not used", n, wording.Count(s.spec.Chains, s.each[0], s.each[1]), s.spec.Inits[s.spec.Chains].Name))
	}
	return all, nil
}

// initFiles are the readers of initial values: of the files that were given, or else of what stands behind the model.
func (s *sampling) initFiles() (read []func() (*bugs.Data, error)) {
	for _, f := range s.spec.Inits {
		read = append(read, func() (*bugs.Data, error) { return readData([]job.Input{f}) })
	}
	if len(read) > 0 {
		return read
	}
	for _, d := range s.loaded.compiled.Program.Starts {
		read = append(read, func() (*bugs.Data, error) { return d, nil })
	}
	return read
}

// unreached are the arrays, or parts of them, with initial values for nodes
// that no data reach.
func (s *sampling) unreached(in model.Inits) (names []string) {
	m := s.loaded.compiled.Model
	for _, a := range m.Arrays {
		used, unused := 0, 0
		for k := range int32(a.Size) {
			if _, ok := in[a.Base+k]; !ok {
				continue
			}
			if m.Informed(m.DefRow(a.Base + k)) {
				used++
			} else {
				unused++
			}
		}
		switch {
		case unused == 0:
		case used == 0:
			names = append(names, a.Name)
		default:
			names = append(names, "part of "+a.Name)
		}
	}
	return names
}

// layout is what the run writes to its draws' folder.
func (s *sampling) layout() draws.Layout {
	l := draws.Layout{
		Origin: s.spec.Origin, Chains: s.spec.Chains, SaveWarmup: s.spec.SaveWarmup, LogLikelihood: s.job.LogLikelihood(), Sampled: s.job.SampledNodes(),
		Stats: []string{draws.AcceptanceRate, draws.NSteps},
	}
	if s.loaded.plan.HasTrajectories() {
		l.Stats = append(l.Stats, draws.Diverging, draws.TreeDepth, "energy", "step_size")
	}
	for _, m := range s.job.Monitors {
		l.Posterior = append(l.Posterior, m.Variable)
	}
	l.Observed = observed(s.loaded.compiled.Model)
	return l
}

// observed are the arrays with data that have a distribution.
func observed(m *model.Model) (all []draws.Array) {
	for _, a := range m.Arrays {
		if from, to := int(a.Base), int(a.Base)+a.Size; slices.Contains(m.Kinds[from:to], model.Observed) {
			all = append(all, draws.Array{Variable: draws.Variable{Name: a.Name, Dims: a.Dims}, Values: m.Init[from:to]})
		}
	}
	return all
}

// needRoom fails when the disk has no room for what is still to be written.
func (s *sampling) needRoom(l draws.Layout) error {
	if s.spec.Time != 0 && s.spec.Until == "" {
		return nil // how many draws it will be nobody knows
	}
	var r *draws.Reader
	if s.Resumed {
		// A folder that cannot be read is said where it is opened to be written.
		r, _ = draws.Open(s.Dir.File(rundir.DrawsFolder))
	}
	return s.Dir.NeedRoom(l.Forecast(r, s.spec.Warmup/s.spec.Thin, s.spec.Draws))
}
