package main

import (
	"errors"
	"math"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/report"
)

// finish judges the draws, writes summary.json and prints the table.
func (s *sampling) finish(c *sampleCmd, set mcmc.Settings, res *mcmc.Result, started time.Time) error {
	r, err := draws.Open(s.dir.File(rundir.DrawsFolder))
	if err != nil {
		return err
	}
	j, err := report.Summarize(r, c.Threads)
	if err != nil {
		return err
	}
	sum := &rundir.Summary{Ergodic: version, Job: "sample", Parameters: j.Parameters, Warnings: j.Warnings}
	if sum.Input, err = s.spec.input(); err != nil {
		return err
	}
	for _, k := range samplers(s.loaded.plan) {
		sum.Samplers = append(sum.Samplers, rundir.Sampler(k))
	}
	sum.Run = rundir.Run{Seed: s.spec.Seed, Chains: s.spec.Chains, Warmup: s.spec.Warmup, Draws: s.spec.Draws, Thin: s.spec.Thin,
		Threads: set.WithDefaults().Threads, WallS: milli(time.Since(started).Seconds()),
		CPUS: rundir.CPU{Compile: milli(s.compiled), Warmup: milli(res.CPU.Warmup), Sampling: milli(res.CPU.Sampling)}}
	if err := s.dir.WriteSummary(sum); err != nil {
		return err
	}
	if err := s.dir.Log("done", map[string]any{"wall_s": sum.Run.WallS, "warnings": len(sum.Warnings)}); err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(sum)
	} else {
		err = printSummary(sum)
	}
	if err != nil {
		return err
	}
	if c.Strict && len(sum.Warnings) > 0 {
		return exitError{3, errors.New("ergodic: there are warnings, and --strict was given")}
	}
	return nil
}

// milli rounds seconds to a tenth of a millisecond.
func milli(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func (s *runSpec) input() (in rundir.Input, err error) {
	in.Model = filepath.Base(s.Model)
	if in.SHA256, err = fileHash(s.Model); err != nil {
		return in, err
	}
	hashed := func(files []string) (out []rundir.File, err error) {
		for _, f := range files {
			h, err := fileHash(f)
			if err != nil {
				return nil, err
			}
			out = append(out, rundir.File{Name: filepath.Base(f), SHA256: h})
		}
		return out, nil
	}
	if in.Data, err = hashed(s.Data); err != nil {
		return in, err
	}
	in.Inits, err = hashed(s.Inits)
	return in, err
}
