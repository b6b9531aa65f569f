package path

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// lockstep runs chains that wait for each other between phases.
type lockstep struct {
	ctx     context.Context
	set     Settings
	running *running // counts moves and reports
	evals   int64
	moves   int64
}

func newLockstep(ctx context.Context, set Settings) *lockstep {
	return &lockstep{ctx: ctx, set: set, running: &running{ctx: ctx, set: set, rows: make([][]float64, set.Runs), reported: time.Now()}}
}

// phase calls work for each chain, on as many threads as there are.
func (l *lockstep) phase(work func(chain int, t *tally) error) error {
	l.running.begin()
	tallies := make([]tally, l.set.Runs)
	errs := make([]error, l.set.Runs)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(l.set.Threads, l.set.Runs) {
		workers.Go(func() {
			for {
				c := int(next.Add(1)) - 1
				if c >= l.set.Runs {
					return
				}
				tallies[c].job = l.running
				errs[c] = guarded(c, &tallies[c], work)
			}
		})
	}
	workers.Wait()
	for c := range tallies {
		l.moves += tallies[c].moves
		l.evals += tallies[c].evals
	}
	stopped := false
	for c, err := range errs {
		switch {
		case errors.Is(err, errStopped):
			stopped = true
		case err != nil: // tells more than that others were stopped
			return fmt.Errorf("path: chain %d: %w", c+1, err)
		}
	}
	if stopped {
		return fmt.Errorf("path: %w: %w", mcmc.ErrInterrupted, context.Cause(l.ctx))
	}
	return nil
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
		t.job.through()
	}
	return err
}

// begin and through count the chains of a phase for the report.
func (j *running) begin() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done = 0
}

func (j *running) through() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done++
}
