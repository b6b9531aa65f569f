package lda

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// Training is a run of sweeps with its evaluations and checkpoints. Its draws depend on the model's seed, the phases, the
// optimisation and nothing else: neither on threads nor on interruptions.
type Training struct {
	Model    *Model
	Phases   []Phase
	Options  Options
	Optimise Optimisation // of the priors; after the sweep, before its evaluation
	Average  Average

	// Every is the number of sweeps between two evaluations of the likelihood; the last sweep of a phase is evaluated
	// besides. 0: only that one.
	Every int

	// File is where the state is saved every Interval (30 s), and when the context ends; empty for nowhere. Fingerprint
	// identifies the corpus and the settings: Resume refuses a file with another one.
	File        string
	Interval    time.Duration
	Fingerprint string

	Progress func() // called after every sweep; may be nil

	trace   []Score
	fitted  *Fitted // nil before the first state that is averaged
	spent   float64 // CPU seconds of sweeps, evaluations left out
	shared  float64 // trainings that use the processor at the same time
	sampler Sampler
	method  string // of sampler
}

// Average says which states of the chain Fitted is of: those after From + Every, From + 2·Every, … sweeps. With an Every of 0, the last.
type Average struct{ From, Every int }

// Phase is a number of sweeps by one sampler: a fast approximate one may come first, an exact one last.
type Phase struct {
	Method string
	Sweeps int
}

// Score is the likelihood after some sweeps.
type Score struct {
	Sweep         int
	CPU           float64 // seconds of the sweeps so far
	LogLikelihood float64 // per token
}

// trainingState is the content of a checkpoint.
type trainingState struct { // and the state of the model behind it
	Fingerprint string
	Alpha       []float64
	Beta        float64
	Fitted      *fittedFile
	Trace       []Score
	Spent       float64
}

func checkpoint() checksummed.Kind { return checksummed.Kind{Name: "topic model training", Version: 2} }

// Sweeps is the number of sweeps of all phases.
func (t *Training) Sweeps() int {
	n := 0
	for _, p := range t.Phases {
		n += p.Sweeps
	}
	return n
}

// Trace are the evaluations so far.
func (t *Training) Trace() []Score { return t.trace }

// CPU is the processor time of the sweeps so far, of earlier processes too, in seconds.
func (t *Training) CPU() float64 { return t.spent }

// Run makes all sweeps that are left. When the context ends before that, the state is saved and the error wraps
// mcmc.ErrInterrupted. Phases and options that no sampler takes are an error.
func (t *Training) Run(ctx context.Context) error { return RunChains(ctx, []*Training{t}, 1) }

// RunChains is Run of several trainings, up to so many at a time. Where they are of models with different seeds, diag.Rhat of
// their likelihoods tells whether they have reached the same. The processor's time cannot be told apart: while n of them are at
// work, each is said to use an n-th of it.
func RunChains(ctx context.Context, chains []*Training, threads int) error {
	units := make([]runner.Unit, len(chains))
	interval := time.Duration(0)
	for i, t := range chains {
		for _, p := range t.Phases {
			if p.Sweeps < 0 {
				return fmt.Errorf("lda: %d sweeps of %s", p.Sweeps, p.Method)
			}
		}
		if o, a := t.Optimise, t.Average; o.Interval < 0 || o.BurnIn < 0 || a.From < 0 || a.Every < 0 {
			return fmt.Errorf("lda: negative numbers of sweeps: %+v, %+v", o, a)
		}
		t.shared = float64(max(1, min(threads, len(chains))))
		units[i] = &trainingUnit{t, i + 1, len(chains)}
		interval = cmp.Or(t.Interval, 30*time.Second)
	}
	err := runner.Run(ctx, units, runner.Settings{Threads: max(1, threads), Every: interval})
	if errors.Is(err, runner.ErrInterrupted) {
		return fmt.Errorf("training: %w", err)
	}
	return err
}

// trainingUnit is a training as the runner sees it.
type trainingUnit struct {
	*Training
	number, of int
}

