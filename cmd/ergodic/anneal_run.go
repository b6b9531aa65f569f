package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// annealWork is a search with everything it needs.
type annealWork struct {
	*job.Run
	cmd      *annealRunFlags
	problem  *annealProblem
	own      annealOwn
	began    time.Time
	spec     annealSpec
	extended bool
	instance *annealInstance
	initial  []float64
	label    string                 // before what is shown of the progress
	optimal  bool                   // no better value is possible
	tried    []annealreport.Attempt // with fewer and fewer colours
}

// load reads the instance, and the solution to start from.
func (w *annealWork) load() (err error) {
	if form := packed(w.spec.Instance.Text); form != "" {
		return fmt.Errorf("%s: %s", wording.Brief(w.spec.Instance.Name), form)
	}
	if w.instance, err = w.problem.read(w.spec.Instance.Name, w.spec.Instance.Text, &w.spec); err != nil {
		return err
	}
	for _, note := range w.instance.notes {
		w.Say.Note(note)
	}
	if len(w.spec.Init) == 0 {
		return nil
	}
	in := w.spec.Init[0]
	if w.initial, err = w.instance.read(in.Name, in.Text); err != nil {
		return err
	}
	if _, err := w.instance.Evaluate(w.initial); err != nil {
		return fmt.Errorf("%s: %w", wording.Brief(in.Name), err)
	}
	return nil
}

// packed says what to do with a file in a form that no reader takes; "": it is none of these.
func packed(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		return "the file is compressed by gzip; unpack it first: gunzip --keep FILE"
	case bytes.HasPrefix(text, []byte("DIMODBQM")):
		return "the file is in dimod's binary form; write the model as JSON (json.dump of its to_serializable()) or as COO"
	}
	return ""
}

// settings are those of the engine.
func (w *annealWork) settings() (set anneal.Settings, err error) {
	f := &w.spec.Flags
	set = anneal.Settings{Seed: w.spec.Seed, Threads: cores(w.cmd.Threads), Sweeps: given(f.Sweeps, 0), Reads: w.spec.Reads, Time: given(f.Time, 0),
		Stagnation: given(f.Stagnation, 0), Rungs: given(f.Rungs, 0), Size: given(f.Population, 0), Initial: w.initial,
		Checkpoint: filepath.Join(w.Dir.Checkpoint(), "reads"), Resume: w.Resumed, Fingerprint: w.spec.Origin, Every: w.cmd.Checkpoint}
	set.Schedule = anneal.Schedule{Hot: given(f.Hot, 0), Cold: given(f.Cold, 0), List: f.Temperatures}
	if f.Temperatures != nil {
		set.Schedule.Kind = anneal.Custom
	} else if f.Schedule != nil {
		if set.Schedule.Kind, err = anneal.ParseKind(*f.Schedule); err != nil {
			return set, err
		}
	}
	if f.Method != nil {
		if set.Method, err = anneal.ParseMethod(*f.Method); err != nil {
			return set, err
		}
	}
	if least := w.instance.least; least != nil {
		set.HasFloor, set.Floor = true, *least
		set.HasTarget, set.Target = set.Time > 0, *least // what is left of the time would be wasted
	}
	if f.Target != nil && w.instance.fewer == nil {
		set.HasTarget, set.Target = true, w.energy(*f.Target)
	}
	return set, nil
}

// energy is that of an objective, which is an affine function of it.
func (w *annealWork) energy(objective float64) float64 {
	zero := w.instance.Objective(0)
	return (objective - zero) / (w.instance.Objective(1) - zero)
}

// search does the work in the folder.
func (w *annealWork) search() error {
	set, err := w.settings()
	if err != nil {
		return w.Refused(err)
	}
	w.Announce(&w.spec, nil)
	if err := w.Begin(&w.spec, w.extended, map[string]any{"instance": w.spec.Instance.Path}); err != nil {
		return err
	}
	ctx, stop := w.Interruptible("saving the state")
	defer stop()
	res, err := w.compute(ctx, set)
	w.spend()
	switch {
	case job.WasInterrupted(err):
		if err := w.keepSoFar(res); err != nil {
			w.Say.Note(err.Error())
		}
		return w.Ended(nil)
	case err != nil:
		return w.Failed(fmt.Errorf("%s: %w", wording.Brief(w.spec.Instance.Name), err), false)
	}
	r, err := w.judge(set, res)
	if err != nil {
		return w.Failed(err, true)
	}
	if err := w.write(r, res); err != nil {
		return w.Failed(err, true)
	}
	return w.finish(r)
}

