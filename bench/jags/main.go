// Command jags measures ergodic sample and JAGS, with or without its glm module, in
// one run: the same models, data, initial values, monitors and lengths, the
// same estimator of the effective sample size, and the user and system time
// of the whole process of each. It uses the jags on the PATH and installs
// nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/against"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/draws"
)

func main() {
	models := flag.String("models", "rats,pump,leuk,bones,seeds,stagnant2,dyes,line,litters", "models to measure")
	program := flag.String("ergodic", "", "program to measure; built when empty")
	seed := flag.Uint64("seed", 1, "seed of the first repetition")
	chains := flag.Int("chains", 4, "chains")
	warmup := flag.Int("warmup", 1000, "warm-up iterations (JAGS: its adaptation is a part of them)")
	length := flag.Int("draws", 10000, "draws per chain")
	repeat := flag.Int("repeat", 5, "repetitions; medians are printed")
	threads := flag.Int("threads", 1, "threads of ergodic")
	glm := flag.Bool("glm", false, "JAGS with its glm module")
	flag.Parse()

	job := run.Job{Seed: *seed, Chains: *chains, Warmup: *warmup, Draws: *length, Threads: *threads}
	if *glm {
		job.Modules = []string{"glm"}
	}
	run.Main("jags", func(ctx context.Context, dir string) error {
		err := measure(ctx, dir, *program, strings.Split(*models, ","), job, *repeat)
		if errors.Is(err, run.ErrNoJAGS) {
			fmt.Println(err)
			return nil
		}
		return err
	})
}

func measure(ctx context.Context, dir, program string, models []string, job run.Job, repeat int) error {
	shared, err := run.Shared("bugs")
	if err != nil {
		return err
	}
	if program, err = run.Program(dir, program); err != nil {
		return err
	}
	fmt.Println(run.Machine())
	fmt.Printf("%d chains, %d warm-up, %d draws a chain, medians of %d repetitions; CPU s: user and system of the whole process\n\n",
		job.Chains, job.Warmup, job.Draws, repeat)
	fmt.Printf("%-10s %34s   %34s   %18s %11s\n", "", "ergodic", "JAGS", "", "")
	fmt.Printf("%-10s %8s %-16s %8s   %8s %-16s %8s   %11s %6s %11s\n",
		"model", "CPU s", "least ESS", "per s", "CPU s", "least ESS", "per s", "ratio", "range", "first draw")
	var ratios []float64
	for _, name := range models {
		r, err := against.Load(filepath.Join(shared, "reference", name+".json"))
		if err != nil {
			return err
		}
		m, err := measureModel(ctx, program, fill(job, shared, r), r, repeat)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		m.print(name)
		ratios = append(ratios, run.Median(m.ratio))
	}
	fmt.Printf("\nleast ratio %.2f, median %.2f (bar: 2 on each, 4 in the median)\n", slices.Min(ratios), run.Median(ratios))
	fmt.Println("first draw: from the start of the program to the start of sampling, and to the end of a process with one draw,")
	fmt.Println("files and summary included; the quickest of the repetitions (bar: 50 ms)")
	return nil
}

func fill(job run.Job, shared string, r *against.Reference) run.Job {
	dir := filepath.Join(shared, r.Meta.Dir)
	job.Model = filepath.Join(dir, r.Meta.Model)
	for _, f := range r.Meta.Data {
		job.Data = append(job.Data, filepath.Join(dir, f))
	}
	for _, f := range r.Meta.Inits {
		job.Inits = append(job.Inits, filepath.Join(dir, f))
	}
	job.Monitor = r.Variables()
	return job
}

// sample is one run of one engine.
type sample struct {
	cpu, ess, perSecond float64
	worst               string // the element of least ESS
}

// measurement collects the repetitions of one model.
type measurement struct {
	ours, theirs []sample
	ratio        []float64
	begins, ends []float64 // milliseconds around the first draw
}

