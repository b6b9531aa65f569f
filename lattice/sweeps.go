package lattice

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// sweeps is the kernel of a chain of a [Simulation].
type sweeps struct {
	ladders []*tempering.Kernel[*Replica] // of the systems, under tempering
	chain   int
	restart func(x *Replicas, chain int, r *rand.Rand) error
	common  *rng.Stream // of the part of the warm-up that is the same in all chains

	kernels []mcmc.Adapter[*Replica] // of each system and temperature, without tempering
	pcgs    []rand.PCG
	streams []*rand.Rand
	infos   []mcmc.Info
	team    *fanout.Team
	rungs   int
	state   *Replicas
	warmup  *mcmc.Warmup // of the step under way, nil after warm-up
	place   mcmc.Warmup
	look    func(x *Replicas)
}

func (s *Simulation) sweeps(chain int) (*sweeps, error) {
	k := &sweeps{rungs: len(s.Betas), chain: chain}
	k.look = func(x *Replicas) {
		if s.Look != nil {
			s.Look(chain, x)
		}
	}
	for i := range s.Systems {
		y := &s.Systems[i]
		if s.Tempering {
			move := func(beta float64) (mcmc.Kernel[*Replica], error) { return y.kernel(beta) }
			l, err := tempering.New(energies{y}, move, tempering.Settings{Betas: s.Betas, Threads: s.Threads})
			if err != nil {
				return nil, err
			}
			k.ladders = append(k.ladders, l)
			continue
		}
		for _, beta := range s.Betas {
			inner, err := y.kernel(beta)
			if err != nil {
				return nil, err
			}
			k.kernels = append(k.kernels, inner)
		}
	}
	if s.Tempering {
		k.infos = make([]mcmc.Info, len(k.ladders))
		k.restart, k.common = s.restart, rng.New(s.Seed, "lattice ladder")
		return k, nil
	}
	n := len(k.kernels)
	k.pcgs, k.streams, k.infos = make([]rand.PCG, n), make([]*rand.Rand, n), make([]mcmc.Info, n)
	for i := range k.streams {
		k.streams[i] = rand.New(&k.pcgs[i])
	}
	k.team = fanout.New(s.Threads, k.move)
	return k, nil
}

// move sweeps replica i, without tempering.
func (k *sweeps) move(i int) {
	x := k.state.Ladders[i/k.rungs].Replicas[i%k.rungs]
	if k.warmup != nil {
		k.infos[i] = k.kernels[i].Adapt(x, k.streams[i], *k.warmup)
		return
	}
	k.infos[i] = k.kernels[i].Step(x, k.streams[i])
}

// Step is a sweep of every replica. The acceptance is the mean of all.
func (k *sweeps) Step(x *Replicas, r *rand.Rand) mcmc.Info {
	k.warmup = nil
	return k.sweep(x, r)
}

func (k *sweeps) sweep(x *Replicas, r *rand.Rand) mcmc.Info {
	if k.ladders != nil {
		for i, l := range k.ladders {
			k.infos[i] = l.Step(x.Ladders[i], r)
		}
		k.look(x)
		return mean(k.infos)
	}
	for i := range k.pcgs {
		k.pcgs[i].Seed(r.Uint64(), r.Uint64())
	}
	k.state = x
	k.team.Run(len(k.kernels))
	k.state = nil
	k.look(x)
	return mean(k.infos)
}

// leastShared is the shortest warm-up that package tempering adapts a ladder in.
const leastShared = 64

// Adapt is Step in the warm-up, whose first half is the same in all chains under tempering.
func (k *sweeps) Adapt(x *Replicas, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if k.ladders == nil {
		k.place = w
		k.warmup = &k.place
		return k.sweep(x, r)
	}
	use, chain := r, k.chain
	if half := w.Total / 2; w.Total >= leastShared && w.Iteration <= half {
		if w.Iteration < half {
			use, chain = k.common.Rand, 0
		}
		if w.Iteration == 0 || w.Iteration == half {
			if err := k.restart(x, chain, use); err != nil {
				panic(fmt.Sprintf("lattice: configurations could be made once, and now not: %v", err))
			}
		}
	}
	for i, l := range k.ladders {
		k.infos[i] = l.Adapt(x.Ladders[i], use, w)
	}
	k.look(x)
	return mean(k.infos)
}

// Freeze ends the warm-up.
func (k *sweeps) Freeze() {
	for _, l := range k.ladders {
		l.Freeze()
	}
	for _, t := range k.kernels {
		t.Freeze()
	}
}

func mean(infos []mcmc.Info) (m mcmc.Info) {
	for _, i := range infos {
		m.AcceptProb += i.AcceptProb
		m.Evals += i.Evals
		m.Accepted = m.Accepted || i.Accepted
	}
	m.AcceptProb /= float64(len(infos))
	return m
}

// savedSweeps is the tuning of a chain in a checkpoint.
type savedSweeps struct {
	Common           []byte
	Ladders, Kernels []byte
}

// MarshalBinary returns the ladders and what kernels have learnt.
func (k *sweeps) MarshalBinary() ([]byte, error) {
	var s savedSweeps
	var err error
	if k.common != nil {
		if s.Common, err = k.common.MarshalBinary(); err != nil {
			return nil, err
		}
	}
	if s.Ladders, err = tunings.MarshalAll(k.ladders); err != nil {
		return nil, err
	}
	if s.Kernels, err = tunings.MarshalAll(k.kernels); err != nil {
		return nil, err
	}
	return gobs.Marshal(s)
}

// UnmarshalBinary restores what MarshalBinary returned.
func (k *sweeps) UnmarshalBinary(b []byte) error {
	var s savedSweeps
	if err := gobs.Unmarshal(b, &s); err != nil || (s.Common != nil) != (k.common != nil) {
		return tunings.ErrOther
	}
	if k.common != nil {
		if err := k.common.UnmarshalBinary(s.Common); err != nil {
			return err
		}
	}
	if err := tunings.UnmarshalAll(s.Ladders, k.ladders); err != nil {
		return err
	}
	return tunings.UnmarshalAll(s.Kernels, k.kernels)
}
