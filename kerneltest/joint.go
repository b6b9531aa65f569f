package kerneltest

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Joint is a Bayesian model that can be simulated: parameters, the data given them, and a
// kernel that leaves the posterior of the parameters given the data invariant.
type Joint[S any] struct {
	Draw   func(r *rand.Rand) S    // parameters from the prior, then data given them; caches in place
	Redraw func(s S, r *rand.Rand) // new data given the parameters of s; caches renewed
	Clone  func(s S) S             // a copy that shares nothing that moves
	Kernel mcmc.Kernel[S]          // moves the parameters; frozen, if it adapts
	Stats  func(s S) []float64     // functions of parameters and, for Geweke, data
	Check  func(s S) error         // optional: judges the caches of a state
}

// Geweke is the joint-distribution test (Geweke, 2004): parameters and data drawn
// directly must have the law of those from Steps rounds of a move of the parameters
// given the data and a redraw of the data given the parameters. Each replicate starts
// from a direct draw, so that its end is one exactly if the kernel is right.
func Geweke[S any](m Joint[S], set Settings) error {
	return Invariant(Sampled[S]{
		Draw:   m.Draw,
		Kernel: round[S]{m},
		Stats:  m.Stats,
		Check:  m.Check,
	}, set)
}

// round is a move of the successive-conditional simulator.
type round[S any] struct{ m Joint[S] }

func (k round[S]) Step(s S, r *rand.Rand) mcmc.Info {
	info := k.m.Kernel.Step(s, r)
	k.m.Redraw(s, r)
	return info
}

// ranks is the number of posterior draws that the true parameter is ranked among.
const ranks = 15

// SBC is simulation-based calibration (Talts et al., 2018): the rank of a statistic of
// the parameters that made the data, among its values in draws of the posterior, is
// uniform. The posterior draws come from runs of Steps steps that all begin where a first
// run of Steps steps from the true parameters ended. If the kernel is reversible, true
// parameters and draws are then exchangeable (Besag and Clifford, 1989) and ranks exactly
// uniform for every number of steps; otherwise Steps must be enough to forget the start.
// Ties are broken at random. Each cell and each cumulative count is tested.
func SBC[S any](m Joint[S], set Settings) error {
	set, err := set.complete()
	if err != nil {
		return err
	}
	r := rng.New(set.Seed, "kerneltest sbc").Rand
	var counts [][]int
	for range set.Replicates {
		truth := m.Draw(r)
		rank, err := m.rank(truth, set.Steps, r)
		if err != nil {
			return err
		}
		if counts == nil {
			counts = make([][]int, len(rank))
			for i := range counts {
				counts[i] = make([]int, ranks+1)
			}
		}
		for i, k := range rank {
			counts[i][k]++
		}
	}
	if len(counts) == 0 {
		return errNothing
	}
	for i, c := range counts {
		if err := uniform(c, set, len(counts)); err != nil {
			return fmt.Errorf("kerneltest: statistic %d: %w", i, err)
		}
	}
	return nil
}

// rank ranks each statistic of the truth among those of posterior draws.
func (m Joint[S]) rank(truth S, steps int, r *rand.Rand) ([]int, error) {
	want := append([]float64(nil), m.Stats(truth)...)
	below, ties := make([]int, len(want)), make([]int, len(want))
	hub := m.Clone(truth)
	for range steps {
		m.Kernel.Step(hub, r)
	}
	for range ranks {
		s := m.Clone(hub)
		for range steps {
			m.Kernel.Step(s, r)
		}
		if m.Check != nil {
			if err := m.Check(s); err != nil {
				return nil, fmt.Errorf("kerneltest: %w", err)
			}
		}
		for i, v := range m.Stats(s) {
			if v < want[i] {
				below[i]++
			}
			if v == want[i] {
				ties[i]++
			}
		}
	}
	for i := range below {
		below[i] += r.IntN(ties[i] + 1)
	}
	return below, nil
}

// uniform tests the counts of ranks against the uniform law.
func uniform(count []int, set Settings, statistics int) error {
	comparisons := float64(statistics * (2*len(count) - 1))
	upto := 0
	for i, k := range count {
		upto += k
		cell, tail := 1/float64(len(count)), float64(i+1)/float64(len(count))
		if p := binomialP(k, set.Replicates, cell); p < set.Alpha/comparisons {
			return fmt.Errorf("rank %d came up %d times in %d, expected %.1f (p = %.2g); all ranks: %v",
				i, k, set.Replicates, cell*float64(set.Replicates), p, count)
		}
		if i == len(count)-1 {
			break
		}
		if p := binomialP(upto, set.Replicates, tail); p < set.Alpha/comparisons {
			return fmt.Errorf("ranks up to %d came up %d times in %d, expected %.1f (p = %.2g); all ranks: %v",
				i, upto, set.Replicates, tail*float64(set.Replicates), p, count)
		}
	}
	return nil
}
