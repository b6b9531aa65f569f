package lattice

import (
	"math"
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// isingTable is a rule of the Ising model whose couplings are small multiples of one, and whose fields are all the same: the
// probability of a flip is looked up.
type isingTable struct {
	g           *Graph
	weight      []int8 // couplings as multiples of unit, beside the ends of the bonds; nil: all 1
	unit, field float64
	rule        func(x float64) float64 // probability of a flip that raises the energy by x/β
	reach       int                     // most that |Σ_j weight_ij s_j| may be
	flip        []uint64                // threshold by s and Σ_j weight_ij s_j, from s = −1 and −reach
}

// mostReach bounds the tables to half a megabyte.
const mostReach = 1 << 14

// newIsingTable makes the rule where the model allows it.
func newIsingTable(m *Model, rule func(x float64) float64) (*isingTable, bool) {
	t := &isingTable{g: m.Graph, rule: rule}
	if m.Q != 0 {
		return nil, false
	}
	if m.Field != nil {
		t.field = m.Field[0]
	}
	if !m.uniformField() || !t.multiples() || t.reach > mostReach {
		return nil, false
	}
	t.flip = make([]uint64, 2*(2*t.reach+1))
	return t, true
}

// multiples finds the couplings as multiples of the smallest.
func (t *isingTable) multiples() bool {
	g := t.g
	if t.unit = g.uniform; g.coupling == nil {
		t.reach = g.degree()
		return true
	}
	t.unit = math.Inf(1)
	for _, c := range g.coupling {
		if c != 0 {
			t.unit = min(t.unit, math.Abs(c))
		}
	}
	t.weight = make([]int8, len(g.coupling))
	for k, c := range g.coupling {
		n := math.Round(c / t.unit)
		if math.Abs(n) > math.MaxInt8 || n*t.unit != c {
			return false
		}
		t.weight[k] = int8(n)
	}
	for i := range g.Sites() {
		sum := 0
		for _, n := range t.weight[g.start[i]:g.start[i+1]] {
			sum += max(int(n), -int(n))
		}
		t.reach = max(t.reach, sum)
	}
	return true
}

func (t *isingTable) at(beta float64) {
	for n := range t.flip {
		t.flip[n] = threshold(t.rule(t.rise(beta, n)))
	}
}

// rise is β ΔE of a flip at an index of the table.
func (t *isingTable) rise(beta float64, n int) float64 {
	s, sum := float64(2*(n/(2*t.reach+1))-1), float64(n%(2*t.reach+1)-t.reach)
	return times(beta, 2*s*(float64(t.unit*sum)+t.field))
}

// index is where in the table site i is.
func (t *isingTable) index(spins []uint8, i int) int {
	sum := 0
	for k, j := range t.g.Of(i) {
		weight := 1
		if t.weight != nil {
			weight = int(t.weight[t.g.start[i]+k])
		}
		sum += (2*int(spins[j]) - 1) * weight
	}
	return int(spins[i])*(2*t.reach+1) + sum + t.reach
}

func (t *isingTable) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	if t.weight != nil {
		return t.weighted(spins, sites, s)
	}
	start, ends, flip := t.g.start, t.g.ends, t.flip
	for _, i := range sites {
		row := ends[start[i]:start[i+1]]
		up := 0
		for _, j := range row {
			up += int(spins[j])
		}
		var u uint64
		u, s = s.Next()
		_, turn := bits.Sub64(u>>1, flip[int(spins[i])*(2*t.reach+1)+2*up-len(row)+t.reach], 0)
		spins[i] ^= uint8(turn)
	}
	return s
}

// weighted is draw for couplings that differ.
func (t *isingTable) weighted(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	start, ends, flip := t.g.start, t.g.ends, t.flip
	for _, i := range sites {
		from, to := start[i], start[i+1]
		sum, weight := 0, t.weight[from:to]
		for k, j := range ends[from:to] {
			sum += (2*int(spins[j]) - 1) * int(weight[k])
		}
		var u uint64
		u, s = s.Next()
		_, turn := bits.Sub64(u>>1, flip[int(spins[i])*(2*t.reach+1)+sum+t.reach], 0)
		spins[i] ^= uint8(turn)
	}
	return s
}

// isingGeneral is a rule of the Ising model.
type isingGeneral struct {
	m    *Model
	flip func(x float64) float64
	beta float64
}

func (p *isingGeneral) at(beta float64) { p.beta = beta }

func (p *isingGeneral) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	g := p.m.Graph
	for _, i := range sites {
		f := 0.0
		if p.m.Field != nil {
			f = p.m.Field[i]
		}
		for k, j := range g.Of(int(i)) {
			f += float64(g.Coupling(int(i), k) * sign(spins[j]))
		}
		var u uint64
		u, s = s.Next()
		if streams.Unit(u) < p.flip(times(p.beta, 2*f*sign(spins[i]))) {
			spins[i] ^= 1
		}
	}
	return s
}

// sign is the value of an Ising spin.
func sign(x uint8) float64 { return float64(2*int(x) - 1) }
