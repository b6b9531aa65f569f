package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/report"
)

// finish summarises the draws, writes summary.json and prints the table.
func (s *sampling) finish(set mcmc.Settings, res *mcmc.Result) error {
	sum, err := s.summary(set, res)
	if err != nil {
		return err
	}
	done := s.timing.fields()
	done["probe_cpu_s"] = milli(s.timing.probe)
	done["warnings"] = len(sum.Warnings)
	done["cpu_s"] = sum.Run.CPUS
	if err := s.Finish(sum, done); err != nil {
		return err
	}
	if s.cmd.JSON {
		err = printJSON(sum)
	} else {
		err = printTable(sum, s.cmd.screen())
	}
	if err != nil {
		return err
	}
	s.Say.Warn(sum.Warnings)
	return warned(s.cmd.Strict, len(sum.Warnings))
}

func (s *sampling) summary(set mcmc.Settings, res *mcmc.Result) (*rundir.Summary, error) {
	r, err := draws.Open(s.Dir.File(rundir.DrawsFolder))
	if err != nil {
		return nil, err
	}
	n := res.Chains[0].Draws
	if goal, ok := s.spec.goal(); ok && s.judgedDraws != n {
		_, err = s.judge(goal, r, n)
	} else if !ok {
		s.judged, err = report.Summarize(r, s.cmd.Threads)
	}
	if err != nil {
		return nil, err
	}
	j := s.judged
	until, missed := s.until(s.came(n))
	j.Warnings = append(j.Warnings, missed...)
	j.Warnings = append(j.Warnings, s.standing(j.Parameters)...)
	j.Warnings = append(j.Warnings, s.unvisited(&j)...)
	shaped, err := s.shaped(r, j.Parameters)
	if err != nil {
		return nil, err
	}
	j.Warnings = append(j.Warnings, shaped...)
	found, err := s.criteria.compute(s, r)
	if err != nil {
		return nil, err
	}
	j.Warnings = append(j.Warnings, report.CriteriaWarnings(found)...)
	sum := &rundir.Summary{Ergodic: version, Job: "sample", Parameters: j.Parameters, Criteria: found, Warnings: warningsInFlags(j.Warnings),
		Origin: s.spec.Origin, Digests: rundir.Digests(r), Until: until}
	sum.Input = s.spec.inputs()
	for _, k := range s.loaded.samplers() {
		sum.Samplers = append(sum.Samplers, rundir.Sampler(k))
	}
	s.spend()
	sum.Run = rundir.Run{Seed: s.spec.Seed, Chains: s.spec.Chains, Warmup: s.spec.Warmup, Draws: s.spec.Draws, Thin: s.spec.Thin,
		Threads: set.WithDefaults().Threads, WallS: s.spec.WallS,
		CPUS: rundir.CPU{Compile: milli(s.compiled), Warmup: milli(res.CPU.Warmup), Sampling: milli(res.CPU.Sampling)}}
	return sum, nil
}

// standing are the warnings that take the model as well as the draws: of continuous nodes that never move or lie where
// numbers are too coarse, and of draws where a density is about to overflow.
func (s *sampling) standing(rows report.Parameters) (all []report.Warning) {
	movable := s.job.Movable()
	for _, r := range rows {
		if r.SD == 0 && movable[r.Name] {
			all = append(all, report.Unmoved(r))
		}
	}
	all = append(all, s.atEdges(rows)...)
	all = append(all, s.tied(rows)...)
	all = append(all, s.switched(rows)...)
	var found []report.Far
	for c, state := range s.last {
		if state.Far.Draws == 0 {
			continue
		}
		k := slices.IndexFunc(found, func(f report.Far) bool { return f.Node == state.Far.Node })
		if k < 0 {
			k = len(found)
			found = append(found, report.Far{Node: state.Far.Node, Relation: state.Far.Relation})
		}
		found[k].Looked += state.Far.Looked
		found[k].Draws += state.Far.Draws
		found[k].Chains = append(found[k].Chains, c+1)
	}
	for _, f := range found {
		all = append(all, report.Overflowing(f))
	}
	return all
}

// leastMixed is the parameter of the largest R-hat, and tells whether that is no cause to warn.
func leastMixed(rows report.Parameters) (worst report.Parameter, mixed bool) {
	worst = slices.MaxFunc(rows, func(a, b report.Parameter) int { return cmp.Compare(float64(a.Rhat), float64(b.Rhat)) })
	return worst, !(worst.Rhat > report.RhatMax)
}

// switched warns of components of mixtures in which chains differ: their labels may have been exchanged.
func (s *sampling) switched(rows report.Parameters) []report.Warning {
	arrays := s.loaded.plan.Labelled()
	rows = slices.DeleteFunc(slices.Clone(rows), func(p report.Parameter) bool {
		name, _, _ := strings.Cut(p.Name, "[")
		return !slices.Contains(arrays, name)
	})
	if len(rows) == 0 {
		return nil
	}
	worst, mixed := leastMixed(rows)
	if mixed {
		return nil
	}
	return []report.Warning{report.Switching(arrays, worst)}
}

// tied warns of discrete nodes that move one at a time where chains have not mixed.
func (s *sampling) tied(rows report.Parameters) []report.Warning {
	if len(rows) == 0 {
		return nil
	}
	worst, mixed := leastMixed(rows)
	if mixed {
		return nil
	}
	arrays, count := s.loaded.plan.Tied()
	if count == 0 {
		return nil
	}
	return []report.Warning{report.Tied(arrays, count, worst)}
}

// atEdges warns of nodes that a kernel cannot follow to where numbers end.
func (s *sampling) atEdges(rows report.Parameters) (all []report.Warning) {
	if len(s.last) == 0 || s.last[0] == nil {
		return nil
	}
	edges := s.job.Edges(s.last[0])
	for _, r := range rows {
		if e, ok := edges[r.Name]; ok {
			all = append(all, report.AtEdge(r, e.Zero, e.One)...)
		}
	}
	return all
}

// milli rounds seconds to a tenth of a millisecond.
func milli(x float64) float64 { return math.Round(x*1e4) / 1e4 }
