package main

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// ldaTrainFlags determine the topics. A nil pointer is a flag not given: its default, or on --resume what the run was
// started with.
type ldaTrainFlags struct {
	Topics       *int     `help:"Topics to find." placeholder:"K" json:"topics,omitempty"`
	Sampler      *string  `help:"gibbs, sparse, alias or light: exact; warp: the fastest, approximate, because its counts are late by up to a sweep (sparse)." placeholder:"NAME" json:"sampler,omitempty"`
	Finish       *string  `help:"An exact sampler for the last sweeps, after those of warp." placeholder:"NAME" json:"finish,omitempty"`
	FinishSweeps *int     `help:"As many sweeps of it (100)." placeholder:"N" json:"finish_sweeps,omitempty"`
	Alpha        *string  `help:"Parameter of the documents' shares of topics, for each topic: a number, or 50/K (50/K)." placeholder:"A" json:"alpha,omitempty"`
	Beta         *float64 `help:"Parameter of the topics' shares of words (0.01)." placeholder:"B" json:"beta,omitempty"`
	Steps        *int     `help:"light, alias: proposals a token and kind (1)." placeholder:"N" json:"steps,omitempty"`
	Parts        *int     `help:"sparse: parts of the documents that learn of each other's topics after a sweep, so that threads can share the work; exact with 1, approximate with more (1)." placeholder:"N" json:"parts,omitempty"`
	Chains       *int     `help:"Chains from different starts, whose likelihoods are compared; the topics are those of the likeliest (1)." placeholder:"N" json:"chains,omitempty"`

	OptimizeInterval *int  `help:"Fit alpha, a number a topic, and beta to the topics every N sweeps; 0: never (0)." placeholder:"N" json:"optimize_interval,omitempty"`
	OptimizeBurnIn   *int  `help:"Sweeps before the first fit (200)." placeholder:"N" json:"optimize_burn_in,omitempty"`
	SymmetricAlpha   *bool `help:"Fit one alpha for all topics." json:"symmetric_alpha,omitempty"`

	AverageFrom  *int `help:"Let topics.model have the mean over states of the chain after N sweeps; default: its last state alone." placeholder:"N" json:"average_from,omitempty"`
	AverageEvery *int `help:"Sweeps from one such state to the next (10)." placeholder:"N" json:"average_every,omitempty"`
}

// ldaTrainSpec is what is kept in the run's folder for --resume.
type ldaTrainSpec struct {
	job.Head
	Corpus        job.Input      `json:"corpus" what:"collection/collections"`
	Sweeps        int            `json:"sweeps" resume:"grow"`
	EvaluateEvery int            `json:"evaluate_every"`
	Reading       ldaCorpusFlags `json:"reading"`
	Flags         ldaTrainFlags  `json:"flags"`
}

const (
	ldaSweeps         = 1000
	ldaFinishSweeps   = 100
	ldaEvery          = 10
	ldaOptimizeBurnIn = 200
	ldaAverageEvery   = 10
	ldaMostChains     = 1 << 10
)

// open reads the specification and the collection of a new run, or of that to resume.
func (t *ldaTraining) open() (err error) {
	c := t.cmd
	now := ldaTrainSpec{Head: job.Head{Ergodic: version, Job: ldaTrainJob, Seed: given(c.Seed, 0)}, Sweeps: given(c.Sweeps, ldaSweeps),
		EvaluateEvery: given(c.EvaluateEvery, ldaEvery), Reading: c.ldaCorpusFlags, Flags: c.ldaTrainFlags}
	var was ldaTrainSpec
	reading, path := &now.Reading, c.Corpus
	if c.Resume != "" {
		if err := t.Reopen(c.Resume, &was); err != nil {
			return err
		}
		now.Head, now.Seed = was.Head, given(c.Seed, was.Seed)
		now.Sweeps, now.EvaluateEvery = given(c.Sweeps, was.Sweeps), given(c.EvaluateEvery, was.EvaluateEvery)
		path = orGiven(path, was.Corpus.Path)
		if now.Reading == (ldaCorpusFlags{}) {
			reading = &was.Reading
		}
	} else if c.Seed == nil {
		now.Seed = systemSeed()
	}
	if err = now.check(); err == nil && c.Resume == "" {
		err = now.checkTogether()
	}
	if err != nil {
		return err
	}
	if err = t.read(reading, path, &now.Corpus); err != nil {
		return err
	}
	if c.Resume != "" {
		if err := t.Same(&was, &now, nil); err != nil {
			return err
		}
		if t.extended = now.Sweeps > was.Sweeps; t.extended && was.Flags.Finish != nil {
			return usage("%s: --sweeps cannot grow after the sweeps of --finish", ldaTrainJob)
		}
		now.Flags, now.Reading = was.Flags, was.Reading
	} else if now.Flags.Topics == nil {
		return usage("%s: how many topics? Give --topics", ldaTrainJob)
	}
	t.spec = now
	t.spec.Origin = rundir.Origin(now.Corpus.SHA256, now.Flags, now.Seed)
	return nil
}

