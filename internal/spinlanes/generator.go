package spinlanes

import (
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// Lanes is the number of replicas.
const Lanes = 32

// Generator is a vector of eight independent xoshiro256++ generators (Blackman & Vigna 2021), of period 2²⁵⁶ − 1 each. A
// step gives each lane 16 random bits.
type Generator struct {
	s [4][8]uint64 // word, generator
}

// Seed fills the state with the numbers of a stream.
func (g *Generator) Seed(from streams.Stream) {
	for w := range g.s {
		for i := range g.s[w] {
			g.s[w][i], from = from.Next()
		}
	}
	// Zero is the one state that a generator never leaves.
	for i := range g.s[0] {
		if g.s[0][i]|g.s[1][i]|g.s[2][i]|g.s[3][i] == 0 {
			g.s[0][i] = 1
		}
	}
}

// next is a step: the bits of lane 4i + k are those from 16k of generator i.
func (g *Generator) next(u *[Lanes]uint16) {
	for i := range 8 {
		s0, s1, s2, s3 := g.s[0][i], g.s[1][i], g.s[2][i], g.s[3][i]
		out := bits.RotateLeft64(s0+s3, 23) + s0
		s2 ^= s0
		s3 ^= s1
		g.s[0][i], g.s[1][i], g.s[2][i], g.s[3][i] = s0^s3, s1^s2, s2^s1<<17, bits.RotateLeft64(s3, 45)
		u[4*i], u[4*i+1], u[4*i+2], u[4*i+3] = uint16(out), uint16(out>>16), uint16(out>>32), uint16(out>>48)
	}
}
