package hmc

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// WALNUTSSettings say how a [WALNUTS] kernel moves. The zero value works. Accept is the share of steps that are not divided, which ε is tuned to; 0: 0.8.
type WALNUTSSettings struct {
	Settings
	// Tolerance is by how much the energy may vary along a step; 0: 0.5.
	Tolerance float64
	// Halvings is how often a step is halved at most; 0: 12.
	Halvings int
}

const (
	defaultTolerance = 0.5
	defaultHalvings  = 12
	mostHalvings     = 30
)

// WALNUTS is the no-U-turn sampler with step sizes that adapt within the orbit (Bou-Rabee, Carpenter, Kleppe and Liu, 2025, "The within-orbit adaptive leapfrog no-U-turn
// sampler", arXiv:2506.18746). A step of the trajectory, of the length ε, is one leapfrog, or 2, 4, 8, … shorter ones: the first number of them along which the
// energy stays within the tolerance. It is taken if from its end, going back, no smaller number would do: then it is the step back too, so that
// the states of an orbit are the same from each of them, and volume is kept. Where it is not, or the number passes 2^Halvings, the orbit ends; the latter is a divergence.
//
// A step allocates nothing. A chain needs a kernel of its own.
type WALNUTS struct{ NUTS }

// micro are the steps within steps.
type micro struct {
	tolerance  float64
	halvings   int
	from, back phase

	steps, whole int // of the trajectory, and those that were not divided
}

// NewWALNUTS returns a kernel for vectors of length dim, untuned.
func NewWALNUTS(t Target, dim int, set WALNUTSSettings) (*WALNUTS, error) {
	if set.Tolerance == 0 {
		set.Tolerance = defaultTolerance
	}
	if set.Halvings == 0 {
		set.Halvings = defaultHalvings
	}
	if !(set.Tolerance > 0 && set.Tolerance <= maxError) {
		return nil, fmt.Errorf("hmc: the energy may vary by %v; it must be more than 0, and %v at most", set.Tolerance, float64(maxError))
	}
	if set.Halvings < 1 || set.Halvings > mostHalvings {
		return nil, fmt.Errorf("hmc: Halvings is %d; it must be from 1 to %d, or 0 for %d", set.Halvings, mostHalvings, defaultHalvings)
	}
	k, err := NewNUTS(t, dim, set.Settings)
	if err != nil {
		return nil, err
	}
	k.micro = &micro{tolerance: set.Tolerance, halvings: set.Halvings, from: newPhase(dim), back: newPhase(dim)}
	return &WALNUTS{*k}, nil
}

// macro takes one step of the trajectory, and says whether there is one.
func (k *NUTS) macro(end *phase, eps float64) bool {
	m := k.micro
	m.steps++
	m.from.copy(end)
	for level := range m.halvings + 1 {
		if level > 0 {
			end.copy(&m.from)
		}
		if k.within(end, eps, level) {
			if level == 0 {
				m.whole++
				return true
			}
			return k.reversible(end, eps, level)
		}
	}
	k.divergent = true
	return false
}

// within takes the 2^level leapfrogs of a step, and says whether the energy stays within the tolerance.
func (k *NUTS) within(p *phase, eps float64, level int) bool {
	low := p.energy()
	high := low
	n := 1 << level
	for range n {
		e := p.leapfrog(k.target, k.metric, eps/float64(n))
		k.evals++
		low, high = min(low, e), max(high, e)
		if !vec.Finite(e) || high-low > k.micro.tolerance {
			return false
		}
	}
	return true
}

// reversible tells whether no fewer leapfrogs would do for the step back.
func (k *NUTS) reversible(end *phase, eps float64, level int) bool {
	back := &k.micro.back
	for l := range level {
		back.copy(end)
		if k.within(back, -eps, l) {
			return false
		}
	}
	return true
}

// Adapt moves the point and learns.
func (k *WALNUTS) Adapt(s *mcmc.Point, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	return k.adapt(s, r, w, func(s *mcmc.Point, r *rand.Rand) mcmc.Info {
		m := k.micro
		m.steps, m.whole = 0, 0
		info := k.Step(s, r)
		info.AcceptProb = float64(m.whole) / float64(max(m.steps, 1))
		return info
	})
}
