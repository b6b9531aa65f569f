package path

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// lockstep runs chains in phases, with a barrier after each.
type lockstep struct {
	ctx     context.Context
	set     Settings
	running *running // counts moves and reports
	tallies []tally  // of the chains in this phase
	evals   int64    // of all chains, in the phases before
	moves   int64
}

func newLockstep(ctx context.Context, set Settings) *lockstep {
	return &lockstep{ctx: ctx, set: set, tallies: make([]tally, set.Runs),
		running: &running{ctx: ctx, set: set, rows: make([][]float64, set.Runs), reported: time.Now()}}
}

// phase calls work for each chain, on set.Threads threads.
func (l *lockstep) phase(work func(chain int, t *tally) error) error {
	l.running.beginPhase()
	errs := make([]error, l.set.Runs)
	fanout.New(l.set.Threads, func(c int) {
		l.tallies[c].job = l.running
		errs[c] = guarded(c, &l.tallies[c], work)
	}).Run(l.set.Runs)
	stopped := false
	for c, err := range errs {
		switch {
		case errors.Is(err, errStopped):
			stopped = true
		case err != nil: // an error of one chain goes before the interruption of others
			return fmt.Errorf("path: chain %d: %w", c+1, err)
		}
	}
	if stopped {
		return fmt.Errorf("path: %w: %w", mcmc.ErrInterrupted, context.Cause(l.ctx))
	}
	return nil
}

// count adds the work of the phase to that of those before.
func (l *lockstep) count() {
	for c := range l.tallies {
		l.moves += l.tallies[c].moves
		l.evals += l.tallies[c].evals
	}
	clear(l.tallies)
}

func guarded(c int, t *tally, work func(int, *tally) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v; this is a bug, please report it\n%s", p, debug.Stack())
		}
	}()
	err = work(c, t)
	if err == nil {
		t.job.look(t)
		t.job.chainDone()
	}
	return err
}

// beginPhase and chainDone count the chains that have finished the phase, for the progress report.
func (j *running) beginPhase() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done = 0
}

func (j *running) chainDone() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done++
}
