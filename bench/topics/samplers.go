package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// named is a sampler's trace.
type named struct {
	name string
	*training
}

// samplers trains with each for about thirty seconds of one core.
func (b *bench) samplers(ctx context.Context) (all []named, err error) {
	for _, s := range []struct {
		name   string
		sweeps int
	}{{"gibbs", 60}, {"sparse", 160}, {"alias", 40}, {"light", 100}, {"warp", 400}} {
		t, err := b.train(ctx, filepath.Join(b.corpora, "20news", "docword.txt.gz"), s.name, s.sweeps,
			"--topics", "100", "--sampler", s.name, "--threads", "1", "--evaluate-every", "2")
		if err != nil {
			return nil, err
		}
		all = append(all, named{s.name, t})
	}
	return all, nil
}

// levels are likelihoods per token that a sampler has to reach.
var levels = []float64{-9.5, -9.4, -9.3}

func samplerTable(all []named) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %6s %13s %15s", "sampler", "sweeps", "ms CPU/sweep", "tokens/CPU s")
	for _, l := range levels {
		fmt.Fprintf(&b, " %9s", fmt.Sprintf("to %.1f", l))
	}
	fmt.Fprintf(&b, " %10s\n", "at the end")
	for _, t := range all {
		fmt.Fprintf(&b, "%-8s %6d %13.0f %15s", t.name, t.Sweeps, 1000*t.CPU/float64(t.Sweeps), fmt.Sprintf("%.1f million", t.Speed/1e6))
		for _, l := range levels {
			fmt.Fprintf(&b, " %9s", reached(t.Trace, l))
		}
		fmt.Fprintf(&b, " %10.3f\n", t.LogLikelihood)
	}
	return b.String()
}

// reached is the processor time at the first evaluation that is at least so likely.
func reached(trace []score, level float64) string {
	for _, s := range trace {
		if s.LogLikelihood >= level {
			return fmt.Sprintf("%.1f s", s.CPU)
		}
	}
	return "–"
}
