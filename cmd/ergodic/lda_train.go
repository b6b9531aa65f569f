package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/report"
)

type ldaTrainCmd struct {
	Corpus string `arg:"" optional:"" help:"The collection: UCI's docword, LDA-C, MALLET's lines, a document a line, CSV, a folder of texts, or a packed file; gzip or not."`
	ldaTrainFlags
	ldaCorpusFlags
	Sweeps        *int          `help:"Passes through all tokens (1000). With --resume a larger number extends a finished run." placeholder:"N"`
	EvaluateEvery *int          `help:"Evaluate the likelihood every N sweeps; 0: at the end (10)." placeholder:"N"`
	Seed          *uint64       `help:"64-bit seed; drawn from the system and printed when not given."`
	Threads       int           `help:"Threads; 0 for all cores. The topics do not depend on it."`
	Out           string        `help:"The run's folder; default CORPUS-run, with a number when that exists." placeholder:"DIR"`
	Force         bool          `help:"Overwrite a finished run."`
	Resume        string        `help:"Go on with an interrupted run." placeholder:"DIR"`
	Checkpoint    time.Duration `help:"How often state goes to disk." default:"30s"`
	Progress      string        `help:"auto, json or none." enum:"auto,json,none" default:"auto"`
	JSON          bool          `help:"Print the result as JSON."`
	wideFlag
}

const ldaTrainJob = "lda train"

// trainGarbage is the garbage that may wait while a model is trained, in percent of what is in use.
const trainGarbage = 5

// Run finds topics.
func (c *ldaTrainCmd) Run() error { return noticed(c.Progress, c.run) }

// ldaTraining is a training with everything it needs.
type ldaTraining struct {
	*job.Run
	cmd      *ldaTrainCmd
	began    time.Time
	spec     ldaTrainSpec
	extended bool
	corpus   *corpus.Corpus
	warnings []string
	release  func()
	run      *lda.Training
	told     int // scores
}

func (c *ldaTrainCmd) run(v *job.Notices) error {
	kept := rbmRunFlags{Threads: c.Threads, Out: c.Out, Force: c.Force, Resume: c.Resume, Checkpoint: c.Checkpoint}
	if err := kept.check(ldaTrainJob, "a collection", c.Corpus != ""); err != nil {
		return err
	}
	t := &ldaTraining{Run: &job.Run{Name: ldaTrainJob, Version: version, Say: v}, cmd: c, began: time.Now(), release: func() {}}
	defer t.Close()
	defer func() { t.release() }()
	if err := t.open(); err != nil {
		return err
	}
	for _, w := range t.warnings {
		v.Note(w)
	}
	// What reading left is given back, and hardly any garbage waits: sweeps leave none, and the arrays that a model has
	// are nothing for the collector to look through.
	debug.FreeOSMemory()
	defer debug.SetGCPercent(debug.SetGCPercent(trainGarbage))
	var err error
	if t.run, err = t.spec.training(t.corpus, rbmThreads(c.Threads)); err != nil {
		return err
	}
	if !t.Resumed {
		if err := t.Create(outFolder(c.Out, strings.TrimSuffix(c.Corpus, ".gz")), c.Force, &t.spec); err != nil {
			return err
		}
	}
	return t.train()
}

// train runs the training in the folder.
func (t *ldaTraining) train() error {
	t.Announce(&t.spec, nil)
	if err := t.Begin(&t.spec, t.extended, map[string]any{"corpus": t.spec.Corpus.Path}); err != nil {
		return err
	}
	show := progress.NewCounter(progress.Mode(t.cmd.Progress), os.Stderr, "training")
	defer show.Clear()
	t.run.File, t.run.Interval = filepath.Join(t.Dir.Checkpoint(), "training"), t.cmd.Checkpoint
	if t.Resumed {
		if err := t.run.Resume(); err != nil {
			return err
		}
	}
	t.told = len(t.run.Trace())
	t.run.Progress = func() { t.progress(show) }
	ctx, stop := t.Interruptible("saving the state after this sweep")
	defer stop()
	err := t.run.Run(ctx)
	show.Clear()
	switch {
	case job.WasInterrupted(err):
		return t.Ended(nil)
	case err != nil:
		return t.Failed(err, true)
	}
	return t.finish()
}

// progress tells how far the training is, and logs new evaluations.
func (t *ldaTraining) progress(show *progress.Counter) {
	trace := t.run.Trace()
	for ; t.told < len(trace); t.told++ {
		s := trace[t.told]
		// A log that cannot be written is noticed when the run ends.
		_ = t.Dir.Log("score", map[string]any{"sweep": s.Sweep, "cpu_s": milli(s.CPU), "log_likelihood_per_token": report.Number(s.LogLikelihood)})
	}
	sweeps, tokens := t.run.Model.Sweeps(), int64(len(t.corpus.Tokens))
	show.What = "sweeps"
	if n := len(trace); n > 0 {
		show.What += fmt.Sprintf(", log likelihood per token %.4f", trace[n-1].LogLikelihood)
	}
	show.Show(progress.Count{Done: sweeps, Total: t.run.Sweeps(), Moves: int64(sweeps) * tokens})
}

// keyWords is how many words topics.tsv has of a topic.
const keyWords = 30

// finish writes the tables and the summary.
func (t *ldaTraining) finish() error {
	m := t.run.Model
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"topics.tsv", func(w io.Writer) error { return m.WriteTopics(w, keyWords) }},
		{"topic_words.tsv", m.WriteTopicWords},
		{"document_topics.tsv", m.WriteDocumentTopics},
		{"state.gz", m.WriteState},
	} {
		if err := writeTo(t.Dir.File(f.name), f.write); err != nil {
			return err
		}
	}
	var names []string
	for _, p := range t.run.Phases {
		names = append(names, p.Method)
	}
	r := ldareport.NewTraining(t.run, strings.Join(names, ", then "))
	r.WallS, r.CPUS = milli(time.Since(t.began).Seconds()), milli(r.CPUS)
	s := &rundir.Summary{Ergodic: version, Job: ldaTrainJob, Origin: t.spec.Origin, Result: r, Warnings: []report.Warning{},
		Input: rundir.Input{Data: []rundir.File{t.spec.Corpus.File()}},
		Run:   rundir.Run{Seed: t.spec.Seed, Threads: rbmThreads(t.cmd.Threads), WallS: r.WallS, CPUS: rundir.CPU{Sampling: r.CPUS}}}
	for _, w := range t.warnings {
		s.Warnings = append(s.Warnings, report.Warning{Code: "corpus", Message: w})
	}
	if err := t.Finish(s, map[string]any{"wall_s": r.WallS, "cpu_s": r.CPUS, "sweeps": r.Sweeps}); err != nil {
		return err
	}
	if t.cmd.JSON {
		return printJSON(r)
	}
	return r.Write(os.Stdout, t.cmd.screen())
}

// writeTo writes a file of a run that is about to finish; one that was cut short is written again.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
