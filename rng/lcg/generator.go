// Package lcg holds linear congruential generators to learn from: [Generator.Period] and [Generator.Lattice] say what is
// wrong with one. Nothing in this project draws from them, and nothing should: package rng has the streams to use.
package lcg

import (
	"fmt"
	"math/bits"
)

// Generator is a linear congruential generator (Lehmer 1951; Thomson 1958), the recurrence
//
//	x' = (Multiplier·x + Increment) mod Modulus.
type Generator struct {
	Modulus    uint64 // 2 to 2⁶⁴ − 1
	Multiplier uint64 // below Modulus
	Increment  uint64 // below Modulus
	Drop       int    // low bits of the state that do not come out
}

// MINSTD is the minimal standard of Park and Miller (1988), "Random number generators: good ones are hard to find",
// CACM 31(10): x' = 16807 x mod 2³¹ − 1.
func MINSTD() Generator { return Generator{Modulus: 1<<31 - 1, Multiplier: 16807} }

// RANDU is IBM's (1968) x' = 65539 x mod 2³¹, whose triples lie on 15 planes, for x” = 6x' − 9x (Marsaglia 1968,
// "Random numbers fall mainly in the planes", PNAS 61). Its seeds are odd.
func RANDU() Generator { return Generator{Modulus: 1 << 31, Multiplier: 65539} }

// Java is the generator of java.util.Random, 48 bits of state of which the upper 32 come out: [Stream.Next] is
// what nextInt() returns, as an unsigned number. Java scrambles its seeds: new Random(s) starts at [JavaSeed](s).
func Java() Generator {
	return Generator{Modulus: 1 << 48, Multiplier: javaMultiplier, Increment: 11, Drop: 16}
}

const javaMultiplier = 0x5DEECE66D

// JavaSeed is the state in which new Random(seed) of Java starts.
func JavaSeed(seed int64) uint64 { return (uint64(seed) ^ javaMultiplier) & (1<<48 - 1) }

// Check says which parameter is not in its domain.
func (g Generator) Check() error {
	switch {
	case g.Modulus < 2:
		return fmt.Errorf("lcg: modulus %d of a linear congruential generator leaves it one state; it must be at least 2", g.Modulus)
	case g.Multiplier >= g.Modulus:
		return fmt.Errorf("lcg: multiplier %d must be below the modulus %d; reduce it", g.Multiplier, g.Modulus)
	case g.Increment >= g.Modulus:
		return fmt.Errorf("lcg: increment %d must be below the modulus %d; reduce it", g.Increment, g.Modulus)
	case g.Drop < 0 || g.Drop > 63 || (g.Modulus-1)>>g.Drop == 0:
		return fmt.Errorf("lcg: dropping %d low bits of states below %d leaves nothing to put out; drop fewer", g.Drop, g.Modulus)
	}
	return nil
}

// Start returns the sequence whose first output comes from the state after seed, as in the publications. The seed is
// below the modulus. Where Increment is 0, a seed that shares a factor with the modulus has a short period, and 0 none
// at all: see Period.
func (g Generator) Start(seed uint64) (*Stream, error) {
	if err := g.checkSeed(seed); err != nil {
		return nil, err
	}
	s := &Stream{g: g, state: seed, outputs: (g.Modulus-1)>>g.Drop + 1, digits: 1}
	for reach := s.outputs; ; s.digits++ {
		hi, lo := bits.Mul64(reach, s.outputs)
		if hi > 0 {
			s.digits++
			return s, nil
		}
		reach = lo
	}
}

func (g Generator) checkSeed(seed uint64) error {
	if err := g.Check(); err != nil {
		return err
	}
	if seed >= g.Modulus {
		return fmt.Errorf("lcg: seed %d must be below the modulus %d", seed, g.Modulus)
	}
	return nil
}

// step is the state after x.
func (g Generator) step(x uint64) uint64 {
	return addMod(mulMod(g.Multiplier, x, g.Modulus), g.Increment, g.Modulus)
}

// Stream is the running sequence of a Generator. It is a rand.Source of math/rand/v2.
type Stream struct {
	g       Generator
	state   uint64
	outputs uint64 // how many outputs there are
	digits  int    // outputs in one word of Uint64
}

// Next is the next output, the state without its low Drop bits.
func (s *Stream) Next() uint64 {
	s.state = s.g.step(s.state)
	return s.state >> s.g.Drop
}

// Float64 is the next output over the number of outputs, in [0, 1): the points whose lattice [Generator.Lattice] describes.
// It is not Float64 of a rand.Rand with this source, which takes the low bits of Uint64.
func (s *Stream) Float64() float64 { return float64(s.Next()) / float64(s.outputs) }

// Uint64 puts several outputs together, the first in front: the first 64 binary digits of 0.y₁y₂… in the base of the
// number of outputs, with as many outputs as 2⁶⁴ needs.
func (s *Stream) Uint64() uint64 {
	var y [maxDigits]uint64
	for i := range s.digits {
		y[i] = s.Next()
	}
	word := uint64(0)
	for i := s.digits - 1; i >= 0; i-- {
		word, _ = bits.Div64(y[i], word, s.outputs)
	}
	return word
}

// maxDigits is how many outputs a word needs where there are but two of them.
const maxDigits = 64

// mulMod is a·b mod m for a, b < m.
func mulMod(a, b, m uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, m)
}

// addMod is a + b mod m for a, b < m.
func addMod(a, b, m uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 || sum >= m {
		sum -= m
	}
	return sum
}
