package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

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
		// Another process makes the data: the peak of one that this one starts counts what this one ever had.
		own, err := os.Executable()
		if err != nil {
			return err
		}
		text, err := exec.CommandContext(ctx, own, "-only", p.name, "-part", "data").Output()
		if err != nil {
			return err
		}
		dir := strings.TrimSpace(string(text))
		defer os.RemoveAll(dir)
		const data = 10000 * 51 * 8 >> 20
		took, err := run.Execute(ctx, b.dir, b.program, "sample", filepath.Join(b.root, "bench", "hmc", "models", p.bug+".bug"), "--data", filepath.Join(dir, p.name+".json"), "--sampler", "beta=nuts", "--seed", "1", "--warmup", "20", "--draws", "20",
			"--progress", "none", "--out", filepath.Join(b.dir, "memory"))
		if err != nil {
			return err
		}
		fmt.Printf("\npeak memory of %s by NUTS, 4 chains: %d MB, of which an idle process has %d and the data %d; %d above these (bar: 30)\n",
			p.name, took.PeakMB, idle.PeakMB, data, took.PeakMB-idle.PeakMB-data)
	}
	return nil
}

// writeData writes the data of the models to a folder, whose name it prints.
func (b *bench) writeData() (err error) {
	if b.dir, err = os.MkdirTemp("", "ergodic-bench"); err != nil {
		return err
	}
	for _, p := range programs() {
		if !b.only.MatchString(p.name) {
			continue
		}
		if _, err := b.files(p); err != nil {
			return err
		}
	}
	fmt.Println(b.dir)
	return nil
}
