package rbm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/sealed"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Course is a training with what is watched and saved on the way.
type Course struct {
	Trainer *Trainer

	// Every so many epochs, and after the last, Measure judges the machine by
	// Validation. After Patience evaluations in a row without a better score
	// the training ends; the machine is then the best that was met, and
	// otherwise the last. Zero for never.
	Validation *Data
	Measure    Measure
	Every      int
	Patience   int

	// File is where the state goes every Interval (30 s), and when the context
	// ends; empty for nowhere. Fingerprint says what is trained how: Resume
	// refuses a file with another one.
	File        string
	Interval    time.Duration
	Fingerprint string

	Progress func() // called after every update; may be nil

	scores []Score
	best   *Model
}

// courseState is what is saved of a course.
type courseState struct {
	Fingerprint string
	Trainer     []byte
	Scores      []Score
	Best        *Model
}

// checkpoint is the kind of a file that holds a course.
func checkpoint() sealed.Kind { return sealed.Kind{Name: "rbm training", Version: 1} }

// Scores are the evaluations so far.
func (c *Course) Scores() []Score { return c.scores }

// Run trains to the end and returns the machine. When the context ends before
// that, the state is saved and the error wraps mcmc.ErrInterrupted.
func (c *Course) Run(ctx context.Context) (*Model, error) {
	saved := time.Now()
	for !c.over() {
		if ctx.Err() != nil {
			return nil, errors.Join(c.save(), fmt.Errorf("training: %w", mcmc.ErrInterrupted))
		}
		c.Trainer.Update()
		if err := c.evaluate(ctx); err != nil {
			return nil, err
		}
		if c.Progress != nil {
			c.Progress()
		}
		if time.Since(saved) >= or(c.Interval, 30*time.Second) {
			if err := c.save(); err != nil {
				return nil, err
			}
			saved = time.Now()
		}
	}
	if err := c.save(); err != nil {
		return nil, err
	}
	if c.Patience > 0 && c.best != nil {
		return c.best, nil
	}
	return c.Trainer.Model(), nil
}

var errDiverged = errors.New("the training diverged: parameters are not finite; take a smaller learning rate")

// over reports whether all updates are done or patience is.
func (c *Course) over() bool {
	done, all := c.Trainer.Updates()
	return done >= all || c.Patience > 0 && len(c.scores)-1-c.bestScore() >= c.Patience
}

// bestScore is the index of the highest score, -1 without any.
func (c *Course) bestScore() int {
	best := -1
	for k, s := range c.scores {
		if best < 0 || s.Value > c.scores[best].Value {
			best = k
		}
	}
	return best
}

// evaluate judges the machine if it is time to.
func (c *Course) evaluate(ctx context.Context) error {
	done, all := c.Trainer.Updates()
	epoch := done / c.Trainer.Epoch()
	ended := done%c.Trainer.Epoch() == 0
	if ended && c.Trainer.diverged() {
		return errDiverged
	}
	due := ended && c.Every > 0 && epoch%c.Every == 0 || done == all
	if c.Measure == nil || c.Validation == nil || !due {
		return nil
	}
	m := c.Trainer.Model()
	x, se, err := c.Measure(ctx, m, c.Validation, rng.New(c.Trainer.set.Seed, "rbm score", uint64(epoch)).Uint64())
	if errors.Is(err, mcmc.ErrInterrupted) {
		// The update before the evaluation is made again on resuming.
		return err
	}
	if err != nil || math.IsNaN(x) {
		return errors.Join(err, fmt.Errorf("the machine of epoch %d cannot be judged: its score is %v", epoch, x))
	}
	c.scores = append(c.scores, Score{Epoch: epoch, Value: x, SE: se})
	if c.bestScore() == len(c.scores)-1 {
		c.best = m
	}
	return nil
}

func (c *Course) save() error {
	if c.File == "" {
		return nil
	}
	t, err := c.Trainer.MarshalBinary()
	if err != nil {
		return err
	}
	s := courseState{Fingerprint: c.Fingerprint, Trainer: t, Scores: c.scores}
	if c.Patience > 0 {
		s.Best = c.best
	}
	return checkpoint().Write(c.File, &s)
}

// Resume takes over the state in File, where there is one: a course that was
// killed before it saved anything begins anew.
func (c *Course) Resume() error {
	var s courseState
	switch err := checkpoint().Read(c.File, &s); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
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
