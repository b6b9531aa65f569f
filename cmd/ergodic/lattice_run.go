package main

import (
	"fmt"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// simulating is a run on lattices with everything it needs.
type simulating struct {
	*job.Run
	cmd      *latticeRunFlags
	began    time.Time
	spec     latticeSpec
	extended bool // more sweeps are asked for than the run has been given
	sim      *lattice.Simulation
	asked    []float64          // inverse temperatures to reweight to
	names    []string           // of the systems
	shapes   []lattice.Geometry // of these, but for a graph
}

func (s *simulating) settings() mcmc.Settings {
	set := mcmc.Settings{Seed: s.spec.Seed, Chains: s.spec.Chains, Warmup: s.spec.Warmup, Draws: s.spec.Sweeps / s.spec.Thin, Thin: s.spec.Thin,
		Threads: s.cmd.Threads, Checkpoint: s.cmd.Checkpoint, Fingerprint: []mcmc.Ingredient{{Name: "what is sampled", Hash: s.spec.Origin}}}
	if set.Warmup == 0 {
		set.Warmup = -1 // zero stands for the default
	}
	return set
}

// simulate runs the chains in the folder.
func (s *simulating) simulate() error {
	fields := map[string]any{"chains": s.spec.Chains, "warmup": s.spec.Warmup, "sweeps": s.spec.Sweeps, "thin": s.spec.Thin}
	s.Announce(&s.spec, fields)
	s.watch()
	set := s.settings()
	w, err := s.prepare(fields)
	if err != nil {
		return s.Refused(err)
	}
	res, err := job.Sample[*lattice.Replicas](s.Run, s.sim, set, w, s.cmd.Progress, nil)
	switch {
	case job.WasInterrupted(err):
		s.spend()
		return s.Ended(nil)
	case err != nil:
		s.spend()
		moved := res != nil
		if err = s.Failed(err, moved); moved {
			err = fmt.Errorf("%w\n  %s", err, s.ResumeCommand())
		}
		return err
	}
	return s.finish(set, res)
}

// prepare makes the files of the run.
func (s *simulating) prepare(fields map[string]any) (*draws.Writer, error) {
	l := draws.Layout{Origin: s.spec.Origin, Chains: s.spec.Chains, Posterior: s.sim.Variables(), Stats: []string{draws.AcceptanceRate}}
	if err := draws.Fits(l.Posterior); err != nil {
		return nil, err
	}
	var r *draws.Reader
	if s.Resumed {
		// A folder that cannot be read is said where it is opened to be written.
		r, _ = draws.Open(s.Dir.File(rundir.DrawsFolder))
	}
	if err := s.Dir.NeedRoom(l.Forecast(r, 0, s.spec.Sweeps/s.spec.Thin)); err != nil {
		return nil, err
	}
	w, err := s.Dir.Draws(l, s.Resumed)
	if err != nil {
		return nil, err
	}
	return w, s.Begin(&s.spec, s.extended, fields)
}

// spend notes the time that this process took. A run whose folder cannot be written any more has worse troubles.
func (s *simulating) spend() {
	s.spec.WallS = milli(s.spec.WallS + time.Since(s.began).Seconds())
	_ = s.Dir.WriteJSON(rundir.SpecFile, &s.spec)
}
