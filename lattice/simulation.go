package lattice

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// Simulation samples systems, such as one model on lattices of several sizes, at several inverse temperatures in one run: it is a
// [mcmc.Job] whose states hold a replica for each system and temperature, and whose step is a sweep of each. Every replica has a
// stream of its own in each step, so that what is recorded does not depend on threads.
//
// Recorded are the energy and the magnetisation per site, of shape (temperatures, systems) without the dimensions of length 1; where kernels turn
// clusters and replicas are not swapped, the mean size of these, as [Wolff] meets them; and where Correlation asks for it, the structure factors of [Waves], for the systems that
// have them, and the correlations of [Correlation] at its distances, which are a dimension before the others.
type Simulation struct {
	Systems []System
	Betas   []float64 // rising; the last may be +Inf, where no move raises the energy, but not under tempering
	// Tempering swaps replicas at neighbouring temperatures, and adapts those between the first and the last, which are then those of
	// Ladder: see package tempering. The first half of the warm-up, which adapts them, is the same in all chains, so that they agree on
	// the temperatures; after it each begins with a configuration of its own.
	Tempering bool
	Seed      uint64 // of what chains have in common then
	// Correlation measures correlations, for which systems must have a Geometry.
	Correlation bool
	Threads     int // that move the replicas of a chain; 0: one

	// Look sees the state of a chain when it starts and after every sweep, and must not change it; nil: nobody does. Chains call it at the same time.
	Look func(chain int, x *Replicas)

	last     []*Replicas // of the chains
	kernels  []*sweeps
	ready    []*sweeps   // made, and not asked for yet
	clusters bool        // are recorded
	distant  [][]distant // what measures correlations, of chains and systems
}

// Replicas is the state of a chain: a ladder for each system, with a replica at each temperature.
type Replicas struct {
	Ladders []*tempering.State[*Replica]
}

// checkpointCopies is how many times a checkpoint has a chain's configurations in memory while it is written: as a value, a gob of it, and the gob of the snapshot that has
// this one, with what their buffers grow by. Measured on 20000² spins as bits, with which 1, 2 and 4 chains on two cores need 7, 7 and 5 to 6 times their configurations.
const checkpointCopies = 5

// Prepare checks the simulation and that there is memory for so many chains and their checkpoints.
func (s *Simulation) Prepare(chains int) error {
	if len(s.Systems) == 0 || len(s.Betas) == 0 {
		return errors.New("lattice: a simulation needs a system and a temperature")
	}
	for i, b := range s.Betas {
		switch {
		case !(b >= 0):
			return fmt.Errorf("lattice: inverse temperature %v: it must be 0 or more", b)
		case i > 0 && !(b > s.Betas[i-1]):
			return fmt.Errorf("lattice: inverse temperature %v follows %v: they must rise", b, s.Betas[i-1])
		}
	}
	if s.Tempering && (len(s.Betas) < 2 || math.IsInf(s.Betas[len(s.Betas)-1], 1)) {
		return errors.New("lattice: parallel tempering needs two temperatures or more, none of them 0")
	}
	bytes := 0.0
	for _, y := range s.Systems {
		if err := y.check(); err != nil {
			return err
		}
		bytes += float64(memory.Product(chains, len(s.Betas), 1+checkpointCopies) * y.bytes())
	}
	if err := memory.Room(bytes); err != nil {
		return fmt.Errorf("lattice: the configurations, and their copies for a checkpoint: %w", err)
	}
	s.last, s.kernels, s.ready = make([]*Replicas, chains), make([]*sweeps, chains), make([]*sweeps, chains)
	s.clusters = !s.Tempering
	for c := range chains {
		k, err := s.sweeps(c)
		if err != nil {
			return err
		}
		s.ready[c] = k
		for _, inner := range k.kernels {
			m, ok := inner.(moved[*State])
			if ok {
				_, ok = m.Kernel.(clusterTeller)
			}
			s.clusters = s.clusters && ok
		}
	}
	return s.prepareDistant(chains)
}

// Start begins every replica anew.
func (s *Simulation) Start(_ context.Context, chain int, r *rand.Rand) (*Replicas, error) {
	x := &Replicas{}
	for range s.Systems {
		replicas := make([]*Replica, len(s.Betas))
		for i := range replicas {
			replicas[i] = &Replica{}
		}
		x.Ladders = append(x.Ladders, tempering.NewState(replicas))
	}
	if err := s.restart(x, chain, r); err != nil {
		return nil, err
	}
	s.last[chain] = x
	if s.Look != nil {
		s.Look(chain, x)
	}
	return x, nil
}

