package mcmc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/owned"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
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
	r := &run[S]{began: time.Now(), cpu0: cputime.Process(), set: set.WithDefaults()}
	if err := r.prepare(ctx, job, rec); err != nil {
		return nil, err
	}
	err := r.stages(ctx, r.watch(obs))
	return r.result(), r.outcome(err)
}

type run[S any] struct {
	set    Settings
	id     identity
	chains []*chain[S]
	units  []runner.Unit // of the chains
	began  time.Time
	cpu0   float64
	busy   atomic.Int64 // nanoseconds that chains ran, all together
	last   bool         // no chain gets more draws than it is on the way to
}

// stages takes the chains to the draws that they are to have, and on as long as more are wanted.
func (r *run[S]) stages(ctx context.Context, watch func()) error {
	r.last = r.set.More == nil && r.set.Enough == nil
	for {
		cut, err := r.stage(ctx, watch)
		if cut {
			return r.level(ctx, watch, err)
		}
		if err != nil || r.last {
			return err
		}
		more := r.set.Draws
		if r.set.More != nil {
			if more, err = r.set.More(r.set.Draws); err != nil {
				return err
			}
		}
		if more <= r.set.Draws {
			break
		}
		if r.set.Draws = more; r.set.check() != nil {
			return r.set.check()
		}
	}
	r.last = true
	if watch != nil {
		watch()
	}
	return nil
}

// stage takes the chains to the draws that they are to have, and says whether Enough has cut it short.
func (r *run[S]) stage(ctx context.Context, watch func()) (cut bool, err error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	if r.set.Enough != nil {
		cancelOn(within, r.set.Enough, cancel)
	}
	err = runner.Run(within, r.units, runner.Settings{Threads: r.set.Threads, Every: r.set.Checkpoint, Watch: watch})
	return ctx.Err() == nil && errors.Is(err, ErrInterrupted), err
}

// cancelOn cancels when enough is closed, before it returns where that is so already.
func cancelOn(ctx context.Context, enough <-chan struct{}, cancel context.CancelFunc) {
	select {
	case <-enough:
		cancel()
		return
	default:
	}
	go func() {
		select {
		case <-enough:
			cancel()
		case <-ctx.Done():
		}
	}()
}

// level gives all chains as many draws as the furthest has.
func (r *run[S]) level(ctx context.Context, watch func(), interruption error) error {
	most := 0
	for _, c := range r.chains {
		most = max(most, (c.iter-r.set.Warmup+r.set.Thin-1)/r.set.Thin)
	}
	if most == 0 {
		return interruption
	}
	r.set.Draws, r.set.Enough, r.last = most, nil, true
	_, err := r.stage(ctx, watch)
	return err
}

// prepare makes the chains. All checkpoints are read and judged before the first draw
// is truncated, so that resuming the wrong run does no harm.
func (r *run[S]) prepare(ctx context.Context, job Job[S], rec Recorder) error {
	if err := r.set.check(); err != nil {
		return err
	}
	if r.set.Dir != "" {
		if err := os.MkdirAll(r.set.Dir, 0o777); err != nil {
			return fmt.Errorf("mcmc: no folder for checkpoints: %w", err)
		}
	}
	vars := job.Variables()
	if f, ok := rec.(Fitter); ok {
		if err := f.Fits(vars, r.set); err != nil {
			return fmt.Errorf("mcmc: %w", err)
		}
	}
	s := r.set
	r.id = identity{s.Seed, s.Chains, s.Warmup, s.Thin, s.SaveWarmup, fmt.Sprint(vars), s.Fingerprint}
	var kernels []any
	for i := range s.Chains {
		c := newChain(i, job, &r.set, rec, draws.Width(vars))
		if err := c.keeps(); err != nil {
			return fmt.Errorf("mcmc: %w", err)
		}
		r.chains, r.units, kernels = append(r.chains, c), append(r.units, unit[S]{r, c}), append(kernels, c.kernel)
	}
	if err := owned.Apart(kernels); err != nil {
		return err
	}
	if s.Resume {
		return r.resume(ctx, rec)
	}
	if s.Dir == "" {
		return nil
	}
	// Better now than when the draws are made.
	if _, err := tunings.Marshal(r.chains[0].kernel); err != nil {
		return fmt.Errorf("mcmc: %w", err)
	}
	if err := clearCheckpoints(s.Dir); err != nil {
		return fmt.Errorf("mcmc: checkpoints of an earlier run are in the way: %w", err)
	}
	return nil
}

