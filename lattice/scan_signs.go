package lattice

import (
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// signsIsing is the rule for couplings that differ by their sign alone, the ±J model, on a graph with patterns and few bonds a site: a
// negative bond is a neighbour turned over.
type signsIsing struct {
	uniformIsing
	negative []uint8 // of each site: bit k is 1 where its k-th bond is negative
}

// newSigns makes the rule of a table, where the model allows it.
func newSigns(t *isingTable) (*signsIsing, bool) {
	g := t.g
	if g.degree() > mostFew || g.patterns() == nil {
		return nil, false
	}
	r := &signsIsing{uniformIsing: uniformIsing{isingTable: *t}, negative: make([]uint8, g.Sites())}
	for i := range g.Sites() {
		for k, weight := range t.weight[g.start[i]:g.start[i+1]] {
			switch weight {
			case -1:
				r.negative[i] |= 1 << k
			case 1:
			default:
				return nil, false
			}
		}
	}
	r.weight = nil
	return r, true
}

func (t *signsIsing) draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream {
	return t.scatter(spins, sites, t.g.patterns(), s)
}

func (t *signsIsing) scatter(spins []uint8, sites []int32, x *strides, s streams.Stream) streams.Stream {
	for _, i := range sites {
		var u uint64
		u, s = s.Next()
		t.move(spins, int(i), x.rows[x.pattern[i]], u)
	}
	return s
}

// move is the rule for site i, whose neighbours are where row says from it.
func (t *signsIsing) move(spins []uint8, i int, row []int32, u uint64) {
	up := uint8(0)
	for k, j := range row {
		up += spins[i+int(j)] ^ t.negative[i]>>(k&7)&1
	}
	_, turn := bits.Sub64(u>>1, t.few[len(row)&mostFew][(spins[i]<<3+up)&15], 0)
	spins[i] ^= uint8(turn)
}

func (t *signsIsing) stride(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	switch len(x.row) {
	case 4:
		return t.stride4(spins, x, s)
	case 6:
		return t.stride6(spins, x, s)
	}
	for i, n := x.first, 0; n < x.count; i, n = i+x.step, n+1 {
		var u uint64
		u, s = s.Next()
		t.move(spins, i, x.row, u)
	}
	return s
}

// stride4 is stride for four neighbours.
func (t *signsIsing) stride4(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	own, negative, few := x.of(spins, 0), x.of(t.negative, 0), &t.few[4]
	a, b, c, d := x.of(spins, x.row[0]), x.of(spins, x.row[1]), x.of(spins, x.row[2]), x.of(spins, x.row[3])
	negative, a, b, c, d = negative[:len(own)], a[:len(own)], b[:len(own)], c[:len(own)], d[:len(own)]
	for k := uint(0); k < uint(len(own)); k += uint(x.step) {
		var u uint64
		u, s = s.Next()
		up := bits.OnesCount8((a[k] | b[k]<<1 | c[k]<<2 | d[k]<<3) ^ negative[k])
		_, turn := bits.Sub64(u>>1, few[(own[k]<<3+uint8(up))&15], 0)
		own[k] ^= uint8(turn)
	}
	return s
}

// stride6 is stride for six neighbours.
func (t *signsIsing) stride6(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	own, negative, few := x.of(spins, 0), x.of(t.negative, 0), &t.few[6]
	a, b, c, d, e, f := x.of(spins, x.row[0]), x.of(spins, x.row[1]), x.of(spins, x.row[2]), x.of(spins, x.row[3]), x.of(spins, x.row[4]), x.of(spins, x.row[5])
	negative, a, b, c, d, e, f = negative[:len(own)], a[:len(own)], b[:len(own)], c[:len(own)], d[:len(own)], e[:len(own)], f[:len(own)]
	for k := uint(0); k < uint(len(own)); k += uint(x.step) {
		var u uint64
		u, s = s.Next()
		up := bits.OnesCount8((a[k] | b[k]<<1 | c[k]<<2 | d[k]<<3 | e[k]<<4 | f[k]<<5) ^ negative[k])
		_, turn := bits.Sub64(u>>1, few[(own[k]<<3+uint8(up))&15], 0)
		own[k] ^= uint8(turn)
	}
	return s
}
