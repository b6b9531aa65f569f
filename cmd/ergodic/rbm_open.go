package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// rbmMost bounds what is counted, so that a mistyped number does not exhaust
// memory.
const rbmMost = 1 << 24

// check validates the flags of a new run.
func (w *rbmWork) check(models []string, train string) error {
	job, f := w.spec.Job, &w.spec.Flags
	switch {
	case w.flags.Resume != "" && (w.flags.Out != "" || w.flags.Force):
		return usage("%s: --resume goes on in its own folder and keeps what is there; leave --out and --force out", job)
	case w.flags.Resume == "" && len(models) == 0:
		return usage("%s: name a machine, or a run to --resume", job)
	case w.flags.Checkpoint <= 0:
		return usage("%s: --checkpoint %v: it must be more than 0", job, w.flags.Checkpoint)
	case (f.Base == "rates") != (train != ""):
		return usage("%s: --base rates and --train FILE go together", job)
	case f.Together && !slices.ContainsFunc(w.spec.Methods, func(m string) bool { return slices.Contains(rbmTogether(), m) }):
		return usage("%s: --together is for sams and samc", job)
	}
	for _, n := range []struct {
		flag string
		n    *int
	}{{"runs", f.Runs}, {"temperatures", f.Temperatures}, {"particles", f.Particles}, {"rounds", f.Rounds}} {
		if x := given(n.n, 1); x < 1 || x > rbmMost {
			return usage("%s: --%s %d: it must be from 1 to %d; leave it out for the method's default", job, n.flag, x, rbmMost)
		}
	}
	if err := checkThreads(job, w.flags.Threads); err != nil {
		return err
	}
	if err := w.spec.Data.check(); err != nil {
		return err
	}
	_, err := rbmSchedule(job, f.Schedule, path.Settings{})
	return err
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
	if w.spec.Models, err = readInputs("machine's file", models); err != nil {
		return err
	}
	if w.spec.Train, err = readInputs("training data", one(train)); err != nil {
		return err
	}
	if w.spec.Test, err = readInputs("test data", one(test)); err != nil {
		return err
	}
	w.spec.Origin = w.spec.origin()
	if err := w.load(); err != nil {
		return err
	}
	if w.flags.Out == "" {
		return nil
	}
	return w.makeFolder(w.flags.Out, w.flags.Force)
}

func (w *rbmWork) makeFolder(path string, force bool) (err error) {
	if w.dir, err = rundir.Create(path, force); err != nil {
		return err
	}
	if err := os.MkdirAll(w.dir.Checkpoint(), 0o777); err != nil {
		return err
	}
	return w.dir.WriteJSON(rundir.SpecFile, w.spec)
}

// announce says the seed that the system gave a new run, if anything depends
// on it. All that was asked for is known to be sound.
func (w *rbmWork) announce() {
	if w.flags.Seed == nil && w.flags.Resume == "" && w.random() {
		w.notices.tell("start", fmt.Sprintf("seed %d", w.spec.Seed), map[string]any{"seed": w.spec.Seed})
	}
}

func (w *rbmWork) random() bool {
	if w.spec.Data.Draw {
		return true
	}
	summed := !slices.ContainsFunc(w.machines, func(m *rbm.Model) bool { return !m.Summable() })
	return slices.ContainsFunc(w.spec.Methods, func(m string) bool {
		return m != string(rbm.Exact) && !(m == string(rbm.Auto) && summed)
	})
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
	if w.dir, err = rundir.Resume(w.flags.Resume); err != nil {
		return err
	}
	asked := w.spec
	w.spec = rbmSpec{}
	if err := w.dir.ReadJSON(rundir.SpecFile, &w.spec); err != nil {
		return fmt.Errorf("%s cannot be resumed: %w", w.flags.Resume, err)
	}
	if w.spec.Job != asked.Job {
		return fmt.Errorf("%s cannot be resumed: it is a run of ergodic %s", w.flags.Resume, w.spec.Job)
	}
	usual, err := usualRBMSpec(asked.Job, w.usual)
	if err != nil {
		return err
	}
	if len(models) > 0 || train != "" || test != "" || w.flags.Seed != nil || !same(asked, usual) {
		return usage("%s: --resume goes on as the run was started; leave out what is not --threads, --checkpoint, --progress or --json", asked.Job)
	}
	for _, files := range []*[]input{&w.spec.Models, &w.spec.Train, &w.spec.Test} {
		old := *files
		if *files, err = again("file", old); err != nil {
			return err
		}
		if d := sameInputs("file", old, *files); d != "" {
			return fmt.Errorf("%s cannot be resumed: %s", w.flags.Resume, d)
		}
	}
	w.spec.Origin = w.spec.origin()
	if err := w.resume(); err != nil {
		return err
	}
	return w.load()
}

func (w *rbmWork) interrupting() {
	w.notices.tell("interrupting", "stopping; once more kills at once", nil)
}

func (w *rbmWork) close() {
	if w.dir != nil {
		w.dir.Close()
	}
}

// failed ends a run that did not come to its end.
func (w *rbmWork) failed(err error) error {
	if !interrupted(err) {
		if w.dir != nil && w.flags.Resume == "" && len(w.state.Results) == 0 {
			return errors.Join(err, w.dir.Discard())
		}
		return err
	}
	if w.dir == nil || w.unsaved != "" {
		w.notices.tell("interrupted", "interrupted, and nothing is saved: "+w.unsaved, nil)
	} else {
		resume := "ergodic " + w.spec.Job + " --resume " + quoted(w.dir.Path())
		w.notices.tell("interrupted", "interrupted; what is done is saved. Go on with:\n  "+resume, map[string]any{"resume": resume})
	}
	return exitError{code: exitInterrupted}
}

// finish writes the summary.
func (w *rbmWork) finish(result any) error {
	if w.dir == nil {
		return nil
	}
	return w.dir.WriteSummary(w.summary(result))
}

// usualRBMSpec is what a command line without flags says.
func usualRBMSpec(job string, methods []string) (s rbmSpec, err error) {
	var flags struct {
		rbmMethodFlags
		rbmDataFlags
	}
	p, err := kong.New(&flags)
	if err != nil {
		return s, err
	}
	_, err = p.Parse(nil)
	return rbmSpec{Job: job, Methods: methods, Flags: flags.rbmMethodFlags, Data: flags.rbmDataFlags}, err
}
