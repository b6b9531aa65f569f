package main

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/dic"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/report"
)

// criteria are the information criteria that --monitor names beside nodes.
type criteria struct{ pD, popt, waic bool }

// splitCriteria takes the names of criteria that are no arrays of the model out of what is to be monitored; dic is deviance and pD.
func splitCriteria(names []string, m *model.Model) (nodes []string, deviance bool, want criteria) {
	for _, name := range names {
		if _, own := m.Array(name); own {
			nodes = append(nodes, name)
			continue
		}
		switch name {
		case "pD":
			want.pD = true
		case "dic", "DIC":
			want.pD, deviance = true, true
		case "popt":
			want.popt = true
		case "waic", "WAIC":
			want.waic = true
		default:
			nodes = append(nodes, name)
		}
	}
	return nodes, deviance && !slices.Contains(nodes, model.Deviance), want
}

// pairs tells those that compare chains.
func (c criteria) pairs() bool { return c.pD || c.popt }

// check refuses what cannot be computed from the run.
func (c criteria) check(s *sampling) error {
	if !c.pairs() {
		return nil
	}
	if s.spec.Chains < 2 {
		return usage("--monitor %s compares chains: it needs two or more, and --chains is 1", c.first())
	}
	if len(s.loaded.compiled.Model.SampledCells()) == 0 {
		return usage("--monitor %s: no data depend on a node that is sampled, so there is nothing to penalise", c.first())
	}
	if s.spec.Time != 0 || s.spec.Until != "" {
		return nil // how many draws it will be nobody knows
	}
	return dic.Room(s.loaded.compiled.Model, s.spec.Chains, s.spec.Draws)
}

func (c criteria) first() string {
	if c.pD {
		return "pD"
	}
	return "popt"
}

// compute finds the criteria from the draws of a run.
func (c criteria) compute(s *sampling, r *draws.Reader) (all []report.Criterion, err error) {
	if c.pairs() {
		if all, err = dic.Criteria(s.loaded.compiled.Model, r, c.pD, c.popt, s.spec.Seed, s.cmd.Threads); err != nil {
			return nil, err
		}
	}
	if c.waic && r.Has(draws.LogLikelihood) {
		p, err := report.Predict(r, s.cmd.Threads)
		if err != nil {
			return nil, err
		}
		all = append(all, p.Criteria()...)
	}
	return all, nil
}
