package mcmc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Run samples: it starts the chains of the job, or resumes them, takes each through
// warm-up and sampling, and hands what is to be kept to rec. obs may be nil.
//
// When ctx ends, Run checkpoints every chain and returns an error that wraps
// [ErrInterrupted]. When a chain fails (no start, a recorder that cannot write, a panic
// in a kernel), the others are checkpointed and the error names the chain. The result is
// there whenever chains ran, error or not. On disk nothing kept is lost: a resumed run
// goes on from the last checkpoint of each chain and makes the draws after it again,
// byte for byte.
func Run[S any](ctx context.Context, job Job[S], set Settings, rec Recorder, obs Observer) (*Result, error) {
	r := &runner[S]{began: time.Now(), cpu0: cpuSeconds(), set: set.WithDefaults()}
	if err := r.prepare(ctx, job, rec); err != nil {
		return nil, err
	}
	ctx, r.cancel = context.WithCancel(ctx)
	defer r.cancel()

	watched := r.watch(obs)
	var workers sync.WaitGroup
	for range min(r.set.Threads, len(r.chains)) {
		workers.Go(func() { r.work(ctx) })
	}
	workers.Wait()
	r.saveResting(true)
	watched()
	return r.result(), r.outcome(ctx)
}

type runner[S any] struct {
	set    Settings
	id     identity
	chains []*chain[S]
	cancel context.CancelFunc

	queue chan *chain[S] // chains that wait for a thread, first come first served
	left  atomic.Int64   // chains not finished

	mu      sync.Mutex
	failure error       // the first
	resting []*chain[S] // chains that have ended and are not saved yet

	began time.Time
	cpu0  float64
	busy  atomic.Int64 // nanoseconds that chains ran, all together
}

// prepare makes the chains. All checkpoints are read and judged before the first draw
// is truncated, so that resuming the wrong run does no harm.
func (r *runner[S]) prepare(ctx context.Context, job Job[S], rec Recorder) error {
	if err := r.set.check(); err != nil {
		return err
	}
	if r.set.Dir != "" {
		if err := os.MkdirAll(r.set.Dir, 0o777); err != nil {
			return fmt.Errorf("mcmc: no folder for checkpoints: %w", err)
		}
	}
	weigh, err := suits(job, rec, r.set)
	if err != nil {
		return fmt.Errorf("mcmc: %w", err)
	}
	vars, width := job.Variables(), 0
	for _, v := range vars {
		width += v.Size()
	}
	s := r.set
	r.id = identity{s.Seed, s.Chains, s.Warmup, s.Thin, s.SaveWarmup, fmt.Sprint(vars), s.Fingerprint}
	r.queue = make(chan *chain[S], s.Chains)
	for i := range s.Chains {
		c := newChain(i, job, &r.set, rec, width)
		c.weigh = weigh
		r.chains = append(r.chains, c)
		r.queue <- c
	}
	r.left.Store(int64(s.Chains))
	if err := r.apart(); err != nil {
		return err
	}
	if s.Resume {
		return r.resume(ctx, rec)
	}
	if s.Dir == "" {
		return nil
	}
	// Better now than when the draws are made.
	if _, err := marshalKernel(r.chains[0].kernel); err != nil {
		return err
	}
	if err := clearCheckpoints(s.Dir); err != nil {
		return fmt.Errorf("mcmc: checkpoints of an earlier run are in the way: %w", err)
	}
	return nil
}

func (r *runner[S]) resume(ctx context.Context, rec Recorder) error {
	snaps := make([]*snapshot, len(r.chains))
	for i, c := range r.chains {
		s, err := readCheckpoint(r.set.Dir, i)
		if err != nil {
			return fmt.Errorf("mcmc: cannot resume: %w", err)
		}
		if snaps[i] = s; s == nil {
			continue
		}
		if err := r.id.differs(s.Run); err != nil {
			return fmt.Errorf("mcmc: cannot resume from %s: %w", checkpointFile(r.set.Dir, i), err)
		}
		if s.Iteration > c.total() {
			return fmt.Errorf("mcmc: cannot resume: chain %d has %d draws already, and %d are asked for; ask for as many or more",
				i+1, s.Kept[sampling], r.set.Draws)
		}
		if err := c.sameOrigin(ctx, s.Origin); err != nil {
			return fmt.Errorf("mcmc: cannot resume chain %d: %w", i+1, err)
		}
	}
	for i, c := range r.chains {
		var kept [2]int
		var seal []byte
		if s := snaps[i]; s != nil {
			if err := c.restore(s); err != nil {
				return fmt.Errorf("mcmc: cannot resume chain %d: %w", i+1, err)
			}
			kept, seal = s.Kept, s.Seal
		}
		if err := rec.Truncate(i, kept[warming], kept[sampling], seal); err != nil {
			return fmt.Errorf("mcmc: cannot resume chain %d: going back to its %d draws: %w", i+1, kept[sampling], err)
		}
	}
	return nil
}

// work gives chains their turns until all are finished.
func (r *runner[S]) work(ctx context.Context) {
	for c := range r.queue {
		more := r.turn(ctx, c)
		r.saveResting(false)
		if more {
			r.queue <- c // has room for all chains, so never blocks
			continue
		}
		if r.left.Add(-1) == 0 {
			close(r.queue)
		}
	}
}

