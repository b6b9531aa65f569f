package mrf

import (
	"context"
	"math"
	"sync"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// starts are where chains without tempering begin: far from each other, so that where the distribution has parts between which they
// do not pass, they begin in several of them and disagree (Gelman and Rubin, 1992, ask for overdispersed starts). They are picked among candidates
// that have made a few steps: states at random, states of one value, and opposites of candidates. The first is the most probable
// candidate, each of the others the one that differs most from the nearest of those before it.
type starts struct {
	mutex sync.Mutex
	all   [][]int32 // nil until they are made
}

const (
	startCandidates = 24 // and one for each chain
	startSteps      = 8
)

// of is the start of a chain. The first chain that asks makes those of all, with a stream of their own: they are the same whichever it is.
func (t *starts) of(ctx context.Context, c *chain) ([]int32, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.all == nil {
		candidates, err := c.candidates(ctx)
		if err != nil {
			return nil, err
		}
		t.all = farthest(c.job.f, candidates, len(c.job.chains))
	}
	return t.all[c.number], nil
}

// candidates are at least as many as chains.
func (c *chain) candidates(ctx context.Context) (all [][]int32, err error) {
	f, stream := c.job.f, rng.New(c.job.set.Seed, "mrf starts")
	kernel, err := c.single()
	if err != nil {
		return nil, err
	}
	for n := range startCandidates + len(c.job.chains) {
		s, err := f.NewState(nil)
		if err != nil {
			return nil, err
		}
		switch {
		case f.zeros || n%3 == 0:
			x, err := f.Feasible(ctx, stream.Rand)
			if err != nil {
				return nil, err
			}
			for i, v := range x {
				s.X[i] = int32(v)
			}
		case n%3 == 1:
			f.level(s.X, n/3)
		default:
			f.oppose(s.X, all[n-1-n/3%2])
		}
		s.stale, s.known = true, false
		for range startSteps {
			if kernel.Step(s, stream.Rand); ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
		all = append(all, s.X)
	}
	return all, nil
}

// level gives free variables the same value, one that they may have.
func (f *Field) level(x []int32, value int) {
	for _, i := range f.free {
		v := int32(value) % f.cards[i]
		for !f.domains[i][v] {
			v = (v + 1) % f.cards[i]
		}
		x[i] = v
	}
}

// oppose gives free variables another value than those of a state.
func (f *Field) oppose(x, to []int32) {
	for _, i := range f.free {
		v := (to[i] + 1) % f.cards[i]
		for !f.domains[i][v] {
			v = (v + 1) % f.cards[i]
		}
		x[i] = v
	}
}

// farthest picks n states.
func farthest(f *Field, all [][]int32, n int) [][]int32 {
	next, best := 0, math.Inf(-1)
	for k, x := range all {
		if d := f.LogDensity(x); d > best {
			next, best = k, d
		}
	}
	far := make([]int, len(all)) // the variables in which a candidate differs from the nearest that is picked, −1 of those
	for k := range far {
		far[k] = len(f.cards) + 1
	}
	var picked [][]int32
	for range n {
		picked = append(picked, all[next])
		at := next
		far[at] = -1
		for k, x := range all {
			if far[k] >= 0 {
				far[k] = min(far[k], differences(x, all[at]))
			}
			if far[k] > far[next] {
				next = k
			}
		}
	}
	return picked
}

func differences(x, y []int32) (n int) {
	for i, v := range x {
		if v != y[i] {
			n++
		}
	}
	return n
}
