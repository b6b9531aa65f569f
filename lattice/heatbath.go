package lattice

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// NewHeatBath is the heat bath, or Gibbs sampler, or Glauber dynamics (Glauber 1963; Creutz 1979; Geman and Geman 1984): a spin is drawn
// from its distribution given its neighbours. At β = +Inf it takes a value of least energy, each of several alike.
func NewHeatBath(m *Model, beta float64, set ScanSettings) (*SingleSite, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	return newSingleSite(m, heatBath(m), beta, set)
}

func heatBath(m *Model) rule {
	if m.Q == 0 {
		return newIsing(m, heatBathFlip)
	}
	if _, uniform := m.Graph.Uniform(); uniform && m.Field == nil {
		return newPottsHeatBath(m)
	}
	return &pottsHeatBathGeneral{m: m}
}

// heatBathFlip is 1/(1 + e^x).
func heatBathFlip(x float64) float64 { return vec.Ilogit(-x) }

// pottsHeatBath is the heat bath of a Potts model with the same coupling for all bonds and no fields.
type pottsHeatBath struct {
	g      *Graph
	q      int
	weight []float64            // of a value by how many bonds it is worse than the best
	rise   [mostFew + 1]float64 // of the weight of a value, from 1, by how many neighbours had it before; 0: weights are too large, or fall
	// Of four neighbours.
	few     *fourOfFew   // for up to 4 values
	sixteen *fourOf16    // for up to 16, where they attract; rise decides whether it is made
	four    [64]fourSums // for more: by which are equal
}

func newPottsHeatBath(m *Model) *pottsHeatBath {
	p := &pottsHeatBath{g: m.Graph, q: m.Q, weight: make([]float64, max(m.Graph.degree(), 4)+1)}
	switch c, _ := m.Graph.Uniform(); {
	case m.Q <= 4:
		p.few = new(fourOfFew)
	case m.Q <= 16 && c > 0:
		p.sixteen = &fourOf16{alike: m.Graph.fourAlike()}
	}
	return p
}

// largest is the most that the logarithm of a weight may be for sums of weights to be finite.
const largest = 690

func (p *pottsHeatBath) at(beta float64) {
	for k := range p.weight {
		p.weight[k] = vec.Exp(-times(beta, math.Abs(p.g.uniform)*float64(k)))
	}
	if p.few != nil {
		p.few.fill(p)
	}
	clear(p.rise[:])
	if x := times(beta, p.g.uniform); x > 0 && x*(mostFew+1) < largest {
		for k := range p.rise {
			p.rise[k] = vec.Exp(x*float64(k)) * vec.Expm1(x)
		}
		p.four = newFourSums(float64(p.q), p.rise)
		if p.sixteen != nil {
			p.sixteen.fill(p.q, p.rise)
		}
	}
}

func (p *pottsHeatBath) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	if p.rise[0] == 0 {
		return p.drawCounted(spins, sites, s)
	}
	start, ends := p.g.start, p.g.ends
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		spins[i] = p.value(spins, 0, ends[start[i]:start[i+1]], u)
	}
	return s
}

// drawCounted is draw where weights are too large for sums, or fall with the number of neighbours.
func (p *pottsHeatBath) drawCounted(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	var room scratch
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		if row := p.g.Of(int(i)); len(row) == 4 && p.few != nil {
			spins[i] = p.few.value(spins[row[0]], spins[row[1]], spins[row[2]], spins[row[3]], u)
		} else {
			spins[i] = p.counted(&room, spins, 0, row, u)
		}
	}
	return s
}

func (p *pottsHeatBath) stride(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	four := len(x.row) == 4
	switch {
	case four && p.few != nil:
		return p.few.stride(spins, x, s)
	case p.rise[0] == 0:
		return p.strideCounted(spins, x, s)
	case four && p.sixteen != nil:
		return p.sixteen.stride(spins, x, s)
	case four:
		return p.stride4(spins, x, s)
	}
	for i, n := x.first, 0; n < x.count; i, n = i+x.step, n+1 {
		var u uint64
		u, s = s.Next()
		spins[i] = p.value(spins, i, x.row, u)
	}
	return s
}

// stride4 is stride for four neighbours.
func (p *pottsHeatBath) stride4(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	own, sums, first, q := x.of(spins, 0), &p.four, p.rise[0], float64(p.q)
	a, b, c, d := x.of(spins, x.row[0]), x.of(spins, x.row[1]), x.of(spins, x.row[2]), x.of(spins, x.row[3])
	a, b, c, d = a[:len(own)], b[:len(own)], c[:len(own)], d[:len(own)]
	for k := uint(0); k < uint(len(own)); k += uint(x.step) {
		var u uint64
		u, s = s.Next()
		near := uint32(a[k]) | uint32(b[k])<<8 | uint32(c[k])<<16 | uint32(d[k])<<24
		f := &sums[alikeOfFour(near)]
		y := float64(streams.Unit(u) * f.total)
		beyond := y - q
		n := one(beyond >= 0) + one(beyond >= first) + one(beyond >= f.second) + one(beyond >= f.third)
		own[k] = uint8((uint64(near)<<8 | uint64(uint8(int(y)))) >> (8 * n & 63))
	}
	return s
}

