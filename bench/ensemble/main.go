// Command ensemble sets the stretch ensemble beside that of emcee (PyPI) on a correlated
// normal density in five dimensions: ensemble steps per CPU second, both engines in one run,
// each keeping its draws in memory, with the moments and autocorrelation times of both.
//
// Python's interpreter is $ERGODIC_PYTHON, or python3; without emcee in it the comparison is
// skipped.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/ensemble"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func main() {
	walkers := flag.Int("walkers", 32, "walkers")
	dim := flag.Int("dim", 5, "dimensions")
	steps := flag.Int("steps", 10_000, "ensemble steps that emcee is timed on")
	more := flag.Int("more", 10, "times as many for ergodic")
	repeat := flag.Int("repeat", 3, "repetitions of the pair; each engine's fastest counts")
	flag.Parse()
	job := newNormal(*dim, *walkers, *steps)
	run.Main("ensemble", func(ctx context.Context, _ string) error { return compare(ctx, job, *more, *repeat) })
}

// normal is the target, with the covariance 0.5^|i−j| i j, whose inverse is tridiagonal but is
// used in full; and what both engines are told of the run.
type normal struct {
	Dim, Walkers, Warmup, Steps int
	Seed                        uint64
	Mean, Precision, SD         []float64
}

func newNormal(dim, walkers, steps int) *normal {
	n := &normal{Dim: dim, Walkers: walkers, Warmup: 1000, Steps: steps, Seed: 1, Precision: make([]float64, dim*dim)}
	for i := range dim {
		n.Mean = append(n.Mean, float64(i))
		n.SD = append(n.SD, float64(i+1))
		// The inverse of 0.5^|i−j| (the correlations of an autoregression).
		inner := 5.0 / 3
		if i == 0 || i == dim-1 {
			inner = 4.0 / 3
		}
		n.Precision[i*dim+i] = inner / float64((i+1)*(i+1))
		if i > 0 {
			off := -2.0 / 3 / float64(i*(i+1))
			n.Precision[i*dim+i-1], n.Precision[(i-1)*dim+i] = off, off
		}
	}
	return n
}

// LogDensity is −(x−μ)ᵀ P (x−μ)/2.
func (n *normal) LogDensity(x []float64) float64 {
	var room [16]float64
	d := room[:0]
	for i, m := range n.Mean {
		d = append(d, x[i]-m)
	}
	sum, rows := 0.0, n.Precision
	for _, v := range d {
		product := 0.0
		for j, p := range rows[:len(d)] {
			product += float64(p * d[j])
		}
		rows = rows[len(d):]
		sum += float64(product * v)
	}
	return -sum / 2
}

// outcome is one timed run of an engine.
type outcome struct {
	CPU, Acceptance float64
	Mean, SD, Tau   []float64
}

type peer struct {
	Version        string
	Scalar, Vector outcome
}

func compare(ctx context.Context, job *normal, more, repeat int) error {
	fmt.Println(run.Machine())
	fmt.Printf("stretch, %d walkers, normal in %d dimensions; emcee %d steps, ergodic %d, the fastest of %d runs each\n\n",
		job.Walkers, job.Dim, job.Steps, job.Steps*more, repeat)
	var ours, memory outcome
	var theirs peer
	for i := range repeat {
		p, err := emcee(ctx, job)
		if errors.Is(err, errMissing) {
			fmt.Printf("SKIPPED: %v\n", err)
			return nil
		}
		if err != nil {
			return err
		}
		o, err := ergodic(ctx, job, job.Steps*more)
		if err != nil {
			return err
		}
		m, err := inMemory(ctx, job, job.Steps*more)
		if err != nil {
			return err
		}
		if i == 0 {
			ours, memory, theirs = o, m, p
			continue
		}
		memory = faster(memory, m)
		ours, theirs.Scalar, theirs.Vector = faster(ours, o), faster(theirs.Scalar, p.Scalar), faster(theirs.Vector, p.Vector)
	}
	fmt.Printf("%-38s %12s %8s %8s %10s\n", "", "steps per", "ratio to", "accept-", "τ of x[1],")
	fmt.Printf("%-38s %12s %8s %8s %10s\n", "", "CPU second", "emcee's", "ance", "steps")
	best := max(rate(theirs.Scalar, job.Steps), rate(theirs.Vector, job.Steps))
	for _, row := range []struct {
		name  string
		o     outcome
		steps int
	}{
		{"emcee " + theirs.Version + ", density of a walker", theirs.Scalar, job.Steps},
		{"emcee " + theirs.Version + ", vectorized density", theirs.Vector, job.Steps},
		{"ergodic, draws kept as emcee keeps them", ours, job.Steps * more},
		{"ergodic, draws in mcmc.Memory", memory, job.Steps * more},
	} {
		per := rate(row.o, row.steps)
		tau := ""
		if row.o.Tau != nil {
			tau = fmt.Sprintf("%.1f", row.o.Tau[0])
		}
		fmt.Printf("%-38s %12.0f %8.1f %8.3f %10s\n", row.name, per, per/best, row.o.Acceptance, tau)
	}
	fmt.Printf("\n%-6s %9s %9s %9s   %9s %9s %9s\n", "", "mean", "emcee", "ergodic", "sd", "emcee", "ergodic")
	for i := range job.Dim {
		fmt.Printf("x[%d]   %9.3f %9.3f %9.3f   %9.3f %9.3f %9.3f\n", i+1,
			job.Mean[i], theirs.Vector.Mean[i], ours.Mean[i], job.SD[i], theirs.Vector.SD[i], ours.SD[i])
	}
	ratio := rate(ours, job.Steps*more) / best
	fmt.Printf("\nratio to the faster of emcee's two: %.1f (bar: 30)\n", ratio)
	return nil
}

