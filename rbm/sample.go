package rbm

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Sampling says how to draw visible layers from a machine.
type Sampling struct {
	Chains  int // as many samples
	Sweeps  int // of block Gibbs sampling, each chain
	Seed    uint64
	Threads int
	// Start holds the initial states of the chains, in turn; nil for units that
	// are on with probability ½.
	Start *Data
}

// Sample runs chains from their start and returns for each the probabilities
// of the visible units given the last hidden layer, which give smoother images
// than the units, and the units. Chains need enough sweeps to reach the
// machine's distribution; with large weights they mix slowly.
func (m *Model) Sample(ctx context.Context, set Sampling) (probabilities [][]float64, units *Data, err error) {
	f, err := m.sampling(set)
	if err != nil {
		return nil, nil, err
	}
	probabilities, units = make([][]float64, set.Chains), &Data{Cases: set.Chains, Visible: m.Visible, Units: make([]uint8, set.Chains*m.Visible)}
	fanout.New(set.Threads, func(k int) {
		p := f.New()
		f.Base(p, rng.New(set.Seed, "rbm sample", uint64(k)).Rand)
		if set.Start != nil {
			f.SetVisible(p, set.Start.Case(k%set.Start.Cases))
		}
		for range set.Sweeps {
			if ctx.Err() != nil {
				return
			}
			f.Move(p, 1, nil)
		}
		// The scratch of the move holds the input that the units were drawn from.
		f32.Blend(p.above, 1, single(m.VisibleBias), 1)
		f32.Sigmoid(p.above, p.above)
		probabilities[k] = convert[float64](p.above)
		f.Visible(units.Case(k), p)
	}).Run(set.Chains)
	return probabilities, units, ctx.Err()
}

func (m *Model) sampling(set Sampling) (*Family, error) {
	switch {
	case set.Chains < 1:
		return nil, fmt.Errorf("%d chains are asked for; one is needed", set.Chains)
	case set.Sweeps < 1:
		return nil, fmt.Errorf("%d sweeps are asked for; one is needed", set.Sweeps)
	case set.Start != nil && set.Start.Cases < 1:
		return nil, fmt.Errorf("there is no case to start from")
	}
	if set.Start != nil {
		if err := set.Start.Fits(m); err != nil {
			return nil, err
		}
	}
	return NewFamily(m, nil)
}

// Filters are the weights of each hidden unit.
func (m *Model) Filters() [][]float64 {
	t := m.Transpose()
	all := make([][]float64, m.Hidden)
	for j := range all {
		all[j] = t.W[j*m.Visible : (j+1)*m.Visible]
	}
	return all
}
