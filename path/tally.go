package path

import (
	"context"
	"sync/atomic"
	"time"
)

// tally counts the work of a run.
type tally struct {
	moves, evals int64
	reported     int64
	turn         *turn
}

// turn is what runs look at to know when to stop.
type turn struct {
	ctx   context.Context
	until time.Time // zero: the end of the work
	count *counter
}

const stopEvery = 64 // moves between looks at the context and the clock

// moved counts a move and says whether the run has to stop.
func (t *tally) moved() (stop bool) {
	t.moves++
	if t.moves%stopEvery != 0 {
		return false
	}
	t.report()
	return t.turn.ctx.Err() != nil || !t.turn.until.IsZero() && time.Now().After(t.turn.until)
}

// report adds the moves since the last report to those of the job.
func (t *tally) report() {
	t.turn.count.moves.Add(t.moves - t.reported)
	t.reported = t.moves
}

// counter counts what is done of a job, and reports it.
type counter struct {
	progress    func(Progress)
	total       int
	done, moves atomic.Int64
}

func newCounter(set Settings) *counter { return &counter{progress: set.Progress, total: set.Runs} }

func (c *counter) watch() func() {
	if c.progress == nil {
		return nil
	}
	return func() { c.progress(Progress{Done: int(c.done.Load()), Total: c.total, Moves: c.moves.Load()}) }
}