func (p *pottsHeatBath) strideCounted(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	var room scratch
	for i, n := x.first, 0; n < x.count; i, n = i+x.step, n+1 {
		var u uint64
		u, s = s.Next()
		spins[i] = p.counted(&room, spins, i, x.row, u)
	}
	return s
}

func (p *pottsHeatBath) scatter(spins []uint8, sites []int32, x *strides, s streams.Stream) streams.Stream {
	if p.rise[0] == 0 {
		return p.drawCounted(spins, sites, s)
	}
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		spins[i] = p.value(spins, int(i), x.rows[x.pattern[i]], u)
	}
	return s
}

// scratch is of each value.
type scratch struct {
	equal  [256]int32 // neighbours that have it
	weight [256]float64
}

// value is drawn for a site whose neighbours are where row says from base on.
func (p *pottsHeatBath) value(spins []uint8, base int, row []int32, u uint64) uint8 {
	if len(row) > mostFew {
		return p.counted(new(scratch), spins, base, row, u)
	}
	if len(row) == 4 {
		a, b, c, d := spins[base+int(row[0])], spins[base+int(row[1])], spins[base+int(row[2])], spins[base+int(row[3])]
		switch {
		case p.few != nil:
			return p.few.value(a, b, c, d, u)
		case p.sixteen != nil:
			return p.sixteen.value(a, b, c, d, u)
		}
		near := uint32(a) | uint32(b)<<8 | uint32(c)<<16 | uint32(d)<<24
		return p.four[alikeOfFour(near)].value(near, p.rise[0], float64(p.q), u)
	}
	return p.mixture(spins, base, row, u)
}

// mixture is value for few neighbours.
func (p *pottsHeatBath) mixture(spins []uint8, base int, row []int32, u uint64) uint8 {
	// Weights are a mixture: 1 for each of the q values, and for each neighbour what its value's weight rises by. Time does not depend on q.
	var near [mostFew + 1]uint8
	var sums [mostFew + 1]float64
	sum := 0.0
	for k, j := range row {
		z, before := spins[base+int(j)], 0
		for _, y := range near[:k&mostFew] {
			before += one(y == z)
		}
		sum += p.rise[before&mostFew]
		near[k&mostFew], sums[k&mostFew] = z, sum
	}
	q := float64(p.q)
	x := float64(streams.Unit(u) * (q + sum))
	if x < q {
		return uint8(x)
	}
	x -= q
	k := 0
	for _, c := range sums[:len(row)-1] {
		k += one(x >= c)
	}
	return near[k]
}

// counted is value by the number of neighbours of each value.
func (p *pottsHeatBath) counted(room *scratch, spins []uint8, base int, row []int32, u uint64) uint8 {
	n, w := room.equal[:p.q], room.weight[:p.q]
	clear(n)
	for _, j := range row {
		n[spins[base+int(j)]]++
	}
	best := n[0]
	for _, k := range n {
		if p.g.uniform > 0 {
			best = max(best, k)
		} else {
			best = min(best, k)
		}
	}
	for c, k := range n {
		w[c] = p.weight[max(best-k, k-best)]
	}
	add(w)
	return pick(w, u)
}

// add makes sums of weights.
func add(w []float64) {
	sum := 0.0
	for c, x := range w {
		sum += x
		w[c] = sum
	}
}

// pick is a value in proportion to weights, of which these are the sums. The product is below the last sum, also as rounded, so that a
// value of weight 0 is never picked.
func pick(sums []float64, u uint64) uint8 {
	x := streams.Unit(u) * sums[len(sums)-1]
	c := 0
	for _, w := range sums[:len(sums)-1] {
		c += one(x >= w)
	}
	return uint8(c)
}

// pottsHeatBathGeneral is the heat bath of a Potts model.
type pottsHeatBathGeneral struct {
	m    *Model
	beta float64
}

func (p *pottsHeatBathGeneral) at(beta float64) { p.beta = beta }

func (p *pottsHeatBathGeneral) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	var room [256]float64
	w := room[:p.m.Q]
	for _, i := range sites {
		p.m.weights(w, spins, int(i), p.beta)
		add(w)
		var u uint64
		u, s = s.Next()
		spins[i] = pick(w, u)
	}
	return s
}

// weights fills w with the probabilities of the values of site i given its neighbours, up to a factor that makes the largest 1, and
// returns their sum.
func (m *Model) weights(w []float64, spins []uint8, i int, beta float64) float64 {
	clear(w)
	if m.Field != nil {
		for c := range w {
			w[c] = m.worth(i, uint8(c))
		}
	}
	for k, j := range m.Graph.Of(i) {
		w[spins[j]] += m.gap(m.Graph.Coupling(i, k))
	}
	best := math.Inf(-1)
	for _, e := range w {
		best = max(best, e)
	}
	sum := 0.0
	for c, e := range w {
		w[c] = vec.Exp(times(beta, e-best))
		sum += w[c]
	}
	return sum
}
