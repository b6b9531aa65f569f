package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// efficient is a posterior with what ../shared/hmc/REFERENCE.md has of it.
type efficient struct {
	program
	lowRank float64 // least ESS per gradient of sampling, of a low-rank metric by Fisher divergence
	peer    float64 // and per gradient of the whole run, of the better of stanli and nutpie
}

// efficients are the models of REFERENCE.md, then those of the comparison that it does not have.
func efficients() (all []efficient) {
	known := map[string]efficient{
		"logistic 1000x20": {lowRank: .266, peer: 5988. / 54e3},
		"radon":            {lowRank: .045, peer: 934. / 72e3},
		"eight schools NC": {lowRank: .089, peer: 1994. / 56e3},
		"AR(5)":            {peer: 2234. / 174e3},
		"rats":             {lowRank: .061, peer: 2157. / 80e3},
	}
	for _, p := range programs() {
		k := known[p.name]
		k.program = p
		all = append(all, k)
	}
	for _, p := range []struct {
		bug, shared string
		lowRank     float64
	}{{"kidscore_interaction", "kidiq-kidscore_interaction", .490}, {"earn_height", "earnings-earn_height", .558},
		{"logmesquite", "mesquite-logmesquite", .175}, {"nes", "nes1980-nes", .245}, {"blr", "sblrc-blr", .286}} {
		all = append(all, efficient{program: program{name: p.bug, bug: p.bug, shared: p.shared}, lowRank: p.lowRank})
	}
	return all
}

// own measures NUTS over all nodes of a model, in this process: effective draws a gradient.
func (b *bench) own(ctx context.Context) error {
	fmt.Printf("\nNUTS: least bulk ESS a gradient in thousandths, of the sampling's gradients against the low-rank column of ../shared/hmc/REFERENCE.md, and of all against 1.2 times\nthe better of stanli and nutpie there; medians of %d seeds (range)\n", b.rounds)
	fmt.Printf("%-22s %9s %9s %8s %8s %8s %15s %6s | %8s %8s %15s %6s %5s %6s\n", "", "warm-up", "sampling", "steps", "ESS", "sampling", "", "ratio", "bar", "all", "", "ratio", "div", "accept")
	for _, e := range efficients() {
		if !b.only.MatchString(e.name) || ctx.Err() != nil {
			continue
		}
		if err := b.ownLine(ctx, e); err != nil {
			fmt.Printf("%-22s stops: %v\n", e.name, err)
		}
	}
	return ctx.Err()
}

// ownLine prints the medians of a model.
func (b *bench) ownLine(ctx context.Context, e efficient) error {
	f, err := b.files(e.program)
	if err != nil {
		return err
	}
	var of [7][]float64
	for k := range b.rounds {
		t, err := b.trajectories(ctx, e.program, f, b.seed+uint64(k))
		if err != nil {
			return err
		}
		for i, x := range []float64{t.warmup, t.sampling, t.ess, 1e3 * t.ess / t.sampling, 1e3 * t.ess / (t.warmup + t.sampling), t.divergent, t.accept} {
			of[i] = append(of[i], x)
		}
	}
	m := func(i int) float64 { return run.Median(of[i]) }
	span := func(i int) string { return fmt.Sprintf("(%.4g-%.4g)", slices.Min(of[i]), slices.Max(of[i])) }
	bar := 1.2e3 * e.peer
	fmt.Printf("%-22s %9.0f %9.0f %8.2f %8.0f %8.2f %15s %6s | %8.2f %8.2f %15s %6s %5.0f %6.3f\n", e.name, m(0), m(1), m(1)/(chains*length), m(2), m(3), span(3), ratio(m(3), 1e3*e.lowRank), bar, m(4), span(4), ratio(m(4), bar), m(5), m(6))
	return nil
}

// ratio is empty where there is nothing to compare with.
func ratio(x, y float64) string {
	if y == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", x/y)
}

// trajectory counts the gradients of a run.
type trajectory struct{ warmup, sampling, ess, divergent, accept float64 }

// trajectories runs four chains with NUTS asked for everywhere.
func (b *bench) trajectories(ctx context.Context, p program, f files, seed uint64) (t trajectory, err error) {
	c, err := run.Compile(f.forced, f.data, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		return t, err
	}
	pl, err := plan.New(c.Model, []*plan.Override{{Pattern: "*", Kernel: "nuts", Match: func(string) bool { return true }}})
	if err != nil {
		return t, err
	}
	names := p.monitor
	if names == nil {
		names, _ = c.DefaultMonitors()
	}
	monitors, err := c.Monitors(names)
	if err != nil {
		return t, err
	}
	job := &plan.Job{Plan: pl, Monitors: monitors}
	set := mcmc.Settings{Seed: seed, Chains: chains, Warmup: length, Draws: length, Threads: b.threads}
	rec, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		return t, err
	}
	res, err := mcmc.Run(ctx, job, set, rec, nil)
	if err != nil {
		return t, err
	}
	t.ess = math.Inf(1)
	for i := range len(rec.Draws().Names()) {
		t.ess = min(t.ess, diag.ESSBulk(rec.Draws().Element(i)))
	}
	for k, c := range res.Chains {
		all := float64(c.Evals)
		s := 0.0
		for _, info := range rec.Infos(k) {
			s += float64(info.Evals)
			t.accept += info.AcceptProb / (chains * length)
		}
		t.sampling += s
		t.warmup += all - s
		t.divergent += float64(c.Divergences)
	}
	return t, nil
}
