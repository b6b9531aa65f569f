package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

// rbmWork estimates log Z of machines by methods, one after the other.
type rbmWork struct {
	*job.Run  // without a folder nothing is kept unless the work is interrupted
	flags     rbmRunFlags
	spec      rbmSpec
	usual     []rbm.Estimator // methods unless told
	temp      string          // folder of checkpoints until then; "" for none
	unsaved   string          // why an interrupted run cannot be resumed; "" where it can
	machines  []*rbm.Model
	train     *rbm.Data // nil without
	test      *rbm.Data
	tasks     []rbm.Task
	state     rbmState
	saved     time.Time
	taskBegan time.Time // and the processor's time then
	cpu       float64
}

// load reads the machines and the data; all are sound before the first is
// worked on.
func (w *rbmWork) load() error {
	for _, in := range w.spec.Models {
		m, err := rbm.ReadModel(in.Name)
		if err != nil {
			return err
		}
		w.machines = append(w.machines, m)
	}
	for k, m := range w.machines {
		if v := w.machines[0].Visible; w.spec.Flags.Together && m.Visible != v {
			return fmt.Errorf("--together: %s has %s and %s %d", w.spec.Models[k].Name, wording.Count(m.Visible, "visible unit", "visible units"), w.spec.Models[0].Name, v)
		}
	}
	var err error
	if w.train, err = w.data(w.spec.Train); err != nil {
		return err
	}
	w.test, err = w.data(w.spec.Test)
	w.tasks = w.work().Tasks()
	return err
}

// work is what is to be estimated. A comparison leaves out what takes long.
func (w *rbmWork) work() rbm.Work {
	return rbm.Work{Machines: w.machines, Methods: w.spec.Methods, Joint: w.spec.Flags.Together, Quick: w.spec.Job == rbmCompareJob}
}

// data reads cases, which have to fit all machines; nil without a file.
func (w *rbmWork) data(file []job.Input) (*rbm.Data, error) {
	if len(file) == 0 {
		return nil, nil
	}
	in := file[0]
	d, err := w.spec.Data.read(in.Name, w.spec.Seed)
	if err != nil {
		return nil, err
	}
	for k, m := range w.machines {
		if err := d.Fits(m); err != nil {
			return nil, fmt.Errorf("%s for %s: %w", in.Name, w.spec.Models[k].Name, err)
		}
	}
	return d, nil
}

// run makes the estimates that are not yet there, method by method for each
// machine. Interrupted, it leaves those that are finished and what the task at
// hand says so far.
func (w *rbmWork) run(ctx context.Context) ([]*rbmreport.Estimate, error) {
	defer w.holdCheckpoints()()
	for k := len(w.state.Results); k < len(w.tasks); k = len(w.state.Results) {
		w.taskBegan, w.cpu, w.saved = time.Now(), cputime.Process(), time.Now()
		in, cancel := w.within(ctx)
		done, err := w.do(in, w.tasks[k])
		if outOfTime(ctx, in, err) {
			done, err = w.fitted(w.tasks[k], done, w.budget().Share()), nil
		}
		cancel()
		if err != nil {
			if job.WasInterrupted(err) {
				w.keepInterrupted()
			}
			if e := w.save(w.spent()); e != nil {
				return nil, e
			}
			for _, r := range done {
				r.Partial = true
			}
			return append(slices.Clone(w.state.Results), done...), err
		}
		w.state.Results = append(w.state.Results, done...)
		w.state.UsedS += w.spent().WallS
		if err := w.save(rbmSpent{}); err != nil {
			return nil, err
		}
		os.Remove(w.file(k)) // it may not be there
	}
	return w.state.Results, nil
}

