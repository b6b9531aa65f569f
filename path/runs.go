package path

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// job is a number of independent runs, each of which fills a row of width numbers.
type job struct {
	purpose string // names the random streams
	shape   string // identifies what else a resumed job must have in common: the schedule and the method's settings
	width   int
	worker  func() runner // a runner for one goroutine, with states of its own

	// In place of worker, for runs that are made in groups: the best size of a group, and what runs one.
	groupSize int
	grouped   func() groupRunner
}

// runner makes run i. When the job is stopped, it returns errStopped.
type runner func(i int, r *rand.Rand, row []float64, t *tally) error

// groupRunner makes the runs of a group.
type groupRunner func(g *group) error

// group is runs that are made together.
type group struct {
	job     *running
	part    int // its place among the groups
	runs    []int
	streams []*rng.Stream
	r       []*rand.Rand // of the streams
	rows    [][]float64
	t       []*tally
	now     int           // the index of the run at work, for errors
	partial *partialGroup // the state to resume, nil from the start
	kept    time.Time     // when the state was last handed to the job
}

// oneByOne makes one run after the other.
func oneByOne(worker func() runner) func() groupRunner {
	return func() groupRunner {
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

// running is the state of a job in progress.
type running struct {
	ctx     context.Context
	set     Settings
	file    *store
	todo    []int        // the runs to make
	parts   int          // the groups they are made in
	resumed int          // of these, the partial groups of a checkpoint
	next    atomic.Int64 // group
	moves   atomic.Int64

	mu       sync.Mutex
	rows     [][]float64     // nil until the run is finished
	partials []*partialGroup // by group; nil for those without a saved state
	failure  error
	done     int
	reported time.Time
	saved    time.Time
}

// look reports progress, at most every tenth of a second, and says whether to stop.
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

// outcome is the result of a job: the rows of the finished runs in the order of runs, and the work of all of them.
type outcome struct {
	rows         [][]float64
	run          []int // the run that each row belongs to
	moves, evals int64
}

// do makes all runs. Interrupted, it returns the finished ones and an error that wraps [mcmc.ErrInterrupted].
func (b job) do(ctx context.Context, set Settings) (*outcome, error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	j := &running{set: set, rows: make([][]float64, set.Runs), saved: time.Now()}
	var err error
	if j.file, err = openStore(b, set, j.rows); err != nil {
		return nil, err
	}
	if j.file != nil {
		j.partials = j.file.partials
	}
	j.list()
	if b.grouped == nil {
		b.groupSize, b.grouped = 1, oneByOne(b.worker)
	}
	j.cut(b.groupSize)
	var cancel context.CancelFunc
	j.ctx, cancel = context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for range min(set.Threads, j.parts) {
		workers.Go(func() { j.work(b, cancel) })
	}
	workers.Wait()
	j.report()
	if err := j.save(); err != nil && j.failure == nil {
		j.failure = err
	}
	return j.outcome(ctx)
}

// list finds the runs that have to be made from the start.
func (j *running) list() {
	begun := map[int]bool{}
	for _, partial := range j.partials {
		for _, run := range partial.Runs {
			begun[run] = true
		}
	}
	for i, row := range j.rows {
		if row != nil {
			j.done++
		} else if !begun[i] {
			j.todo = append(j.todo, i)
		}
	}
}

// cut finds the number of groups: none larger than the best size, and all threads busy to the end. Partial groups come first.
func (j *running) cut(size int) {
	threads := min(j.set.Threads, j.set.Runs) // Threads may be any number
	n, round := len(j.todo), threads*size
	j.resumed = len(j.partials)
	j.parts = j.resumed + min(n, (n+round-1)/round*threads)
	j.partials = append(slices.Clip(j.partials), make([]*partialGroup, j.parts-j.resumed)...)
}

// claim is the next group of runs, nil after the last.
func (j *running) claim(b job) *group {
	k := int(j.next.Add(1)) - 1
	if k >= j.parts {
		return nil
	}
	g := &group{job: j, part: k, kept: time.Now()}
	if k < j.resumed {
		g.partial = j.partials[k]
		g.runs = g.partial.Runs
	} else {
		k, n := k-j.resumed, j.parts-j.resumed
		g.runs = j.todo[k*len(j.todo)/n : (k+1)*len(j.todo)/n]
	}
	for _, run := range g.runs {
		s := rng.New(j.set.Seed, "path "+b.purpose, uint64(run))
		g.streams, g.r = append(g.streams, s), append(g.r, s.Rand)
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
	run := b.grouped()
	for j.ctx.Err() == nil {
		if g = j.claim(b); g == nil {
			return
		}
		err := run(g)
		if errors.Is(err, errStopped) {
			return
		}
		if err != nil {
			j.fail(cancel, fmt.Errorf("path: run %d: %w", g.runs[g.now]+1, err))
			return
		}
		if err := j.finish(g); err != nil {
			j.fail(cancel, err)
			return
		}
	}
}

const rowHead = 2 // moves and evaluations go before the numbers of a run

// finish stores the rows of a finished group.
func (j *running) finish(g *group) error {
	for _, t := range g.t {
		j.look(t)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, run := range g.runs {
		j.rows[run] = g.row(i)
		j.done++
	}
	j.partials[g.part] = nil
	return j.saveIfDue()
}

// keepPartial stores the state of an unfinished group.
func (j *running) keepPartial(g *group, partial *partialGroup) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.partials[g.part] = partial
	return j.saveIfDue()
}

func (j *running) saveIfDue() error {
	if j.file == nil || time.Since(j.saved) < j.set.Every {
		return nil
	}
	j.saved = time.Now()
	return j.save()
}

func (j *running) save() error {
	return j.file.save(j.rows, slices.DeleteFunc(slices.Clone(j.partials), func(h *partialGroup) bool { return h == nil }))
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
	errNaN     = errors.New("invalid log density")
	errStopped = errors.New("stopped")
)

// notNumber is the error for a log ratio or density that is NaN or +Inf.
func notNumber(what string, v, from, to float64) error {
	return fmt.Errorf("%w: %s is %v between β = %v and %v; a log density must be finite, or −Inf where the density is zero",
		errNaN, what, v, from, to)
}
