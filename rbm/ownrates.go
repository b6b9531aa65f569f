package rbm

import (
	"context"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// How the machine's own rates are found.
const (
	ownDraws     = 1000    // of the smaller layer, where all its states are met
	ownTerms     = 1 << 30 // states times units of the other layer: two passes of half a second
	ownState     = 100     // units that a state itself costs as much as
	ownChains    = 50
	ownSweeps    = 1000 // of each chain, of which the second half counts
	ownPasses    = 6    // populations, at most
	ownLeast     = 2    // and at least
	ownSettled   = 0.03 // a mean change of rates between passes that noise explains
	ownParticles = 500
	ownSteps     = 200
	ownMoves     = 10 // at the machine, after the way up
)

// OwnRates are the visible biases of independent units that are on about as
// often as the machine's, with one in a thousand on and one off besides.
//
// Where the smaller layer has so few states that they are walked through in a
// second, 1000 of them are drawn, exactly. Otherwise annealed populations of
// particles, with their weights, stand for the machine, each on a path tilted
// by the rates of the one before, until these no longer change. Chains that start from
// noise only begin: they may never meet the modes that have most of the mass.
func (m *Model) OwnRates(ctx context.Context, seed uint64) ([]float64, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if small := min(m.Visible, m.Hidden); small <= MaxExact && float64(max(m.Visible, m.Hidden)+ownState)*float64(int64(1)<<small) <= ownTerms {
		on, err := m.drawnRates(ctx, seed)
		if err != nil {
			return nil, err
		}
		return biases(on), nil
	}
	return m.annealedRates(ctx, seed)
}

// biases of independent units that are on with these probabilities, kept away
// from 0 and 1.
func biases(on []float64) []float64 {
	const least = 0.001
	bias := make([]float64, len(on))
	for i, p := range on {
		bias[i] = vec.Logit((p + least) / (1 + float64(2*least)))
	}
	return bias
}

// drawnRates are the means of visible units over exact draws.
func (m *Model) drawnRates(ctx context.Context, seed uint64) ([]float64, error) {
	small := m.smallerHidden()
	e := newEnumeration(small)
	sums, err := e.sums(ctx, 1, nil)
	if err != nil {
		return nil, err
	}
	on, input := make([]float64, m.Visible), make([]float64, m.Visible)
	n := 0
	e.systematic(sums, ownDraws, rng.New(seed, "rbm own rates").Float64(), func(state []uint8) {
		n++
		if m.Visible < m.Hidden { // the state is the visible layer's
			for i, u := range state {
				on[i] += float64(u)
			}
			return
		}
		m.VisibleInput(input, state)
		for i, x := range input {
			on[i] += vec.Ilogit(x)
		}
	})
	for i := range on {
		on[i] /= float64(n)
	}
	return on, ctx.Err()
}

// systematic draws n states of the hidden layer, those at which the sum of
// probabilities in the order of the walk passes (u + 0, 1, … n−1)/n.
func (e *enumeration) systematic(sums []scaled, n int, u float64, draw func(state []uint8)) {
	w := e.walker()
	z := total(sums)
	drawn, before := 0, 0.0
	mark := func() float64 { return (float64(drawn) + u) / float64(n) }
	state := make([]uint8, e.m.Hidden)
	for k, sum := range sums {
		after := before + sum.over(z)
		if k == len(sums)-1 {
			after = math.Inf(1)
		}
		at := before
		if drawn < n && mark() < after {
			w.piece(k, func(weight scaled, first, second uint8) bool {
				at += weight.over(z)
				for drawn < n && mark() < min(at, after) {
					copy(state, w.state)
					state[0] = first
					if len(state) > 1 {
						state[1] = second
					}
					draw(state)
					drawn++
				}
				return drawn < n && mark() < after
			})
		}
		before = after
	}
}

// annealedRates are those of annealed populations, each along a path tilted by
// the rates of the one before, until these no longer change; what two say is averaged.
// Chains from noise begin, since along a straight path few particles count.
func (m *Model) annealedRates(ctx context.Context, seed uint64) ([]float64, error) {
	before, err := m.chainRates(ctx, seed)
	if err != nil {
		return nil, err
	}
	for pass := 1; ; pass++ {
		bias := biases(before)
		f, err := NewFamily(m, bias)
		if err != nil {
			return nil, err
		}
		if f, err = f.tilt(ctx, bias, tiltParticles/2, seed); err != nil {
			return nil, err
		}
		on, err := f.ratesAtEnd(ctx, rng.New(seed, "rbm own rates", uint64(pass)).Uint64())
		if err != nil {
			return nil, err
		}
		if pass == ownPasses || pass >= ownLeast && distance(on, before) < ownSettled {
			return biases(between(before, on, 0.5)), nil
		}
		before = on
	}
}

// chainRates are the rates of chains that start from noise.
func (m *Model) chainRates(ctx context.Context, seed uint64) ([]float64, error) {
	f, err := NewFamily(m, nil)
	if err != nil {
		return nil, err
	}
	on := newRates(f)
	p := f.New()
	for chain := range ownChains {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.Base(p, rng.New(seed, "rbm own chains", uint64(chain)).Rand)
		for sweep := range ownSweeps {
			if f.Move(p, 1, nil); sweep >= ownSweeps/2 {
				on.add(f, p, 1)
			}
		}
	}
	return on.means(), nil
}

// distance is the mean of absolute differences.
func distance(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += math.Abs(x[i] - y[i])
	}
	return sum / float64(len(x))
}

// ratesAtEnd are the rates at β = 1 by one population.
func (f *Family) ratesAtEnd(ctx context.Context, seed uint64) ([]float64, error) {
	set := path.Settings{Seed: seed, Threads: 1}
	s, err := path.EqualLength(ctx, f, ownSteps, path.Pilot{Settings: path.Settings{Seed: seed, Threads: 1, Runs: 30}, Steps: 200})
	if err != nil {
		return nil, err
	}
	all, err := path.Populate(ctx, f, s, path.SMCSettings{Settings: set, Particles: ownParticles})
	if err != nil {
		return nil, err
	}
	on, now := make([]float64, f.visible), newRates(f)
	r := rng.New(seed, "rbm own sweeps")
	for k, p := range all.States {
		now.reset()
		for range ownMoves {
			f.Move(p, 1, r.Rand)
			now.add(f, p, 1)
		}
		for i := range on {
			on[i] += float64(all.Weights[k] * now.mean(i))
		}
	}
	return on, nil
}