func (w *annealWork) compute(ctx context.Context, set anneal.Settings) (*anneal.Result, error) {
	show := progress.NewCounter(progress.Mode(w.cmd.Progress), os.Stderr, wording.Brief(filepath.Base(w.spec.Instance.Path)))
	defer show.Clear()
	set.Progress = func(at anneal.Progress) { show.Show(w.count(at)) }
	if w.instance.fewer != nil {
		return w.descend(ctx, set)
	}
	return anneal.Run(ctx, w.instance, set)
}

// count is what is shown of the progress.
func (w *annealWork) count(at anneal.Progress) progress.Count {
	c := progress.Count{Done: int(at.Sweeps), Total: int(at.OfSweeps), Moves: at.Moves}
	if at.OfTime > 0 {
		c.Done, c.Total = int(at.Elapsed/time.Millisecond), int(at.OfTime/time.Millisecond)
	}
	best := w.instance.Objective(at.Best)
	reads := fmt.Sprintf("%d reads done", at.Reads)
	if at.OfReads > 0 {
		reads = fmt.Sprintf("%d of %d reads done", at.Reads, at.OfReads)
	}
	c.Text = fmt.Sprintf("%sbest %s, %s, T %.3g, %.0f %% accepted", w.label, annealreport.Value(best), reads, at.Temperature, 100*at.Acceptance)
	c.Fields = map[string]any{"best": report.Number(best), "reads": at.Reads, "of_reads": at.OfReads, "sweeps": at.Sweeps, "of_sweeps": at.OfSweeps,
		"temperature": report.Number(at.Temperature), "acceptance": report.Number(at.Acceptance)}
	return c
}

// spend notes the time that this process took. A run whose folder cannot be written any more has worse troubles.
func (w *annealWork) spend() {
	w.spec.WallS = milli(w.spec.WallS + time.Since(w.began).Seconds())
	w.spec.CPUS = milli(w.spec.CPUS + cputime.Process())
	_ = w.Dir.WriteJSON(rundir.SpecFile, &w.spec)
}

// keepSoFar writes the best solution that an interrupted run has, and says what it is worth.
func (w *annealWork) keepSoFar(res *anneal.Result) error {
	if res == nil {
		return nil
	}
	value, err := w.instance.Evaluate(res.Solution)
	if err != nil {
		return err
	}
	solution := func(to io.Writer) error { return w.instance.write(to, res.Solution) }
	if err := w.Dir.Write(w.problem.solution, solution); err != nil {
		return err
	}
	files := filepath.Join(w.Dir.Path(), w.problem.solution)
	if w.cmd.Solution != "" {
		if err := writeTo(w.cmd.Solution, solution); err != nil {
			return err
		}
		files += " and " + w.cmd.Solution
	}
	w.Say.Note(fmt.Sprintf("best %s so far %s, in %s", w.value(), annealreport.Value(w.instance.Objective(value)), files))
	return nil
}

// value is what the objective is called.
func (w *annealWork) value() string { return cmp.Or(w.instance.value, w.problem.value) }

// judge is the result, its solution checked against the file as it was read.
func (w *annealWork) judge(set anneal.Settings, res *anneal.Result) (*annealreport.Result, error) {
	again, err := w.instance.Evaluate(res.Solution)
	if err != nil {
		return nil, fmt.Errorf("the solution that was found is none: %w; this is a bug, please report it", err)
	}
	if math.Abs(again-res.Best) > 1e-6*max(1, math.Abs(again)) {
		return nil, fmt.Errorf("the solution has the energy %v by the file, and %v as it was found; this is a bug, please report it", again, res.Best)
	}
	r := &annealreport.Result{Problem: w.problem.name, Instance: filepath.Base(w.spec.Instance.Path), Variables: w.instance.Variables(), Value: w.value(), Sign: 1,
		Checked: report.Number(w.instance.Objective(again)), Method: set.Method.String(), Schedule: set.Schedule.Kind.String(),
		Hot: report.Number(res.Hot), Cold: report.Number(res.Cold), Stopped: res.Stopped, MovesPerS: report.Number(math.Round(res.Rate)), Moves: res.Moves,
		WallS: w.spec.WallS, CPUS: w.spec.CPUS, BestKnown: report.Number(math.NaN())}
	if w.instance.Objective(1) < w.instance.Objective(0) {
		r.Sign = -1 // the greatest is the best
	}
	for i, name := range w.instance.names {
		r.At = append(r.At, annealreport.Coordinate{Name: name, Value: report.Number(res.Solution[i])})
	}
	r.Tried, r.Optimal = w.tried, w.optimal
	if least := w.instance.least; least != nil && w.instance.fewer == nil && again <= *least {
		r.Optimal = true
		if r.Stopped == "target" && w.spec.Flags.Target == nil {
			r.Stopped = "optimum"
		}
	}
	r.Best = r.Checked // the sum of a walk's changes may be off in the last digits
	if w.spec.Known != nil {
		r.BestKnown = report.Number(*w.spec.Known)
	}
	var energies []float64
	for _, x := range res.Reads {
		energies = append(energies, w.instance.Objective(x.Energy))
	}
	r.SetReads(res.Reads, energies)
	r.Warnings = w.warnings(r)
	return r, nil
}