func (r *run[S]) resume(ctx context.Context, rec Recorder) error {
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
		var digest []byte
		if s := snaps[i]; s != nil {
			if err := c.restore(s); err != nil {
				return fmt.Errorf("mcmc: cannot resume chain %d: %w", i+1, err)
			}
			kept, digest = s.Kept, s.Digest
		}
		if err := rec.Truncate(i, kept[warming], kept[sampling], digest); err != nil {
			return fmt.Errorf("mcmc: cannot resume chain %d: going back to its %d draws: %w", i+1, kept[sampling], err)
		}
	}
	return nil
}

// unit is a chain as the runner sees it.
type unit[S any] struct {
	run *run[S]
	*chain[S]
}

func (u unit[S]) Place() (name, step string) {
	return fmt.Sprintf("chain %d", u.id+1), fmt.Sprintf("iteration %d", u.iter+1)
}

func (u unit[S]) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	if !u.started {
		if err := u.start(ctx); err != nil {
			if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
				return true, nil // the run was ended while it looked for a start
			}
			return false, fmt.Errorf("no initial state: %w", err)
		}
	}
	whole := false
	defer func() {
		if !whole { // a kernel panicked
			u.rescue()
		}
	}()
	began := time.Now()
	err = u.advance(ctx, began, until)
	u.run.busy.Add(int64(time.Since(began)))
	if err != nil {
		return false, u.advise(err)
	}
	whole = true
	return u.iter < u.total(), nil
}

// Save makes the chain's draws durable and then, where there is a folder, its place.
func (u unit[S]) Save() error {
	if !u.started || u.savedAt == u.iter {
		return nil
	}
	if err := u.sync(); err != nil {
		return u.advise(err)
	}
	if u.set.Dir != "" {
		s, err := u.snapshot(u.run.id, u.run.cpuPerBusy())
		if err == nil {
			err = writeCheckpoint(u.set.Dir, s)
		}
		if err != nil {
			return u.advise(fmt.Errorf("writing a checkpoint: %w", err))
		}
	}
	u.savedAt = u.iter
	return nil
}

// rescue makes durable what a failed chain has recorded. Its last checkpoint stays: the
// state may be half moved.
func (u unit[S]) rescue() {
	defer func() { _ = recover() }() // the failure itself is reported
	_ = u.sync()
}

// advise adds to a failure of the recorder or a checkpoint what is left and what to do.
func (u unit[S]) advise(err error) error {
	if u.set.Dir == "" {
		return fmt.Errorf("%w (%d of its draws are durable)", err, u.durable[sampling])
	}
	return fmt.Errorf("%w (%d of its draws are durable; once the cause is removed, resume the run and no draw is lost)",
		err, u.durable[sampling])
}

// outcome adds to an interruption how far the first unfinished chain came.
func (r *run[S]) outcome(err error) error {
	if errors.Is(err, ErrInterrupted) {
		for _, c := range r.chains {
			if c.iter < c.total() || !c.started {
				return fmt.Errorf("mcmc: %w after %d of %d iterations of chain %d", err, c.iter, c.total(), c.id+1)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("mcmc: %w", err)
	}
	return nil
}

// cpuPerBusy is the processor time used in a second that one chain runs.
func (r *run[S]) cpuPerBusy() float64 {
	busy := time.Duration(r.busy.Load()).Seconds()
	if busy == 0 {
		return 0
	}
	return (cputime.Process() - r.cpu0) / busy
}

func (r *run[S]) result() *Result {
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
