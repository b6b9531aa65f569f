// Command hard runs ergodic sample on small programs that are hard for Markov chains and whose posteriors are known, each from
// many seeds, and says of each run whether it is right, or warned of, or wrong in silence.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

func main() {
	only := flag.String("only", "", "regular expression of the programs to run")
	program := flag.String("ergodic", "", "program to measure; built when empty")
	seeds := flag.Int("seeds", 20, "seeds of each")
	sampler := flag.String("sampler", "", "what --sampler asks for")
	verbose := flag.Bool("v", false, "print what is wrong of each run")
	flag.Parse()
	run.Main("hard", func(ctx context.Context, dir string) error {
		return all(ctx, dir, *program, *only, *sampler, *seeds, *verbose)
	})
}

func all(ctx context.Context, dir, program, only, sampler string, seeds int, verbose bool) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if program, err = run.Program(dir, program); err != nil {
		return err
	}
	fmt.Println(run.Machine())
	fmt.Printf("%-26s %5s %6s %6s %8s  %s\n", "program", "right", "warned", "silent", "CPU ms", "warnings of wrong runs (of right ones)")
	silent := 0
	for _, t := range targets() {
		if ctx.Err() != nil || !match.MatchString(t.name) {
			continue
		}
		c, err := t.count(ctx, dir, program, sampler, seeds, verbose)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		silent += c.silent
		fmt.Printf("%-26s %5d %6d %6d %8.0f  %s (%s)\n", t.name, c.right, c.warned, c.silent, c.cpu/float64(seeds), codes(c.ofWrong), codes(c.ofRight))
	}
	fmt.Printf("%d runs wrong in silence\n", silent)
	return ctx.Err()
}

// count is what became of the runs of a target.
type count struct {
	right, warned, silent int
	cpu                   float64        // milliseconds
	ofWrong, ofRight      map[string]int // runs with each warning
}

func codes(n map[string]int) string {
	var all []string
	for _, c := range slices.Sorted(maps.Keys(n)) {
		all = append(all, fmt.Sprintf("%s %d", c, n[c]))
	}
	return strings.Join(all, ", ")
}

func (t *target) count(ctx context.Context, dir, program, sampler string, seeds int, verbose bool) (count, error) {
	c := count{ofWrong: map[string]int{}, ofRight: map[string]int{}}
	job := run.Job{Model: filepath.Join(dir, "m.bug"), Data: []string{filepath.Join(dir, "d.R")}, Chains: 4, Warmup: 1000, Draws: 1000, Out: filepath.Join(dir, "run")}
	if sampler != "" {
		job.Samplers = []string{sampler}
	}
	files := map[string]string{"m.bug": t.program, "d.R": t.data}
	if t.inits != "" {
		files["i.R"] = t.inits
		job.Inits = []string{filepath.Join(dir, "i.R")}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600); err != nil {
			return c, err
		}
	}
	for seed := range seeds {
		job.Seed = uint64(seed + 1)
		s, usage, err := run.Sample(ctx, program, job)
		if err != nil {
			return c, err
		}
		c.cpu += float64(usage.CPU.Milliseconds())
		faults := t.faults(&s)
		seen := map[string]bool{}
		for _, w := range s.Warnings {
			seen[w.Code] = true
		}
		into := c.ofRight
		switch {
		case len(faults) == 0:
			c.right++
		case len(seen) > 0:
			c.warned++
			into = c.ofWrong
		default:
			c.silent++
		}
		for code := range seen {
			into[code]++
		}
		if verbose && len(faults) > 0 {
			fmt.Printf("  seed %d: %s [%s]\n", job.Seed, strings.Join(faults, "; "), strings.Join(slices.Sorted(maps.Keys(seen)), " "))
		}
	}
	return c, nil
}

// units is how many standard errors an estimate may be off.
const units = 4

// faults are the estimates that are off by more than that.
func (t *target) faults(s *run.Summary) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(t.laws)) {
		p, ok := s.Parameters[name]
		if !ok {
			return []string{"no " + name}
		}
		l := t.laws[name]
		off := func(what string, got *float64, want float64, se *float64) {
			switch {
			case got == nil:
				all = append(all, fmt.Sprintf("no %s of %s", what, name))
			case math.Abs(*got-want) > units*or(se, 0)+1e-9*math.Abs(want):
				all = append(all, fmt.Sprintf("%s of %s %.4g ± %.2g, not %.4g", what, name, *got, or(se, 0), want))
			}
		}
		off("mean", p.Mean, l.mean, p.MCSEMean)
		if l.discrete { // of 0 and 1: the mean says all
			continue
		}
		off("sd", p.SD, l.sd, p.MCSESD)
		// The standard error of the share of the law below an estimated quantile.
		share := func(what string, got, ess *float64, want float64) {
			below, se := l.below(or(got, math.NaN())), math.Sqrt(want*(1-want)/or(ess, math.NaN()))
			off(what, &below, want, &se)
		}
		share("share below the 5 % quantile", p.Q5, p.ESSTail, 0.05)
		share("share below the median", p.Median, p.ESSBulk, 0.5)
		share("share below the 95 % quantile", p.Q95, p.ESSTail, 0.95)
	}
	return all
}

func or(x *float64, other float64) float64 {
	if x == nil {
		return other
	}
	return *x
}
