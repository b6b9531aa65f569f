// Command users runs ergodic sample on programs as JAGS's users write them,
// compares the results with JAGS's long runs, and sets the least effective
// sample size per CPU second of both side by side.
package main

import (
	"cmp"
	"context"
	"errors"
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
	wall := flag.Duration("wall", 0, "time of a process after which a tenth of its length is tried; 0 for twice the CPU time, too short on a machine that does other work")
	third := flag.Duration("third", 0, "ask JAGS without its glm module about differences above 4, with a run of this CPU time")
	jags := flag.Bool("jags", false, "measure JAGS with its glm module too, in the same run, up to the same ESS and CPU time; without it JAGS's figures are those of the reference")
	verbose := flag.Bool("v", false, "print every difference above 4")
	flag.Parse()

	job := run.Job{Seed: *seed, Chains: *chains, Warmup: *warmup, Draws: *draws, Threads: *threads}
	effort := against.Effort{ESS: *ess, CPU: *cpu, Wall: cmp.Or(*wall, 2**cpu), MaxDraws: 200_000}
	run.Main("users", func(ctx context.Context, dir string) error {
		c := comparison{program: *program, only: *only, job: job, effort: effort, third: *third, jags: *jags, verbose: *verbose}
		return c.run(ctx, dir)
	})
}

// comparison is what to run.
type comparison struct {
	program, only string
	job           run.Job
	effort        against.Effort
	third         time.Duration
	jags, verbose bool
}

func (c comparison) run(ctx context.Context, dir string) error {
	match, err := regexp.Compile(c.only)
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
	if c.program, err = run.Program(dir, c.program); err != nil {
		return err
	}
	t := totals{verbose: c.verbose, measured: c.jags}
	fmt.Println(run.Machine())
	printHeader()
	for _, path := range files {
		if !match.MatchString(filepath.Base(filepath.Dir(path))) || ctx.Err() != nil {
			continue
		}
		if err := c.model(ctx, path, &t); err != nil {
			return err
		}
	}
	t.print(c.job, c.effort)
	return ctx.Err()
}

// model runs one program.
func (c comparison) model(ctx context.Context, path string, t *totals) error {
	dir := filepath.Dir(path)
	r, err := against.Load(path)
	if err != nil {
		return err
	}
	j := fill(c.job, dir, r)
	e := entry{name: filepath.Base(dir), reference: r, peer: referencePeer(r)}
	e.Outcome = against.Run(ctx, c.program, j, r, c.effort)
	if c.jags {
		j.Modules = []string{"glm"}
		if e.peer = against.JAGS(ctx, j, r, c.effort); errors.Is(e.peer.Err, run.ErrNoJAGS) {
			return e.peer.Err
		}
		j.Modules = nil
	}
	if c.third > 0 {
		if e.opinions, err = against.Third(ctx, j, e.Comparison, limit, c.third); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	t.add(e)
	return nil
}

// referencePeer is the run of the reference.
func referencePeer(r *against.Reference) against.Peer {
	return against.Peer{
		Least: against.Least{ESS: r.Meta.MinESS, Name: r.Meta.MinESSElements, Rhat: r.Meta.MaxRhat},
		Draws: r.Meta.DrawsPerChain,
		CPU:   time.Duration(r.Meta.CPU * float64(time.Second)),
	}
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
