package lattice

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
)

// Model is the energy of spins on a graph: see the package. The zero Q is the Ising model.
type Model struct {
	Graph *Graph
	Q     int       // colours of the Potts model, 2 to 255; 0: Ising
	Field []float64 // h of each site; nil: none
}

// State is a configuration. An Ising spin is 0 for −1 and 1 for +1; a Potts spin is its colour, from 0.
type State struct {
	Spins []uint8
}

// Check says what is wrong with a model.
func (m *Model) Check() error {
	switch {
	case m.Graph == nil:
		return fmt.Errorf("lattice: a model without a graph")
	case m.Q != 0 && (m.Q < 2 || m.Q > 255):
		return fmt.Errorf("lattice: %d colours: a Potts model has from 2 to 255", m.Q)
	case m.Field != nil && len(m.Field) != m.Graph.Sites():
		return fmt.Errorf("lattice: %d fields for %d sites", len(m.Field), m.Graph.Sites())
	}
	for i, h := range m.Field {
		if math.IsNaN(h) || math.IsInf(h, 0) {
			return fmt.Errorf("lattice: site %d has field %v", i, h)
		}
	}
	for i := range m.Graph.Sites() {
		if e := m.strength(i); math.IsInf(4*e, 1) {
			return fmt.Errorf("lattice: the couplings and the field of site %d add up to %v: too much for an energy", i, e)
		}
	}
	return nil
}

// strength is |h| + Σ|J| of a site.
func (m *Model) strength(i int) float64 {
	e := 0.0
	if m.Field != nil {
		e = math.Abs(m.Field[i])
	}
	if c, all := m.Graph.Uniform(); all {
		return e + float64(math.Abs(c)*float64(len(m.Graph.Of(i))))
	}
	for k := range m.Graph.Of(i) {
		e += math.Abs(m.Graph.Coupling(i, k))
	}
	return e
}

// States is the number of values of a spin: q, or 2.
func (m *Model) States() int {
	if m.Q == 0 {
		return 2
	}
	return m.Q
}

// uniformField says whether the field is the same at all sites.
func (m *Model) uniformField() bool {
	for _, h := range m.Field {
		if h != m.Field[0] {
			return false
		}
	}
	return true
}

// gap is how much lower the energy of a bond with this coupling is between equal spins than between others.
func (m *Model) gap(coupling float64) float64 {
	if m.Q == 0 {
		return 2 * coupling
	}
	return coupling
}

// worth is what the field takes from the energy where site i has value x.
func (m *Model) worth(i int, x uint8) float64 {
	switch {
	case m.Q == 0:
		return m.Field[i] * float64(2*int(x)-1)
	case x == 0:
		return m.Field[i]
	}
	return 0
}

// Random is a state of independent uniform spins.
func (m *Model) Random(r *rand.Rand) *State {
	s := &State{make([]uint8, m.Graph.Sites())}
	for i := range s.Spins {
		s.Spins[i] = uint8(r.IntN(m.States()))
	}
	return s
}

// Energy is E of the state, in O(sites + bonds).
func (m *Model) Energy(s *State) float64 {
	g := m.Graph
	if c, all := g.Uniform(); all {
		n := 0
		for i, x := range s.Spins {
			for _, j := range g.Of(i) {
				n += int((uint32(x^s.Spins[j]) - 1) >> 31) // 1 where they are equal, without a jump
			}
		}
		return m.fieldEnergy(s) - float64(c*float64(m.bondSum(n/2)))
	}
	e := m.fieldEnergy(s)
	for b := range g.All() {
		switch {
		case s.Spins[b.I] == s.Spins[b.J]:
			e -= b.Coupling
		case m.Q == 0:
			e += b.Coupling
		}
	}
	return e
}

// bondSum is the sum over bonds of s_i s_j or of δ(s_i, s_j) when this many join equal spins.
func (m *Model) bondSum(equal int) int {
	if m.Q == 0 {
		return 2*equal - m.Graph.Bonds()
	}
	return equal
}

// fieldEnergy is the part of the energy that fields have.
func (m *Model) fieldEnergy(s *State) float64 {
	e := 0.0
	for i, h := range m.Field {
		switch {
		case m.Q == 0:
			e -= float64(h * float64(2*int(s.Spins[i])-1))
		case s.Spins[i] == 0:
			e -= h
		}
	}
	return e
}

// Magnetisation is the mean spin of an Ising model, from −1 to 1; of a Potts model the order parameter (q max_c n_c/N − 1)/(q − 1),
// from 0 to 1, where n_c of N spins have colour c (Binder 1981).
func (m *Model) Magnetisation(s *State) float64 {
	sites := float64(len(s.Spins))
	if m.Q == 0 {
		return float64(2*bytes.Count(s.Spins, []byte{1})-len(s.Spins)) / sites
	}
	n := m.counts(s.Spins)
	most := 0
	for _, k := range n {
		most = max(most, k)
	}
	return (float64(float64(m.Q)*float64(most))/sites - 1) / float64(m.Q-1)
}

// countedApart is how many colours are counted one after another, each by one vector loop.
const countedApart = 16

// counts are how many spins have each colour.
func (m *Model) counts(spins []uint8) (n [256]int) {
	if m.Q > countedApart {
		for _, x := range spins {
			n[x]++
		}
		return n
	}
	for c := range m.Q {
		n[c] = bytes.Count(spins, []byte{uint8(c)})
	}
	return n
}

// Starts begin chains in different phases where there is a field, since from random spins all may come to the same of several that no chain
// leaves: of every four chains the first begins with all spins along the field, on which the mean field decides, and the second with all against it, so that two
// chains are enough to see both. The others, and all without a field, begin with [Model.Random].
func (m *Model) Starts(chain int, r *rand.Rand) *State {
	h := 0.0
	for _, x := range m.Field {
		h += x
	}
	if h == 0 || chain%4 > 1 {
		return m.Random(r)
	}
	along := (h > 0) == (chain%4 == 0)
	s := m.Ordered()
	if !along { // Ordered is the value that a positive field favours
		for i := range s.Spins {
			s.Spins[i] ^= 1
		}
	}
	return s
}

// Ordered is the state whose spins are all 1, or of colour 0.
func (m *Model) Ordered() *State {
	s := &State{make([]uint8, m.Graph.Sites())}
	if m.Q == 0 {
		for i := range s.Spins {
			s.Spins[i] = 1
		}
	}
	return s
}

// Fixed is a state in random order of so many spins of each value, which must add up to the sites.
func (m *Model) Fixed(r *rand.Rand, counts []int) *State {
	s := &State{make([]uint8, 0, m.Graph.Sites())}
	for value, n := range counts {
		s.Spins = append(s.Spins, bytes.Repeat([]byte{uint8(value)}, n)...)
	}
	r.Shuffle(len(s.Spins), func(i, j int) { s.Spins[i], s.Spins[j] = s.Spins[j], s.Spins[i] })
	return s
}
