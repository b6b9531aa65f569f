package main

import (
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/report"
)

// jointDraws are how many draws tell which nodes vary together.
const jointDraws = 2000

// shaped are the warnings of what the posterior is like: ridges, nodes that data do not bound, and nodes that a prior's bound cuts off.
func (s *sampling) shaped(r *draws.Reader, rows report.Parameters) (all []report.Warning, err error) {
	h := plan.NewShapes(s.job, plan.Visited{Chains: s.spec.Chains, Warmup: s.spec.Warmup, Last: s.last})
	if h == nil {
		return nil, nil
	}
	table := map[string]report.Parameter{}
	for _, p := range rows {
		table[p.Name] = p
	}
	joint, err := report.Joint(r, h.Names, jointDraws, s.cmd.Threads)
	if err != nil {
		return nil, err
	}
	for _, d := range h.Ridges(joint) {
		all = append(all, report.Ridge(report.Combination(d)))
	}
	for _, b := range h.Boundless(joint) {
		all = append(all, report.Unbounded(table[b.Node], b.Up))
	}
	for _, c := range h.CutOff(func(name string) (plan.Spread, bool) {
		p, ok := table[name]
		return plan.Spread{SD: float64(p.SD), Q5: float64(p.Q5), Median: float64(p.Median), Q95: float64(p.Q95)}, ok
	}) {
		all = append(all, report.CutOff(table[c.Node], c.Bound))
	}
	return all, nil
}
