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

	// In place of worker, for runs that are made several at a time: how many at best, and what makes them.
	together int
	herd     func() herdsman
}

// runner makes run i. Told to stop, it returns errStopped.
type runner func(i int, r *rand.Rand, row []float64, t *tally) error

// herdsman makes the runs of a group.
type herdsman func(g *group) error

// group is runs that are made together.
type group struct {
	runs []int
	r    []*rand.Rand
	rows [][]float64
	t    []*tally
	now  int // the place of the run at work, for errors
}

// alone makes one run after the other.
func alone(worker func() runner) func() herdsman {
	return func() herdsman {
		run := worker()
		return func(g *group) error { return run(g.runs[0], g.r[0], g.rows[0], g.t[0]) }
	}
}

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
	todo  []int        // the runs to make
	parts int          // the groups they are made in
	next  atomic.Int64 // group
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
	for i, row := range j.rows {
		if row == nil {
			j.todo = append(j.todo, i)
		}
	}
	j.done = len(j.rows) - len(j.todo)
	if b.herd == nil {
		b.together, b.herd = 1, alone(b.worker)
	}
	j.cut(b.together)
	var cancel context.CancelFunc
	j.ctx, cancel = context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for range min(set.Threads, j.parts) {
		workers.Go(func() { j.work(b, cancel) })
	}
	workers.Wait()
	j.report()
	if err := j.file.save(j.rows); err != nil && j.failure == nil {
		j.failure = err
	}
	return j.outcome(ctx)
}

// cut finds the number of groups: no more in one than are best, and all threads busy to the end.
func (j *running) cut(together int) {
	n, round := len(j.todo), j.set.Threads*together
	j.parts = min(n, (n+round-1)/round*j.set.Threads)
}

// claim is the next group of runs, nil after the last.
func (j *running) claim(b job) *group {
	k := int(j.next.Add(1)) - 1
	if k >= j.parts {
		return nil
	}
	g := &group{runs: j.todo[k*len(j.todo)/j.parts : (k+1)*len(j.todo)/j.parts]}
	for _, run := range g.runs {
		g.r = append(g.r, rng.New(j.set.Seed, "path "+b.purpose, uint64(run)).Rand)
		g.rows = append(g.rows, make([]float64, b.width))
		g.t = append(g.t, &tally{job: j})
	}
	return g
}

func (j *running) work(b job, cancel context.CancelFunc) {
	var g *group
	defer func() {
		if p := recover(); p != nil {
			run := 0
			if g != nil {
				run = g.runs[g.now] + 1
			}
			j.fail(cancel, fmt.Errorf("path: run %d: panic: %v; this is a bug, please report it\n%s", run, p, debug.Stack()))
		}
	}()
	tend := b.herd()
	for j.ctx.Err() == nil {
		if g = j.claim(b); g == nil {
			return
		}
		err := tend(g)
		if errors.Is(err, errStopped) {
			return
		}
		if err != nil {
			j.fail(cancel, fmt.Errorf("path: run %d: %w", g.runs[g.now]+1, err))
			return
		}
		for i, run := range g.runs {
			j.look(g.t[i])
			j.finish(cancel, run, append([]float64{float64(g.t[i].moves), float64(g.t[i].evals)}, g.rows[i]...))
		}
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
