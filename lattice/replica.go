package lattice

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Replica is a configuration that a [Simulation] moves, with its energy where that is known.
type Replica struct {
	*State

	energy float64
	known  bool // energy is that of the state
}

// moved is a kernel of states as one of replicas.
type moved struct {
	mcmc.Kernel[*State]
}

// Step moves the state.
func (k moved) Step(x *Replica, r *rand.Rand) mcmc.Info {
	x.known = false
	return k.Kernel.Step(x.State, r)
}

// MarshalBinary is the tuning of the kernel.
func (k moved) MarshalBinary() ([]byte, error) { return tunings.Marshal(k.Kernel) }

// UnmarshalBinary restores it.
func (k moved) UnmarshalBinary(b []byte) error { return tunings.Unmarshal(k.Kernel, b) }

// energies is the family of the densities exp(−βE) over replicas, for parallel tempering.
type energies struct{ *System }

// of is the energy of a replica, which is computed at most once after each move.
func (e energies) of(x *Replica) float64 {
	if !x.known {
		x.energy, x.known = e.Model.Energy(x.State), true
	}
	return x.energy
}

// LogDensity is −βE.
func (e energies) LogDensity(x *Replica, beta float64) float64 { return -float64(beta * e.of(x)) }

// LogRatio is −(to − from)E.
func (e energies) LogRatio(x *Replica, from, to float64) float64 {
	return float64((from - to) * e.of(x))
}
