package mrf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// chain is a unit of the runner: a ladder of replicas, or a single state.
type chain struct {
	job    *sampleJob
	number int
	stream *rng.Stream

	ladder   *tempering.Kernel[*State] // nil without tempering
	replicas *tempering.State[*State]
	kernel   mcmc.Kernel[*State] // of a single state
	state    *State

	pilot, iteration int // of the warm-up
	watcher          *Gibbs
	p                []float64
	width            int
	batches          batches
	moves            []bool
	best             []int32
	bestDensity      float64

	done atomic.Int64 // steps after the warm-up
	warm atomic.Bool
}

const (
	firstRungs = 8
	mostRungs  = 64
	pilotSteps = 256
	mostPilots = 4
)

func newChain(j *sampleJob, number int) *chain {
	c := &chain{job: j, number: number, stream: rng.New(j.set.Seed, "mrf chain", uint64(number)), batches: newBatches(), moves: make([]bool, len(j.f.cards)), bestDensity: math.Inf(-1)}
	most := int32(1)
	for _, i := range j.f.free {
		most = max(most, j.f.cards[i])
		c.width += width(j.f.cards[i])
	}
	c.p = make([]float64, most)
	return c
}

// width is how many probabilities are kept of a variable with so many values.
func width(values int32) int {
	if values == 2 {
		return 1
	}
	return int(values)
}

func (c *chain) Place() (unit, step string) {
	return fmt.Sprintf("chain %d", c.number+1), fmt.Sprintf("step %d", c.done.Load()+1)
}

func (c *chain) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	if c.watcher == nil {
		if err := c.start(ctx, true); ctx.Err() != nil {
			c.watcher = nil
			return true, nil
		} else if err != nil {
			return false, err
		}
	}
	for int(c.done.Load()) < c.job.target() && !c.job.late() {
		if c.warm.Load() {
			c.step()
		} else if err := c.tune(); err != nil {
			return false, err
		}
		if ctx.Err() != nil || time.Now().After(until) {
			return int(c.done.Load()) < c.job.target() && !c.job.late(), nil
		}
	}
	return false, nil
}

// start makes the kernels, and finds a state to start from unless one will be restored.
func (c *chain) start(ctx context.Context, find bool) (err error) {
	f, p := c.job.f, c.job.p
	if c.watcher, err = NewGibbs(f, gibbs.Systematic); err != nil {
		return err
	}
	if c.state, err = f.NewState(nil); err != nil {
		return err
	}
	if find && c.job.set.Method == Tempered {
		x, err := f.Feasible(ctx, c.stream.Rand)
		if err != nil {
			return err
		}
		if c.state, err = f.NewState(x); err != nil {
			return err
		}
	}
	switch {
	case c.job.set.Method != Tempered:
		if c.kernel, err = c.single(); err != nil {
			return err
		}
	case p.Exact():
		c.warm.Store(true)
		c.kernel, err = p.Kernel(0)
		return err
	default:
		return c.ladderOf(tempering.Even(firstRungs))
	}
	if !find {
		return nil
	}
	x, err := c.job.starts.of(ctx, c)
	if err == nil {
		copy(c.state.X, x)
		c.state.stale, c.state.known = true, false
	}
	return err
}

// single makes a kernel for a single state.
func (c *chain) single() (mcmc.Kernel[*State], error) {
	f := c.job.f
	single, err := NewGibbs(f, gibbs.Systematic)
	if err != nil || c.job.set.Method == SingleSite {
		return single, err
	}
	plans, err := f.cover(c.job.set.Path.Blocks)
	if err != nil {
		return nil, err
	}
	return &pathKernel{p: c.job.p, single: single, blocks: newBlocks(f, plans, single.w)}, nil
}

// ladderOf makes a ladder of these rungs. Its replicas are those of the ladder before, the nearest in rank, or else draws from the
// base, and at the model the state that the chain started from.
func (c *chain) ladderOf(betas []float64) (err error) {
	f, p := c.job.f, c.job.p
	before := c.replicas
	if c.ladder, err = tempering.New[*State](p, func(beta float64) (mcmc.Kernel[*State], error) { return p.Kernel(beta) }, tempering.Settings{Betas: betas}); err != nil {
		return err
	}
	draw := p.base()
	replicas := make([]*State, len(betas))
	for i := range replicas {
		if replicas[i], err = f.NewState(nil); err != nil {
			return err
		}
		switch {
		case before != nil:
			f.Copy(replicas[i], before.Replicas[i*(len(before.Replicas)-1)/(len(betas)-1)])
		case i == len(betas)-1:
			f.Copy(replicas[i], c.state)
		default:
			draw.Step(replicas[i], c.stream.Rand)
		}
	}
	c.replicas = tempering.NewState(replicas)
	return nil
}

// tune makes a step of the warm-up: pilots fit the number of rungs to the barrier, and their places.
func (c *chain) tune() error {
	r := c.stream.Rand
	if c.ladder == nil {
		c.kernel.Step(c.state, r)
		if c.iteration++; c.iteration == pilotSteps {
			c.warm.Store(true)
		}
		return nil
	}
	c.ladder.Adapt(c.replicas, r, mcmc.Warmup{Iteration: c.iteration, Total: pilotSteps})
	if c.iteration++; c.iteration < pilotSteps {
		return nil
	}
	c.iteration = 0
	c.pilot++
	rep := c.ladder.Report()
	n := len(rep.Betas)
	want := min(max(int(2*rep.Barrier)+2, 3), mostRungs)
	if rep.Barrier > 0.6*float64(n-1) {
		want = min(2*n, mostRungs)
	}
	if c.pilot < mostPilots && want > n+1 {
		return c.ladderOf(stretch(rep.Betas, want))
	}
	c.ladder.Freeze()
	c.warm.Store(true)
	return nil
}

