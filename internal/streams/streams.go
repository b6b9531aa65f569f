// Package streams names random streams within a step of a kernel: thousands of them, a nanosecond each, where package rng's take a
// hundred. Threads may take the streams of a name in any order.
package streams

import (
	"math/bits"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Name is 128 bits that stand for a purpose and indices.
type Name struct{ hi, lo uint64 }

// New is the name of a seed, a purpose and indices.
func New(seed uint64, purpose string, index ...uint64) Name {
	return From(rng.New(seed, purpose, index...).Rand)
}

// From takes a name from a stream.
func From(r *rand.Rand) Name { return Name{r.Uint64(), r.Uint64()} }

// At adds an index to a name: two counters that start at the name, each through the finalizer of SplitMix64 (Steele, Lea
// and Flood, 2014), so two indices never share a name.
func (n Name) At(i uint64) Name {
	return Name{mix(n.hi + i*0x9e3779b97f4a7c15), mix(n.lo + i*0xd1342543de82ef95)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Stream is the generator xoroshiro128++ (Blackman and Vigna, 2021). It is passed by value, so that a loop has it in
// registers; a call through rand.Rand would take a third of the time of package lda's fastest method.
type Stream struct{ a, b uint64 }

// Stream is the stream of an index of the name.
func (n Name) Stream(i uint64) Stream {
	n = n.At(i)
	if n.hi|n.lo == 0 { // the one state that the generator never leaves
		n.hi = 1
	}
	return Stream{n.hi, n.lo}
}

// Next is 64 random bits and the stream after them.
func (s Stream) Next() (uint64, Stream) {
	b := s.a ^ s.b
	return bits.RotateLeft64(s.a+s.b, 17) + s.a, Stream{bits.RotateLeft64(s.a, 49) ^ b ^ b<<21, bits.RotateLeft64(b, 28)}
}

// Unit maps random bits to a multiple of 2⁻⁵³ in [0, 1).
func Unit(u uint64) float64 { return float64(u>>11) * 0x1p-53 }

// Below maps random bits to a number below n, each as likely to within n/2⁶⁴.
func Below(u uint64, n int) int {
	i, _ := bits.Mul64(u, uint64(n))
	return int(i)
}
