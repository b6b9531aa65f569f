package lattice

import (
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

// Four neighbours by tables and by sums as they come give the same values for the same random bits.
func TestFourNeighboursAsAny(t *testing.T) {
	for _, q := range []int{2, 3, 255} {
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
				spins[i] = uint8(r.IntN(min(q, 4)) * (q - 1) / (min(q, 4) - 1))
			}
			u := r.Uint64()
			if a, b := p.value(spins, 0, []int32{0, 1, 2, 3}, u), p.mixture(spins, 0, []int32{0, 1, 2, 3}, u); a != b {
				t.Fatalf("q = %d, neighbours %v, bits %#x: %d by tables, %d by sums", q, spins, u, a, b)
			}
		}
	}
}