// turn runs a chain for a slice and says whether it wants another.
func (r *runner[S]) turn(ctx context.Context, c *chain[S]) (more bool) {
	defer func() {
		if p := recover(); p != nil {
			r.fail(c, fmt.Errorf("panic at iteration %d: %v; a target or a kernel must not panic: if neither is yours, please report it\n%s", c.iter+1, p, debug.Stack()))
			r.rescue(c)
			more = false
		}
	}()
	if !c.started && ctx.Err() == nil {
		if err := c.start(ctx); err != nil {
			r.failStart(ctx, c, err)
			return false
		}
	}
	if !c.started {
		return false
	}
	began := time.Now()
	err := c.run(ctx)
	r.busy.Add(int64(time.Since(began)))
	if err != nil {
		r.fail(c, r.advise(c, err))
		r.rescue(c)
		return false
	}
	if c.iter == c.total() || ctx.Err() != nil {
		r.mu.Lock()
		r.resting = append(r.resting, c)
		r.mu.Unlock()
		return false
	}
	return !c.due() || r.trySave(c)
}

// saveResting saves chains that have ended: those that are due, or all. Chains
// that are saved at the same time share the work of making files durable.
func (r *runner[S]) saveResting(all bool) {
	r.mu.Lock()
	var due []*chain[S]
	r.resting = slices.DeleteFunc(r.resting, func(c *chain[S]) bool {
		if all || c.due() {
			due = append(due, c)
			return true
		}
		return false
	})
	r.mu.Unlock()
	var savers sync.WaitGroup
	for _, c := range due {
		savers.Go(func() { r.trySave(c) })
	}
	savers.Wait()
}

// trySave saves a chain and says whether that succeeded.
func (r *runner[S]) trySave(c *chain[S]) (saved bool) {
	defer func() {
		if p := recover(); p != nil {
			r.fail(c, fmt.Errorf("panic while saving iteration %d: %v; this is a bug, please report it\n%s", c.iter, p, debug.Stack()))
			saved = false
		}
	}()
	if err := r.save(c); err != nil {
		r.fail(c, r.advise(c, err))
		return false
	}
	return true
}

// save makes the chain's draws durable and then, where there is a folder, its place.
func (r *runner[S]) save(c *chain[S]) error {
	if c.savedAt == c.iter {
		return nil
	}
	if err := c.sync(); err != nil {
		return err
	}
	if r.set.Dir != "" {
		s, err := c.snapshot(r.id, r.cpuPerBusy())
		if err != nil {
			return err
		}
		if err := writeCheckpoint(r.set.Dir, s); err != nil {
			return fmt.Errorf("writing a checkpoint: %w", err)
		}
	}
	c.saved, c.savedAt = time.Now(), c.iter
	return nil
}

// rescue makes durable what a failed chain has recorded. Its last checkpoint stays: the
// state may be half moved.
func (r *runner[S]) rescue(c *chain[S]) {
	defer func() { _ = recover() }() // the failure is reported already
	_ = c.sync()
}

// fail keeps the first failure and stops the run.
func (r *runner[S]) fail(c *chain[S], err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == nil {
		r.failure = fmt.Errorf("mcmc: chain %d: %w", c.id+1, err)
	}
	r.cancel()
}

// failStart reports a chain without a start, unless it is only that the run was ended.
func (r *runner[S]) failStart(ctx context.Context, c *chain[S], err error) {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return
	}
	r.fail(c, fmt.Errorf("no initial state: %w", err))
}

// advise adds to a failure of the recorder or a checkpoint what is left and what to do.
func (r *runner[S]) advise(c *chain[S], err error) error {
	if r.set.Dir == "" {
		return fmt.Errorf("%w (%d of its draws are durable)", err, c.durable[sampling])
	}
	return fmt.Errorf("%w (%d of its draws are durable; once the cause is removed, resume the run and no draw is lost)",
		err, c.durable[sampling])
}

func (r *runner[S]) outcome(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure != nil {
		return r.failure
	}
	for _, c := range r.chains {
		if c.iter < c.total() || !c.started {
			return fmt.Errorf("mcmc: %w (%w) after %d of %d iterations of chain %d", ErrInterrupted, context.Cause(ctx), c.iter, c.total(), c.id+1)
		}
	}
	return nil
}

// cpuPerBusy is the processor time used in a second that one chain runs.
func (r *runner[S]) cpuPerBusy() float64 {
	busy := time.Duration(r.busy.Load()).Seconds()
	if busy == 0 {
		return 0
	}
	return (cpuSeconds() - r.cpu0) / busy
}

func (r *runner[S]) result() *Result {
	res := &Result{Wall: time.Since(r.began)}
	per := r.cpuPerBusy()
	for _, c := range r.chains {
		t := &c.tally
		cpu := t.cpu(per)
		one := ChainResult{
			Iterations: c.iter, Warmup: c.kept[warming], Draws: c.kept[sampling],
			AcceptProb: math.NaN(), Accepted: t.Accepted, Divergences: t.Divergences, Evals: t.Evals,
			CPU: CPUTime{Warmup: cpu[warming], Sampling: cpu[sampling]},
		}
		if n := c.iter - c.set.Warmup; n > 0 {
			one.AcceptProb = t.AcceptSum / float64(n)
		}
		res.CPU.Warmup += one.CPU.Warmup
		res.CPU.Sampling += one.CPU.Sampling
		res.Chains = append(res.Chains, one)
	}
	return res
}
