package f32

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"math/rand/v2"
)

// block is the number of elements a loop handles at once: the lanes of the generator, and those of AVX-512.
const block = 16

// Lanes is a vector of sixteen independent xoshiro128++ generators (Blackman & Vigna, 2021), of period 2¹²⁸−1 each.
// Call Seed or UnmarshalBinary before its first use. It is not safe for concurrent use.
type Lanes struct {
	s [4][block]uint32 // word, lane
}

var errLanes = errors.New("f32: these bytes are not the state of a Lanes; pass what MarshalBinary returned")

// Seed draws the 2048 bits of the state from r: 32 calls of Uint64.
func (l *Lanes) Seed(r *rand.Rand) {
	for w := range l.s {
		for i := 0; i < block; i += 2 {
			u := r.Uint64()
			l.s[w][i], l.s[w][i+1] = uint32(u), uint32(u>>32)
		}
	}
	// Zero is the one state that a generator never leaves.
	for i := range block {
		if l.s[0][i]|l.s[1][i]|l.s[2][i]|l.s[3][i] == 0 {
			l.s[0][i] = 1
		}
	}
}

// next steps every lane once and returns their outputs.
func (l *Lanes) next() (out [block]uint32) {
	for i := range block {
		s0, s1, s2, s3 := l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i]
		out[i] = bits.RotateLeft32(s0+s3, 7) + s0
		t := s1 << 9
		s2 ^= s0
		s3 ^= s1
		s1 ^= s2
		s0 ^= s3
		s2 ^= t
		l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i] = s0, s1, s2, bits.RotateLeft32(s3, 11)
	}
	return out
}

const lanesSize = 4 * block * 4

// MarshalBinary returns the state, 256 bytes. It never fails.
func (l *Lanes) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, lanesSize)
	for w := range l.s {
		for _, v := range l.s[w] {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	return b, nil
}

// UnmarshalBinary sets the state to one that MarshalBinary returned. On an error it is left as it was.
func (l *Lanes) UnmarshalBinary(state []byte) error {
	if len(state) != lanesSize {
		return errLanes
	}
	var next Lanes
	for w := range next.s {
		for i := range block {
			next.s[w][i] = binary.LittleEndian.Uint32(state[4*(w*block+i):])
		}
	}
	for i := range block {
		if next.s[0][i]|next.s[1][i]|next.s[2][i]|next.s[3][i] == 0 {
			return errLanes
		}
	}
	*l = next
	return nil
}
