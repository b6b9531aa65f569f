package lattice

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// Bits is a configuration of the Ising model, without fields and with one coupling for all bonds, on a periodic square or cubic
// lattice of even lengths: a bit a spin. [NewBitMetropolis] and [NewBitHeatBath] move it. Its words are filled best where the last
// length is a multiple of 64, or has a large divisor up to 64.
type Bits struct {
	layout bitLayout
	words  [2][]uint64 // of each checkerboard colour
	live   []uint64    // of a row, the bits that are spins
}

// NewBits is the configuration of spins −1. It is an error for a geometry to be none that has such states.
func NewBits(l Geometry) (*Bits, error) {
	layout, err := newBitLayout(l)
	if err != nil {
		return nil, err
	}
	b := &Bits{layout: layout, live: make([]uint64, layout.padded)}
	for c := range b.words {
		b.words[c] = make([]uint64, layout.length())
	}
	for i := range layout.words {
		b.live[i] = layout.live
	}
	return b, nil
}

// Sites is the number of spins.
func (b *Bits) Sites() int { return b.layout.sites() }

// Randomise makes all spins independent and uniform.
func (b *Bits) Randomise(r *rand.Rand) {
	for c := range b.words {
		for row := range b.layout.rows() {
			for i := range b.row(c, row) {
				b.row(c, row)[i] = r.Uint64() & b.layout.live
			}
		}
	}
	b.copies()
}

// row are the words of a row of a colour.
func (b *Bits) row(colour, row int) []uint64 {
	at := b.layout.start(row)
	return b.words[colour][at : at+b.layout.words]
}

func (b *Bits) copies() {
	for c := range b.words {
		for row := range b.layout.rows() {
			b.layout.copies(b.words[c], row)
		}
	}
}

var errSpins = errors.New("lattice: a state for spins as bits has spins 0 and 1, one a site")

// Pack takes the spins of a state.
func (b *Bits) Pack(s *State) error {
	if len(s.Spins) != b.Sites() {
		return errSpins
	}
	for _, x := range s.Spins {
		if x > 1 {
			return errSpins
		}
	}
	for c := range b.words {
		clear(b.words[c])
	}
	b.each(s, func(word *uint64, bit int, spin *uint8) { *word |= uint64(*spin) << bit })
	b.copies()
	return nil
}

// Unpack writes the spins to a state of as many sites.
func (b *Bits) Unpack(s *State) error {
	if len(s.Spins) != b.Sites() {
		return errSpins
	}
	b.each(s, func(word *uint64, bit int, spin *uint8) { *spin = uint8(*word >> bit & 1) })
	return nil
}

// each calls f with the place of every spin as a bit and in a state.
func (b *Bits) each(s *State, f func(word *uint64, bit int, spin *uint8)) {
	l := &b.layout
	i := 0
	for z := range l.size[2] {
		for y := range l.size[1] {
			row, bit := y+l.size[1]*(z%l.height), z/l.height
			even := b.row((y+z)&1, row)
			odd := b.row((y+z+1)&1, row)
			for k := range even {
				f(&even[k], bit, &s.Spins[i])
				f(&odd[k], bit, &s.Spins[i+1])
				i += 2
			}
		}
	}
}

// Up is the number of spins +1.
func (b *Bits) Up() int {
	n := 0
	for c := range b.words {
		for row := range b.layout.rows() {
			for _, w := range b.row(c, row) {
				n += bits.OnesCount64(w)
			}
		}
	}
	return n
}

// Magnetisation is the mean spin, from −1 to 1.
func (b *Bits) Magnetisation() float64 {
	n := b.Sites()
	return float64(2*b.Up()-n) / float64(n)
}

// Unequal is the number of bonds between different spins.
func (b *Bits) Unequal() int {
	n := 0
	for row := range b.layout.rows() {
		around := b.layout.around(&b.words, b.live, 0, row)
		n += around.Unequal(2 * b.layout.dimensions)
	}
	return n
}

// Energy is −J Σ s_i s_j over bonds.
func (b *Bits) Energy(coupling float64) float64 {
	return -float64(coupling * float64(b.layout.bonds()-2*b.Unequal()))
}

// MarshalBinary writes the spins, row by row, in 8 bytes a word. It never fails.
func (b *Bits) MarshalBinary() ([]byte, error) {
	data := make([]byte, 0, b.marshalled())
	for c := range b.words {
		for row := range b.layout.rows() {
			for _, w := range b.row(c, row) {
				data = binary.LittleEndian.AppendUint64(data, w)
			}
		}
	}
	return data, nil
}

func (b *Bits) marshalled() int { return 2 * 8 * b.layout.words * b.layout.rows() }

// UnmarshalBinary takes what MarshalBinary wrote of a configuration of the same geometry. On an error the spins are left as they were.
func (b *Bits) UnmarshalBinary(data []byte) error {
	if len(data) != b.marshalled() {
		return fmt.Errorf("lattice: %d bytes for spins that take %d", len(data), b.marshalled())
	}
	for at := 0; at < len(data); at += 8 {
		if binary.LittleEndian.Uint64(data[at:])&^b.layout.live != 0 {
			return errors.New("lattice: these bytes are not spins of this size")
		}
	}
	for c := range b.words {
		for row := range b.layout.rows() {
			for i := range b.row(c, row) {
				b.row(c, row)[i] = binary.LittleEndian.Uint64(data)
				data = data[8:]
			}
		}
	}
	b.copies()
	return nil
}
