// Command users runs ergodic sample on programs as JAGS's users write them,
// compares the results with JAGS's long runs, and sets the least effective
// sample size per CPU second of both side by side.
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

func main() {
	only := flag.String("only", "", "regular expression of the models to run")
	program := flag.String("ergodic", "", "program to measure; built when empty")
	seed := flag.Uint64("seed", 1, "seed")
	chains := flag.Int("chains", 4, "chains")
	warmup := flag.Int("warmup", 1000, "warm-up iterations")
	draws := flag.Int("draws", 1000, "draws per chain of the first run")
	threads := flag.Int("threads", 0, "threads; 0 for all cores")
	ess := flag.Float64("ess", 1000, "extend a run until its least bulk ESS is this")
	cpu := flag.Duration("cpu", 60*time.Second, "CPU time per model")
	third := flag.Duration("third", 0, "ask JAGS without its glm module about differences above 4, with a run of this CPU time")
	verbose := flag.Bool("v", false, "print every difference above 4")
	flag.Parse()

	job := run.Job{Seed: *seed, Chains: *chains, Warmup: *warmup, Draws: *draws, Threads: *threads}
	effort := against.Effort{ESS: *ess, CPU: *cpu, Wall: 2 * *cpu, MaxDraws: 200_000}
	run.Main("users", func(ctx context.Context, dir string) error {
		return compare(ctx, dir, *program, *only, job, effort, *third, *verbose)
	})
}

func compare(ctx context.Context, dir string, program, only string, job run.Job, effort against.Effort, third time.Duration, verbose bool) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	shared, err := run.Shared("bugs", "users")
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(shared, "*", "reference.json"))
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
		dir := filepath.Dir(path)
		name := filepath.Base(dir)
		if !match.MatchString(name) || ctx.Err() != nil {
			continue
		}
		r, err := against.Load(path)
		if err != nil {
			return err
		}
		j := fill(job, dir, r)
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

// fill names the files of the entry in its job.
func fill(job run.Job, dir string, r *against.Reference) run.Job {
	job.Model = filepath.Join(dir, r.Meta.Model)
	for _, f := range r.Meta.Data {
		job.Data = append(job.Data, filepath.Join(dir, f))
	}
	if len(r.Meta.Inits) == 1 || len(r.Meta.Inits) == job.Chains {
		for _, f := range r.Meta.Inits {
			job.Inits = append(job.Inits, filepath.Join(dir, f))
		}
	} else if len(r.Meta.Inits) > 0 {
		job.Inits = []string{filepath.Join(dir, r.Meta.Inits[0])}
	}
	job.Monitor = r.Variables()
	return job
}

// errorLine keeps a table readable: the first line of a message without the
// folders.
func errorLine(err error) string {
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "ergodic: seed") || strings.HasPrefix(line, "seed ") || strings.HasPrefix(line, "note:") {
			continue
		}
		if i := strings.LastIndex(line, string(filepath.Separator)); i >= 0 && strings.Contains(line, ".bug:") {
			line = line[i+1:]
		}
		return line
	}
	return err.Error()
}
