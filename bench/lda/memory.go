package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// memory is the peak of whole runs of the program, reading and writing among them.
func (b *bench) memory(ctx context.Context) error {
	program, err := run.Build(b.dir)
	if err != nil {
		return err
	}
	none, err := run.Execute(ctx, b.dir, program, "lda", "train", "--help")
	if err != nil {
		return err
	}
	type row struct {
		c      *collection
		method string
		mb     float64
	}
	var rows []row
	for _, c := range b.collections {
		for _, method := range []string{"sparse", "light", "warp"} {
			out := filepath.Join(b.dir, "run")
			p, err := run.Execute(ctx, b.dir, program, "lda", "train", c.file, "--topics", strconv.Itoa(c.topics), "--sampler", method,
				"--sweeps", "5", "--evaluate-every", "0", "--threads", "1", "--progress", "none", "--seed", "1", "--out", out, "--force")
			if err != nil {
				return err
			}
			if p.Status != 0 {
				return fmt.Errorf("%s: %s", method, p.Stderr)
			}
			rows = append(rows, row{c, method, float64(p.PeakMB - none.PeakMB)})
		}
	}
	fmt.Printf("\npeak resident set of ergodic lda train, 5 sweeps, without the %d MB of ergodic lda train --help\n", none.PeakMB)
	fmt.Printf("%-12s %-8s %6s %14s %29s %20s\n", "", "", "MB", "bytes a token", "counts at the start, million", "12 B and 8 B are, MB")
	for _, r := range rows {
		if err := r.c.read(); err != nil {
			return err
		}
		m, err := r.c.model(1)
		if err != nil {
			return err
		}
		tokens, counts := float64(len(m.Topics())), float64(len(m.Counts().Entries))
		fmt.Printf("%-12s %-8s %6.0f %14.1f %29.2f %20.0f\n", r.c.name, r.method, r.mb, r.mb*(1<<20)/tokens, counts/1e6, (12*tokens+8*counts)/(1<<20))
	}
	return nil
}
