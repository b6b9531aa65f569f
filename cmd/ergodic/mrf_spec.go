package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/mrfreport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mrf"
)

// mrfSpec is what is kept in the run's folder for --resume.
type mrfSpec struct {
	job.Head
	Model    job.Input   `json:"model" what:"model/models"`
	Evidence []job.Input `json:"evidence" what:"file of evidence/files of evidence"`
	Flags    mrfFlags    `json:"flags"`
	Steps    int         `json:"steps" resume:"grow"`
}

const mrfSteps = 200_000

var (
	mrfTasks   = []string{"mar", "pr", "map"}
	mrfMethods = []string{"auto", "exact", "tempered", "gibbs", "blocks"}
)

// mrfWork is inference with everything it needs.
type mrfWork struct {
	*job.Run
	cmd      *mrfInferCmd
	began    time.Time
	spec     mrfSpec
	extended bool
	model    *mrf.Model
	given    []*mrf.Conditional // the model given each sample of evidence
	state    mrfState
}

// mrfState is how far the work is: the results of the samples of evidence that are finished.
type mrfState struct {
	Origin  string              `json:"origin"`
	Steps   int                 `json:"steps"`
	Results []*mrfreport.Result `json:"results"`
}

const mrfStateFile = "state.json" // in the folder of checkpoints

// open finds what is asked for: from the flags, or from the folder of the run to resume.
func (w *mrfWork) open() (err error) {
	c := w.cmd
	now := mrfSpec{Head: job.Head{Ergodic: version, Job: mrfJob, Seed: given(c.Seed, 0)}, Flags: c.mrfFlags, Steps: given(c.Steps, mrfSteps)}
	var was mrfSpec
	if c.Resume != "" {
		if err := w.Reopen(c.Resume, &was); err != nil {
			return err
		}
		now.Head, now.Seed, now.Steps = was.Head, given(c.Seed, was.Seed), given(c.Steps, was.Steps)
	} else if c.Seed == nil {
		now.Seed = systemSeed()
	}
	if err := now.check(); err != nil {
		return err
	}
	if now.Model, err = job.ReadInput("model", orGiven(c.Model, was.Model.Path)); err != nil {
		return err
	}
	if now.Evidence, err = job.ReadAgain("evidence", c.Evid, was.Evidence); err != nil {
		return err
	}
	if c.Resume != "" {
		f := &now.Flags
		unask(&f.Method, was.Flags.Method, mrfMethods[0])
		unask(&f.Entries, was.Flags.Entries, 1<<30)
		unask(&f.Chains, was.Flags.Chains, 4)
		unask(&f.Tolerance, was.Flags.Tolerance, 0.02)
		if err := w.Same(&was, &now, nil); err != nil {
			return err
		}
		w.extended = now.Steps > was.Steps
		limit := now.Flags.Time
		if now.Flags = was.Flags; limit != nil {
			now.Flags.Time = limit
		}
	}
	w.spec = now
	flags := now.Flags
	flags.Time = nil // when to stop is not what to compute
	w.spec.Origin = rundir.Origin(now.Model.SHA256, job.Files(now.Evidence), flags, now.Seed)
	return w.mayWriteAll()
}

// check refuses what is wrong for every model.
func (s *mrfSpec) check() error {
	f := &s.Flags
	for _, task := range f.Task {
		if !slices.Contains(mrfTasks, task) {
			return usage("%s: --task %s: there are %s", mrfJob, wording.Quote(task), strings.Join(mrfTasks, ", "))
		}
	}
	if m := given(f.Method, "auto"); !slices.Contains(mrfMethods, m) {
		return usage("%s: --method %s: there are %s", mrfJob, wording.Quote(m), strings.Join(mrfMethods, ", "))
	}
	for _, n := range []struct {
		flag        string
		value       int
		least, most int
	}{{"chains", given(f.Chains, 4), 1, 1 << 10}, {"steps", s.Steps, 1, 1 << 40}} {
		if n.value < n.least || n.value > n.most {
			return usage("%s: --%s %d: it must be from %d to %d", mrfJob, n.flag, n.value, n.least, n.most)
		}
	}
	switch {
	case given(f.Method, "") == "exact" && (f.Chains != nil || f.Tolerance != nil || f.Time != nil):
		return usage("%s: --chains, --tolerance and --time do nothing for --method exact; leave them out", mrfJob)
	case f.Entries != nil && !slices.Contains([]string{"auto", "exact"}, given(f.Method, "auto")):
		return usage("%s: --entries does nothing for --method %s; leave it out", mrfJob, *f.Method)
	case f.Entries != nil && !(*f.Entries >= 1):
		return usage("%s: --entries %v: it must be at least 1", mrfJob, *f.Entries)
	case f.Tolerance != nil && !(*f.Tolerance > 0 && *f.Tolerance < 1):
		return usage("%s: --tolerance %v: it must be more than 0 and less than 1", mrfJob, *f.Tolerance)
	case f.Time != nil && *f.Time <= 0:
		return usage("%s: --time %v: it must be more than 0", mrfJob, *f.Time)
	}
	return nil
}

