package lattice

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Which of four values are equal, against comparisons one by one; values that differ by one bit, or in the highest, among them.
func TestAlikeOfFour(t *testing.T) {
	values := []uint32{0, 1, 2, 127, 128, 254, 255}
	for _, a := range values {
		for _, b := range values {
			for _, c := range values {
				for _, d := range values {
					want := one(a == b) | one(b == c)<<1 | one(c == d)<<2 | one(a == d)<<3 | one(a == c)<<4 | one(b == d)<<5
					if got := alikeOfFour(a | b<<8 | c<<16 | d<<24); got != uint64(want) {
						t.Fatalf("%d %d %d %d: %06b, not %06b", a, b, c, d, got, want)
					}
				}
			}
		}
	}
}

// Four neighbours by tables and by sums as they come give the same values for the same random bits, of more values than have tables of thresholds or aliases.
func TestFourNeighboursAsAny(t *testing.T) {
	for _, q := range []int{17, 255} {
		g, err := Geometry{Size: []int{4, 4}}.Graph(1)
		if err != nil {
			t.Fatal(err)
		}
		p := newPottsHeatBath(&Model{Graph: g, Q: q})
		p.at(1.1)
		r := rand.New(rand.NewPCG(1, uint64(q)))
		for range 10000 {
			spins := make([]uint8, 4)
			for i := range spins {
				spins[i] = uint8(r.IntN(4) * (q - 1) / 3)
			}
			u := r.Uint64()
			if a, b := p.value(spins, 0, []int32{0, 1, 2, 3}, u), p.mixture(spins, 0, []int32{0, 1, 2, 3}, u); a != b {
				t.Fatalf("q = %d, neighbours %v, bits %#x: %d by tables, %d by sums", q, spins, u, a, b)
			}
		}
	}
}

// The probabilities that tables of thresholds and of aliases give values, beside those of the rule for any model, for all values of four neighbours.
func TestFourNeighboursByTables(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 10, 16} {
		for _, coupling := range []float64{1, -1} {
			star, err := NewGraph(5, func(yield func(Bond) bool) {
				for i := 1; i < 5 && yield(Bond{0, i, coupling}); i++ {
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			m := &Model{Graph: star, Q: q}
			p, tables := newPottsHeatBath(m), 0
			for _, beta := range []float64{0, 1e-9, 0.7, 1.5, 20, math.Inf(1)} {
				if p.at(beta); p.few == nil && (p.sixteen == nil || p.rise[0] == 0) {
					continue
				}
				tables++
				exact := make([]float64, q)
				for key := range int(math.Pow(float64(q), 4)) {
					spins := []uint8{0, uint8(key % q), uint8(key / q % q), uint8(key / (q * q) % q), uint8(key / (q * q * q))}
					sum := m.weights(exact, spins, 0, beta)
					got := p.chances([4]uint8(spins[1:]))
					for c, w := range exact {
						// Weights differ by rounding; those of 0 and sure ones do not.
						if sure := w == 0 || w == sum; math.Abs(got[c]-w/sum) > 1e-14 || sure && got[c] != w/sum {
							t.Fatalf("q = %d, β = %v, neighbours %v: value %d has probability %v, not %v", q, beta, spins[1:], c, got[c], w/sum)
						}
					}
				}
			}
			if want := q <= 4 || coupling > 0; want != (tables > 0) {
				t.Errorf("q = %d, coupling %v: %d tables", q, coupling, tables)
			}
		}
	}
}

// chances are the probabilities of values by which random bits are below the thresholds of tables.
func (p *pottsHeatBath) chances(near [4]uint8) (chances [256]float64) {
	if p.few != nil {
		before := 1.0
		for c, below := range p.few[near[0]|near[1]<<2|near[2]<<4|near[3]<<6] {
			chances[c] = before - math.Ldexp(float64(below), -63)
			before -= chances[c]
		}
		return chances
	}
	for k := range uint64(fourCells) {
		key := uint16(near[0]) | uint16(near[1])<<4 | uint16(near[2])<<8 | uint16(near[3])<<12
		cell := p.sixteen.cells[p.sixteen.alike[key]][k]
		part := math.Ldexp(float64(cell.below), -64)
		chances[p.sixteen.value(near[0], near[1], near[2], near[3], k<<59)] += part / fourCells
		chances[p.sixteen.value(near[0], near[1], near[2], near[3], k<<59|(1<<59-1))] += (1 - part) / fourCells
	}
	return chances
}
