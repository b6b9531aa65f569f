package tempering

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/owned"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

// Settings describe the ladder and the swaps.
type Settings struct {
	// Betas are the inverse temperatures, increasing; the last is that of the target. See [Even].
	Betas []float64
	// Fixed turns off the adaptation of Betas. Otherwise those between the ends are adapted, for the last time at half of the
	// warm-up.
	Fixed bool
	// Reversible swaps even or odd pairs at random instead of alternately. Replicas then diffuse along
	// the ladder; it is here for comparison.
	Reversible bool
	// Threads is the number of threads that move replicas; 0: one. Draws do not depend on it. With more
	// than one, the family and the kernels of different replicas must be safe for concurrent use.
	Threads int
}

// Kernel is parallel tempering, as a kernel over the replicas of a chain. Each chain needs a kernel
// of its own.
type Kernel[S any] struct {
	family     Family[S]
	caching    Caching[S] // family, if it is one
	ratio      Ratio[S]   // family, if it is one and not Caching
	move       func(beta float64) (mcmc.Kernel[S], error)
	fixed      bool
	reversible bool

	betas   []float64
	kernels []mcmc.Kernel[S]
	tuners  []mcmc.Adapter[S] // those of the kernels that adapt
	round   int               // first iteration of the present round of adaptation
	tally   tally             // swaps of this round, and after the warm-up of all steps
	trips   trips

	// Each replica has a random stream of its own in each step, seeded from the chain's, so that draws do
	// not depend on threads and the state holds no stream.
	pcgs    []rand.PCG
	streams []*rand.Rand
	infos   []mcmc.Info
	state   *State[S]
	warmup  *mcmc.Warmup // of the present step, nil after warm-up
	place   mcmc.Warmup
	team    *fanout.Team
}

// New returns a kernel of parallel tempering for the family. move returns a new, untuned kernel for a
// replica at an inverse temperature. It is called again whenever the ladder is adapted, and must then
// succeed for any value between the ends of the ladder.
func New[S any](family Family[S], move func(beta float64) (mcmc.Kernel[S], error), set Settings) (*Kernel[S], error) {
	if family == nil || move == nil {
		return nil, errors.New("tempering: give a family of distributions and a function that makes a kernel for each of them")
	}
	if err := checkLadder(set.Betas); err != nil {
		return nil, err
	}
	k := &Kernel[S]{family: family, move: move, fixed: set.Fixed, reversible: set.Reversible}
	if k.caching, _ = family.(Caching[S]); k.caching == nil {
		k.ratio, _ = family.(Ratio[S])
	}
	n := len(set.Betas)
	k.betas = append([]float64(nil), set.Betas...)
	k.tally, k.trips = newTally(n), newTrips(n)
	k.reserve(n)
	if err := k.build(); err != nil {
		return nil, err
	}
	k.team = fanout.New(set.Threads, k.explore)
	return k, nil
}

func (k *Kernel[S]) reserve(n int) {
	k.kernels, k.tuners = make([]mcmc.Kernel[S], n), make([]mcmc.Adapter[S], n)
	k.pcgs, k.streams, k.infos = make([]rand.PCG, n), make([]*rand.Rand, n), make([]mcmc.Info, n)
	for i := range k.streams {
		k.streams[i] = rand.New(&k.pcgs[i])
	}
}

// build makes the kernels for the present ladder.
func (k *Kernel[S]) build() error {
	parts := make([]any, len(k.betas))
	for i, b := range k.betas {
		inner, err := k.move(b)
		if err != nil {
			return fmt.Errorf("tempering: the kernel at inverse temperature %v: %w", b, err)
		}
		if inner == nil {
			return fmt.Errorf("tempering: no kernel was made for inverse temperature %v", b)
		}
		k.kernels[i], parts[i] = inner, inner
		k.tuners[i], _ = inner.(mcmc.Adapter[S])
		if _, err := tunings.Marshal(inner); err != nil {
			return fmt.Errorf("tempering: %w", err)
		}
	}
	if i, j, kind, shared := owned.Shared(parts); shared {
		return fmt.Errorf("tempering: the kernels at inverse temperatures %v and %v share a %s: make one for each", k.betas[i], k.betas[j], kind)
	}
	return nil
}

// Betas are the present inverse temperatures.
func (k *Kernel[S]) Betas() []float64 { return append([]float64(nil), k.betas...) }

// Step moves every replica once with its kernel and then proposes swaps. The info is that of the
// coldest replica's move, with the evaluations of all.
func (k *Kernel[S]) Step(s *State[S], r *rand.Rand) mcmc.Info {
	k.warmup = nil
	return k.step(s, r)
}

// Adapt is Step in warm-up: kernels are tuned, and after each round of adaptation the ladder is adapted
// and gets new kernels. Each round has twice as many steps as the one before.
func (k *Kernel[S]) Adapt(s *State[S], r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	start, end := 0, w.Total
	if !k.fixed {
		start, end = round(w.Iteration, w.Total)
	}
	if start != k.round {
		k.round = start
		k.respace(s)
	}
	k.place = mcmc.Warmup{Iteration: w.Iteration - start, Total: end - start}
	k.warmup = &k.place
	return k.step(s, r)
}

