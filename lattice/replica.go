package lattice

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Replica is a configuration that a [Simulation] moves, with its energy where that is known.
type Replica struct {
	*State

	energy float64
	known  bool // energy is that of the configuration
}

// System is a model with what moves it.
type System struct {
	Model *Model
	// Start makes a configuration for a chain to begin with; nil: [Model.Random].
	Start func(r *rand.Rand) *State
	// Kernel makes a kernel for an inverse temperature, whose Step is a sweep.
	Kernel func(beta float64) (mcmc.Kernel[*State], error)
}

// Sites is the number of spins.
func (y *System) Sites() int {
	return y.Model.Graph.Sites()
}

// bytes is what a configuration takes.
func (y *System) bytes() float64 {
	return float64(y.Sites())
}

func (y *System) check() error {
	return y.Model.Check()
}

// start is a replica to begin with.
func (y *System) start(r *rand.Rand) (Replica, error) {
	if y.Start == nil {
		return Replica{State: y.Model.Random(r)}, nil
	}
	return Replica{State: y.Start(r)}, nil
}

// kernel moves replicas at an inverse temperature.
func (y *System) kernel(beta float64) (mcmc.Kernel[*Replica], error) {
	k, err := y.Kernel(beta)
	return moved{k}, err
}

// of is the energy of a replica, which is computed at most once after each move.
func (y *System) of(x *Replica) float64 {
	switch {
	case x.known:
	default:
		x.energy, x.known = y.Model.Energy(x.State), true
	}
	return x.energy
}

func (y *System) magnetisation(x *Replica) float64 {
	return y.Model.Magnetisation(x.State)
}

// Spins copies the spins of a replica, as a [State] has them, to dst where that has room.
func (y *System) Spins(dst []uint8, x *Replica) []uint8 { return append(dst[:0], x.State.Spins...) }

// marshal is the configuration as bytes.
func (x *Replica) marshal() ([]byte, error) {
	return x.State.Spins, nil
}

// unmarshal reads them.
func (y *System) unmarshal(b []byte) (*Replica, error) {
	if len(b) != y.Sites() || int(slices.Max(b)) >= y.Model.States() {
		return nil, errState
	}
	return &Replica{State: &State{Spins: b}}, nil
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

// LogDensity is −βE.
func (e energies) LogDensity(x *Replica, beta float64) float64 { return -float64(beta * e.of(x)) }

// LogRatio is −(to − from)E.
func (e energies) LogRatio(x *Replica, from, to float64) float64 {
	return float64((from - to) * e.of(x))
}