// asked tells whether a task is to be done.
func (s *mrfSpec) asked(task string) bool {
	return len(s.Flags.Task) == 0 || slices.Contains(s.Flags.Task, task)
}

// mayWriteAll refuses files that cannot be written before the work is done.
func (w *mrfWork) mayWriteAll() error {
	for _, f := range []struct{ flag, path, task string }{{"--write-mar", w.cmd.WriteMar, "mar"}, {"--write-pr", w.cmd.WritePr, "pr"}, {"--write-map", w.cmd.WriteMap, "map"}} {
		if f.path == "" {
			continue
		}
		if !w.spec.asked(f.task) {
			return usage("%s: %s needs --task %s", mrfJob, f.flag, f.task)
		}
		if m := given(w.spec.Flags.Method, ""); f.task == "pr" && (m == "gibbs" || m == "blocks") {
			return usage("%s: --write-pr: --method %s does not give log10 Z; exact and tempered do", mrfJob, m)
		}
		if err := mayWrite(f.path, w.cmd.Force || w.cmd.Resume != ""); err != nil {
			return err
		}
	}
	return nil
}

// load reads the model and the evidence, and what an earlier process has found.
func (w *mrfWork) load() (err error) {
	if w.model, err = mrf.Read(w.spec.Model.Name, w.spec.Model.Text); err != nil {
		return err
	}
	if err := w.condition(); err != nil || !w.Resumed {
		return err
	}
	err = w.Dir.ReadJSON(filepath.Join(rundir.CheckpointName, mrfStateFile), &w.state)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && w.state.Origin != w.spec.Origin:
		return fmt.Errorf("%s is of another run than %s; restore both from one copy", filepath.Join(w.Dir.Checkpoint(), mrfStateFile), w.Dir.File(rundir.SpecFile))
	case err == nil && w.spec.Steps > w.state.Steps: // what has converged is found again at once
		w.state.Results = nil
	}
	return err
}

// condition reads the evidence and conditions the model on each sample of it.
func (w *mrfWork) condition() error {
	evidence := []mrf.Evidence{{}}
	if len(w.spec.Evidence) > 0 {
		evidence = nil
	}
	for _, in := range w.spec.Evidence {
		all, err := mrf.ReadEvidence(in.Name, in.Text, w.model)
		if err != nil {
			return err
		}
		evidence = append(evidence, all...)
	}
	for _, text := range w.spec.Flags.Given {
		o, err := observation(w.model, text)
		if err != nil {
			return err
		}
		for k := range evidence {
			evidence[k] = append(slices.Clone(evidence[k]), o)
		}
	}
	for k, e := range evidence {
		c, err := w.model.Given(e)
		if w.given = append(w.given, c); err != nil {
			return w.of(k, err)
		}
	}
	return nil
}

// observation reads NAME=VALUE.
func observation(m *mrf.Model, text string) (o mrf.Observation, err error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return o, usage("%s: --given %s: it must be NAME=VALUE", mrfJob, wording.Quote(text))
	}
	o.Variable = m.Variable(name)
	if o.Variable < 0 {
		return o, fmt.Errorf("--given %s: there is no variable %s%s", wording.Quote(text), wording.Quote(name), nearest(name, m.Names, len(m.Cards)))
	}
	o.Value = m.Value(o.Variable, value)
	if o.Value < 0 {
		var values []string
		if o.Variable < len(m.Values) {
			values = m.Values[o.Variable]
		}
		return o, fmt.Errorf("--given %s: %s has no value %s%s", wording.Quote(text), wording.Quote(name), wording.Quote(value), nearest(value, values, m.Cards[o.Variable]))
	}
	return o, nil
}

// nearest says what might have been meant.
func nearest(name string, known []string, n int) string {
	if known == nil {
		return fmt.Sprintf("; there are 0 to %d", n-1)
	}
	if near := wording.Nearest(name, known); near != "" {
		return "; did you mean " + wording.Quote(near) + "?"
	}
	return "; there are " + wording.Few(known, 8)
}
