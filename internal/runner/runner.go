// Package runner advances the units of a job, its chains, runs or trainings, in turns on a number of threads. It saves them from
// time to time, ends all of them when one fails or the context ends, and makes a panic an error. What a unit computes, and where
// it is saved, is the unit's own affair.
package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Unit is a part of a job that advances by itself. One goroutine has it at a time.
type Unit interface {
	// Turn advances the unit until about the time given, less far when ctx ends, and says whether there is more to do.
	// It is not called again after an error.
	Turn(ctx context.Context, until time.Time) (more bool, err error)
	// Save makes durable how far the unit is. It is called between two turns where that is due, and once after the
	// last turn, which may have been none.
	Save() error
	// Place is the unit's name and the step it is at, for errors: "chain 2", "iteration 17". The step may be empty.
	Place() (unit, step string)
}

// Settings say how units run.
type Settings struct {
	Threads int           // 1 or more
	Slice   time.Duration // length of a turn; 0: 20 ms
	Every   time.Duration // between two calls of Save for a unit; 0 or less: it is saved at its end only
	Watch   func()        // called about every 100 ms and at the end, from one goroutine at a time; nil for none

	// Write is for units that share a file, whose Save only notes how far they are: it writes the file, after a Save where Every has
	// passed since the last time, and at the end, when all units that did not fail are saved. nil where each has a file of its own.
	Write func() error
}

// ErrInterrupted is wrapped by the error of units that the context ended.
var ErrInterrupted = errors.New("interrupted")

const (
	// A turn is short enough that units on one thread advance together, long enough that changing over costs nothing.
	defaultSlice = 20 * time.Millisecond
	watchEvery   = 100 * time.Millisecond
)

// Run advances all units to their end. The error is the first failure, with the name of its unit, or else an ErrInterrupted if
// the context ended before all units did. Whatever the error, units that did not fail are saved.
func Run(ctx context.Context, units []Unit, set Settings) error {
	if set.Slice == 0 {
		set.Slice = defaultSlice
	}
	r := &run{set: set, queue: make(chan *task, len(units)), written: time.Now()}
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	for _, u := range units {
		r.queue <- &task{unit: u, saved: time.Now()}
	}
	if r.left.Store(int64(len(units))); len(units) == 0 {
		close(r.queue)
	}
	unwatch := r.watch()
	var workers sync.WaitGroup
	for range min(set.Threads, len(units)) {
		workers.Go(func() { r.work(ctx) })
	}
	workers.Wait()
	r.saveEnded(true)
	r.write(true)
	unwatch()
	return r.outcome(ctx)
}

// task is a unit with what the runner knows of it.
type task struct {
	unit  Unit
	saved time.Time
}

type run struct {
	set    Settings
	cancel context.CancelCauseFunc
	queue  chan *task   // units that wait for a thread, first come first served
	left   atomic.Int64 // units without an end

	writing sync.Mutex
	written time.Time

	mu          sync.Mutex
	failure     error   // the first
	interrupted bool    // a unit had more to do
	ended       []*task // units that are not saved yet
}

// work gives units their turns until all have ended.
func (r *run) work(ctx context.Context) {
	for t := range r.queue {
		more := r.turn(ctx, t)
		r.saveEnded(false)
		if more {
			r.queue <- t // has room for all units, so never blocks
			continue
		}
		if r.left.Add(-1) == 0 {
			close(r.queue)
		}
	}
}

// turn gives a unit one turn and says whether it wants another.
func (r *run) turn(ctx context.Context, t *task) (again bool) {
	more, err := true, error(nil)
	if ctx.Err() == nil {
		if more, err = r.guarded(t, "", func() (bool, error) { return t.unit.Turn(ctx, time.Now().Add(r.set.Slice)) }); err != nil {
			r.fail(err)
			return false
		}
	}
	if more && ctx.Err() == nil {
		return !r.due(t.saved) || r.save(t) && r.write(false)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.interrupted = r.interrupted || more
	r.ended = append(r.ended, t)
	return false
}

func (r *run) due(last time.Time) bool { return r.set.Every > 0 && time.Since(last) >= r.set.Every }

// saveEnded saves units that have ended: those that are due, or all. Units that are saved at the same time share the work of
// making files durable.
func (r *run) saveEnded(all bool) {
	r.mu.Lock()
	var due []*task
	kept := r.ended[:0]
	for _, t := range r.ended {
		if all || r.due(t.saved) {
			due = append(due, t)
		} else {
			kept = append(kept, t)
		}
	}
	r.ended = kept
	r.mu.Unlock()
	var savers sync.WaitGroup
	for _, t := range due {
		savers.Go(func() { r.save(t) })
	}
	savers.Wait()
}

// save saves a unit and says whether that succeeded.
func (r *run) save(t *task) bool {
	_, err := r.guarded(t, " while saving", func() (bool, error) { return false, t.unit.Save() })
	if err != nil {
		r.fail(err)
		return false
	}
	t.saved = time.Now()
	return true
}

// write writes the file that units share, if that is due or the last time, and says whether that succeeded.
func (r *run) write(last bool) bool {
	r.writing.Lock()
	defer r.writing.Unlock()
	if r.set.Write == nil || !last && !r.due(r.written) {
		return true
	}
	r.written = time.Now()
	if err := r.set.Write(); err != nil {
		r.fail(err)
		return false
	}
	return true
}

// Failure is what a step that cannot go on panics with, where it has no error to return: the unit ends with Err.
type Failure struct{ Err error }

func (f Failure) Error() string { return f.Err.Error() }

// Unwrap is Err.
func (f Failure) Unwrap() error { return f.Err }

// guarded names the unit in an error of f, and makes a panic one.
func (r *run) guarded(t *task, doing string, f func() (bool, error)) (more bool, err error) {
	defer func() {
		p := recover()
		if f, ok := p.(Failure); ok {
			p, err = nil, f.Err
		}
		unit, step := t.unit.Place()
		switch {
		case p != nil && step != "":
			err = fmt.Errorf("%s: panic%s at %s: %v; a target or a kernel must not panic: if neither is yours, please report it\n%s", unit, doing, step, p, debug.Stack())
		case p != nil:
			err = fmt.Errorf("%s: panic%s: %v; a target or a kernel must not panic: if neither is yours, please report it\n%s", unit, doing, p, debug.Stack())
		case err != nil:
			err = fmt.Errorf("%s: %w", unit, err)
		}
	}()
	return f()
}

// fail keeps the first failure and ends the run.
func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == nil {
		r.failure = err
	}
	r.cancel(err)
}

func (r *run) outcome(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.failure != nil:
		return r.failure
	case r.interrupted:
		return fmt.Errorf("%w (%w)", ErrInterrupted, context.Cause(ctx))
	}
	return nil
}

// watch calls Settings.Watch until the function it returns is called.
func (r *run) watch() (stop func()) {
	if r.set.Watch == nil {
		return func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if p := recover(); p != nil {
				r.fail(fmt.Errorf("panic while reporting progress: %v; this is a bug, please report it\n%s", p, debug.Stack()))
			}
		}()
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				r.set.Watch()
			case <-quit:
				r.set.Watch()
				return
			}
		}
	}()
	return func() { close(quit); <-ended }
}
