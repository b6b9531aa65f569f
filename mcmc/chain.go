package mcmc

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// chain is one Markov chain under way. One goroutine owns it at a time; others read
// only the atomic fields.
type chain[S any] struct {
	id     int
	job    Job[S]
	set    *Settings
	rec    Recorder
	trace  *Trace // rec, if it is one: draws are then written where they stay
	kernel Kernel[S]
	tuner  Adapter[S] // kernel, if it adapts
	state  S

	steps  *rng.Stream // moves the chain
	extras *rng.Stream // forward samples when a draw is recorded

	origin  origin
	started bool
	iter    int // iterations done, warm-up included
	kept    [2]int
	durable [2]int // of kept, how many the last Sync covered
	digest  []byte // of those
	draw    []float64
	tally   tally

	statistics []func(S) float64 // those that the recorder keeps
	named      []float64         // their values at a draw

	stride  int // iterations between two looks at the clock
	savedAt int // iteration of the checkpoint on disk, -1 without

	done      atomic.Int64 // iter, for the observer
	divergent atomic.Int64 // tally.Divergences, for the observer
}

// tally counts what a chain did. It is part of the checkpoint.
type tally struct {
	AcceptSum   float64
	Accepted    int
	Divergences int
	Evals       int
	Busy        [2]float64 // seconds this process ran the chain, by phase; not checkpointed as such
	CPU         [2]float64 // processor seconds of the processes before
}

const (
	warming  = 0 // index into kept, Busy, CPU
	sampling = 1
)

func newChain[S any](id int, job Job[S], set *Settings, rec Recorder, width int) *chain[S] {
	c := &chain[S]{id: id, job: job, set: set, rec: rec, savedAt: -1}
	c.steps = rng.New(set.Seed, "chain", uint64(id))
	c.extras = rng.New(set.Seed, "record", uint64(id))
	c.kernel = job.Kernel(id)
	c.tuner, _ = c.kernel.(Adapter[S])
	c.trace, _ = rec.(*Trace)
	c.draw = make([]float64, width)
	return c
}

func (c *chain[S]) total() int { return c.set.Warmup + c.set.Draws*c.set.Thin }

func (c *chain[S]) phase() int {
	if c.iter < c.set.Warmup {
		return warming
	}
	return sampling
}

// start draws the initial state of a chain that no checkpoint has given one.
func (c *chain[S]) start(ctx context.Context) error {
	state, err := c.firstState(ctx)
	if err != nil {
		return err
	}
	c.state = state
	if c.set.Dir != "" && len(c.set.Fingerprint) == 0 {
		c.origin = originOf(c.job, c.kernel, state)
	}
	c.begin()
	if c.set.Warmup == 0 && c.tuner != nil {
		c.tuner.Freeze()
	}
	return nil
}

func (c *chain[S]) firstState(ctx context.Context) (S, error) {
	r := rng.New(c.set.Seed, "init", uint64(c.id)).Rand
	if job, ok := c.job.(Spread[S]); ok {
		return job.StartApart(ctx, Place{c.id, c.set.Chains, rng.New(c.set.Seed, "places").Rand}, r)
	}
	return c.job.Start(ctx, c.id, r)
}

// begin marks the chain as having a state.
func (c *chain[S]) begin() {
	c.started = true
	c.publish()
}

func (c *chain[S]) publish() {
	c.done.Store(int64(c.iter))
	c.divergent.Store(int64(c.tally.Divergences))
}

// advance moves the chain until about the time given, at most to the end of its phase, and
// stops early when ctx is done.
func (c *chain[S]) advance(ctx context.Context, began, until time.Time) error {
	phase, limit := c.phase(), c.total()
	if phase == warming {
		limit = c.set.Warmup
	}
	defer func() {
		c.tally.Busy[phase] += time.Since(began).Seconds()
		c.publish()
	}()
	n, slice := max(c.stride/2, 1), until.Sub(began)
	for c.iter < limit && ctx.Err() == nil {
		move := c.sample
		if phase == warming {
			move = c.warm
		}
		if err := move(min(c.iter+n, limit)); err != nil {
			return err
		}
		c.publish()
		spent := time.Since(began)
		if spent >= slice {
			break
		}
		if spent < slice/32 { // a look at the clock costs as much as a fast step
			n *= 2
		}
	}
	c.stride = n
	return nil
}

// warm moves the chain through its warm-up to iteration end.
func (c *chain[S]) warm(end int) error {
	for c.iter < end {
		var info Info
		if c.tuner != nil {
			info = c.tuner.Adapt(c.state, c.steps.Rand, Warmup{Iteration: c.iter, Total: c.set.Warmup})
		} else {
			info = c.kernel.Step(c.state, c.steps.Rand)
		}
		c.iter++
		c.tally.Evals += info.Evals
		if c.iter == c.set.Warmup && c.tuner != nil {
			c.tuner.Freeze()
		}
		if c.set.SaveWarmup && c.iter%c.set.Thin == 0 {
			c.job.Record(c.state, c.extras.Rand, c.draw)
			if err := c.rec.Append(c.id, true, c.draw, c.stat(info)); err != nil {
				return c.lost(err)
			}
			c.kept[warming]++
		}
	}
	return nil
}

// sample moves the chain to iteration end, after the warm-up, and records draws.
func (c *chain[S]) sample(end int) error {
	thin := c.set.Thin
	left := thin - (c.iter-c.set.Warmup)%thin // iterations to the next draw
	if c.trace != nil {
		left = c.fill(end, left)
	}
	for c.iter < end {
		info := c.kernel.Step(c.state, c.steps.Rand)
		c.iter++
		c.tally.count(info)
		if left--; left > 0 {
			continue
		}
		left = thin
		c.job.Record(c.state, c.extras.Rand, c.draw)
		if err := c.rec.Append(c.id, false, c.draw, c.stat(info)); err != nil {
			return c.lost(err)
		}
		c.kept[sampling]++
	}
	return nil
}

// fill makes the draws up to iteration end for which the trace has room, in that room. The
// first is left iterations away, and so is the next on return.
func (c *chain[S]) fill(end, left int) int {
	thin, width := c.set.Thin, len(c.draw)
	room := c.trace.room(c.id, (end-c.iter+thin-left)/thin)
	if len(room) == 0 {
		return left
	}
	at := 0
	defer func() { // also where a kernel panics: the draws before are good
		c.trace.keep(c.id, at/width)
		c.kept[sampling] += at / width
	}()
	for ; at < len(room); at += width {
		for ; left > 0; left-- {
			info := c.kernel.Step(c.state, c.steps.Rand)
			c.iter++
			c.tally.count(info)
		}
		left = thin
		c.job.Record(c.state, c.extras.Rand, room[at:at+width])
	}
	return left
}

func (t *tally) count(info Info) {
	accepted := 0
	if info.Accepted { // compiled without a jump, which chance would mispredict
		accepted = 1
	}
	t.Accepted += accepted
	t.Evals += info.Evals
	t.AcceptSum += info.AcceptProb
	if info.Divergent {
		t.Divergences++
	}
}

func (c *chain[S]) lost(err error) error { return fmt.Errorf("keeping iteration %d: %w", c.iter, err) }

// sync makes the draws kept so far durable.
func (c *chain[S]) sync() error {
	digest, err := c.rec.Sync(c.id)
	if err != nil {
		return fmt.Errorf("making %d draws durable: %w", c.kept[sampling], err)
	}
	c.durable, c.digest = c.kept, digest
	return nil
}