// Freeze ends the warm-up; the report counts from here.
func (k *Kernel[S]) Freeze() {
	for _, t := range k.tuners {
		if t != nil {
			t.Freeze()
		}
	}
	k.tally.reset()
	k.trips.reset()
}

// respace adapts the ladder to the rejection rates of the round that ends.
func (k *Kernel[S]) respace(s *State[S]) {
	if !k.tally.complete() {
		return
	}
	next := make([]float64, len(k.betas))
	equalise(next, k.betas, k.tally.rejections())
	k.betas = next
	if err := k.build(); err != nil {
		panic(fmt.Sprintf("tempering: kernels could be made for the first ladder, but not for the adapted one: %v", err))
	}
	k.tally.reset()
	if k.caching == nil {
		return
	}
	for i, x := range s.Replicas {
		k.caching.Cache(x, k.betas[i], k.family.LogDensity(x, k.betas[i]))
	}
}

func (k *Kernel[S]) step(s *State[S], r *rand.Rand) mcmc.Info {
	if len(s.Replicas) != len(k.betas) {
		panic(fmt.Sprintf("tempering: a ladder of %d inverse temperatures was given %d replicas", len(k.betas), len(s.Replicas)))
	}
	for i := range k.pcgs {
		k.pcgs[i].Seed(r.Uint64(), r.Uint64())
	}
	k.state = s
	k.team.Run(len(s.Replicas))
	k.state = nil
	info := k.infos[len(k.infos)-1]
	info.Evals = k.swaps(s, r)
	for _, i := range k.infos {
		info.Evals += i.Evals
	}
	return info
}

// Statistic is that of the coldest replica's kernel.
func (k *Kernel[S]) Statistic(name string) (value float64, ok bool) {
	t, ok := k.kernels[len(k.kernels)-1].(mcmc.Teller)
	if !ok {
		return 0, false
	}
	return t.Statistic(name)
}

// explore moves one replica.
func (k *Kernel[S]) explore(i int) {
	if t := k.tuners[i]; t != nil && k.warmup != nil {
		k.infos[i] = t.Adapt(k.state.Replicas[i], k.streams[i], *k.warmup)
		return
	}
	k.infos[i] = k.kernels[i].Step(k.state.Replicas[i], k.streams[i])
}

// swaps proposes to swap the even or the odd pairs and returns the number of densities evaluated.
func (k *Kernel[S]) swaps(s *State[S], r *rand.Rand) (evals int) {
	if k.reversible {
		s.Odd = r.Uint64()>>63 == 1
	}
	first := 0
	if s.Odd {
		first = 1
	}
	for i := first; i+1 < len(s.Replicas); i += 2 {
		evals += k.trySwap(s, i, r)
	}
	s.Odd = !s.Odd
	k.tally.step()
	k.trips.step(s.Label)
	return evals
}

func (k *Kernel[S]) trySwap(s *State[S], i int, r *rand.Rand) (evals int) {
	x, y := s.Replicas[i], s.Replicas[i+1]
	low, high := k.betas[i], k.betas[i+1]
	if k.ratio != nil {
		up, down := k.ratio.LogRatio(x, low, high), k.ratio.LogRatio(y, high, low)
		k.decide(s, i, up, down, up+down, r)
		return 2
	}
	xLow, yHigh, evals := k.current(x, y, low, high)
	xHigh, yLow := k.family.LogDensity(x, high), k.family.LogDensity(y, low)
	swapped := k.decide(s, i, xHigh-xLow, yLow-yHigh, swapRatio(xLow, yHigh, xHigh, yLow), r)
	if swapped && k.caching != nil {
		k.caching.Cache(y, low, yLow)
		k.caching.Cache(x, high, xHigh)
	}
	return evals + 2
}

// decide accepts or rejects the swap of rungs i and i+1: up and down are the changes of the log
// densities of the two replicas, ratio is their sum where both densities are finite.
func (k *Kernel[S]) decide(s *State[S], i int, up, down, ratio float64, r *rand.Rand) bool {
	accepted, prob := mh.Accept(r, ratio)
	k.tally.add(i, prob, up, down)
	if accepted {
		s.swap(i)
	}
	return accepted
}

// current returns the log densities of the replicas at their present rungs.
func (k *Kernel[S]) current(x, y S, low, high float64) (xLow, yHigh float64, evals int) {
	if k.caching != nil {
		return k.caching.Cached(x), k.caching.Cached(y), 0
	}
	return k.family.LogDensity(x, low), k.family.LogDensity(y, high), 2
}

// swapRatio is the log acceptance ratio. If a replica has density zero at its rung, a swap after which both densities are positive
// is accepted.
func swapRatio(xLow, yHigh, xHigh, yLow float64) float64 {
	return mh.LogRatio(xHigh, xLow) + mh.LogRatio(yLow, yHigh) // NaN is rejected
}