func (w *annealWork) warnings(r *annealreport.Result) []report.Warning {
	list := []report.Warning{}
	if t := w.spec.Flags.Target; t != nil && r.Stopped != "target" {
		list = append(list, report.Warning{Code: "target", Value: r.Best, Message: fmt.Sprintf("the target %s was not reached; the best is %s", annealreport.Value(*t), annealreport.Value(float64(r.Best)))})
	}
	if n := w.spec.Reads; r.Reads < n && r.Stopped == "time" && len(r.Tried) == 0 {
		list = append(list, report.Warning{Code: "reads", Value: report.Number(r.Reads), Message: fmt.Sprintf("%d of the %d reads fitted into the time; --resume with a longer --time adds the others", r.Reads, n)})
	}
	return list
}

// write writes the solution and the pictures.
func (w *annealWork) write(r *annealreport.Result, res *anneal.Result) error {
	solution := func(to io.Writer) error { return w.instance.write(to, res.Solution) }
	if err := w.Dir.Write(w.problem.solution, solution); err != nil {
		return err
	}
	if err := w.Dir.Write("reads.csv", r.WriteReads); err != nil {
		return err
	}
	p := &annealreport.Pictures{Title: r.Title(), Value: r.Value, Best: float64(r.Best), Known: r.BestKnown}
	for _, e := range r.Energies {
		p.Reads = append(p.Reads, float64(e))
	}
	for _, t := range res.Traces {
		for i := range t.Energy {
			t.Energy[i], t.Best[i] = w.instance.Objective(t.Energy[i]), w.instance.Objective(t.Best[i])
		}
		p.Traces = append(p.Traces, t)
	}
	if w.instance.points != nil {
		p.Tour = w.instance.points(res.Solution)
	}
	path, err := w.Dir.Output(annealPicturesFile)
	if err != nil {
		return err
	}
	if err := w.Dir.WriteJSON(filepath.Base(path), p); err != nil {
		return err
	}
	for _, one := range p.All() {
		if err := w.Dir.Write(one.Name+".png", func(to io.Writer) error { return one.Page.Write(to, "png") }); err != nil {
			return err
		}
	}
	if w.cmd.Solution == "" {
		return nil
	}
	return writeTo(w.cmd.Solution, solution)
}

// annealPicturesFile has what pictures are drawn from.
const annealPicturesFile = "pictures.json"

// finish writes the summary and shows the result.
func (w *annealWork) finish(r *annealreport.Result) error {
	s := &rundir.Summary{Ergodic: version, Job: w.Name, Origin: w.spec.Origin, Result: r, Warnings: r.Warnings, Input: rundir.Input{Data: []rundir.File{w.spec.Instance.File()}},
		Run: rundir.Run{Seed: w.spec.Seed, Threads: cores(w.cmd.Threads), WallS: r.WallS, CPUS: rundir.CPU{Sampling: r.CPUS}}}
	if err := w.Finish(s, map[string]any{"wall_s": r.WallS, "cpu_s": r.CPUS, "warnings": len(r.Warnings)}); err != nil {
		return err
	}
	var err error
	if w.cmd.JSON {
		err = printJSON(r)
	} else {
		err = r.Write(os.Stdout, w.cmd.screen())
	}
	if err != nil {
		return err
	}
	w.Say.Warn(r.Warnings)
	return warned(w.cmd.Strict, len(r.Warnings))
}
