// Package anneal minimises an energy over states by local changes: a Markov chain of density e^{−E(x)/T} whose temperature T falls
// (Kirkpatrick, Gelatt and Vecchi, 1983), and its relatives.
package anneal

import (
	"encoding"
	"math/rand/v2"
)

// Walker is one state of a problem, or several that share the lanes of vector registers, each a read of its own, with the best state that
// each has met. A new walker has no states before Start or UnmarshalBinary. Its bytes are states, bests, and whatever else its
// future depends on, so that a walker read back goes on as the first would.
type Walker interface {
	// Replicas is the number of states.
	Replicas() int
	// Start draws all states anew, and forgets the best.
	Start(r *rand.Rand)
	// Sweep proposes to each state about as many changes as the problem has variables, and accepts one that adds d to the energy with
	// probability min(1, e^{−d/temperature}); at temperature 0, and at any that is not above it, where d ≤ 0. It counts over all states,
	// and does not allocate.
	Sweep(temperature float64, r *rand.Rand) (proposed, accepted int64)
	// Energy is that of a state, Best the lowest that it had since Start, at the latest as Sweep returned.
	Energy(replica int) float64
	Best(replica int) float64
	// Solution is the state of the energy Best: spins of −1 and 1, places of a permutation or cities of a tour from 0, colours from 0,
	// or real numbers.
	Solution(replica int) []float64
	// State is a state as it is now, in the form of Solution.
	State(replica int) []float64
	// Set makes a state, and its best, the one given in the form of Solution; an error says why it is none.
	Set(replica int, solution []float64) error
	// Copy makes a state, and its best, those of a replica of a walker of the same problem, which may be this one.
	Copy(replica int, from Walker, replicaFrom int)

	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// Instance is a problem read from a file: what makes walkers, and judges what they find.
type Instance interface {
	// Variables is the number of spins, cities, facilities, nodes or coordinates.
	Variables() int
	// Walker makes one that has its own memory and shares the instance's, which no walker changes.
	Walker() (Walker, error)
	// Memory is the bytes that a walker takes.
	Memory() int64
	// Temperatures are the first and the last of a schedule where none is asked for.
	Temperatures() (hot, cold float64)
	// Objective is what users of the problem call the value of a state of an energy, an affine function: a cut is minus its energy.
	Objective(energy float64) float64
	// Evaluate computes the energy of a solution from the data as they were read, by other means than walkers do. An error says why the
	// solution is none.
	Evaluate(solution []float64) (energy float64, err error)
}

// Thresholds is a walker that can accept by a threshold, too (Dueck and Scheuer, 1990): what adds d ≤ threshold to the energy.
// Otherwise SweepThreshold is Sweep.
type Thresholds interface {
	SweepThreshold(threshold float64, r *rand.Rand) (proposed, accepted int64)
}

// Climbs is a walker that can look through the neighbours of its states.
type Climbs interface {
	// Climb makes the best change of each state that lowers its energy, or with first the first one that does in a random order. It
	// counts the changes that it looked at and those that it made; none made: each state is a local minimum.
	Climb(first bool, r *rand.Rand) (looked, made int64)
}

// Rounds is a walker that may count energies by rounded coefficients, so that what reads found is judged by those of the instance.
type Rounds interface {
	// Rounding is the most that Energy and Best may be off, 0 where they are not rounded.
	Rounding() float64
	// Exact is the energy of Solution by the instance.
	Exact(replica int) float64
}
