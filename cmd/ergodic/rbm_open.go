package main

import (
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// rbmMost bounds what is counted, so that a mistyped number does not exhaust
// memory.
const rbmMost = 1 << 24

// check validates the flags of a new run.
func (w *rbmWork) check(models []string, train string) error {
	name, f := w.spec.Job, &w.spec.Flags
	if err := w.flags.check(name, "a machine", len(models) > 0, w.flags.Out); err != nil {
		return err
	}
	switch {
	case (f.Base == "rates") != (train != ""):
		return usage("%s: --base rates and --train FILE go together", name)
	case f.Together && !slices.ContainsFunc(w.spec.Methods, rbm.Estimator.Joint):
		return usage("%s: --together is for sams and samc", name)
	}
	for _, n := range []struct {
		flag string
		n    *int
	}{{"runs", f.Runs}, {"temperatures", f.Temperatures}, {"particles", f.Particles}, {"rounds", f.Rounds}} {
		if x := given(n.n, 1); x < 1 || x > rbmMost {
			return usage("%s: --%s %d: it must be from 1 to %d; leave it out for the method's default", name, n.flag, x, rbmMost)
		}
	}
	if err := w.spec.Data.check(); err != nil {
		return err
	}
	if f.Schedule == "" {
		return nil
	}
	if _, err := rbm.ParseSchedule(f.Schedule, path.Settings{}); err != nil {
		return usage("%s: --schedule %s: %w", name, wording.Brief(f.Schedule), err)
	}
	return nil
}

// open makes the folder of a new run, or opens that of the run to resume, and
// reads the inputs.
func (w *rbmWork) open(models []string, train, test string) (err error) {
	if err = w.check(models, train); err != nil {
		return err
	}
	if w.flags.Resume != "" {
		return w.reopen(models, train, test)
	}
	if err = w.checkMethods(); err != nil {
		return err
	}
	w.spec.Ergodic, w.spec.Seed = version, given(w.flags.Seed, systemSeed())
	if err = w.spec.readInputs(&rbmSpec{}, models, train, test); err != nil {
		return err
	}
	w.spec.Origin = w.spec.origin()
	if err := w.load(); err != nil {
		return err
	}
	if w.flags.Out == "" {
		return nil
	}
	return w.Create(w.flags.Out, w.flags.Force, &w.spec)
}

// announce says the seed that the system gave a new run, if anything depends
// on it. All that was asked for is known to be sound.
func (w *rbmWork) announce() {
	if w.flags.Seed == nil && w.flags.Resume == "" && (w.spec.Data.Draw || w.work().Random()) {
		w.Say.Tell("start", fmt.Sprintf("seed %d", w.spec.Seed), map[string]any{"seed": w.spec.Seed})
	}
}

// readInputs reads the files given, or else those that the run was started with.
func (s *rbmSpec) readInputs(was *rbmSpec, models []string, train, test string) (err error) {
	if s.Models, err = job.ReadAgain("machine's file", models, was.Models); err != nil {
		return err
	}
	if s.Train, err = job.ReadAgain("training data", one(train), was.Train); err != nil {
		return err
	}
	s.Test, err = job.ReadAgain("test data", one(test), was.Test)
	return err
}

func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// reopen opens the run to resume. What is given besides has to be what it was
// started with.
func (w *rbmWork) reopen(models []string, train, test string) (err error) {
	now := w.spec
	w.spec = rbmSpec{}
	if err = w.Reopen(w.flags.Resume, &w.spec); err != nil {
		return err
	}
	usual, err := usualRBMSpec(now.Job, w.usual)
	if err != nil {
		return err
	}
	now.Seed = given(w.flags.Seed, w.spec.Seed)
	usual.Seed = w.spec.Seed
	if err = now.readInputs(&w.spec, models, train, test); err != nil {
		return err
	}
	if err = w.Same(&w.spec, &now, &usual); err != nil {
		return err
	}
	w.spec.Models, w.spec.Train, w.spec.Test = now.Models, now.Train, now.Test
	w.spec.Origin = w.spec.origin()
	if err := w.readState(); err != nil {
		return err
	}
	return w.load()
}

// ended accounts for a run that did not come to its end.
func (w *rbmWork) ended(err error) error {
	switch {
	case !job.WasInterrupted(err):
		return w.Failed(err, len(w.state.Results) > 0)
	case w.Dir == nil || w.unsaved != "":
		w.Say.Tell("interrupted", "interrupted, and nothing is saved: "+w.unsaved, nil)
		return job.Exit{Code: job.Interrupted}
	}
	return w.Ended(nil)
}

// finish writes the summary.
func (w *rbmWork) finish(result any) error {
	if w.Dir == nil {
		return nil
	}
	s := w.summary(result)
	return w.Finish(s, map[string]any{"wall_s": s.Run.WallS, "cpu_s": s.Run.CPUS.Sampling})
}

// usualRBMSpec is what a command line without flags says.
func usualRBMSpec(name string, methods []rbm.Estimator) (s rbmSpec, err error) {
	var flags struct {
		rbmMethodFlags
		rbmDataFlags
	}
	p, err := kong.New(&flags)
	if err != nil {
		return s, err
	}
	_, err = p.Parse(nil)
	return rbmSpec{Head: job.Head{Job: name}, Methods: methods, Flags: flags.rbmMethodFlags, Data: flags.rbmDataFlags}, err
}
