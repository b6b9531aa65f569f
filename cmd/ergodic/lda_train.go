package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/report"
)

type ldaTrainCmd struct {
	Corpus string `arg:"" optional:"" help:"The collection: UCI's docword, LDA-C, MALLET's lines, a document a line, CSV, a folder of texts, or a packed file; gzip or not."`
	ldaTrainFlags
	ldaCorpusFlags
	Sweeps        *int    `help:"Passes through all tokens (1000). With --resume a larger number extends a finished run." placeholder:"N"`
	EvaluateEvery *int    `help:"Evaluate the likelihood every N sweeps; 0: at the end (10)." placeholder:"N"`
	Seed          *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Out           string  `help:"The run's folder; default CORPUS-run, with a number when that exists." placeholder:"DIR"`
	resumable
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
	packed   bool
	warnings []string
	release  func()
	chains   []*lda.Training
	seen     ldaProgress
}

func (c *ldaTrainCmd) run(v *job.Notices) error {
	if err := c.check(ldaTrainJob, "a collection", c.Corpus != "", c.Out); err != nil {
		return err
	}
	t := &ldaTraining{Run: &job.Run{Name: ldaTrainJob, Version: version, Say: v}, cmd: c, began: time.Now(), release: func() {}}
	defer t.Close()
	defer func() { t.release() }()
	if err := t.open(); err != nil {
		return err
	}
	if k, n := *t.spec.Flags.Topics, len(t.corpus.Tokens); k > n {
		t.warnings = append(t.warnings, fmt.Sprintf("%s has %s, fewer than the %d topics, most of which stay empty", t.spec.Corpus.Name, wording.Count(n, "token", "tokens"), k))
	}
	for _, w := range t.warnings {
		v.Note(w)
	}
	// What reading left is given back, and hardly any garbage waits: sweeps leave none, and the arrays that a model has
	// are nothing for the collector to look through.
	debug.FreeOSMemory()
	defer debug.SetGCPercent(debug.SetGCPercent(trainGarbage))
	if !t.Resumed {
		if err := t.Create(outFolder(c.Out, strings.TrimSuffix(c.Corpus, ".gz")), c.Force, &t.spec); err != nil {
			return err
		}
	}
	scratch := "" // of a packed collection, which may be larger than memory
	if t.packed {
		scratch = t.Dir.Path()
	}
	var err error
	if t.chains, err = t.spec.trainings(t.corpus, cores(c.Threads), scratch); err != nil {
		return t.Refused(err)
	}
	return t.train()
}

// train runs the training in the folder.
func (t *ldaTraining) train() error {
	t.Announce(&t.spec, nil)
	show := progress.NewCounter(progress.Mode(t.cmd.Progress), os.Stderr, "training")
	defer show.Clear()
	if err := t.connect(show); err != nil { // before a finished run that cannot go on is touched
		return err
	}
	if err := t.Begin(&t.spec, t.extended, map[string]any{"corpus": t.spec.Corpus.Path}); err != nil {
		return err
	}
	ctx, stop := t.Interruptible("saving the state after this sweep")
	defer stop()
	err := lda.RunChains(ctx, t.chains, cores(t.cmd.Threads))
	show.Clear()
	switch {
	case job.WasInterrupted(err):
		return t.Ended(nil)
	case err != nil:
		return t.Failed(err, true)
	}
	return t.finish()
}

// connect gives the chains their files and what they tell, and restores those of a run that goes on.
func (t *ldaTraining) connect(show *progress.Counter) error {
	t.seen = ldaProgress{run: t.Run, show: show, chains: make([]ldaChainProgress, len(t.chains))}
	for i, c := range t.chains {
		name := "training"
		if i > 0 {
			name += "-" + strconv.Itoa(i+1)
		}
		c.File, c.Interval = filepath.Join(t.Dir.Checkpoint(), name), t.cmd.Checkpoint
		if t.Resumed {
			if err := c.Resume(); err != nil {
				return err
			}
		}
		t.seen.chains[i] = ldaChainProgress{sweeps: c.Model.Sweeps(), told: len(c.Trace())}
		c.Progress = func() { t.seen.tell(i, c) }
	}
	return nil
}

