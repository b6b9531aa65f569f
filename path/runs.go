package path

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// job is a number of independent runs, each of which fills a row of width numbers.
type job struct {
	purpose string // names the random streams
	shape   string // identifies what else a resumed job must have in common: the schedule and the method's settings
	width   int
	worker  func() runFunc // makes runs one at a time, with states of its own

	// In place of worker, for runs that are made in groups: the best size of a group, and what runs one.
	groupSize int
	grouped   func() groupFunc
}

// runFunc makes run i. When the job is stopped, it returns errStopped.
type runFunc func(i int, r *rand.Rand, row []float64, t *tally) error

// groupFunc makes the runs of a group, or what is left of them when it is called for the same group again after errStopped.
type groupFunc func(g *group) error

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

	// state is the group between two moves; nil where it is not kept.
	state func() (*partialGroup, error)
}

// oneByOne makes one run after the other, each in one turn: it could not go on with a part of one.
func oneByOne(worker func() runFunc) func() groupFunc {
	return func() groupFunc {
		run := worker()
		return func(g *group) error {
			t := g.t[0]
			t.turn = &turn{ctx: t.turn.ctx, count: t.turn.count}
			return run(g.runs[0], g.r[0], g.rows[0], t)
		}
	}
}

// running is the state of a job in progress.
type running struct {
	set    Settings
	spec   job
	store  store
	count  *counter
	groups [][]int      // the runs to make
	next   atomic.Int64 // group

	// Guarded by the store.
	rows     [][]float64     // nil until the run is finished
	partials []*partialGroup // by group; nil for those without a saved state
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
	if b.grouped == nil {
		b.groupSize, b.grouped = 1, oneByOne(b.worker)
	}
	j := &running{set: set, spec: b, count: newCounter(set), rows: make([][]float64, set.Runs)}
	if err := j.open(); err != nil {
		return nil, err
	}
	j.plan()
	workers := make([]runner.Unit, min(set.Threads, len(j.groups)))
	for i := range workers {
		workers[i] = &worker{job: j}
	}
	return j.outcome(runner.Run(ctx, workers, j.store.runner(set, j.count)))
}

// open takes over what a checkpoint has of the job.
func (j *running) open() error {
	b := &j.spec
	head := finished{b.purpose, b.shape, j.set.Fingerprint, j.set.Seed, j.set.Runs, b.width, nil, nil}
	j.store.name, j.store.kind = j.set.Checkpoint, checkpoint()
	j.store.content = func() any {
		head.Rows = j.rows
		head.Halves = slices.DeleteFunc(slices.Clone(j.partials), func(h *partialGroup) bool { return h == nil })
		return head
	}
	was := new(finished)
	return j.store.resume(j.set, was, func() error {
		if err := was.check(); err != nil {
			return err
		}
		if err := head.differs(was); err != nil {
			return err
		}
		j.partials = was.fill(j.rows)
		return nil
	})
}

// plan makes the groups: the partial ones of a checkpoint first, and of the runs that are left none larger than the best size, and
// all threads busy to the end.
func (j *running) plan() {
	begun := map[int]bool{}
	for _, partial := range j.partials {
		j.groups = append(j.groups, partial.Runs)
		for _, run := range partial.Runs {
			begun[run] = true
		}
	}
	var todo []int
	for i, row := range j.rows {
		if row != nil {
			j.count.done.Add(1)
		} else if !begun[i] {
			todo = append(todo, i)
		}
	}
	threads := min(j.set.Threads, j.set.Runs) // Threads may be any number
	n, round := len(todo), threads*j.spec.groupSize
	parts := min(n, (n+round-1)/round*threads)
	for k := range parts {
		j.groups = append(j.groups, todo[k*n/parts:(k+1)*n/parts])
	}
	j.partials = append(slices.Clip(j.partials), make([]*partialGroup, parts)...)
}

// claim is the next group of runs, nil after the last.
func (j *running) claim() *group {
	k := int(j.next.Add(1)) - 1
	if k >= len(j.groups) {
		return nil
	}
	g := &group{job: j, part: k, runs: j.groups[k], partial: j.partials[k]}
	for _, run := range g.runs {
		s := rng.New(j.set.Seed, "path "+j.spec.purpose, uint64(run))
		g.streams, g.r = append(g.streams, s), append(g.r, s.Rand)
		g.rows = append(g.rows, make([]float64, j.spec.width))
		g.t = append(g.t, new(tally))
	}
	return g
}

// worker makes one group of runs after the other.
type worker struct {
	job  *running
	make groupFunc
	turn turn
	g    *group // at work
}

func (w *worker) Place() (unit, step string) {
	if w.g == nil {
		return "before the first run", ""
	}
	return fmt.Sprintf("run %d", w.g.runs[w.g.now]+1), ""
}

func (w *worker) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	if w.make == nil {
		w.make = w.job.spec.grouped()
	}
	for {
		if w.g == nil {
			if w.g = w.job.claim(); w.g == nil {
				return false, nil
			}
			for _, t := range w.g.t {
				t.turn = &w.turn
			}
		}
		w.turn = turn{ctx: ctx, until: until, count: w.job.count}
		if err := w.make(w.g); errors.Is(err, errStopped) {
			return true, nil
		} else if err != nil {
			return false, err
		}
		w.job.finish(w.g)
		if w.g = nil; ctx.Err() != nil || time.Now().After(until) {
			return true, nil
		}
	}
}

// Save notes the state of an unfinished group.
func (w *worker) Save() error {
	if w.g == nil || w.g.state == nil {
		return nil
	}
	partial, err := w.g.state()
	if err != nil {
		return err
	}
	w.job.store.Lock()
	defer w.job.store.Unlock()
	w.job.partials[w.g.part] = partial
	return nil
}

const rowHead = 2 // moves and evaluations go before the numbers of a run

// finish stores the rows of a finished group.
func (j *running) finish(g *group) {
	for _, t := range g.t {
		t.report()
	}
	j.store.Lock()
	defer j.store.Unlock()
	for i, run := range g.runs {
		j.rows[run] = g.row(i)
		j.count.done.Add(1)
	}
	j.partials[g.part] = nil
}

func (j *running) outcome(err error) (*outcome, error) {
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
	case len(o.rows) == len(j.rows) && errors.Is(err, mcmc.ErrInterrupted): // after the last run
		return o, nil
	case errors.Is(err, mcmc.ErrInterrupted):
		return o, fmt.Errorf("path: %w after %d of %d runs", err, len(o.rows), len(j.rows))
	case err != nil:
		return o, fmt.Errorf("path: %w", err)
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