func (u *trainingUnit) Place() (unit, step string) {
	unit = "training"
	if u.of > 1 {
		unit = fmt.Sprintf("chain %d", u.number)
	}
	return unit, fmt.Sprintf("sweep %d", u.Model.Sweeps()+1)
}

func (u *trainingUnit) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	for u.Model.Sweeps() < u.Sweeps() {
		if err := u.sweep(); err != nil {
			return false, err
		}
		if ctx.Err() != nil || time.Now().After(until) {
			return u.Model.Sweeps() < u.Sweeps(), nil
		}
	}
	return false, nil
}

// sweep makes the next sweep and evaluates where that is due.
func (t *Training) sweep() error {
	method := t.next()
	if t.sampler == nil || method != t.method {
		s, err := NewSampler(method, t.Model, t.Options)
		if err != nil {
			return err
		}
		t.sampler, t.method = s, method
	}
	began := cputime.Process()
	t.sampler.Sweep()
	n := t.Model.Sweeps()
	if t.Optimise.due(n) {
		t.Model.OptimisePriors(t.Optimise.Symmetric)
	}
	t.spent += (cputime.Process() - began) / t.shared
	if t.Average.Every > 0 && n > t.Average.From && (n-t.Average.From)%t.Average.Every == 0 {
		if err := t.average(); err != nil {
			return err
		}
	}
	if t.evaluates(n) {
		t.trace = append(t.trace, Score{n, t.spent, t.Model.LogLikelihoodPerToken()})
	}
	if n == t.Sweeps() { // what is written now needs the memory
		t.sampler, t.Model.owner = nil, nil
	}
	if t.Progress != nil {
		t.Progress()
	}
	return nil
}

// average takes the state as one more sample.
func (t *Training) average() error {
	if t.fitted != nil {
		return t.fitted.Add(t.Model)
	}
	t.fitted = t.Model.Fitted()
	return nil
}

// Fitted is the mean over the states that Average asks for, or the last state where there is none.
func (t *Training) Fitted() *Fitted {
	if t.fitted == nil {
		return t.Model.Fitted()
	}
	return t.fitted
}

// next is the sampler of the next sweep.
func (t *Training) next() (method string) {
	ends := 0
	for _, p := range t.Phases {
		if ends += p.Sweeps; t.Model.Sweeps() < ends {
			return p.Method
		}
	}
	return ""
}

// evaluates tells whether the likelihood is evaluated after this number of sweeps.
func (t *Training) evaluates(sweeps int) bool {
	ends := 0
	for _, p := range t.Phases {
		if ends += p.Sweeps; sweeps == ends {
			return true
		}
	}
	return t.Every > 0 && sweeps%t.Every == 0
}

func (u *trainingUnit) Save() error {
	if u.File == "" {
		return nil
	}
	s := &trainingState{Fingerprint: u.Fingerprint, Alpha: u.Model.alpha, Beta: u.Model.beta, Trace: u.trace, Spent: u.spent}
	if u.fitted != nil {
		s.Fitted = u.fitted.file()
		s.Fitted.Vocabulary = nil // the corpus has it
	}
	return checkpoint().WriteLong(u.File, s, u.Model.writeState)
}

// Resume restores the state in File, if there is one: a run that was killed before it saved anything starts from the
// beginning.
func (t *Training) Resume() error {
	var s trainingState
	other := fmt.Errorf("%s belongs to another training", t.File)
	err := checkpoint().ReadLong(t.File, &s, func(r io.Reader) error {
		if s.Fingerprint != t.Fingerprint {
			return other
		}
		return t.Model.readState(r)
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, other):
		return other
	case err != nil:
		return err
	}
	err = t.Model.SetPriors(s.Alpha, s.Beta)
	if err == nil && s.Fitted != nil {
		s.Fitted.Vocabulary = t.Model.corpus.Vocabulary
		t.fitted, err = s.Fitted.fitted()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.File, err)
	}
	// The last evaluation of a shorter run is none of a longer one.
	t.trace, t.spent = slices.DeleteFunc(s.Trace, func(x Score) bool { return !t.evaluates(x.Sweep) }), s.Spent
	return nil
}