const (
	keyWords      = 30 // that topics.tsv has of a topic
	coherentWords = 10 // of a topic, whose coherence is computed
)

// ldaModelFile is what other commands read of a run.
const (
	ldaModelFile = "topics.model"
	ldaStateFile = "state.gz"
)

// finish writes the tables and the summary.
func (t *ldaTraining) finish() error {
	best := t.likeliest()
	r := ldareport.NewTraining(t.chains, best)
	state, err := t.tables(t.chains[best], r)
	if err != nil {
		return err
	}
	r.WallS, r.CPUS = milli(time.Since(t.began).Seconds()), milli(r.CPUS)
	s := &rundir.Summary{Ergodic: version, Job: ldaTrainJob, Origin: t.spec.Origin, Result: r, Warnings: r.Warnings(), Digests: []string{state},
		Input: rundir.Input{Data: []rundir.File{t.spec.Corpus.File()}},
		Run:   rundir.Run{Seed: t.spec.Seed, Threads: cores(t.cmd.Threads), WallS: r.WallS, CPUS: rundir.CPU{Sampling: r.CPUS}}}
	for _, w := range t.warnings {
		s.Warnings = append(s.Warnings, report.Warning{Code: "corpus", Message: w})
	}
	if err := t.Finish(s, map[string]any{"wall_s": r.WallS, "cpu_s": r.CPUS, "sweeps": r.Sweeps}); err != nil {
		return err
	}
	if t.cmd.JSON {
		return printJSON(r)
	}
	if err := r.Write(os.Stdout, t.cmd.screen()); err != nil {
		return err
	}
	t.Say.Warn(r.Warnings())
	return nil
}

// tables writes what a chain found, and adds the topics to the result. It returns the digest of the state, whose form has
// no room for a checksum.
func (t *ldaTraining) tables(c *lda.Training, r *ldareport.Training) (state string, err error) {
	debug.FreeOSMemory() // what the samplers had
	m, fitted := c.Model, c.Fitted()
	fitted.Stem, fitted.Phrases, fitted.Origin = given(t.spec.Reading.Stem, ""), given(t.spec.Reading.Phrases, 0), t.spec.Origin
	ranks := fitted.Rankings()
	diagnoses := ranks.Diagnose(m, coherentWords)
	r.AddTopics(ranks, diagnoses, t.corpus.Bag)
	sum := sha256.New()
	err = t.write([]table{
		{"topics.tsv", func(w io.Writer) error { return ranks.WriteTopics(w, keyWords, diagnoses) }},
		{"topic_words.tsv", m.WriteTopicWords},
		{"document_topics.tsv", m.WriteDocumentTopics},
		{ldaStateFile, func(w io.Writer) error { return m.WriteState(io.MultiWriter(w, sum)) }},
	})
	if err != nil {
		return "", err
	}
	// What follows takes memory, and needs neither the tokens nor their topics.
	t.chains, t.corpus = nil, nil
	debug.FreeOSMemory()
	err = t.write([]table{{"topics.html", func(w io.Writer) error { return r.WritePage(w, t.spec.title(), ranks, cores(t.cmd.Threads)) }}})
	if err != nil {
		return "", err
	}
	model, err := t.Dir.Output(ldaModelFile)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), fitted.WriteFile(model)
}

// table is a file of a run and what writes it.
type table struct {
	name  string
	write func(io.Writer) error
}

func (t *ldaTraining) write(tables []table) error {
	for _, f := range tables {
		if err := t.Dir.Write(f.name, f.write); err != nil {
			return err
		}
	}
	return nil
}

// likeliest is the chain whose last state has the greatest likelihood, the first of equals.
func (t *ldaTraining) likeliest() int {
	best, most := 0, math.Inf(-1)
	for i, c := range t.chains {
		if trace := c.Trace(); len(trace) > 0 && trace[len(trace)-1].LogLikelihood > most {
			best, most = i, trace[len(trace)-1].LogLikelihood
		}
	}
	return best
}
