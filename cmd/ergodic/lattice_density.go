package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/latticereport"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/report"
)

// densityAlgorithm walks over energies instead of sampling at temperatures.
const densityAlgorithm = "wang-landau"

// checkDensity refuses flags that say nothing to Wang–Landau walkers.
func (s *simulating) checkDensity() error {
	f, c := &s.spec.Flags, s.cmd
	switch {
	case len(s.shapes) > 1:
		return usage("%s: --algorithm %s is for one size", s.Name, densityAlgorithm)
	case s.spec.Chains < 2:
		return usage("%s: --algorithm %s has a walker for each of --chains, whose differences are its errors: 2 or more", s.Name, densityAlgorithm)
	case math.IsInf(s.sim.Betas[len(s.sim.Betas)-1], 1):
		return usage("%s: --algorithm %s tells temperatures above 0", s.Name, densityAlgorithm)
	case s.field() || f.Disorder != nil:
		return usage("%s: --algorithm %s needs energies that are levels: one coupling and no field", s.Name, densityAlgorithm)
	case given(f.Tempering, false) || given(f.Correlation, false) || f.Start != nil || s.spec.Thin != 1 || c.Reweight != nil || c.Film != "" || c.Warmup != nil:
		return usage("%s: --tempering, --correlation, --start, --thin, --warmup, --reweight and --film are for algorithms that sample at a temperature", s.Name)
	}
	return nil
}

// density runs the walkers in the folder.
func (s *simulating) density() error {
	fields := map[string]any{"chains": s.spec.Chains, "sweeps": s.spec.Sweeps}
	s.Announce(&s.spec, fields)
	w := &lattice.WangLandau{Model: s.sim.Systems[0].Model, Walkers: s.spec.Chains, Sweeps: s.spec.Sweeps, Seed: s.spec.Seed, Threads: cores(s.cmd.Threads),
		File: filepath.Join(s.Dir.Checkpoint(), "walkers"), Interval: s.cmd.Checkpoint, Fingerprint: s.spec.Origin}
	if s.Resumed {
		if err := w.Resume(); err != nil {
			return err
		}
	}
	if err := s.Begin(&s.spec, s.extended, fields); err != nil {
		return s.Refused(err)
	}
	show := progress.NewCounter(progress.Mode(s.cmd.Progress), os.Stderr, "sweeps of walkers")
	defer show.Clear()
	sites := int64(w.Model.Graph.Sites())
	w.Progress = func(done, of int) { show.Show(progress.Count{Done: done, Total: of, Moves: int64(done) * sites}) }
	ctx, stop := s.Interruptible("saving the walkers")
	defer stop()
	before := cputime.Process()
	err := w.Run(ctx)
	show.Clear()
	switch {
	case job.WasInterrupted(err):
		s.spend()
		return s.Ended(nil)
	case err != nil:
		s.spend()
		return s.Failed(err, s.Resumed)
	}
	return s.densityFound(w, cputime.Process()-before)
}

// densityFound writes the density of states and what it says at the temperatures.
func (s *simulating) densityFound(w *lattice.WangLandau, cpu float64) error {
	s.spend()
	d, err := w.Result()
	if err != nil {
		return err
	}
	if err := s.Dir.Write("density.csv", func(to io.Writer) error { return latticereport.WriteDensityCSV(to, d) }); err != nil {
		return err
	}
	page := latticereport.DensityPlots("Density of states, "+s.names[0], d)
	if err := s.Dir.Write("density.png", func(to io.Writer) error { return page.Write(to, "png") }); err != nil {
		return err
	}
	warnings := append([]report.Warning{}, latticereport.DensityWarnings(d)...)
	var points []*latticereport.Point
	for _, beta := range s.sim.Betas {
		p := s.point(0, beta)
		p.Warmup, p.WallS, p.CPUS = 0, s.spec.WallS, milli(cpu)
		p.Density(d, beta)
		points = append(points, p)
	}
	var result any = points
	if len(points) == 1 {
		result = points[0]
	}
	sum := &rundir.Summary{Ergodic: version, Job: s.Name, Origin: s.spec.Origin, Result: result, Warnings: warnings, Input: rundir.Input{Data: job.Files(s.spec.Edges)},
		Run: rundir.Run{Seed: s.spec.Seed, Chains: s.spec.Chains, Draws: s.spec.Sweeps, Thin: 1, Threads: cores(s.cmd.Threads), WallS: s.spec.WallS, CPUS: rundir.CPU{Sampling: milli(cpu)}}}
	if err := s.Finish(sum, map[string]any{"wall_s": milli(time.Since(s.began).Seconds()), "cpu_s": milli(cpu), "warnings": len(warnings)}); err != nil {
		return err
	}
	if s.cmd.JSON {
		err = printJSON(result)
	} else {
		err = latticereport.WritePoints(os.Stdout, points, s.cmd.screen())
	}
	if err != nil {
		return err
	}
	s.Say.Warn(warnings)
	return warned(s.cmd.Strict, len(warnings))
}
