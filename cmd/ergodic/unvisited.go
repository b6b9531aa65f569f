package main

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/report"
)

// disagree is the R-hat above which chains have not seen their own part of an element either; a warning says so.
const disagree = 1.05

// unvisited warns of parts of the posterior that a probe found and no chain has visited.
func (s *sampling) unvisited(sum *report.Summary) (all []report.Warning) {
	v := plan.Visited{Seed: s.spec.Seed, Chains: s.spec.Chains, Warmup: s.spec.Warmup, Last: s.last}
	rows := map[string]int{}
	for k, p := range sum.Parameters {
		rows[p.Name] = k
	}
	for _, m := range s.job.Monitors {
		for _, name := range m.ElementNames() {
			least, most := math.Inf(-1), math.Inf(1) // of an element without a row, or on whose place chains disagree, nothing is known
			if k, ok := rows[name]; ok && !(float64(sum.Parameters[k].Rhat) > disagree) {
				least, most = sum.Least[k], sum.Most[k]
			}
			v.Least, v.Most = append(v.Least, least), append(v.Most, most)
		}
	}
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