// restart gives every replica a configuration to begin with.
func (s *Simulation) restart(x *Replicas, chain int, r *rand.Rand) (err error) {
	for k, l := range x.Ladders {
		for _, replica := range l.Replicas {
			if *replica, err = s.Systems[k].start(chain, r); err != nil {
				return err
			}
		}
		*l = *tempering.NewState(l.Replicas)
	}
	return nil
}

// Kernel makes the kernel of a chain, or gives the one that Prepare made.
func (s *Simulation) Kernel(chain int) mcmc.Kernel[*Replicas] {
	k, err := s.ready[chain], error(nil)
	if s.ready[chain] = nil; k == nil {
		k, err = s.sweeps(chain)
	}
	if err != nil {
		panic(fmt.Sprintf("lattice: the kernels of chain %d could be made once, and now not: %v", chain+1, err))
	}
	s.kernels[chain] = k
	return k
}

// Variables are what is recorded.
func (s *Simulation) Variables() []draws.Variable {
	var dims []int
	for _, n := range []int{len(s.Betas), len(s.Systems)} {
		if n > 1 {
			dims = append(dims, n)
		}
	}
	all := []draws.Variable{{Name: "energy", Dims: dims}, {Name: "magnetisation", Dims: dims}}
	if s.clusters {
		all = append(all, draws.Variable{Name: "cluster_size", Dims: dims})
	}
	return append(all, s.distantVariables(dims)...)
}

// Record measures the replicas.
func (s *Simulation) Record(x *Replicas, _ *rand.Rand, dst []float64) {
	n := len(s.Betas) * len(s.Systems)
	for k, l := range x.Ladders {
		y := &s.Systems[k]
		sites := float64(y.Sites())
		for i, replica := range l.Replicas {
			at := k*len(s.Betas) + i
			dst[at] = y.of(replica) / sites
			dst[n+at] = y.magnetisation(replica)
			if s.clusters {
				dst[2*n+at] = replica.cluster
			}
		}
	}
	if s.Correlation {
		s.recordDistant(x, dst)
	}
}

// Last is the state that a chain has come to; nil before it began.
func (s *Simulation) Last(chain int) *Replicas { return s.last[chain] }

// Ladder is the inverse temperatures of a system, as a chain adapted them.
func (s *Simulation) Ladder(chain, system int) []float64 {
	if !s.Tempering {
		return slices.Clone(s.Betas)
	}
	return s.kernels[chain].ladders[system].Betas()
}

// Swaps tells how replicas of a system were swapped in a chain; it is not ok without tempering.
func (s *Simulation) Swaps(chain, system int) (r tempering.Report, ok bool) {
	if !s.Tempering || s.kernels[chain] == nil {
		return r, false
	}
	return s.kernels[chain].ladders[system].Report(), true
}

// savedLadder is the replicas of a system in a checkpoint.
type savedLadder struct {
	Spins [][]byte
	Label []int
	Odd   bool
}

// MarshalState writes the configurations.
func (s *Simulation) MarshalState(x *Replicas) ([]byte, error) {
	all := make([]savedLadder, len(x.Ladders))
	for k, l := range x.Ladders {
		all[k].Label, all[k].Odd = l.Label, l.Odd
		for _, replica := range l.Replicas {
			b, err := replica.marshal()
			if err != nil {
				return nil, err
			}
			all[k].Spins = append(all[k].Spins, b)
		}
	}
	return gobs.Marshal(all)
}

var errState = errors.New("lattice: these bytes are not a state of this simulation; pass what MarshalState returned")

// UnmarshalState reads what MarshalState wrote.
func (s *Simulation) UnmarshalState(chain int, b []byte) (*Replicas, error) {
	var all []savedLadder
	if err := gobs.Unmarshal(b, &all); err != nil || len(all) != len(s.Systems) {
		return nil, errState
	}
	x := &Replicas{}
	for k, saved := range all {
		l, err := s.ladder(k, saved)
		if err != nil {
			return nil, err
		}
		x.Ladders = append(x.Ladders, l)
	}
	s.last[chain] = x
	return x, nil
}

// ladder is the replicas of a system that were saved.
func (s *Simulation) ladder(system int, saved savedLadder) (*tempering.State[*Replica], error) {
	n := len(s.Betas)
	labels := slices.Sorted(slices.Values(saved.Label))
	if len(saved.Spins) != n || len(labels) != n {
		return nil, errState
	}
	replicas := make([]*Replica, n)
	for i, spins := range saved.Spins {
		var err error
		if replicas[i], err = s.Systems[system].unmarshal(spins); err != nil || labels[i] != i {
			return nil, errState
		}
	}
	return &tempering.State[*Replica]{Replicas: replicas, Label: saved.Label, Odd: saved.Odd}, nil
}