// do makes the estimates of the task at hand.
func (w *rbmWork) do(ctx context.Context, t rbm.Task) ([]*rbmreport.Estimate, error) {
	file := w.spec.Models[t.Machines[0]].Name
	what := wording.Brief(filepath.Base(file))
	if len(t.Machines) > 1 {
		what = fmt.Sprintf("%d machines", len(t.Machines))
	}
	show := progress.NewCounter(progress.Mode(w.flags.Progress), os.Stderr, what+", "+string(t.Method))
	budget := w.budget()
	show.Whole = func(task time.Duration) time.Duration { return budget.Left(w.spent().WallS, task) }
	defer show.Clear()
	set, err := w.settings(t, show)
	if err != nil {
		return nil, err
	}
	all, err := t.LogZ(ctx, w.machines, set)
	if err != nil && len(t.Machines) == 1 && !job.WasInterrupted(err) {
		err = fmt.Errorf("%s: %w", file, err)
	}
	var results []*rbmreport.Estimate
	spent := w.spent()
	for k, e := range all {
		results = append(results, rbmreport.NewEstimate(w.spec.Models[t.Machines[k]].Name, e, milli(spent.WallS), milli(spent.CPUS)))
	}
	return results, err
}

// settings are those of a task.
func (w *rbmWork) settings(t rbm.Task, show *progress.Counter) (set rbm.LogZSettings, err error) {
	f := &w.spec.Flags
	set = rbm.LogZSettings{
		Settings:  path.Settings{Seed: w.spec.Seed, Runs: given(f.Runs, 0), Threads: w.flags.Threads},
		Geometric: f.Straight, Temperatures: given(f.Temperatures, 0), Particles: given(f.Particles, 0), Rounds: given(f.Rounds, 0),
		FromPrior: f.Prior, TAP: rbm.TAP{Order: f.Order, Damping: f.Damping},
	}
	if f.Damping == 0 {
		set.TAP.Damping = -1 // zero stands for the default
	}
	set.Particles = w.budget().Particles(w.machines, set)
	set.Progress = func(at path.Progress) {
		show.Show(progress.Count{Done: at.Done, Total: at.Total, Moves: at.Moves})
		w.keep()
	}
	if f.Schedule != "" {
		if set.Schedule, err = rbm.ParseSchedule(f.Schedule, path.Settings{Seed: w.spec.Seed, Threads: w.flags.Threads}); err != nil {
			return set, err
		}
	}
	switch f.Base {
	case "uniform":
		set.Base = make([]float64, w.machines[0].Visible)
	case "rates":
		set.Base = w.train.MarginalBiases()
	}
	if w.Dir == nil && w.temp == "" {
		return set, nil
	}
	fingerprint, err := json.Marshal([]any{w.spec.hashes(), t.Machines, t.Method, f, w.spec.Data})
	set.Checkpoint, set.Resume, set.Every = w.file(len(w.state.Results)), true, w.flags.Checkpoint
	set.Fingerprint = string(fingerprint)
	return set, err
}

// file keeps the runs of a task.
func (w *rbmWork) file(task int) string {
	folder := w.temp
	if w.Dir != nil {
		folder = w.Dir.Checkpoint()
	}
	return filepath.Join(folder, fmt.Sprintf("%d.path", task+1))
}

// summary is what summary.json says of the work.
func (w *rbmWork) summary(result any) *rundir.Summary {
	s := &rundir.Summary{Ergodic: version, Job: w.spec.Job, Origin: w.spec.Origin, Result: result, Warnings: []report.Warning{}}
	s.Input.Data = job.Files(slices.Concat(w.spec.Models, w.spec.Train, w.spec.Test))
	s.Run = rundir.Run{Seed: w.spec.Seed, Threads: cores(w.flags.Threads)}
	for _, r := range w.state.Results {
		s.Run.WallS += r.WallS
		s.Run.CPUS.Sampling += r.CPUS
		for _, text := range r.Warnings {
			s.Warnings = append(s.Warnings, report.Warning{Code: "logz", Parameter: r.Model + " " + r.Method, Value: r.LogZ, Message: text})
		}
	}
	return s
}
