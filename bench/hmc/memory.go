package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// memory prints what sampling the largest model takes at its peak, beside a process that does nothing and the data as doubles.
func (b *bench) memory(ctx context.Context) error {
	for _, p := range programs() {
		if p.name != "logistic 10000x50" || !b.only.MatchString(p.name) {
			continue
		}
		idle, err := run.Execute(ctx, b.dir, b.program, "--version")
		if err != nil {
			return err
		}
		f, err := b.files(p) // after the idle process, whose peak counts what this one has
		if err != nil {
			return err
		}
		const data = 10000 * 51 * 8 >> 20
		took, err := run.Execute(ctx, b.dir, b.program, "sample", f.bug, "--data", f.data, "--sampler", "beta=nuts", "--seed", "1", "--warmup", "20", "--draws", "20",
			"--progress", "none", "--out", filepath.Join(b.dir, "memory"))
		if err != nil {
			return err
		}
		fmt.Printf("\npeak memory of %s by NUTS, 4 chains: %d MB, of which an idle process has %d and the data %d; %d above these (bar: 30)\n",
			p.name, took.PeakMB, idle.PeakMB, data, took.PeakMB-idle.PeakMB-data)
	}
	return nil
}
