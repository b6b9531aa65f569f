package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Stream is one random stream: the PCG-DXSM generator of math/rand/v2 (O'Neill, 2014), whose period
// is 2¹²⁸. It is not safe for concurrent use: give each goroutine a stream of its own.
type Stream struct {
	*rand.Rand
	pcg *rand.PCG
}

// New returns the stream named (seed, purpose, index…). The 128 bits of the generator's state are the
// first half of a SHA-256 digest of the name, so streams with different names start at unrelated points of
// the period: among n streams that draw m numbers each, any two overlap with probability below n²m/2¹²⁸.
func New(seed uint64, purpose string, index ...uint64) *Stream {
	// Lengths are part of the digest, so that no two names share an encoding.
	name := make([]byte, 0, 24+len(purpose)+8*len(index))
	name = binary.LittleEndian.AppendUint64(name, seed)
	name = binary.LittleEndian.AppendUint64(name, uint64(len(purpose)))
	name = append(name, purpose...)
	name = binary.LittleEndian.AppendUint64(name, uint64(len(index)))
	for _, i := range index {
		name = binary.LittleEndian.AppendUint64(name, i)
	}
	sum := sha256.Sum256(name)
	pcg := rand.NewPCG(binary.LittleEndian.Uint64(sum[0:8]), binary.LittleEndian.Uint64(sum[8:16]))
	return &Stream{Rand: rand.New(pcg), pcg: pcg}
}

// MarshalBinary returns the state of the stream. It never fails on a stream that New made.
func (s *Stream) MarshalBinary() ([]byte, error) {
	if s.pcg == nil {
		return nil, errEmpty
	}
	return s.pcg.MarshalBinary()
}

// UnmarshalBinary sets the stream to a state that MarshalBinary returned; the zero Stream is a valid
// receiver. On an error the stream is left as it was.
func (s *Stream) UnmarshalBinary(state []byte) error {
	pcg := new(rand.PCG)
	if err := pcg.UnmarshalBinary(state); err != nil {
		return errState
	}
	// A Rand that kernels already hold must follow, so the generator under it is set in place.
	if s.pcg == nil {
		s.pcg = pcg
		s.Rand = rand.New(pcg)
		return nil
	}
	*s.pcg = *pcg
	return nil
}
