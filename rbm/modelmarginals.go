package rbm

import (
	"context"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// How the machine's marginals are estimated.
const (
	marginalDraws     = 1000    // of the smaller layer, where all its states are enumerated
	maxMarginalTerms  = 1 << 30 // states times units of the other layer: two passes of half a second
	stateCost         = 100     // cost of a state, in units
	marginalChains    = 50
	marginalSweeps    = 1000 // of each chain, of which the second half counts
	maxMarginalPasses = 6    // populations, at most
	minMarginalPasses = 2    // and at least
	marginalTolerance = 0.03 // a mean change of marginals between passes that noise explains
	marginalParticles = 500
	marginalSteps     = 200
	marginalMoves     = 10 // at β = 1, after annealing
)

// MarginalBiases are the visible biases of independent units with the
// machine's estimated marginals, smoothed by 0.001 on and 0.001 off.
//
// Where the states of the smaller layer can be enumerated within a second, the
// estimate is from 1000 exact draws. Otherwise it is from weighted SMC
// populations, each along the moment-averaged path for the marginals of the
// one before, until these no longer change. Gibbs chains from noise give only
// the first marginals: they may never visit the modes with most of the mass.
func (m *Model) MarginalBiases(ctx context.Context, seed uint64) ([]float64, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if small := min(m.Visible, m.Hidden); small <= MaxExact && float64(max(m.Visible, m.Hidden)+stateCost)*float64(int64(1)<<small) <= maxMarginalTerms {
		on, err := m.exactDrawMarginals(ctx, seed)
		if err != nil {
			return nil, err
		}
		return logits(on), nil
	}
	return m.annealedMarginals(ctx, seed)
}

// logits are the biases of independent units that are on with these
// probabilities, kept away from 0 and 1.
func logits(on []float64) []float64 {
	const least = 0.001
	bias := make([]float64, len(on))
	for i, p := range on {
		bias[i] = vec.Logit((p + least) / (1 + float64(2*least)))
	}
	return bias
}

// exactDrawMarginals are the means of visible units over exact draws.
func (m *Model) exactDrawMarginals(ctx context.Context, seed uint64) ([]float64, error) {
	small := m.smallerHidden()
	e := newEnumeration(small)
	sums, err := e.sums(ctx, 1, nil)
	if err != nil {
		return nil, err
	}
	on, input := make([]float64, m.Visible), make([]float64, m.Visible)
	n := 0
	e.systematic(sums, marginalDraws, rng.New(seed, "rbm own rates").Float64(), func(state []uint8) {
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

// systematic is systematic sampling of n states of the hidden layer: those at
// which the cumulative probability, in the order of enumeration, passes
// (u + 0, 1, … n−1)/n.
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

// annealedMarginals are the marginals of SMC populations, each along the
// moment-averaged path for the marginals of the one before, until these no
// longer change; the last two are averaged. The first are of Gibbs chains from
// noise, since few particles are effective along the geometric path.
func (m *Model) annealedMarginals(ctx context.Context, seed uint64) ([]float64, error) {
	before, err := m.chainMarginals(ctx, seed)
	if err != nil {
		return nil, err
	}
	for pass := 1; ; pass++ {
		bias := logits(before)
		f, err := NewFamily(m, bias)
		if err != nil {
			return nil, err
		}
		if f, err = f.momentAveraged(ctx, bias, momentParticles/2, seed); err != nil {
			return nil, err
		}
		on, err := f.smcMarginals(ctx, rng.New(seed, "rbm own rates", uint64(pass)).Uint64())
		if err != nil {
			return nil, err
		}
		if pass == maxMarginalPasses || pass >= minMarginalPasses && distance(on, before) < marginalTolerance {
			return logits(between(before, on, 0.5)), nil
		}
		before = on
	}
}

// chainMarginals are the marginals of Gibbs chains that start from noise.
func (m *Model) chainMarginals(ctx context.Context, seed uint64) ([]float64, error) {
	f, err := NewFamily(m, nil)
	if err != nil {
		return nil, err
	}
	on := newMarginals(f)
	p := f.New()
	for chain := range marginalChains {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.Base(p, rng.New(seed, "rbm own chains", uint64(chain)).Rand)
		for sweep := range marginalSweeps {
			if f.Move(p, 1, nil); sweep >= marginalSweeps/2 {
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

// smcMarginals are the marginals at β = 1 from one SMC population.
func (f *Family) smcMarginals(ctx context.Context, seed uint64) ([]float64, error) {
	set := path.Settings{Seed: seed, Threads: 1}
	s, err := path.EqualLength(ctx, f, marginalSteps, path.Pilot{Settings: path.Settings{Seed: seed, Threads: 1, Runs: 30}, Steps: 200})
	if err != nil {
		return nil, err
	}
	all, err := path.SMCPopulation(ctx, f, s, path.SMCSettings{Settings: set, Particles: marginalParticles})
	if err != nil {
		return nil, err
	}
	on, now := make([]float64, f.visible), newMarginals(f)
	r := rng.New(seed, "rbm own sweeps")
	for k, p := range all.States {
		now.reset()
		for range marginalMoves {
			f.Move(p, 1, r.Rand)
			now.add(f, p, 1)
		}
		for i := range on {
			on[i] += float64(all.Weights[k] * now.mean(i))
		}
	}
	return on, nil
}
