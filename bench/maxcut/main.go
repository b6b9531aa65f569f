// Command maxcut measures the annealing of spins: speed and mean cut beside D-Wave's simulated annealer (dwave-samplers of PyPI), in turns in one
// run, the same sweeps and the default schedule of each; and the best of a time on all instances of the test material.
//
// Python's interpreter is $ERGODIC_PYTHON, or python3; without dwave-samplers in it the comparison is skipped.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/spins"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
)

// bench is the flags.
type bench struct {
	folder  string
	sweeps  int
	reads   int
	more    int
	repeat  int
	threads int
	seconds time.Duration
	long    time.Duration
	only    string
	peer    string // D-Wave's version
}

func main() {
	var b bench
	flag.IntVar(&b.sweeps, "sweeps", 1000, "of a read")
	flag.IntVar(&b.reads, "reads", 64, "of D-Wave's annealer")
	flag.IntVar(&b.more, "more", 16, "times as many for ergodic")
	flag.IntVar(&b.repeat, "repeat", 3, "turns; medians of times are printed")
	flag.IntVar(&b.threads, "threads", 2, "of searches by the clock")
	flag.DurationVar(&b.seconds, "time", 10*time.Second, "of a search")
	flag.DurationVar(&b.long, "long", 60*time.Second, "of a search where the bar allows as much")
	flag.StringVar(&b.only, "only", "", "part of the names of files")
	speed := flag.Bool("speed", true, "speed beside D-Wave's annealer")
	quality := flag.Bool("quality", true, "searches")
	flag.Parse()
	run.Main("maxcut", func(ctx context.Context, _ string) error {
		var err error
		if b.folder, err = run.Shared("anneal"); err != nil {
			return err
		}
		fmt.Println(run.Machine())
		if *speed {
			if err := b.speed(ctx); err != nil {
				return err
			}
		}
		if *quality {
			return b.quality(ctx)
		}
		return nil
	})
}

func (b *bench) read(name string) (*spins.Model, *spins.Instance, error) {
	path := filepath.Join(b.folder, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	m, err := spins.Read(path, text, spins.Auto)
	if err != nil {
		return nil, nil, err
	}
	in, err := spins.NewInstance(m)
	return m, in, err
}

// speed compares the annealers.
func (b *bench) speed(ctx context.Context) error {
	fmt.Printf("\n%d sweeps, default schedules, one thread; D-Wave %d reads, ergodic %d; medians of %d turns\n\n", b.sweeps, b.reads, b.reads*b.more, b.repeat)
	fmt.Printf("%-6s %26s %26s %8s %24s\n", "", "D-Wave, 10⁶ updates/CPU s", "ergodic, 10⁶ updates/CPU s", "ratio", "mean cut, D-Wave ergodic")
	for _, name := range []string{"G22", "G55", "G60", "G11"} {
		if !strings.Contains(name, b.only) {
			continue
		}
		if err := b.race(ctx, name); errors.Is(err, errMissing) {
			fmt.Printf("SKIPPED: %v\n", err)
			return nil
		} else if err != nil {
			return err
		}
	}
	fmt.Println("\ndwave-samplers", b.peer)
	return nil
}

func (b *bench) race(ctx context.Context, name string) error {
	m, in, err := b.read("gset/" + name + ".txt")
	if err != nil {
		return err
	}
	var theirs, ours, ratios, theirCuts, ourCuts []float64
	for turn := range b.repeat {
		p, err := b.dwave(ctx, m, turn+1)
		if err != nil {
			return err
		}
		began := cputime.Process()
		res, err := anneal.Run(ctx, in, anneal.Settings{Seed: uint64(turn), Sweeps: b.sweeps, Reads: b.reads * b.more})
		if err != nil {
			return err
		}
		cpu := cputime.Process() - began
		updates := float64(m.Variables) * float64(b.sweeps) / 1e6
		theirs, ours = append(theirs, updates*float64(b.reads)/p.CPU), append(ours, updates*float64(len(res.Reads))/cpu)
		ratios = append(ratios, ours[turn]/theirs[turn])
		theirCuts = append(theirCuts, p.Cuts...)
		for _, r := range res.Reads {
			ourCuts = append(ourCuts, in.Objective(r.Energy))
		}
	}
	fmt.Printf("%-6s %26.0f %26.0f %8.1f %15s %s\n", name, run.Median(theirs), run.Median(ours), run.Median(ratios), mean(theirCuts), mean(ourCuts))
	return nil
}

// mean is that of x, and its standard error.
func mean(x []float64) string {
	sum, square := 0.0, 0.0
	for _, v := range x {
		sum += v
	}
	n := float64(len(x))
	for _, v := range x {
		square += (v - sum/n) * (v - sum/n)
	}
	return fmt.Sprintf("%.1f±%.1f", sum/n, math.Sqrt(square/(n-1)/n))
}

type peer struct {
	Version string
	CPU     float64
	Cuts    []float64
}

var errMissing = errors.New("dwave-samplers is not installed for this Python: pip install dwave-samplers, or name another with ERGODIC_PYTHON")

// dwave runs D-Wave's annealer.
func (b *bench) dwave(ctx context.Context, m *spins.Model, seed int) (p peer, err error) {
	root, err := run.Root()
	if err != nil {
		return p, err
	}
	job := struct {
		Variables, Reads, Sweeps, Seed int
		I, J                           []int
		W                              []float64
	}{Variables: m.Variables, Reads: b.reads, Sweeps: b.sweeps, Seed: seed}
	for _, c := range m.Couplings {
		job.I, job.J, job.W = append(job.I, c.I), append(job.J, c.J), append(job.W, c.Value)
	}
	input, err := json.Marshal(job)
	if err != nil {
		return p, err
	}
	cmd := exec.CommandContext(ctx, run.Python(), filepath.Join(root, "bench", "maxcut", "dwave_driver.py"))
	cmd.Stdin = bytes.NewReader(input)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.Is(err, exec.ErrNotFound) || errors.As(err, &exit) && exit.ExitCode() == 3 {
		return p, errMissing
	}
	if err != nil {
		return p, fmt.Errorf("D-Wave's annealer: %w\n%s", err, stderr.String())
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return p, err
	}
	b.peer = p.Version
	return p, nil
}
