package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/tsp"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
)

//go:embed simanneal_driver.py
var driver string

// peerSteps are those of simanneal in a turn, some seconds.
const peerSteps = 1_000_000

// speed compares moves a CPU second, in turns.
func (b *bench) speed(ctx context.Context) error {
	fmt.Println("moves a CPU second beside simanneal's exchanges of two cities, in turns, the same temperatures; lengths above the optimum in %")
	fmt.Printf("%-10s %6s %16s %8s %16s %8s %6s\n", "problem", "cities", "simanneal M/s", "above %", "ergodic M/s", "above %", "ratio")
	for _, name := range []string{"berlin52", "kroA100", "lin318", "pr1002"} {
		p, err := b.problem(name)
		if err != nil {
			return err
		}
		if err := b.turn(ctx, name, p); err != nil {
			return err
		}
	}
	return nil
}

// turn measures one problem.
func (b *bench) turn(ctx context.Context, name string, p *tsp.Problem) error {
	hot, cold := p.Temperatures()
	job, err := json.Marshal(map[string]any{"Points": p.Points(), "Hot": hot, "Cold": cold, "Steps": peerSteps, "Seed": 1})
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, run.Python(), "-c", driver)
	cmd.Stdin = bytes.NewReader(job)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if exit.ExitCode() == 3 {
			fmt.Printf("skipped: %s", exit.Stderr)
			return nil
		}
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return err
	}
	var peer struct {
		Version     string
		CPU, Length float64
	}
	if err := json.Unmarshal(out, &peer); err != nil {
		return err
	}
	began := cputime.Process()
	found, err := anneal.Run(ctx, p, anneal.Settings{Seed: 1, Reads: 1, Sweeps: 20_000_000 / p.Variables()})
	if err != nil {
		return err
	}
	cpu := cputime.Process() - began
	gap, err := b.above(name, p, found)
	if err != nil {
		return err
	}
	theirs, ours := peerSteps/peer.CPU/1e6, float64(found.Moves)/cpu/1e6
	fmt.Printf("%-10s %6d %16.3f %8.2f %16.1f %8.2f %6.1f\n", name, p.Variables(), theirs, 100*(peer.Length/b.best[name]-1), ours, gap, ours/theirs)
	return nil
}