// read reads the collection and notes what it is known by.
func (t *ldaTraining) read(how *ldaCorpusFlags, path string, in *job.Input) (err error) {
	if in.Path, err = filepath.Abs(path); err != nil {
		return err
	}
	in.Name = path
	c, digest, warnings, release, err := how.read(path)
	if err == nil {
		t.corpus, in.SHA256, t.warnings, t.release = c, digest, warnings, release
		t.packed = corpus.IsPacked(path)
	}
	return err
}

// check refuses what is wrong for every collection.
func (s *ldaTrainSpec) check() error {
	f := &s.Flags
	for _, n := range []struct {
		flag        string
		value       *int
		least, most int
	}{{"topics", f.Topics, 1, lda.MaxTopics}, {"finish-sweeps", f.FinishSweeps, 1, 1 << 30}, {"steps", f.Steps, 1, 1 << 10}, {"parts", f.Parts, 1, 1 << 10}, {"sweeps", &s.Sweeps, 1, 1 << 30},
		{"chains", f.Chains, 1, ldaMostChains}, {"optimize-interval", f.OptimizeInterval, 0, 1 << 30}, {"optimize-burn-in", f.OptimizeBurnIn, 0, 1 << 30},
		{"average-from", f.AverageFrom, 0, 1 << 30}, {"average-every", f.AverageEvery, 1, 1 << 30},
		{"evaluate-every", &s.EvaluateEvery, 0, 1 << 30}} {
		if x := given(n.value, n.least); x < n.least || x > n.most {
			return usage("%s: --%s %d: it must be from %d to %d", ldaTrainJob, n.flag, x, n.least, n.most)
		}
	}
	for _, n := range []struct {
		flag string
		name *string
	}{{"sampler", f.Sampler}, {"finish", f.Finish}} {
		if n.name != nil && !slices.Contains(lda.Methods(), *n.name) {
			return usage("%s: --%s %s: there are %s", ldaTrainJob, n.flag, wording.Quote(*n.name), strings.Join(lda.Methods(), ", "))
		}
	}
	if f.Beta != nil && !(*f.Beta > 0) {
		return usage("%s: --beta %v: it must be more than 0", ldaTrainJob, *f.Beta)
	}
	_, err := s.alpha()
	return err
}

// checkTogether refuses flags of a new run that do nothing beside the others.
func (s *ldaTrainSpec) checkTogether() error {
	f, r := &s.Flags, &s.Reading
	sampler, finish := given(f.Sampler, "sparse"), given(f.Finish, "")
	uses := func(names ...string) bool { return slices.Contains(names, sampler) || slices.Contains(names, finish) }
	interval, burnIn := given(f.OptimizeInterval, 0), given(f.OptimizeBurnIn, ldaOptimizeBurnIn)
	sweeps := s.Sweeps
	if f.Finish != nil {
		sweeps += given(f.FinishSweeps, ldaFinishSweeps)
	}
	switch {
	case f.FinishSweeps != nil && f.Finish == nil:
		return usage("%s: --finish-sweeps needs --finish", ldaTrainJob)
	case finish == "warp":
		return usage("%s: --finish warp: it must be an exact sampler", ldaTrainJob)
	case given(f.Parts, 1) > 1 && !uses("sparse"):
		return usage("%s: --parts is for sparse", ldaTrainJob)
	case f.Steps != nil && !uses("light", "alias"):
		return usage("%s: --steps is for light and alias", ldaTrainJob)
	case (f.OptimizeBurnIn != nil || f.SymmetricAlpha != nil) && interval == 0:
		return usage("%s: --optimize-burn-in and --symmetric-alpha need --optimize-interval", ldaTrainJob)
	case interval > 0 && burnIn+interval > sweeps:
		return usage("%s: --optimize-interval %d after a burn-in of %d sweeps never comes in %d sweeps; lower --optimize-burn-in", ldaTrainJob, interval, burnIn, sweeps)
	case f.AverageEvery != nil && f.AverageFrom == nil:
		return usage("%s: --average-every needs --average-from", ldaTrainJob)
	case f.AverageFrom != nil && *f.AverageFrom+given(f.AverageEvery, ldaAverageEvery) > sweeps:
		return usage("%s: --average-from %d: no state of the %d sweeps is averaged, for the first would be after %d", ldaTrainJob, *f.AverageFrom, sweeps, *f.AverageFrom+given(f.AverageEvery, ldaAverageEvery))
	case (r.PhraseCount != nil || r.PhraseNPMI != nil) && given(r.Phrases, 0) == 0:
		return usage("%s: --phrase-count and --phrase-npmi need --phrases", ldaTrainJob)
	}
	return nil
}

