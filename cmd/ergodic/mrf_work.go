package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/mrfreport"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mrf"
)

// infer does all samples of evidence in the folder.
func (w *mrfWork) infer() error {
	w.Announce(&w.spec, nil)
	if err := w.Begin(&w.spec, w.extended, map[string]any{"model": w.spec.Model.Path}); err != nil {
		return err
	}
	ctx, stop := w.Interruptible("saving the state")
	defer stop()
	for k := len(w.state.Results); k < len(w.given); k++ {
		r, err := w.sample(ctx, k)
		if err != nil {
			if job.WasInterrupted(err) {
				return w.Ended(nil)
			}
			return w.Failed(err, k > 0)
		}
		w.state.Results = append(w.state.Results, r)
		w.state.Origin, w.state.Steps = w.spec.Origin, w.spec.Steps
		if err := w.Dir.WriteJSON(filepath.Join(rundir.CheckpointName, mrfStateFile), w.state); err != nil {
			return w.Failed(err, true)
		}
	}
	return w.finish()
}

// sample is the result for a sample of evidence.
func (w *mrfWork) sample(ctx context.Context, k int) (*mrfreport.Result, error) {
	began, cpu := time.Now(), cputime.Process()
	c := w.given[k]
	r := mrfreport.New(filepath.Base(w.spec.Model.Path), c)
	if len(w.given) > 1 {
		r.Sample = k + 1
	}
	show := progress.NewCounter(progress.Mode(w.cmd.Progress), os.Stderr, wording.Brief(r.Model))
	defer show.Clear()
	tree, why := w.tree(c)
	var err error
	switch method := given(w.spec.Flags.Method, "auto"); {
	case method == "exact" && why != nil:
		err = why
	case tree != nil:
		err = w.exact(ctx, c, tree, r, show)
	default:
		if why != nil {
			w.Say.Note(why.Error() + "; chains are run instead")
		}
		err = w.chains(ctx, k, c, r, show)
	}
	r.WallS, r.CPUS = milli(time.Since(began).Seconds()), milli(cputime.Process()-cpu)
	return r, w.of(k, err)
}

// of names the model in an error, and the sample of evidence where there are several.
func (w *mrfWork) of(k int, err error) error {
	switch {
	case err == nil || job.WasInterrupted(err):
		return err
	case len(w.given) > 1:
		return fmt.Errorf("%s, sample %d of the evidence: %w", w.spec.Model.Name, k+1, err)
	}
	return fmt.Errorf("%s: %w", w.spec.Model.Name, err)
}

