package lattice

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// finite is a small model as a target that is enumerated: state k has the spins of k's digits.
func finite(m *Model, beta float64, k mcmc.Kernel[*State]) kerneltest.Finite[*State] {
	n, q := m.Graph.Sites(), m.States()
	f := kerneltest.Finite[*State]{
		Kernel: k,
		State: func(k int) *State {
			s := &State{make([]uint8, n)}
			for i := range s.Spins {
				s.Spins[i] = uint8(k % q)
				k /= q
			}
			return s
		},
		Index: func(s *State) int {
			k := 0
			for _, x := range slices.Backward(s.Spins) {
				k = k*q + int(x)
			}
			return k
		},
	}
	least := math.Inf(1)
	for k := range int(math.Pow(float64(q), float64(n))) {
		e := m.Energy(f.State(k))
		least = min(least, e)
		f.LogWeight = append(f.LogWeight, e)
	}
	for k, e := range f.LogWeight {
		f.LogWeight[k] = 0
		if e > least+1e-9 {
			f.LogWeight[k] = -beta * (e - least)
		}
	}
	return f
}

// small is a model that can be enumerated.
type small struct {
	name  string
	model *Model
	beta  float64
	stuck bool // Metropolis's rule in a fixed order does not come to all states, as NewMetropolis says
}

// smallModels are few spins of all kinds: doubled bonds, sites without bonds, circles of odd length, couplings of both signs and of none,
// fields, hot and cold.
func smallModels() []small {
	lattice := func(k Kind, b Boundary, j float64, size ...int) *Graph {
		return must(Geometry{k, size, b}.Graph(j))
	}
	list := func(sites int, bonds ...Bond) *Graph { return must(NewGraph(sites, slices.Values(bonds))) }
	mixed := list(6, Bond{0, 1, 1}, Bond{1, 2, -0.5}, Bond{2, 0, 0.3}, Bond{2, 3, 2}, Bond{0, 3, -1.25}, Bond{3, 4, 0})
	whole := list(5, Bond{0, 1, 1}, Bond{1, 2, -2}, Bond{2, 0, 1}, Bond{2, 3, 3}, Bond{0, 1, 1})
	fields := []float64{0.5, -0.25, 0, 1, -1.5, 0.75}
	return []small{
		{"Ising, one site in a field", &Model{Graph: list(1), Field: []float64{0.3}}, 1, false},
		{"Ising, periodic 2x2: bonds twice", &Model{Graph: lattice(Cubic, Periodic, 1, 2, 2)}, 0.3, true},
		{"Ising, periodic 3x2", &Model{Graph: lattice(Cubic, Periodic, 1, 3, 2)}, 0.35, false},
		{"Ising, helical 3x3", &Model{Graph: lattice(Cubic, Helical, 1, 3, 3)}, 0.2, false},
		{"Ising, triangular antiferromagnet", &Model{Graph: lattice(Triangular, Open, -1, 3, 2)}, 0.9, false},
		{"Ising, honeycomb", &Model{Graph: lattice(Honeycomb, Periodic, 1, 2, 2)}, 0.5, false},
		{"Ising, open cube in a field", &Model{Graph: lattice(Cubic, Open, 1, 2, 2, 2), Field: UniformField(8, 0.2)}, 0.25, false},
		{"Ising, couplings and fields of each site", &Model{Graph: mixed, Field: fields}, 0.7, false},
		{"Ising, couplings of each bond", &Model{Graph: mixed}, 0.7, true},
		{"Ising, whole couplings, a bond twice", &Model{Graph: whole, Field: UniformField(5, -0.3)}, 0.4, false},
		{"Ising, hot", &Model{Graph: lattice(Cubic, Periodic, 1, 3, 2)}, 0, false},
		{"Ising, cold", &Model{Graph: whole}, 5, false},
		{"Ising, zero temperature", &Model{Graph: lattice(Cubic, Open, -1, 3, 2)}, math.Inf(1), false},
		{"Potts of 2, chain", &Model{Graph: lattice(Cubic, Periodic, 1, 5), Q: 2}, 0.8, true},
		{"Potts of 3, periodic 2x2", &Model{Graph: lattice(Cubic, Periodic, 1, 2, 2), Q: 3}, 0.5, false},
		{"Potts of 5, periodic 2x2", &Model{Graph: lattice(Cubic, Periodic, 1, 2, 2), Q: 5}, 0.6, false},
		{"Potts of 4, antiferromagnet, periodic 2x2", &Model{Graph: lattice(Cubic, Periodic, -1, 2, 2), Q: 4}, 0.6, false},
		{"Potts of 3, antiferromagnet", &Model{Graph: lattice(Triangular, Open, -1, 2, 2), Q: 3}, 1.5, false},
		{"Potts of 3, couplings and fields", &Model{Graph: mixed, Q: 3, Field: fields}, 0.6, false},
		{"Potts of 3, couplings", &Model{Graph: whole, Q: 3}, 0.3, false},
		{"Potts of 5, a star and a site alone", &Model{Graph: list(5, Bond{0, 1, 1}, Bond{0, 2, 1}, Bond{0, 3, 1}), Q: 5}, 1, false},
		{"Potts of 10, a field", &Model{Graph: list(3, Bond{0, 1, 1}, Bond{1, 2, 1}), Q: 10, Field: UniformField(3, 0.5)}, 1, false},
		{"Potts of 3, hot", &Model{Graph: whole, Q: 3}, 0, false},
		{"Potts of 3, zero temperature", &Model{Graph: lattice(Cubic, Open, 1, 2, 2), Q: 3}, math.Inf(1), false},
	}
}
