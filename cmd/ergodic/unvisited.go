package main

import (
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/report"
)

// unvisited warns of parts of the posterior that a probe found and no chain has visited.
func (s *sampling) unvisited(sum *report.Summary) (all []report.Warning) {
	v := plan.Visited{Seed: s.spec.Seed, Chains: s.spec.Chains, Warmup: s.spec.Warmup, Last: s.last, Least: sum.Least, Most: sum.Most}
	began := cputime.Process()
	defer func() { s.timing.probe = cputime.Process() - began }()
	for _, m := range s.job.Probe(v) {
		part := report.Part{Labels: m.Labels, Mass: m.Mass}
		for _, e := range m.Where {
			part.Where = append(part.Where, report.Excursion{Name: e.Name, Value: e.Value, Least: e.Least, Most: e.Most})
		}
		all = append(all, report.Missing(part))
	}
	return all
}
