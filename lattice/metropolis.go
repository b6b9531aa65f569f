package lattice

import (
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// NewMetropolis is the rule of Metropolis, Rosenbluth, Rosenbluth, Teller and Teller (1953): a spin is proposed another value, the other
// one or each of the others alike, and takes it with probability min(1, exp(−β ΔE)).
//
// A proposal that leaves the energy as it is is always taken. Where that is common, a scan in a fixed order can move in circles and leave
// states out: an Ising model at β = 0, on a chain, with a length of 2, with sites that nothing acts on. The random scan and the heat bath
// have no such trap. At β = +Inf proposals that do not raise the energy are taken.
func NewMetropolis(m *Model, beta float64, set ScanSettings) (*SingleSite, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	return newSingleSite(m, metropolis(m), beta, set)
}

func metropolis(m *Model) rule {
	if t, ok := newIsingTable(m, metropolisFlip); ok {
		return t
	}
	if _, uniform := m.Graph.Uniform(); uniform && m.Q != 0 && m.Field == nil {
		return newPottsMetropolis(m)
	}
	if m.Q == 0 {
		return &isingGeneral{m: m, flip: metropolisFlip}
	}
	return &pottsMetropolisGeneral{m: m}
}

// metropolisFlip is min(1, e^−x).
func metropolisFlip(x float64) float64 {
	if x <= 0 {
		return 1
	}
	return vec.Exp(-x)
}

// proposal is one of the q − 1 values other than x, and 63 bits that are independent of it to within q/2⁶⁴.
func proposal(u uint64, x uint8, q int) (uint8, uint64) {
	hi, lo := bits.Mul64(u, uint64(q-1))
	y := uint8(hi)
	if y >= x {
		y++
	}
	return y, lo >> 1
}

// pottsMetropolis is Metropolis's rule for a Potts model with the same coupling for all bonds and no fields.
type pottsMetropolis struct {
	g     *Graph
	q     int
	reach int      // most bonds of a site
	take  []uint64 // threshold by how many more neighbours have the proposed value than the present one, from −reach
}

func newPottsMetropolis(m *Model) *pottsMetropolis {
	reach := m.Graph.degree()
	return &pottsMetropolis{g: m.Graph, q: m.Q, reach: reach, take: make([]uint64, 2*reach+1)}
}

func (p *pottsMetropolis) at(beta float64) {
	for k := range p.take {
		p.take[k] = threshold(metropolisFlip(-times(beta, p.g.uniform*float64(k-p.reach))))
	}
}

func (p *pottsMetropolis) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	start, ends, take, q := p.g.start, p.g.ends, p.take, p.q
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		x := spins[i]
		y, u := proposal(u, x, q)
		more := p.reach
		for _, j := range ends[start[i]:start[i+1]] {
			z := spins[j]
			more += one(z == y) - one(z == x)
		}
		if u < take[more] {
			spins[i] = y
		}
	}
	return s
}

// one is 1 for true, without a branch.
func one(b bool) int {
	n := 0
	if b {
		n = 1
	}
	return n
}

// pottsMetropolisGeneral is Metropolis's rule for a Potts model.
type pottsMetropolisGeneral struct {
	m    *Model
	beta float64
}

func (p *pottsMetropolisGeneral) at(beta float64) { p.beta = beta }

func (p *pottsMetropolisGeneral) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	g := p.m.Graph
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		x := spins[i]
		y, u := proposal(u, x, p.m.Q)
		gain := 0.0 // of energy given up
		if p.m.Field != nil {
			gain = float64(p.m.Field[i] * float64(one(y == 0)-one(x == 0)))
		}
		for k, j := range g.Of(int(i)) {
			if z := spins[j]; z == x {
				gain -= g.Coupling(int(i), k)
			} else if z == y {
				gain += g.Coupling(int(i), k)
			}
		}
		if gain >= 0 || streams.Unit(u<<1) < vec.Exp(times(p.beta, gain)) {
			spins[i] = y
		}
	}
	return s
}