// title is what the collection is called: its file without what tells the format, or the folder of one that is called docword.
func (s *ldaTrainSpec) title() string {
	name := strings.TrimSuffix(filepath.Base(s.Corpus.Path), ".gz")
	name = strings.TrimPrefix(strings.TrimSuffix(name, filepath.Ext(name)), "docword.")
	if name == "" || name == "docword" {
		return filepath.Base(filepath.Dir(s.Corpus.Path))
	}
	return name
}

// alpha is the parameter of the documents' shares.
func (s *ldaTrainSpec) alpha() ([]float64, error) {
	text := given(s.Flags.Alpha, "50/K")
	number, byTopic := strings.CutSuffix(strings.ToUpper(text), "/K")
	a, err := strconv.ParseFloat(number, 64)
	if err != nil || !(a > 0) || math.IsInf(a, 0) {
		return nil, usage("%s: --alpha %s: it must be a number above 0, or one such as 50/K", ldaTrainJob, wording.Brief(text))
	}
	k := given(s.Flags.Topics, 1)
	if byTopic {
		return lda.Symmetric(a, k), nil
	}
	return slices.Repeat([]float64{a}, k), nil
}

// trainings makes the chains on a collection.
func (s *ldaTrainSpec) trainings(c *corpus.Corpus, threads int, scratch string) ([]*lda.Training, error) {
	alpha, err := s.alpha()
	if err != nil {
		return nil, err
	}
	f := &s.Flags
	phases := []lda.Phase{{Method: given(f.Sampler, "sparse"), Sweeps: s.Sweeps}}
	if f.Finish != nil {
		phases = append(phases, lda.Phase{Method: *f.Finish, Sweeps: given(f.FinishSweeps, ldaFinishSweeps)})
	}
	average := lda.Average{}
	if f.AverageFrom != nil {
		average = lda.Average{From: *f.AverageFrom, Every: given(f.AverageEvery, ldaAverageEvery)}
	}
	chains := make([]*lda.Training, given(f.Chains, 1))
	for i := range chains {
		m, err := lda.New(c, lda.Settings{Alpha: alpha, Beta: given(f.Beta, 0.01), Seed: s.chainSeed(i), Scratch: scratch})
		if err != nil {
			return nil, err
		}
		chains[i] = &lda.Training{Model: m, Phases: phases, Every: s.EvaluateEvery, Fingerprint: s.Origin, Average: average,
			Options:  lda.Options{Steps: given(f.Steps, 0), Parts: given(f.Parts, 0), Threads: max(1, threads/len(chains))},
			Optimise: lda.Optimisation{Interval: given(f.OptimizeInterval, 0), BurnIn: given(f.OptimizeBurnIn, ldaOptimizeBurnIn), Symmetric: given(f.SymmetricAlpha, false)}}
	}
	return chains, nil
}

// chainSeed is the seed of a chain: the first has that of the run, and so the draws of a run of one chain.
func (s *ldaTrainSpec) chainSeed(i int) uint64 {
	if i == 0 {
		return s.Seed
	}
	return rng.New(s.Seed, "lda chain", uint64(i)).Uint64()
}
