package spins

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/spinlanes"
)

// Instance is a model for package anneal.
//
// Its walkers count in integers, multiples of a unit that divides all coefficients: energies that they keep are exact. Coefficients
// without such a unit of 31 bits are rounded, by at most 2⁻²⁹ of the largest Σ_j |J_ij| + |h_i|; walkers then sample and count the energy of the
// rounded model, and [Walker.Exact] and [Instance.Evaluate] give that of the model itself.
type Instance struct {
	model     *Model
	unit      float64 // of energies
	offset    float64
	graph     *spinlanes.Graph
	exchange  *exchange // nil: none
	hot, cold float64
	rounded   bool
	rounding  float64 // the most that energies may be off
}

var _ anneal.Instance = (*Instance)(nil)

// NewInstance prepares a model, which must not change from here on.
func NewInstance(m *Model) (*Instance, error) {
	if len(m.Couplings) > math.MaxInt32 {
		return nil, fmt.Errorf("spins: %d couplings; at most %d are possible", len(m.Couplings), math.MaxInt32)
	}
	if err := room(m.Variables, len(m.Couplings)); err != nil {
		return nil, err
	}
	ising := m.Ising()
	z := toIntegers(ising)
	n := &Instance{model: m, unit: z.unit, offset: ising.Offset, graph: z.graph(ising), rounded: z.rounded}
	if n.rounded {
		n.rounding = n.unit / 2 * float64(m.Variables+len(m.Couplings))
	}
	n.exchange = newExchange(n.graph)
	n.hot, n.cold = temperatures(ising, z)
	return n, nil
}

// Independent makes the replicas of its walkers walks that know nothing of each other: they swap no clusters. It is called before there
// are walkers.
func (n *Instance) Independent() { n.exchange = nil }

// Swaps says that the replicas of a walker swap clusters, which is so where graphs are sparse.
func (n *Instance) Swaps() bool { return n.exchange != nil }

// Model is the model.
func (n *Instance) Model() *Model { return n.model }

// Rounded says that coefficients were rounded.
func (n *Instance) Rounded() bool { return n.rounded }

// Variables is their number.
func (n *Instance) Variables() int { return n.model.Variables }

// Walker makes a walker of 32 replicas.
func (n *Instance) Walker() (anneal.Walker, error) { return n.NewWalker() }

// Memory is the bytes that a walker takes.
func (n *Instance) Memory() int64 {
	return int64(spinlanes.Bytes(n.model.Variables, n.graph.Wide())) + 8*int64(n.model.Variables) + 16<<10
}

// Temperatures are the first and the last of a schedule where none is asked for.
func (n *Instance) Temperatures() (hot, cold float64) { return n.hot, n.cold }

// Objective is what users of the model call a state of an energy: for MaxCut the weight of the cut, otherwise the energy.
func (n *Instance) Objective(energy float64) float64 { return n.model.Objective(energy) }

// Evaluate is the energy of spins by the model as it was read.
func (n *Instance) Evaluate(solution []float64) (energy float64, err error) {
	return n.model.Energy(solution)
}

// energy is that of an integer.
func (n *Instance) energy(e int64) float64 { return n.offset + float64(n.unit*float64(e)) }

// NewWalker makes a walker of 32 replicas.
func (n *Instance) NewWalker() (*Walker, error) {
	if err := memory.Room(float64(n.Memory())); err != nil {
		return nil, err
	}
	return newWalker(n), nil
}
