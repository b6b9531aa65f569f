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
	if m.Q == 0 {
		return newIsing(m, metropolisFlip)
	}
	if _, uniform := m.Graph.Uniform(); uniform && m.Field == nil {
		return newPottsMetropolis(m)
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
	y := int(hi)
	return uint8(y + one(y >= int(x))), lo >> 1
}

// pottsMetropolis is Metropolis's rule for a Potts model with the same coupling for all bonds and no fields.
type pottsMetropolis struct {
	g     *Graph
	q     int
	reach int        // most bonds of a site
	hot   [16]uint64 // 1 in the four bits of a value below 16
	take  []uint64   // threshold by how many more neighbours have the proposed value than the present one, from −reach
}

func newPottsMetropolis(m *Model) *pottsMetropolis {
	reach := m.Graph.degree()
	p := &pottsMetropolis{g: m.Graph, q: m.Q, reach: reach, take: make([]uint64, 2*reach+1)}
	for x := range p.hot {
		p.hot[x] = 1 << (4 * x)
	}
	return p
}

func (p *pottsMetropolis) at(beta float64) {
	for k := range p.take {
		p.take[k] = threshold(metropolisFlip(-times(beta, p.g.uniform*float64(k-p.reach))))
	}
}

func (p *pottsMetropolis) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	start, ends := p.g.start, p.g.ends
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		p.move(spins, int(i), 0, ends[start[i]:start[i+1]], u)
	}
	return s
}

func (p *pottsMetropolis) scatter(spins []uint8, sites []int32, x *strides, s streams.Stream) streams.Stream {
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		p.move(spins, int(i), int(i), x.rows[x.pattern[i]], u)
	}
	return s
}

// move is the rule for site i, whose neighbours are where row says from base on.
func (p *pottsMetropolis) move(spins []uint8, i, base int, row []int32, u uint64) {
	x := spins[i]
	y, u := proposal(u, x, p.q)
	more := p.reach
	for _, j := range row {
		z := spins[base+int(j)]
		more += one(z == y) - one(z == x)
	}
	_, take := bits.Sub64(u, p.take[more], 0)
	spins[i] = x ^ (x^y)*uint8(take)
}

func (p *pottsMetropolis) stride(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	if len(x.row) == 4 && p.q <= 16 {
		return p.stride4(spins, x, s)
	}
	for i, n := x.first, 0; n < x.count; i, n = i+x.step, n+1 {
		var u uint64
		u, s = s.Next()
		p.move(spins, i, i, x.row, u)
	}
	return s
}

// stride4 is stride for four neighbours, whose values are counted in sixteen times four bits.
func (p *pottsMetropolis) stride4(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	own, take, hot := x.of(spins, 0), p.take[p.reach-4:p.reach+5], &p.hot
	a, b, c, d := x.of(spins, x.row[0]), x.of(spins, x.row[1]), x.of(spins, x.row[2]), x.of(spins, x.row[3])
	a, b, c, d = a[:len(own)], b[:len(own)], c[:len(own)], d[:len(own)]
	for k := uint(0); k < uint(len(own)); k += uint(x.step) {
		var u uint64
		u, s = s.Next()
		x := own[k]
		y, u := proposal(u, x, p.q)
		n := hot[a[k]&15] + hot[b[k]&15] + hot[c[k]&15] + hot[d[k]&15]
		more := n>>(y*4&63)&15 - n>>(x*4&63)&15
		_, turn := bits.Sub64(u, take[more+4], 0)
		own[k] = x ^ (x^y)*uint8(turn)
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
