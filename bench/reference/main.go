// Command reference runs ergodic sample on the classic BUGS examples and
// compares every mean and standard deviation with JAGS's long runs.
package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/against"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// hard names the models whose single-site mixing is known to be slow: they
// must warn of it when they do not agree.
var hard = map[string]bool{"epil2": true, "epil3": true, "schools": true, "inhaler1": true, "cervix": true, "kidney": true}

func main() {
	only := flag.String("only", "", "regular expression of the models to run")
	program := flag.String("ergodic", "", "program to measure; built when empty")
	seed := flag.Uint64("seed", 1, "seed")
	chains := flag.Int("chains", 4, "chains")
	warmup := flag.Int("warmup", 1000, "warm-up iterations")
	draws := flag.Int("draws", 2000, "draws per chain of the first run")
	threads := flag.Int("threads", 0, "threads; 0 for all cores")
	ess := flag.Float64("ess", 4000, "extend a run until its least bulk ESS is this")
	cpu := flag.Duration("cpu", 60*time.Second, "CPU time per model")
	third := flag.Duration("third", 0, "ask JAGS without its glm module about differences above 4, with a run of this CPU time")
	verbose := flag.Bool("v", false, "print every difference above 4")
	flag.Parse()

	job := run.Job{Seed: *seed, Chains: *chains, Warmup: *warmup, Draws: *draws, Threads: *threads}
	effort := against.Effort{ESS: *ess, CPU: *cpu, Wall: 3 * *cpu, MaxDraws: 500_000}
	run.Main("reference", func(ctx context.Context, dir string) error {
		return compare(ctx, dir, *program, *only, job, effort, *third, *verbose)
	})
}

func compare(ctx context.Context, dir string, program, only string, job run.Job, effort against.Effort, third time.Duration, verbose bool) error {
	match, err := regexp.Compile("^(" + only + ")$")
	if only == "" {
		match, err = regexp.Compile("")
	}
	if err != nil {
		return err
	}
	shared, err := run.Shared("bugs")
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(shared, "reference", "*.json"))
	if err != nil {
		return err
	}
	if program, err = run.Program(dir, program); err != nil {
		return err
	}
	var t totals
	fmt.Println(run.Machine())
	printHeader()
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if !match.MatchString(name) || ctx.Err() != nil {
			continue
		}
		r, err := against.Load(path)
		if err != nil {
			return err
		}
		j, err := r.Fill(job, filepath.Join(shared, r.Meta.Dir))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		j.Monitor = r.Variables()
		o := against.Run(ctx, program, j, r, effort)
		var opinions []against.Opinion
		if third > 0 {
			if opinions, err = against.Third(ctx, j, o.Comparison, limit, third); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		t.add(name, r, o, opinions, verbose)
	}
	t.print(job, effort)
	return ctx.Err()
}