// tree plans exact inference where it is asked for; the error says why it cannot be.
func (w *mrfWork) tree(c *mrf.Conditional) (*mrf.JunctionTree, error) {
	switch given(w.spec.Flags.Method, "auto") {
	case "auto", "exact":
	default:
		return nil, nil
	}
	t, err := mrf.NewJunctionTree(c.Model, given(w.spec.Flags.Entries, 0))
	if err == nil {
		err = memory.Room(t.Memory())
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// exact fills a result from a junction tree.
func (w *mrfWork) exact(ctx context.Context, c *mrf.Conditional, t *mrf.JunctionTree, r *mrfreport.Result, show *progress.Counter) error {
	width, entries := t.Width(), int64(t.Entries())
	r.Method, r.Width, r.Entries = "exact", &width, &entries
	tell := func(done float64) {
		show.Show(progress.Count{Done: int(1000 * done), Total: 1000, Moves: int64(done * t.Entries())})
	}
	logZ, err := math.NaN(), error(nil)
	switch {
	case w.spec.asked("mar"):
		var free [][]float64
		if logZ, free, err = t.Marginals(ctx, tell); err == nil {
			r.SetMarginals(c.Marginals(free))
		}
	case w.spec.asked("pr"):
		logZ, err = t.LogZ(ctx, tell)
	}
	if err != nil {
		return err
	}
	if w.spec.asked("pr") {
		r.SetLogZ(logZ, 0, true)
	}
	if w.spec.asked("map") {
		state, value, err := t.MAP(ctx, tell)
		if err != nil {
			return err
		}
		r.SetMAP(c.State(state), value, true)
	}
	return nil
}

// chains fills a result from chains, and from a search.
func (w *mrfWork) chains(ctx context.Context, k int, c *mrf.Conditional, r *mrfreport.Result, show *progress.Counter) error {
	r.Method = mrfMethod(given(w.spec.Flags.Method, "auto")).String()
	if w.spec.asked("mar") || w.spec.asked("pr") {
		if err := w.estimate(ctx, k, c, r, show); err != nil {
			return err
		}
	}
	if !w.spec.asked("map") {
		return nil
	}
	return w.search(ctx, k, c, r, show)
}

// estimate fills marginals and log Z.
func (w *mrfWork) estimate(ctx context.Context, k int, c *mrf.Conditional, r *mrfreport.Result, show *progress.Counter) error {
	f := &w.spec.Flags
	set := mrf.SampleSettings{Seed: w.spec.Seed, Chains: given(f.Chains, 0), Threads: cores(w.cmd.Threads), Method: mrfMethod(given(f.Method, "auto")), Steps: w.spec.Steps,
		Time: given(f.Time, 0), Tolerance: given(f.Tolerance, 0), Resume: w.Resumed, Every: w.cmd.Checkpoint}
	var err error
	if set.Checkpoint, set.Fingerprint, err = w.file("chains", k); err != nil {
		return err
	}
	set.Progress = func(at mrf.SampleProgress) { show.Show(progress.Count{Done: at.Steps, Total: at.Total}) }
	s, err := mrf.SampleMarginals(ctx, c.Model, set)
	if err != nil {
		return err
	}
	r.Chains, r.Steps = s.Chains, s.Steps
	r.Warnings = append(r.Warnings, s.Warnings...)
	if s.CPU > 0 {
		r.SetUpdates(s.Updates / s.CPU)
	}
	if w.spec.asked("mar") {
		r.SetSample(c, s)
	}
	if w.spec.asked("pr") {
		r.SetLogZ(s.LogZ, s.LogZSE, s.LogZConverged)
		if math.IsNaN(s.LogZ) {
			r.Warnings = append(r.Warnings, "this method does not give log10 Z; exact and tempered do")
		}
	}
	if w.spec.asked("map") && s.Best != nil {
		r.SetMAP(c.State(s.Best), s.BestDensity, false)
	}
	return nil
}

// search fills the most probable state, where one is found that is better than what chains have met.
func (w *mrfWork) search(ctx context.Context, k int, c *mrf.Conditional, r *mrfreport.Result, show *progress.Counter) (err error) {
	set := mrf.SearchSettings{Seed: w.spec.Seed, Threads: cores(w.cmd.Threads), Time: given(w.spec.Flags.Time, 0), Resume: w.Resumed, Every: w.cmd.Checkpoint}
	if set.Checkpoint, set.Fingerprint, err = w.file("search", k); err != nil {
		return err
	}
	show.What += ", search"
	set.Progress = func(at mrf.SearchProgress) { show.Show(progress.Count{Done: at.Rounds, Total: at.Total}) }
	m, err := mrf.Search(ctx, c.Model, set)
	if err != nil {
		return err
	}
	if value := m.LogDensity / math.Ln10; r.MAP == nil || value >= float64(r.MAPValue) {
		r.SetMAP(c.State(m.State), m.LogDensity, m.Exact)
	}
	if !m.Exact && m.Found < m.Chains {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d searches ended at the most probable state that was found: there may be one more probable", m.Found, m.Chains))
	}
	return nil
}

// file is the checkpoint of a part of a sample's work, and what it depends on.
func (w *mrfWork) file(part string, k int) (path, fingerprint string, err error) {
	b, err := json.Marshal([]any{w.spec.Origin, k})
	return filepath.Join(w.Dir.Checkpoint(), fmt.Sprintf("%s-%d", part, k+1)), string(b), err
}

func mrfMethod(name string) mrf.Method {
	switch name {
	case "gibbs":
		return mrf.SingleSite
	case "blocks":
		return mrf.BlockGibbs
	}
	return mrf.Tempered
}

const mrfMarginalsFile = "marginals.csv"

// finish writes the files and the summary, and shows the results.
func (w *mrfWork) finish() error {
	all := w.state.Results
	if err := w.write(all); err != nil {
		return err
	}
	warnings := mrfreport.AllWarnings(all)
	s := &rundir.Summary{Ergodic: version, Job: mrfJob, Origin: w.spec.Origin, Result: mrfResult(all), Warnings: warnings,
		Input: rundir.Input{Model: filepath.Base(w.spec.Model.Path), SHA256: w.spec.Model.SHA256, Data: job.Files(w.spec.Evidence)},
		Run:   rundir.Run{Seed: w.spec.Seed, Chains: all[0].Chains, Threads: cores(w.cmd.Threads), WallS: milli(time.Since(w.began).Seconds())}}
	for _, r := range all {
		s.Run.CPUS.Sampling += r.CPUS
	}
	if err := w.Finish(s, map[string]any{"wall_s": s.Run.WallS, "cpu_s": s.Run.CPUS.Sampling, "warnings": len(warnings)}); err != nil {
		return err
	}
	var err error
	if w.cmd.JSON {
		err = printJSON(s.Result)
	} else {
		err = mrfreport.Write(os.Stdout, all, ", in "+mrfMarginalsFile, w.cmd.screen())
	}
	if err != nil {
		return err
	}
	w.Say.Warn(warnings)
	return warned(w.cmd.Strict, len(warnings))
}

// mrfResult is one result, or the list of several.
func mrfResult(all []*mrfreport.Result) any {
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// write writes marginals.csv and the files that were asked for.
func (w *mrfWork) write(all []*mrfreport.Result) error {
	if w.spec.asked("mar") {
		if err := w.Dir.Write(mrfMarginalsFile, func(to io.Writer) error { return mrfreport.WriteCSV(to, all) }); err != nil {
			return err
		}
	}
	var marginals [][][]float64
	var logZ []float64
	var states [][]int
	missing := false
	for _, r := range all {
		marginals, logZ = append(marginals, r.Probabilities()), append(logZ, float64(r.Log10Z))
		missing = missing || math.IsNaN(float64(r.Log10Z))
		states = append(states, r.MAP)
	}
	if w.cmd.WritePr != "" && missing {
		return errors.New("log10 Z is not known, and is not written; exact and tempered give it")
	}
	for _, f := range []struct {
		path  string
		write func(io.Writer) error
	}{{w.cmd.WriteMar, func(to io.Writer) error { return mrf.WriteMAR(to, marginals) }}, {w.cmd.WritePr, func(to io.Writer) error { return mrf.WritePR(to, logZ) }},
		{w.cmd.WriteMap, func(to io.Writer) error { return mrf.WriteMAP(to, states) }}} {
		if f.path == "" {
			continue
		}
		if err := writeTo(f.path, f.write); err != nil {
			return err
		}
	}
	return nil
}
