package lda

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// Training is a run of sweeps with its evaluations and checkpoints. Its draws depend on the model's seed, the phases and
// nothing else: neither on threads nor on interruptions.
type Training struct {
	Model   *Model
	Phases  []Phase
	Options Options

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
	spent   float64 // CPU seconds of sweeps, evaluations left out
	sampler Sampler
	method  string // of sampler
}

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
type trainingState struct {
	Fingerprint string
	Model       []byte
	Trace       []Score
	Spent       float64
}

func checkpoint() checksummed.Kind { return checksummed.Kind{Name: "topic model training", Version: 1} }

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
func (t *Training) Run(ctx context.Context) error {
	for _, p := range t.Phases {
		if p.Sweeps < 0 {
			return fmt.Errorf("lda: %d sweeps of %s", p.Sweeps, p.Method)
		}
	}
	err := runner.Run(ctx, []runner.Unit{trainingUnit{t}}, runner.Settings{Threads: 1, Every: cmp.Or(t.Interval, 30*time.Second)})
	if errors.Is(err, runner.ErrInterrupted) {
		return fmt.Errorf("training: %w", err)
	}
	return err
}

// trainingUnit is a training as the runner sees it.
type trainingUnit struct{ *Training }

func (u trainingUnit) Place() (unit, step string) {
	return "training", fmt.Sprintf("sweep %d", u.Model.Sweeps()+1)
}

func (u trainingUnit) Turn(ctx context.Context, until time.Time) (more bool, err error) {
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
	method, ends := t.next()
	if t.sampler == nil || method != t.method {
		s, err := NewSampler(method, t.Model, t.Options)
		if err != nil {
			return err
		}
		t.sampler, t.method = s, method
	}
	began := cputime.Process()
	t.sampler.Sweep()
	t.spent += cputime.Process() - began
	if n := t.Model.Sweeps(); n == ends || t.Every > 0 && n%t.Every == 0 {
		t.trace = append(t.trace, Score{n, t.spent, t.Model.LogLikelihoodPerToken()})
	}
	if t.Progress != nil {
		t.Progress()
	}
	return nil
}

// next is the sampler of the next sweep, and the number of sweeps at which its phase ends.
func (t *Training) next() (method string, ends int) {
	for _, p := range t.Phases {
		if ends += p.Sweeps; t.Model.Sweeps() < ends {
			return p.Method, ends
		}
	}
	return "", ends
}

func (u trainingUnit) Save() error {
	if u.File == "" {
		return nil
	}
	m, err := u.Model.MarshalBinary()
	if err != nil {
		return err
	}
	return checkpoint().Write(u.File, &trainingState{u.Fingerprint, m, u.trace, u.spent})
}

// Resume restores the state in File, if there is one: a run that was killed before it saved anything starts from the
// beginning.
func (t *Training) Resume() error {
	var s trainingState
	switch there, err := checkpoint().ReadIfThere(t.File, &s); {
	case err != nil || !there:
		return err
	case s.Fingerprint != t.Fingerprint:
		return fmt.Errorf("%s belongs to another training", t.File)
	}
	if err := t.Model.UnmarshalBinary(s.Model); err != nil {
		return fmt.Errorf("%s: %w", t.File, err)
	}
	t.trace, t.spent = s.Trace, s.Spent
	return nil
}
