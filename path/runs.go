package path

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// job is a number of independent runs, each of which fills a row of width numbers.
type job struct {
	purpose string // names the random streams
	shape   string // what else a resumed job must have in common: the schedule and the method's settings
	width   int
	worker  func() runner // a runner for one goroutine, with states of its own
}

// runner makes run i. Told to stop, it returns errStopped.
type runner func(i int, r *rand.Rand, row []float64, t *tally) error

// tally counts the work of a run.
type tally struct {
	moves, evals int64
	reported     int64
	job          *running
}

const stopEvery = 64 // moves between looks at the context

// moved counts a move and says whether the run has to stop.
func (t *tally) moved() (stop bool) {
	t.moves++
	if t.moves%stopEvery != 0 {
		return false
	}
	return t.job.look(t)
}

// running is a job at work.
type running struct {
	ctx   context.Context
	set   Settings
	file  *store
	next  atomic.Int64
	moves atomic.Int64

	mu       sync.Mutex
	rows     [][]float64 // nil until the run is finished
	failure  error
	done     int
	reported time.Time
	saved    time.Time
}

// look reports, at most every tenth of a second, and says whether to stop.
func (j *running) look(t *tally) (stop bool) {
	j.moves.Add(t.moves - t.reported)
	t.reported = t.moves
	if j.set.Progress != nil && j.mu.TryLock() {
		if now := time.Now(); now.Sub(j.reported) > 100*time.Millisecond {
			j.reported = now
			j.report()
		}
		j.mu.Unlock()
	}
	return j.ctx.Err() != nil
}

func (j *running) report() {
	if j.set.Progress != nil {
		j.set.Progress(Progress{Done: j.done, Total: len(j.rows), Moves: j.moves.Load()})
	}
}

// outcome is what a job leaves: the rows of the finished runs in the order of runs, and the work behind all of them.
type outcome struct {
	rows         [][]float64
	run          []int // the run that each row belongs to
	moves, evals int64
}

// do makes all runs. Interrupted, it returns those that are finished and an error that wraps [mcmc.ErrInterrupted].
func (b job) do(ctx context.Context, set Settings) (*outcome, error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	j := &running{set: set, rows: make([][]float64, set.Runs), saved: time.Now()}
	var err error
	if j.file, err = openStore(b, set, j.rows); err != nil {
		return nil, err
	}
	for _, row := range j.rows {
		if row != nil {
			j.done++
		}
	}
	var cancel context.CancelFunc
	j.ctx, cancel = context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for range min(set.Threads, set.Runs) {
		workers.Go(func() { j.work(b, cancel) })
	}
	workers.Wait()
	j.report()
	if err := j.file.save(j.rows); err != nil && j.failure == nil {
		j.failure = err
	}
	return j.outcome(ctx)
}

func (j *running) work(b job, cancel context.CancelFunc) {
	current := -1
	defer func() {
		if p := recover(); p != nil {
			j.fail(cancel, fmt.Errorf("path: run %d: panic: %v; this is a bug, please report it\n%s", current+1, p, debug.Stack()))
		}
	}()
	run := b.worker()
	for j.ctx.Err() == nil {
		current = int(j.next.Add(1)) - 1
		if current >= len(j.rows) {
			return
		}
		if j.rows[current] != nil { // from the checkpoint
			continue
		}
		t := tally{job: j}
		row := make([]float64, rowHead+b.width)
		r := rng.New(j.set.Seed, "path "+b.purpose, uint64(current))
		err := run(current, r.Rand, row[rowHead:], &t)
		if errors.Is(err, errStopped) {
			return
		}
		if err != nil {
			j.fail(cancel, fmt.Errorf("path: run %d: %w", current+1, err))
			return
		}
		j.look(&t)
		row[0], row[1] = float64(t.moves), float64(t.evals)
		j.finish(cancel, current, row)
	}
}

const rowHead = 2 // moves and evaluations go before the numbers of a run

func (j *running) finish(cancel context.CancelFunc, i int, row []float64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.rows[i] = row
	j.done++
	if j.file == nil || time.Since(j.saved) < j.set.Every {
		return
	}
	if err := j.file.save(j.rows); err != nil && j.failure == nil {
		j.failure = err
		cancel()
	}
	j.saved = time.Now()
}

func (j *running) fail(cancel context.CancelFunc, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failure == nil {
		j.failure = err
	}
	cancel()
}

func (j *running) outcome(ctx context.Context) (*outcome, error) {
	o := new(outcome)
	for i, row := range j.rows {
		if row == nil {
			continue
		}
		o.rows = append(o.rows, row[rowHead:])
		o.run = append(o.run, i)
		o.moves += int64(row[0])
		o.evals += int64(row[1])
	}
	switch {
	case j.failure != nil:
		return o, j.failure
	case len(o.rows) < len(j.rows):
		return o, fmt.Errorf("path: %w after %d of %d runs: %w", mcmc.ErrInterrupted, len(o.rows), len(j.rows), context.Cause(ctx))
	}
	return o, nil
}

var (
	errNaN     = errors.New("the family gives no number")
	errStopped = errors.New("stopped")
)

// notNumber is the error for a log ratio or density that is NaN or +Inf.
func notNumber(what string, v, from, to float64) error {
	return fmt.Errorf("%w: %s is %v between β = %v and %v; a log density must be finite, or −Inf where the density is zero",
		errNaN, what, v, from, to)
}
