package lattice

import (
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// fourOfFew draws one of up to 4 values given four neighbours: by their values, two bits each, the thresholds of 63 bits below which the value is 1 or more,
// 2 or more, and 3.
type fourOfFew [256][4]uint64

// fill makes the thresholds from the weights of values.
func (t *fourOfFew) fill(p *pottsHeatBath) {
	for key := range t {
		var n [4]int
		for k := range 4 {
			n[key>>(2*k)&3]++
		}
		t[key] = [4]uint64{}
		best := n[0]
		for _, k := range n[:p.q] {
			if p.g.uniform > 0 {
				best = max(best, k)
			} else {
				best = min(best, k)
			}
		}
		// Sums from the last: one of all values with a weight is the sum of all, and its threshold certainty.
		var sums [5]float64
		for c := p.q - 1; c >= 0; c-- {
			sums[c] = sums[c+1] + p.weight[max(best-n[c], n[c]-best)]
		}
		for c := 1; c < p.q; c++ {
			t[key][c-1] = threshold(sums[c] / sums[0])
		}
	}
}

// value is drawn by random bits.
func (t *fourOfFew) value(a, b, c, d uint8, u uint64) uint8 {
	f := &t[a|b<<2|c<<4|d<<6]
	u >>= 1
	_, x := bits.Sub64(u, f[0], 0)
	_, y := bits.Sub64(u, f[1], 0)
	_, z := bits.Sub64(u, f[2], 0)
	return uint8(x + y + z)
}

func (t *fourOfFew) stride(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	own := x.of(spins, 0)
	a, b, c, d := x.of(spins, x.row[0]), x.of(spins, x.row[1]), x.of(spins, x.row[2]), x.of(spins, x.row[3])
	a, b, c, d = a[:len(own)], b[:len(own)], c[:len(own)], d[:len(own)]
	for k := uint(0); k < uint(len(own)); k += uint(x.step) {
		var u uint64
		u, s = s.Next()
		own[k] = t.value(a[k], b[k], c[k], d[k], u)
	}
	return s
}