func rate(o outcome, steps int) float64 { return float64(steps) / o.CPU }

func faster(a, b outcome) outcome {
	if b.CPU < a.CPU {
		return b
	}
	return a
}

var errMissing = errors.New("emcee is not installed for this Python: pip install emcee, or name another with ERGODIC_PYTHON")

func emcee(ctx context.Context, job *normal) (peer, error) {
	root, err := run.Root()
	if err != nil {
		return peer{}, err
	}
	input, err := json.Marshal(job)
	if err != nil {
		return peer{}, err
	}
	cmd := exec.CommandContext(ctx, run.Python(), filepath.Join(root, "bench", "ensemble", "emcee_driver.py"))
	// One thread: NumPy's libraries would burn CPU time on more for nothing at this size.
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	cmd.Stdin = bytes.NewReader(input)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.Is(err, exec.ErrNotFound) || errors.As(err, &exit) && exit.ExitCode() == 3 {
		return peer{}, errMissing
	}
	if err != nil {
		return peer{}, fmt.Errorf("emcee: %w\n%s", err, stderr.String())
	}
	var p peer
	return p, json.Unmarshal(out, &p)
}

// rows keeps draws as emcee's backend does: in one array of the size that the run will take.
type rows struct {
	all  []float64
	next int
}

func newRows(draws, width int) *rows { return &rows{all: make([]float64, draws*width)} }

func (r *rows) Append(_ int, _ bool, draw []float64, _ mcmc.Stat) error {
	r.next += copy(r.all[r.next:], draw)
	return nil
}
func (r *rows) Sync(int) ([]byte, error)             { return nil, nil }
func (r *rows) Truncate(int, int, int, []byte) error { return nil }
func (r *rows) Close() error                         { return nil }

// ergodic runs one ensemble through mcmc.Run on one thread, recording every walker in rows.
func ergodic(ctx context.Context, job *normal, steps int) (outcome, error) {
	width := job.Walkers * job.Dim
	rec := newRows(steps, width)
	o, err := timed(ctx, job, steps, func(*ensemble.Job, mcmc.Settings) (mcmc.Recorder, error) { return rec, nil })
	if err != nil {
		return outcome{}, err
	}
	for i := range job.Dim {
		walkers := make([][]float64, job.Walkers)
		var sum, square float64
		for w := range walkers {
			walkers[w] = make([]float64, steps)
			for t := range walkers[w] {
				x := rec.all[t*width+w*job.Dim+i]
				walkers[w][t] = x
				sum, square = sum+x, square+x*x
			}
		}
		mean := sum / float64(steps*job.Walkers)
		o.Mean = append(o.Mean, mean)
		o.SD = append(o.SD, math.Sqrt(square/float64(steps*job.Walkers)-mean*mean))
		o.Tau = append(o.Tau, diag.IntegratedTime(walkers).Tau)
	}
	return o, nil
}

// inMemory is the same with mcmc.Memory, which keeps a column an element and grows; only timed.
func inMemory(ctx context.Context, job *normal, steps int) (outcome, error) {
	return timed(ctx, job, steps, func(j *ensemble.Job, set mcmc.Settings) (mcmc.Recorder, error) {
		return mcmc.NewMemory(j.Variables(), set)
	})
}

func timed(ctx context.Context, job *normal, steps int, record func(*ensemble.Job, mcmc.Settings) (mcmc.Recorder, error)) (outcome, error) {
	set := mcmc.Settings{Seed: job.Seed, Chains: 1, Threads: 1, Warmup: job.Warmup, Draws: steps}
	j, err := ensemble.NewJob(ensemble.Job{
		Target: job, Dim: job.Dim, Walkers: job.Walkers,
		Init: func(_, _ int, r *rand.Rand, x []float64) {
			for i := range x {
				x[i] = job.Mean[i] + dist.StdNormal(r)
			}
		},
	}, set)
	if err != nil {
		return outcome{}, err
	}
	rec, err := record(j, set)
	if err != nil {
		return outcome{}, err
	}
	runtime.GC() // what earlier runs left is not this one's
	res, err := mcmc.Run(ctx, j, set, rec, nil)
	if err != nil {
		return outcome{}, err
	}
	return outcome{CPU: res.CPU.Sampling, Acceptance: res.Chains[0].AcceptProb}, nil
}
