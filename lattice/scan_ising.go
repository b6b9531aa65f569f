package lattice

import (
	"math"
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// uniformIsing is the rule for a model whose couplings are all the same.
type uniformIsing struct {
	isingTable
	bonds int                     // of each site; −1: they differ
	few   [mostFew + 1][16]uint64 // for sites of so few bonds: threshold by 8·(spin, 0 or 1) + number of neighbours that are 1
}

// mostFew is the most bonds whose number fits in three bits.
const mostFew = 7

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

// newIsing makes the fastest rule that the model allows.
func newIsing(m *Model, flip func(x float64) float64) rule {
	t, ok := newIsingTable(m, flip)
	switch {
	case !ok:
		return &isingGeneral{m: m, flip: flip}
	case t.weight == nil:
		return &uniformIsing{isingTable: *t, bonds: m.Graph.regular()}
	}
	if signs, ok := newSigns(t); ok {
		return signs
	}
	return t
}

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
	start, flip, wide := t.g.start, t.flip, 2*t.reach+1
	for _, i := range sites {
		from, to := start[i], start[i+1]
		row, weight := t.g.ends[from:to], t.weight[from:to]
		at := t.reach
		for len(row) >= 4 && len(weight) >= 4 {
			at += signed(weight[0], spins[row[0]]) + signed(weight[1], spins[row[1]]) + signed(weight[2], spins[row[2]]) + signed(weight[3], spins[row[3]])
			row, weight = row[4:], weight[4:]
		}
		for k, j := range row {
			at += signed(weight[k], spins[j])
		}
		var u uint64
		u, s = s.Next()
		x := spins[i]
		at += wide & -int(x)
		_, turn := bits.Sub64(u>>1, flip[at], 0)
		spins[i] = x ^ uint8(turn)
	}
	return s
}

// signed is a weight times the spin 1 or −1 that 1 or 0 stands for.
func signed(weight int8, spin uint8) int {
	t := int(spin) - 1
	return int(weight) ^ t - t
}

func (t *uniformIsing) at(beta float64) {
	t.isingTable.at(beta)
	for bonds := range min(mostFew, t.reach) + 1 {
		for n := range 2 * (bonds + 1) {
			spin, up := n%2, n/2
			t.few[bonds][8*spin+up] = t.flip[spin*(2*t.reach+1)+2*up-bonds+t.reach]
		}
	}
}

func (t *uniformIsing) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	start, ends, flip, wide, z := t.g.start, t.g.ends, t.flip, 2*t.reach+1, t.bonds
	for _, i := range sites {
		from, to := z*int(i), z*int(i)+z
		if z < 0 {
			from, to = start[i], start[i+1]
		}
		row := ends[from:to]
		at := t.reach - len(row)
		for len(row) >= 4 {
			at += 2 * int(spins[row[0]]+spins[row[1]]+spins[row[2]]+spins[row[3]])
			row = row[4:]
		}
		for _, j := range row {
			at += 2 * int(spins[j])
		}
		var u uint64
		u, s = s.Next()
		x := spins[i]
		at += wide & -int(x)
		_, turn := bits.Sub64(u>>1, flip[at], 0)
		spins[i] = x ^ uint8(turn)
	}
	return s
}

func (t *uniformIsing) scatter(spins []uint8, sites []int32, x *strides, s streams.Stream) streams.Stream {
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		t.move(spins, int(i), int(i), x.rows[x.pattern[i]], u)
	}
	return s
}

// move is the rule for site i, whose neighbours are where row says from base on.
func (t *uniformIsing) move(spins []uint8, i, base int, row []int32, u uint64) {
	up := 0
	for _, j := range row {
		up += int(spins[base+int(j)])
	}
	_, turn := bits.Sub64(u>>1, t.flip[int(spins[i])*(2*t.reach+1)+2*up-len(row)+t.reach], 0)
	spins[i] ^= uint8(turn)
}

func (t *uniformIsing) stride(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	switch {
	case len(x.row) == 4:
		return t.stride4(spins, x, s)
	case len(x.row) == 6:
		return t.stride6(spins, x, s)
	}
	for i, n := x.first, 0; n < x.count; i, n = i+x.step, n+1 {
		var u uint64
		u, s = s.Next()
		t.move(spins, i, i, x.row, u)
	}
	return s
}

// stride4 is stride for four neighbours.
func (t *uniformIsing) stride4(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	own, few := x.of(spins, 0), &t.few[4]
	a, b, c, d := x.of(spins, x.row[0]), x.of(spins, x.row[1]), x.of(spins, x.row[2]), x.of(spins, x.row[3])
	a, b, c, d = a[:len(own)], b[:len(own)], c[:len(own)], d[:len(own)]
	for k := uint(0); k < uint(len(own)); k += uint(x.step) {
		var u uint64
		u, s = s.Next()
		up := a[k] + b[k] + c[k] + d[k]
		_, turn := bits.Sub64(u>>1, few[(own[k]<<3+up)&15], 0)
		own[k] ^= uint8(turn)
	}
	return s
}

// stride6 is stride for six neighbours.
func (t *uniformIsing) stride6(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	own, few := x.of(spins, 0), &t.few[6]
	a, b, c, d, e, f := x.of(spins, x.row[0]), x.of(spins, x.row[1]), x.of(spins, x.row[2]), x.of(spins, x.row[3]), x.of(spins, x.row[4]), x.of(spins, x.row[5])
	a, b, c, d, e, f = a[:len(own)], b[:len(own)], c[:len(own)], d[:len(own)], e[:len(own)], f[:len(own)]
	for k := uint(0); k < uint(len(own)); k += uint(x.step) {
		var u uint64
		u, s = s.Next()
		up := a[k] + b[k] + c[k] + d[k] + e[k] + f[k]
		_, turn := bits.Sub64(u>>1, few[(own[k]<<3+up)&15], 0)
		own[k] ^= uint8(turn)
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
