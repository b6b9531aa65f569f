// Command logz measures what `ergodic rbm logz` says of the course's machines with its defaults, seed by seed: the
// error against the reference, whether the 95 % interval covers it, and the processor's seconds. The bars are those of
// the project: an error of at most 0.03 nats (h100) and 0.1 (h500), and covered, in nine seeds of ten.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// truth is a reference value with its own error, and the bar for the error of an estimate.
type truth struct {
	model          string
	logZ, se, most float64
	how            string
}

// truths of h100 and h500 are pools of a few hundred million sweeps of annealed populations (bench/logz.txt).
func truths() []truth {
	return []truth{
		{"h10", 226.1131548535, 0, 0.02, "exact"},
		{"h20", 221.0667896113, 0, 0.03, "exact"},
		{"h100", 348.4027, 0.0045, 0.03, "79 jobs of 2 to 3 million sweeps"},
		{"h500", 460.388, 0.006, 0.1, "21 jobs of 2 million sweeps"},
	}
}

func main() {
	models := flag.String("models", "h10,h20,h100,h500", "machines")
	seeds := flag.Uint64("seeds", 10, "seeds, from 1 on")
	method := flag.String("method", "auto", "auto sums h10 and h20 exactly")
	threads := flag.Int("threads", 1, "threads of a job")
	flag.Parse()
	run.Main("logz", func(ctx context.Context, dir string) error {
		return measure(ctx, dir, strings.Split(*models, ","), *seeds, *method, *threads)
	})
}

func measure(ctx context.Context, dir string, models []string, seeds uint64, method string, threads int) error {
	shared, err := run.Shared("rbm", "models")
	if err != nil {
		return err
	}
	program, err := run.Build(dir)
	if err != nil {
		return err
	}
	fmt.Printf("%s; ergodic rbm logz, method %s, %d thread a job\n", run.Machine(), method, threads)
	for _, model := range models {
		t, err := of(model)
		if err != nil {
			return err
		}
		if err := t.table(ctx, seeds, func(seed uint64) (run.Usage, string, error) {
			return run.Command(ctx, dir, program, "rbm", "logz", filepath.Join(shared, model+".mat"), "--json",
				"--method", method, "--seed", strconv.FormatUint(seed, 10), "--threads", strconv.Itoa(threads))
		}); err != nil {
			return err
		}
	}
	return nil
}

func of(model string) (truth, error) {
	for _, t := range truths() {
		if t.model == model {
			return t, nil
		}
	}
	return truth{}, fmt.Errorf("there is no machine %q here; there are h10, h20, h100 and h500", model)
}

// estimate is what the program prints as JSON.
type estimate struct {
	Method   string
	LogZ     float64 `json:"log_z"`
	SE       float64
	CI95     [2]float64
	Moves    int64
	Warnings []string
}

// table prints a row for each seed and counts against the bars.
func (t truth) table(ctx context.Context, seeds uint64, job func(seed uint64) (run.Usage, string, error)) error {
	fmt.Printf("\n%s, reference %.4f ± %.4f (%s)\nseed     log Z   error      se  95 %% interval      covers  sweeps  CPU s  warnings\n", t.model, t.logZ, t.se, t.how)
	var near, covered, squares, cpu float64
	for seed := uint64(1); seed <= seeds; seed++ {
		usage, out, err := job(seed)
		if err != nil {
			return err
		}
		var e estimate
		if err := json.Unmarshal([]byte(out), &e); err != nil {
			return fmt.Errorf("what ergodic printed: %w", err)
		}
		miss := e.LogZ - t.logZ
		in := e.CI95[0]-t.se <= t.logZ && t.logZ <= e.CI95[1]+t.se
		if math.Abs(miss) <= t.most {
			near++
		}
		if in {
			covered++
		}
		squares += miss * miss
		cpu += usage.CPU.Seconds()
		fmt.Printf("%4d  %.4f %7.4f  %.4f  %.3f %.3f  %6t  %5.2fM  %5.1f  %d\n",
			seed, e.LogZ, miss, e.SE, e.CI95[0], e.CI95[1], in, float64(e.Moves)/1e6, usage.CPU.Seconds(), len(e.Warnings))
	}
	n := float64(seeds)
	fmt.Printf("%s: within %v in %.0f of %.0f, covered in %.0f of %.0f, root mean square error %.4f, %.1f CPU seconds a job\n",
		t.model, t.most, near, n, covered, n, math.Sqrt(squares/n), cpu/n)
	return nil
}
