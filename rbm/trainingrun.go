package rbm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// TrainingRun is a training with its evaluations and checkpoints.
type TrainingRun struct {
	Trainer *Trainer

	// Measure evaluates the machine on Validation after each Every epochs and
	// after the last. After Patience evaluations in a row without a better
	// score training stops early and the result is the best machine, otherwise
	// it is the last. Zero turns either off.
	Validation *Data
	Measure    Measure
	Every      int
	Patience   int

	// File is where the state is saved every Interval (30 s), and when the
	// context ends; empty for nowhere. Fingerprint identifies the data and the
	// settings: Resume refuses a file with another one.
	File        string
	Interval    time.Duration
	Fingerprint string

	Progress func() // called after every update; may be nil

	scores []Score
	best   *Model
}

// trainingRunState is the content of a checkpoint.
type trainingRunState struct {
	Fingerprint string
	Trainer     []byte
	Scores      []Score
	Best        *Model
}

// checkpoint is the kind of file that holds a training run.
func checkpoint() checksummed.Kind { return checksummed.Kind{Name: "rbm training", Version: 1} }

// Scores are the evaluations so far.
func (c *TrainingRun) Scores() []Score { return c.scores }

// Run trains to the end and returns the machine. When the context ends before
// that, the state is saved and the error wraps mcmc.ErrInterrupted.
func (c *TrainingRun) Run(ctx context.Context) (*Model, error) {
	err := runner.Run(ctx, []runner.Unit{trainingUnit{c}}, runner.Settings{Threads: 1, Every: cmp.Or(c.Interval, 30*time.Second)})
	switch {
	case errors.Is(err, mcmc.ErrInterrupted):
		return nil, fmt.Errorf("training: %w", err)
	case err != nil:
		return nil, err
	case c.Patience > 0 && c.best != nil:
		return c.best, nil
	}
	return c.Trainer.Model(), nil
}

// trainingUnit is a training as the runner sees it.
type trainingUnit struct{ run *TrainingRun }

func (u trainingUnit) Save() error { return u.run.save() }

func (u trainingUnit) Place() (unit, step string) {
	done, _ := u.run.Trainer.Updates()
	return "training", fmt.Sprintf("update %d", done+1)
}

func (u trainingUnit) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	c := u.run
	for !c.done() {
		if c.due() {
			if err := c.evaluate(ctx); err != nil {
				interrupted := errors.Is(err, mcmc.ErrInterrupted)
				if interrupted {
					err = nil
				}
				return interrupted, err
			}
		} else if c.Trainer.Update(); c.endsEpoch() && c.Trainer.diverged() {
			return false, errDiverged
		}
		if c.Progress != nil {
			c.Progress()
		}
		if ctx.Err() != nil || time.Now().After(until) {
			return true, nil
		}
	}
	return false, nil
}

var errDiverged = errors.New("it diverged: parameters are not finite; take a smaller learning rate")

// done reports whether all updates and evaluations are made or patience is exhausted.
func (c *TrainingRun) done() bool {
	done, all := c.Trainer.Updates()
	return done >= all && !c.due() || c.Patience > 0 && len(c.scores)-1-c.bestScore() >= c.Patience
}

func (c *TrainingRun) endsEpoch() bool {
	done, _ := c.Trainer.Updates()
	return done%c.Trainer.Epoch() == 0
}

// epoch is the number of epochs that have ended.
func (c *TrainingRun) epoch() int {
	done, _ := c.Trainer.Updates()
	return done / c.Trainer.Epoch()
}

// due says whether the machine as it is now has to be evaluated.
func (c *TrainingRun) due() bool {
	done, all := c.Trainer.Updates()
	switch {
	case c.Measure == nil || c.Validation == nil || done == 0:
		return false
	case len(c.scores) > 0 && c.scores[len(c.scores)-1].Epoch == c.epoch():
		return false
	}
	return done == all || c.Every > 0 && c.endsEpoch() && c.epoch()%c.Every == 0
}

// bestScore is the index of the highest score, -1 without any.
func (c *TrainingRun) bestScore() int {
	best := -1
	for k, s := range c.scores {
		if best < 0 || s.Value > c.scores[best].Value {
			best = k
		}
	}
	return best
}

// evaluate adds the score of the machine.
func (c *TrainingRun) evaluate(ctx context.Context) error {
	epoch, m := c.epoch(), c.Trainer.Model()
	x, se, err := c.Measure(ctx, m, c.Validation, rng.New(c.Trainer.set.Seed, "rbm score", uint64(epoch)).Uint64())
	if errors.Is(err, mcmc.ErrInterrupted) {
		return err
	}
	if err != nil || math.IsNaN(x) {
		return errors.Join(err, fmt.Errorf("the machine of epoch %d cannot be evaluated: its score is %v", epoch, x))
	}
	c.scores = append(c.scores, Score{Epoch: epoch, Value: x, SE: se})
	if c.bestScore() == len(c.scores)-1 {
		c.best = m
	}
	return nil
}

func (c *TrainingRun) save() error {
	if c.File == "" {
		return nil
	}
	t, err := c.Trainer.MarshalBinary()
	if err != nil {
		return err
	}
	s := trainingRunState{Fingerprint: c.Fingerprint, Trainer: t, Scores: c.scores}
	if c.Patience > 0 {
		s.Best = c.best
	}
	return checkpoint().Write(c.File, &s)
}

// Resume restores the state in File, if there is one: a run that was killed
// before it saved anything starts from the beginning.
func (c *TrainingRun) Resume() error {
	var s trainingRunState
	switch there, err := checkpoint().ReadIfThere(c.File, &s); {
	case err != nil || !there:
		return err
	case s.Fingerprint != c.Fingerprint:
		return fmt.Errorf("%s belongs to another training", c.File)
	}
	if err := c.Trainer.UnmarshalBinary(s.Trainer); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	c.scores, c.best = s.Scores, s.Best
	return nil
}
