package hmc

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// StaticSettings say how a [Static] kernel moves. Steps must be given.
type StaticSettings struct {
	Settings
	// Steps of the leapfrog integrator in a trajectory. With 1 the kernel is the Metropolis-adjusted Langevin algorithm (Roberts and
	// Tweedie, 1996), whose step size is tuned to an acceptance of 0.574 (Roberts and Rosenthal, 1998) unless Accept says another.
	Steps int
	// Random draws the number of steps from 1 to Steps for each trajectory, so that none of a period of the target is met each time (Neal, 2011, section 3.2).
	Random bool
}

const langevinAccept = 0.574

// Static is Hamiltonian Monte Carlo with trajectories of given length: the end is accepted with probability min(1, e^{−ΔH}). A chain needs
// a kernel of its own.
type Static struct {
	sampler
	steps  int
	random bool
}

// NewStatic returns a kernel for vectors of length dim, untuned.
func NewStatic(t Target, dim int, set StaticSettings) (*Static, error) {
	if set.Steps < 1 {
		return nil, fmt.Errorf("hmc: a trajectory of %d steps; it needs 1 or more", set.Steps)
	}
	if set.Steps == 1 && set.Accept == 0 {
		set.Accept = langevinAccept
	}
	s, err := newSampler(t, dim, set.Settings)
	if err != nil {
		return nil, err
	}
	return &Static{sampler: s, steps: set.Steps, random: set.Random}, nil
}

// Step moves the point.
func (k *Static) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	k.last = statistics{}
	if !k.enter(s) {
		return mcmc.Info{Divergent: true}
	}
	info := mcmc.Info{}
	if k.unwarmed() {
		info.Evals = k.unwarmedScales(r)
	}
	k.kick(r)
	n := k.steps
	if k.random {
		n = 1 + r.IntN(n)
	}
	k.trial.copy(&k.at)
	start := k.trial.energy()
	k.last.energy = start
	rise := 0.0
	for range n {
		rise = k.trial.leapfrog(k.target, k.metric, k.eps) - start
		info.Evals++
		if !vec.Finite(rise) || rise > maxError {
			info.Divergent = true
			return info
		}
	}
	info.AcceptProb = 1
	if rise > 0 {
		info.AcceptProb = vec.Exp(-rise)
	}
	if info.Accepted = r.Float64() < info.AcceptProb; info.Accepted {
		k.at, k.trial = k.trial, k.at
		copy(s.X, k.at.x)
		s.LogP = k.at.logp
		k.last.energy = start + rise
	}
	return info
}

// Adapt moves the point and learns.
func (k *Static) Adapt(s *mcmc.Point, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	return k.adapt(s, r, w, k.Step)
}
