package lattice

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Replica is a configuration that a [Simulation] moves, with its energy where that is known: a state, or bits where the system is
// [Packed].
type Replica struct {
	*State
	Bits *Bits

	energy  float64
	known   bool    // energy is that of the configuration
	cluster float64 // mean size of the clusters that moved it last
}

// System is a model with what moves it.
type System struct {
	Model *Model
	// Start makes a configuration for a chain, from 0, to begin with; nil: [Model.Random]. [Model.Starts] lies in different phases.
	Start func(chain int, r *rand.Rand) *State
	// Kernel makes a kernel for an inverse temperature, whose Step is a sweep.
	Kernel func(beta float64) (mcmc.Kernel[*State], error)
	// Geometry is that of the graph; nil: none that correlations could be measured on.
	Geometry *Geometry

	// Packed is the Ising model with spins as bits, in place of Model and Kernel.
	Packed *Packed
}

// Packed is an Ising model whose configurations are [Bits].
type Packed struct {
	Geometry Geometry
	Coupling float64
	Kernel   func(beta float64) (mcmc.Kernel[*Bits], error)
}

// Sites is the number of spins.
func (y *System) Sites() int {
	if y.Packed != nil {
		n, _ := y.Packed.Geometry.sites()
		return n
	}
	return y.Model.Graph.Sites()
}

// bytes is what a configuration takes.
func (y *System) bytes() float64 {
	if y.Packed != nil {
		return float64(y.Sites()) / 8
	}
	return float64(y.Sites())
}

func (y *System) check() error {
	if y.Packed != nil {
		_, err := y.Packed.Geometry.sites()
		return err
	}
	return y.Model.Check()
}

// start is a replica to begin with.
func (y *System) start(chain int, r *rand.Rand) (Replica, error) {
	switch {
	case y.Packed == nil && y.Start == nil:
		return Replica{State: y.Model.Random(r)}, nil
	case y.Packed == nil:
		return Replica{State: y.Start(chain, r)}, nil
	}
	b, err := NewBits(y.Packed.Geometry)
	if err != nil {
		return Replica{}, err
	}
	if y.Start == nil {
		b.Randomise(r)
		return Replica{Bits: b}, nil
	}
	return Replica{Bits: b}, b.Pack(y.Start(chain, r))
}

// kernel moves replicas at an inverse temperature.
func (y *System) kernel(beta float64) (mcmc.Adapter[*Replica], error) {
	if y.Packed != nil {
		k, err := y.Packed.Kernel(beta)
		return moved[*Bits]{k, func(x *Replica) *Bits { return x.Bits }}, err
	}
	k, err := y.Kernel(beta)
	return moved[*State]{k, func(x *Replica) *State { return x.State }}, err
}

// of is the energy of a replica, which is computed at most once after each move.
func (y *System) of(x *Replica) float64 {
	switch {
	case x.known:
	case y.Packed != nil:
		x.energy, x.known = x.Bits.Energy(y.Packed.Coupling), true
	default:
		x.energy, x.known = y.Model.Energy(x.State), true
	}
	return x.energy
}

func (y *System) magnetisation(x *Replica) float64 {
	if y.Packed != nil {
		return x.Bits.Magnetisation()
	}
	return y.Model.Magnetisation(x.State)
}

// Spins copies the spins of a replica, as a [State] has them, to dst where that has room.
func (y *System) Spins(dst []uint8, x *Replica) []uint8 {
	if y.Packed == nil {
		return append(dst[:0], x.State.Spins...)
	}
	dst = slices.Grow(dst[:0], y.Sites())[:y.Sites()]
	if err := x.Bits.Unpack(&State{dst}); err != nil {
		panic(err) // of another size
	}
	return dst
}

// marshal is the configuration as bytes.
func (x *Replica) marshal() ([]byte, error) {
	if x.Bits != nil {
		return x.Bits.MarshalBinary()
	}
	return x.State.Spins, nil
}

// unmarshal reads them.
func (y *System) unmarshal(b []byte) (*Replica, error) {
	if y.Packed != nil {
		bits, err := NewBits(y.Packed.Geometry)
		if err != nil || bits.UnmarshalBinary(b) != nil {
			return nil, errState
		}
		return &Replica{Bits: bits}, nil
	}
	if len(b) != y.Sites() || int(slices.Max(b)) >= y.Model.States() {
		return nil, errState
	}
	return &Replica{State: &State{Spins: b}}, nil
}

// moved is a kernel of states, or bits, as one of replicas.
type moved[S any] struct {
	mcmc.Kernel[S]
	of func(x *Replica) S
}

// Step moves the configuration.
func (k moved[S]) Step(x *Replica, r *rand.Rand) mcmc.Info {
	x.known = false
	info := k.Kernel.Step(k.of(x), r)
	if c, ok := k.Kernel.(clusterTeller); ok {
		x.cluster = c.ClusterSize()
	}
	return info
}

// clusterTeller is a kernel of clusters.
type clusterTeller interface{ ClusterSize() float64 }

// Adapt is Step in the warm-up.
func (k moved[S]) Adapt(x *Replica, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	x.known = false
	if t, ok := k.Kernel.(mcmc.Adapter[S]); ok {
		return t.Adapt(k.of(x), r, w)
	}
	return k.Kernel.Step(k.of(x), r)
}

// Freeze ends the warm-up.
func (k moved[S]) Freeze() {
	if t, ok := k.Kernel.(mcmc.Adapter[S]); ok {
		t.Freeze()
	}
}

// MarshalBinary is the tuning of the kernel.
func (k moved[S]) MarshalBinary() ([]byte, error) { return tunings.Marshal(k.Kernel) }

// UnmarshalBinary restores it.
func (k moved[S]) UnmarshalBinary(b []byte) error { return tunings.Unmarshal(k.Kernel, b) }

// energies is the family of the densities exp(−βE) over replicas, for parallel tempering.
type energies struct{ *System }

// LogDensity is −βE.
func (e energies) LogDensity(x *Replica, beta float64) float64 { return -float64(beta * e.of(x)) }

// LogRatio is −(to − from)E.
func (e energies) LogRatio(x *Replica, from, to float64) float64 {
	return float64((from - to) * e.of(x))
}

// Packable says whether the Ising model on this lattice, with one coupling and no fields, can be [Packed].
func Packable(l Geometry) bool {
	_, err := newBitLayout(l)
	return err == nil
}