func measureModel(ctx context.Context, program string, j run.Job, r *against.Reference, repeat int) (*measurement, error) {
	m := new(measurement)
	for i := range repeat {
		j.Seed += uint64(i)
		ours, err := ergodic(ctx, program, j, r)
		if err != nil {
			return nil, err
		}
		theirs, err := jags(ctx, j, r)
		if err != nil {
			return nil, err
		}
		begins, ends, err := firstDraw(ctx, program, j)
		if err != nil {
			return nil, err
		}
		m.ours, m.theirs = append(m.ours, ours), append(m.theirs, theirs)
		m.ratio = append(m.ratio, ours.perSecond/theirs.perSecond)
		m.begins, m.ends = append(m.begins, begins), append(m.ends, ends)
	}
	return m, nil
}

func ergodic(ctx context.Context, program string, j run.Job, r *against.Reference) (sample, error) {
	dir, err := os.MkdirTemp("", "ergodic-bench")
	if err != nil {
		return sample{}, err
	}
	defer os.RemoveAll(dir)
	j.Out = filepath.Join(dir, "run")
	_, usage, err := run.Sample(ctx, program, j)
	if err != nil {
		return sample{}, err
	}
	// The draws on disk go through the same estimator as JAGS's.
	reader, err := draws.Open(filepath.Join(j.Out, "draws.zarr"))
	if err != nil {
		return sample{}, err
	}
	set, err := reader.ReadGroup(draws.Posterior)
	if err != nil {
		return sample{}, err
	}
	return judge(set, r, usage)
}

func jags(ctx context.Context, j run.Job, r *against.Reference) (sample, error) {
	dir, err := os.MkdirTemp("", "ergodic-bench")
	if err != nil {
		return sample{}, err
	}
	defer os.RemoveAll(dir)
	set, usage, err := run.JAGS(ctx, dir, j)
	if err != nil {
		return sample{}, err
	}
	return judge(set, r, usage)
}

func judge(set *draws.Set, r *against.Reference, usage run.Usage) (sample, error) {
	l, err := against.LeastESS(set, r)
	cpu := usage.CPU.Seconds()
	return sample{cpu: cpu, ess: l.ESS, perSecond: l.ESS / cpu, worst: l.Name}, err
}

// firstDraw measures the milliseconds from the start of the program to the
// start of sampling, as its log has it, and to the end of a process that makes
// one draw of each chain: the first draw lies between the two.
func firstDraw(ctx context.Context, program string, j run.Job) (begins, ends float64, err error) {
	dir, err := os.MkdirTemp("", "ergodic-bench")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	j.Out, j.Warmup, j.Draws = filepath.Join(dir, "run"), 0, 1
	start := time.Now()
	_, usage, err := run.Sample(ctx, program, j)
	if err != nil {
		return 0, 0, err
	}
	begun, err := run.Begun(j.Out)
	return milliseconds(begun.Sub(start)), milliseconds(usage.Wall), err
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (m *measurement) print(name string) {
	of := func(s []sample, f func(sample) float64) float64 {
		x := make([]float64, len(s))
		for i := range s {
			x[i] = f(s[i])
		}
		return run.Median(x)
	}
	cpu := func(s sample) float64 { return s.cpu }
	ess := func(s sample) float64 { return s.ess }
	per := func(s sample) float64 { return s.perSecond }
	lo, hi := slices.Min(m.ratio), slices.Max(m.ratio)
	fmt.Printf("%-10s %8.2f %6.0f %-9s %8.0f   %8.2f %6.0f %-9s %8.0f   %5.2f %5.2f–%-5.2f %5.0f–%.0f ms\n", name,
		of(m.ours, cpu), of(m.ours, ess), m.ours[0].worst, of(m.ours, per),
		of(m.theirs, cpu), of(m.theirs, ess), m.theirs[0].worst, of(m.theirs, per),
		run.Median(m.ratio), lo, hi, slices.Min(m.begins), slices.Min(m.ends))
}
