package against

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// Effort bounds an adaptive run.
type Effort struct {
	ESS      float64       // least bulk ESS that is enough
	CPU      time.Duration // no extension is begun that would exceed it
	Wall     time.Duration // no process runs longer
	MaxDraws int           // per chain
}

// Outcome is an adaptive run and its comparison.
type Outcome struct {
	Comparison
	Summary run.Summary
	CPU     time.Duration // of all processes
	Wall    time.Duration // of the first, which is what a user waits for
	Err     error
}

// ESSPerCPU is the least ESS per second of user and system time, all processes
// from start to end included.
func (o Outcome) ESSPerCPU() float64 { return o.MinESS / o.CPU.Seconds() }

// Run samples with the job's own length, a tenth of it where that takes too
// long, then extends the run until the least ESS is enough or the effort is
// spent.
func Run(ctx context.Context, program string, j run.Job, r *Reference, e Effort) Outcome {
	dir, err := os.MkdirTemp("", "ergodic-bench")
	if err != nil {
		return Outcome{Err: err}
	}
	defer os.RemoveAll(dir)
	j.Out = dir + "/run"
	var out Outcome
	for {
		limited, cancel := context.WithTimeout(ctx, e.Wall)
		s, usage, err := run.Sample(limited, program, j)
		cancel()
		out.CPU += usage.CPU
		if !j.Resume {
			out.Wall = usage.Wall
		}
		if err != nil {
			if errors.Is(limited.Err(), context.DeadlineExceeded) && !j.Resume && j.Warmup >= 10*shortest {
				j.Warmup, j.Draws = j.Warmup/10, max(shortest, j.Draws/10)
				continue
			}
			// An extension that fails leaves the summary of the run before it.
			if !j.Resume || ctx.Err() != nil {
				out.Err = err
			}
			return out
		}
		out.Summary, out.Comparison = s, Compare(s, r)
		next := extended(j.Draws, out, e)
		if next <= j.Draws {
			out.Err = out.Comparison.measureTails(j.Out)
			return out
		}
		j.Draws, j.Resume = next, true
	}
}

// shortest is the least number of draws worth a summary.
const shortest = 50

// suspect is where a difference is looked at more closely.
const suspect = 3.5

// measureTails finds the Pareto shape of the draws of every suspect parameter.
func (c *Comparison) measureTails(dir string) error {
	if c.Over(suspect) == 0 {
		return nil
	}
	reader, err := draws.Open(filepath.Join(dir, "draws.zarr"))
	if err != nil {
		return err
	}
	set, err := reader.ReadGroup(draws.Posterior)
	if err != nil {
		return err
	}
	for i := range c.Differences {
		d := &c.Differences[i]
		if d.Z <= suspect {
			continue
		}
		name, ok := Element(d.Parameter, func(n string) bool { _, ok := set.Lookup(n); return ok })
		if !ok {
			continue
		}
		e, _ := set.Lookup(name)
		d.TailK = diag.ParetoK(set.Element(e), diag.BothTails)
	}
	return nil
}

// extended gives the draws per chain that should bring the least ESS to what
// is wanted, as far as the effort allows; the present number when none does.
func extended(draws int, o Outcome, e Effort) int {
	if o.MinESS >= e.ESS || math.IsInf(o.MinESS, 1) || o.MinESS <= 0 {
		return draws
	}
	const margin = 1.15
	want := float64(draws) * e.ESS / o.MinESS * margin
	// At most 8 times as long a step: early estimates of the ESS are poor.
	want = min(want, 8*float64(draws), float64(e.MaxDraws))
	perDraw := o.CPU.Seconds() / float64(draws)
	affordable := float64(draws) + (e.CPU-o.CPU).Seconds()/perDraw
	next := int(min(want, affordable))
	if next < draws+draws/10 {
		return draws
	}
	return next
}
