// Command alarms runs ergodic sample, as its users would, on all shared programs, and says which runs were warned of what: those programs converge, and few
// deserve a warning of their posterior's shape. It measures what the search for modes that no chain has met costs, too.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/against"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

func main() {
	only := flag.String("only", "", "regular expression of the models to run")
	program := flag.String("ergodic", "", "program to measure; built when empty")
	seed := flag.Uint64("seed", 1, "seed")
	warmup := flag.Int("warmup", 1000, "warm-up iterations")
	draws := flag.Int("draws", 1000, "draws per chain")
	wall := flag.Duration("wall", 2*time.Minute, "time of a run, after which it is given up")
	flag.Parse()
	s := survey{job: run.Job{Seed: *seed, Chains: 4, Warmup: *warmup, Draws: *draws}, wall: *wall, runs: map[string]int{}}
	run.Main("alarms", func(ctx context.Context, dir string) error { return s.all(ctx, dir, *program, *only) })
}

// survey is what became of the runs so far.
type survey struct {
	job   run.Job
	wall  time.Duration
	done  int
	late  []string
	runs  map[string]int // with each warning
	dear  []string       // whose probe took more than a tenth of the warm-up
	probe float64        // seconds, of all
	warm  float64
}

func (s *survey) all(ctx context.Context, dir, program, only string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	shared, err := run.Shared("bugs")
	if err != nil {
		return err
	}
	classic, err := filepath.Glob(filepath.Join(shared, "reference", "*.json"))
	if err != nil {
		return err
	}
	users, err := filepath.Glob(filepath.Join(shared, "users", "*", "reference.json"))
	if err != nil {
		return err
	}
	if program, err = run.Program(dir, program); err != nil {
		return err
	}
	fmt.Println(run.Machine())
	fmt.Printf("%-28s %8s %7s %6s  %s\n", "program", "warm-up", "probe", "share", "warnings")
	for k, path := range slices.Concat(classic, users) {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if k >= len(classic) {
			name = filepath.Base(filepath.Dir(path))
		}
		if ctx.Err() != nil || !match.MatchString(name) {
			continue
		}
		r, err := against.Load(path)
		if err != nil {
			return err
		}
		folder := filepath.Dir(path)
		if k < len(classic) {
			folder = filepath.Join(shared, r.Meta.Dir)
		}
		job, err := r.Fill(s.job, folder)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		job.Out = filepath.Join(dir, "run")
		if err := s.one(ctx, program, name, job); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	s.print()
	return ctx.Err()
}

// one runs a program.
func (s *survey) one(ctx context.Context, program, name string, job run.Job) error {
	limited, cancel := context.WithTimeout(ctx, s.wall)
	defer cancel()
	sum, _, err := run.Sample(limited, program, job)
	if err != nil {
		if limited.Err() == nil {
			return err
		}
		s.late = append(s.late, name)
		fmt.Printf("%-28s not done after %v\n", name, s.wall)
		return nil
	}
	probe, err := run.Probed(job.Out)
	if err != nil {
		return err
	}
	warm := sum.Run.CPU.Warmup
	s.done++
	s.probe += probe
	s.warm += warm
	if probe > 0.1*warm {
		s.dear = append(s.dear, fmt.Sprintf("%s %.0f of %.0f ms", name, 1000*probe, 1000*warm))
	}
	seen := map[string]int{}
	for _, w := range sum.Warnings {
		seen[w.Code]++
	}
	var codes []string
	for _, c := range slices.Sorted(maps.Keys(seen)) {
		s.runs[c]++
		codes = append(codes, fmt.Sprintf("%s %d", c, seen[c]))
	}
	fmt.Printf("%-28s %7.2fs %6.0fms %5.1f%%  %s\n", name, warm, 1000*probe, 100*probe/warm, strings.Join(codes, ", "))
	for _, w := range sum.Warnings {
		if shape(w.Code) {
			fmt.Printf("    %s: %s\n", w.Code, w.Message)
		}
	}
	return nil
}

// shape tells a warning of what the posterior is like; the others are of how well chains have done.
func shape(code string) bool {
	return !slices.Contains([]string{"rhat", "ess_bulk", "ess_tail", "stuck_chain", "khat", "sd_error", "divergences"}, code)
}

func (s *survey) print() {
	fmt.Printf("%d runs of 4 x (%d+%d) draws; the probe took %.1f %% of the CPU time of the warm-up of all\n", s.done, s.job.Warmup, s.job.Draws, 100*s.probe/s.warm)
	for _, c := range slices.Sorted(maps.Keys(s.runs)) {
		fmt.Printf("  runs with %s: %d\n", c, s.runs[c])
	}
	fmt.Printf("  probes of more than a tenth of the warm-up: %d %s\n", len(s.dear), strings.Join(s.dear, ", "))
	if len(s.late) > 0 {
		fmt.Printf("  given up: %s\n", strings.Join(s.late, ", "))
	}
}