// stretch is a ladder of n rungs of the same shape.
func stretch(betas []float64, n int) []float64 {
	all := make([]float64, n)
	last := len(betas) - 1
	for i := range all {
		at := float64(i*last) / float64(n-1)
		k := min(int(at), last-1)
		all[i] = betas[k] + float64((at-float64(k))*(betas[k+1]-betas[k]))
	}
	all[n-1] = betas[last]
	return all
}

// step makes a step and adds the conditionals of all variables.
func (c *chain) step() {
	s := c.state
	if c.ladder != nil {
		c.ladder.Step(c.replicas, c.stream.Rand)
		s = c.replicas.Cold()
	} else {
		c.kernel.Step(s, c.stream.Rand)
	}
	c.look(s)
	c.done.Add(1)
}

func (c *chain) look(s *State) {
	f := c.job.f
	f.settle(s)
	sums := c.batches.next(c.width)
	at := 0
	for _, i := range f.free {
		p := c.p[:f.cards[i]]
		c.watcher.conditional(p, s, i)
		c.moves[i] = c.moves[i] || slices.Max(p) < 1
		n := width(f.cards[i])
		for v := range n {
			sums[at+v] += p[v]
		}
		at += n
	}
	if d := f.LogDensity(s.X); d > c.bestDensity {
		c.best, c.bestDensity = append(c.best[:0], s.X...), d
	}
}

func (c *chain) bestState() []int { return (&State{X: c.best}).Values() }

// updates is the number of draws of a variable by itself, or from the base, after the warm-up.
func (c *chain) updates() float64 {
	replicas := 1
	if c.replicas != nil {
		replicas = len(c.replicas.Replicas)
	}
	return float64(float64(c.done.Load()) * float64(replicas) * float64(len(c.job.f.free)))
}

// savedChain is a chain in a checkpoint. Fields are exported for gob.
type savedChain struct {
	Stream, Ladder   []byte
	Rungs            int
	States           [][]int32
	Label            []int
	Odd              bool
	Pilot, Iteration int
	Batches          batches
	Moves            []bool
	Best             []int32
	BestDensity      float64
	Done             int64
	Warm             bool
}

// Save notes the chain for the checkpoint.
func (c *chain) Save() error {
	if c.job.set.Checkpoint == "" || c.watcher == nil {
		return nil
	}
	s := savedChain{Pilot: c.pilot, Iteration: c.iteration, Batches: c.batches, Moves: c.moves, Best: c.best, BestDensity: c.bestDensity, Done: c.done.Load(), Warm: c.warm.Load()}
	var err error
	if s.Stream, err = c.stream.MarshalBinary(); err != nil {
		return err
	}
	if c.ladder == nil {
		s.States = [][]int32{c.state.X}
	} else {
		if s.Ladder, err = c.ladder.MarshalBinary(); err != nil {
			return err
		}
		s.Rungs, s.Label, s.Odd = len(c.replicas.Replicas), c.replicas.Label, c.replicas.Odd
		for _, x := range c.replicas.Replicas {
			s.States = append(s.States, x.X)
		}
	}
	b, err := gobs.Marshal(s)
	if err != nil {
		return err
	}
	c.job.file.Note(c.number, b)
	return nil
}

var errChain = errors.New("the checkpoint's chains are of another model")

// restore makes the chain what it was when it was saved.
func (c *chain) restore(b []byte) error {
	var s savedChain
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	if err := c.start(context.Background(), false); err != nil {
		return err
	}
	if err := c.stream.UnmarshalBinary(s.Stream); err != nil {
		return err
	}
	if (s.Rungs > 0) != (c.ladder != nil) || len(s.States) != max(s.Rungs, 1) || len(s.Moves) != len(c.moves) || s.Batches.Length < 1 || s.Rungs == 1 {
		return errChain
	}
	if s.Rungs > 0 {
		c.replicas = nil
		if err := c.ladderOf(tempering.Even(s.Rungs)); err != nil {
			return err
		}
		if err := c.ladder.UnmarshalBinary(s.Ladder); err != nil {
			return err
		}
		c.replicas.Label, c.replicas.Odd = s.Label, s.Odd
		if err := c.stream.UnmarshalBinary(s.Stream); err != nil {
			return err
		}
	}
	for i, x := range s.States {
		if !c.job.f.takes(x) {
			return errChain
		}
		to := c.state
		if c.replicas != nil {
			to = c.replicas.Replicas[i]
		}
		copy(to.X, x)
		to.stale, to.known = true, false
	}
	c.pilot, c.iteration, c.batches, c.moves, c.best, c.bestDensity = s.Pilot, s.Iteration, s.Batches, s.Moves, s.Best, s.BestDensity
	c.done.Store(s.Done)
	c.warm.Store(s.Warm)
	return nil
}
