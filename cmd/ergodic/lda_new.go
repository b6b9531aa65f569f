package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// ldaNewFlags are those of a job on documents that a model was not trained on.
type ldaNewFlags struct {
	Model  string `arg:"" name:"run" help:"Folder of a finished lda train, or its topics.model."`
	Corpus string `arg:"" help:"New documents, in any form that lda train reads, or a packed file. Words that the model does not have are left out."`
	ldaReadFlags
	Seed     *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Threads  int     `help:"Threads; 0 for all cores. The result does not depend on it."`
	Force    bool    `help:"Overwrite the file of --out."`
	Progress string  `help:"auto, json or none." enum:"auto,json,none" default:"auto"`
	JSON     bool    `help:"Print the result as JSON."`
}

// ldaNew is a job on new documents.
type ldaNew struct {
	name  string
	flags *ldaNewFlags
	say   *job.Notices
	seed  uint64
	began time.Time
	model *lda.Fitted
	docs  *corpus.Corpus
	done  func()
}

// ldaDocuments is what all results on new documents say of them.
type ldaDocuments struct {
	Documents int    `json:"documents"`
	Empty     int    `json:"empty"`   // documents without a token that the model knows
	Tokens    int64  `json:"tokens"`  // of the model's words
	Unknown   int64  `json:"unknown"` // tokens of other words
	Seed      uint64 `json:"seed"`
}

// open reads the model and the documents.
func (f *ldaNewFlags) open(name, out string, v *job.Notices) (*ldaNew, error) {
	if err := checkThreads(name, f.Threads); err != nil {
		return nil, err
	}
	if out != "" {
		if err := mayWrite(out, f.Force); err != nil {
			return nil, err
		}
	}
	n := &ldaNew{name: name, flags: f, say: v, seed: given(f.Seed, 0), began: time.Now()}
	var err error
	if n.model, err = readTopicModel(f.Model); err != nil {
		return nil, err
	}
	if n.docs, n.done, err = f.read(f.Corpus, n.model, v); err != nil {
		return nil, err
	}
	if f.Seed == nil {
		n.seed = systemSeed()
		v.Tell("start", fmt.Sprintf("seed %d", n.seed), map[string]any{"seed": n.seed})
	}
	return n, nil
}

// readTopicModel reads the model of a run, or of a file.
func readTopicModel(path string) (*lda.Fitted, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no run and no file %s", path)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return lda.ReadFitted(path)
	}
	var head job.Head
	switch err := rundir.ReadSpec(path, &head); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is not the folder of a run of %s: it has no %s", path, ldaTrainJob, rundir.SpecFile)
	case err != nil:
		return nil, err
	case head.Job != ldaTrainJob:
		return nil, fmt.Errorf("%s is the folder of a run of %s; a run of %s belongs here", path, wording.Brief(head.Job), ldaTrainJob)
	}
	f, err := modelOfRun(path)
	if err == nil && f.Origin != head.Origin {
		return nil, fmt.Errorf("%s is of another run than %s; restore both from one copy", filepath.Join(path, ldaModelFile), filepath.Join(path, rundir.SpecFile))
	}
	return f, err
}

// read reads documents over the model's vocabulary.
func (f *ldaReadFlags) read(path string, m *lda.Fitted, v *job.Notices) (c *corpus.Corpus, done func(), err error) {
	known, done := m.Vocabulary, func() {}
	if known == nil { // numbers are the names of words then
		known = make([]string, m.Words)
		for w := range known {
			known[w] = strconv.Itoa(w + 1)
		}
	}
	if corpus.IsPacked(path) {
		if *f != (ldaReadFlags{}) {
			return nil, nil, usage("lda: %s is packed, and says itself what its words are; leave out the flags of the collection", path)
		}
		p, err := corpus.OpenPacked(path)
		if err != nil {
			return nil, nil, err
		}
		done = func() { p.Close() }
		if c, err = p.KeepTo(known); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return c, done, namelessModel(err, m)
	}
	set := f.settings()
	set.Fixed = known
	set.Rules.Stem, set.Rules.Phrases.Rounds = m.Stem, m.Phrases
	c, warnings, err := corpus.ReadFile(path, set)
	if err != nil {
		if !strings.Contains(err.Error(), path) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, nil, namelessModel(err, m)
	}
	for _, w := range warnings {
		v.Note(w)
	}
	if m.Vocabulary == nil {
		c.Vocabulary = nil
	}
	return c, done, nil
}

// namelessModel adds to an error what may be behind it.
func namelessModel(err error, m *lda.Fitted) error {
	if err == nil || m.Vocabulary != nil {
		return err
	}
	return fmt.Errorf("%w\n  Note: the model was trained on a bag of words without a vocabulary, so that its words are numbers, from 1 to %d", err, m.Words)
}

// work runs a computation that Ctrl-C ends; doing is what its progress says.
func (n *ldaNew) work(doing string, do func(ctx context.Context, threads int, tell func(documents int, tokens int64)) error) error {
	show := progress.NewCounter(progress.Mode(n.flags.Progress), os.Stderr, doing+" tokens")
	defer show.Clear()
	ctx, stop := job.Interruptible(func() { n.say.Tell("interrupting", "stopping", nil) })
	defer stop()
	err := do(ctx, cores(n.flags.Threads), func(_ int, tokens int64) {
		show.Show(progress.Count{Done: int(tokens), Total: len(n.docs.Tokens), Moves: tokens})
	})
	if job.WasInterrupted(err) {
		show.Clear()
		return job.Exit{Code: job.Interrupted, Err: errors.New("interrupted: nothing is written")}
	}
	return err
}

// documents is what there is to say of the documents.
func (n *ldaNew) documents() ldaDocuments {
	d := ldaDocuments{Documents: n.docs.Len(), Tokens: int64(len(n.docs.Tokens)), Unknown: n.docs.LeftOut, Seed: n.seed}
	for i := range n.docs.Len() {
		if len(n.docs.Document(i)) == 0 {
			d.Empty++
		}
	}
	return d
}

// String says it to a person.
func (d *ldaDocuments) String() string {
	s := fmt.Sprintf("%s, %s", wording.Count(d.Documents, "document", "documents"), wording.Count(int(d.Tokens), "token", "tokens"))
	if d.Unknown > 0 {
		s += fmt.Sprintf("; the model does not know the words of %d more (%.1f %%), those that its training left out among them", d.Unknown, 100*float64(d.Unknown)/float64(d.Unknown+d.Tokens))
	}
	if d.Empty > 0 {
		s += fmt.Sprintf("; %s no word that it knows", wording.Count(d.Empty, "document has", "documents have"))
	}
	return s
}

// spent is the time of the job.
func (n *ldaNew) spent() (wall, cpu float64) {
	return milli(time.Since(n.began).Seconds()), milli(cputime.Process())
}
