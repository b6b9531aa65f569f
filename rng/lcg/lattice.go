package lcg

import (
	"fmt"
	"math"
	"math/big"
)

// Lattice is the lattice of the points (u_n, …, u_n+d−1) of a Generator over all its states, u = x/Modulus.
type Lattice struct {
	// Normal is the shortest whole vector h for which h·u is the same modulo 1 at all points: they lie on parallel
	// planes at right angles to it. The first entry that is not 0 is positive.
	Normal []int64
	// Nu is its length ν; neighbouring planes are 1/ν apart, and no other family of planes through all points is
	// further apart.
	Nu float64
	// Planes is how many of these planes cross the open unit cube.
	Planes uint64
	// Merit is Knuth's μ, the volume of a ball of radius ν times 1/Modulus: below 0.1 the generator fails, above 1 it
	// passes with flying colours.
	Merit float64
}

// maxLatticeDim bounds the dimension of Lattice, so that it answers in milliseconds.
const maxLatticeDim = 12

// Lattice is the spectral test in dimensions 2 to 12 (Coveyou and MacPherson 1967; Knuth 1997, The Art of Computer
// Programming 2, section 3.3.4). The vectors h with h₁ + a h₂ + a² h₃ + … ≡ 0 modulo the modulus form the dual
// lattice; its shortest is found by an LLL reduction in whole numbers and then by enumeration, and is exact. It
// describes the points of all states; dropping low bits moves them by less than 2^Drop/Modulus. Without an increment and
// with modulus 2^e, a multiplier that is 3 or 5 modulo 8 and an odd seed reach a quarter of the states; Knuth's table
// judges them by the lattice of modulus 2^(e−2).
func (g Generator) Lattice(d int) (Lattice, error) {
	if err := g.Check(); err != nil {
		return Lattice{}, err
	}
	if d < 2 || d > maxLatticeDim {
		return Lattice{}, fmt.Errorf("lcg: the lattice of a linear congruential generator in %d dimensions; they must be 2 to %d", d, maxLatticeDim)
	}
	h := shortest(g.dualBasis(d))
	l := Lattice{Normal: make([]int64, d)}
	sign, norm := int64(0), 0.0
	for i, v := range h {
		if sign == 0 {
			sign = int64(v.Sign())
		}
		l.Normal[i] = sign * v.Int64() // below 2³³: Hermite's constant for two dimensions is 2/√3, and h·h at most that times the modulus
		norm += float64(float64(v.Int64()) * float64(v.Int64()))
	}
	l.Nu = math.Sqrt(norm)
	l.Planes = g.planes(l.Normal)
	half, _ := math.Lgamma(0.5 * float64(d+2))
	radius := float64(float64(d) * math.Log(math.Sqrt(math.Pi)*l.Nu))
	l.Merit = math.Exp(radius - half - math.Log(float64(g.Modulus)))
	return l, nil
}

// planes counts the values that h·u takes in the open unit cube. They are those of a fixed number modulo 1: h·u at the
// state 0, where u_i is Increment (1 + a + … + a^(i−1)) / Modulus.
func (g Generator) planes(h []int64) uint64 {
	width, offset, x := uint64(0), uint64(0), uint64(0)
	for _, v := range h {
		size := uint64(max(v, -v))
		width += size
		t := mulMod(size%g.Modulus, x, g.Modulus)
		if v < 0 && t != 0 {
			t = g.Modulus - t
		}
		offset = addMod(offset, t, g.Modulus)
		x = g.step(x)
	}
	if offset == 0 {
		return width - 1 // the ends of the range of h·u are whole, and taken at corners only
	}
	return width
}

// dualBasis is (m, 0, …), (−a, 1, 0, …), (−a², 0, 1, 0, …), …
func (g Generator) dualBasis(d int) [][]*big.Int {
	basis := make([][]*big.Int, d)
	power := uint64(1)
	for i := range basis {
		basis[i] = make([]*big.Int, d)
		for j := range basis[i] {
			basis[i][j] = new(big.Int)
		}
		basis[i][i].SetUint64(1)
		if i == 0 {
			basis[0][0].SetUint64(g.Modulus)
			continue
		}
		power = mulMod(power, g.Multiplier, g.Modulus)
		basis[i][0].SetUint64(power)
		basis[i][0].Neg(basis[i][0])
	}
	return basis
}
