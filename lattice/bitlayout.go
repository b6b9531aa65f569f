package lattice

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/multispin"
)

// bitLayout is where the spins of a periodic square or cubic lattice are as bits. The last direction is cut into bands of the same
// height, at most 64, and a word has the same place of all of them. So the spins of one checkerboard colour at given places of
// the other directions and of the band are a row of words, half as many as the first direction is long, and the neighbours of a
// word's spins are four or six words: but for neighbours in the next band, which are a bit further.
//
//	square:  site (x, y) is bit y/height of word x/2 of row y mod height
//	cubic:   site (x, y, z) is bit z/height of word x/2 of row y + Size[1]·(z mod height)
//
// Before the rows of a colour are those below the first of each band, and after them those above the last: copies of the last and
// the first ones, turned by one bit. A row has a lead, whose last word is a copy of the row's last, and after it a copy of its first.
type bitLayout struct {
	size          [3]int // lengths; the middle one is 1 for a square lattice
	dimensions    int
	words         int // of a row
	padded        int // words of a row with those that fill its last vector
	stride        int // from row to row
	bands, height int
	live          uint64 // the bits of a word that are spins
	odd           uint64 // the bits of bands that begin at an odd place
}

func newBitLayout(l Geometry) (bitLayout, error) {
	n, err := l.sites()
	if err != nil {
		return bitLayout{}, err
	}
	d := len(l.Size)
	if l.Kind != Cubic || d != 2 && d != 3 {
		return bitLayout{}, fmt.Errorf("lattice: spins as bits are those of a square or a cubic lattice, not of size %v", l)
	}
	if l.Boundary != Periodic {
		return bitLayout{}, fmt.Errorf("lattice: spins as bits need periodic boundaries")
	}
	for _, k := range l.Size {
		if k%2 != 0 {
			return bitLayout{}, fmt.Errorf("lattice: size %v: spins as bits need even lengths", l)
		}
	}
	if err := memory.Room(float64(n) / 4); err != nil {
		return bitLayout{}, err
	}
	b := bitLayout{size: [3]int{l.Size[0], 1, l.Size[d-1]}, dimensions: d}
	if d == 3 {
		b.size[1] = l.Size[1]
	}
	b.words = b.size[0] / 2
	b.padded = (b.words + multispin.Vector - 1) / multispin.Vector * multispin.Vector
	b.stride = b.padded + multispin.Vector
	for b.bands = 64; b.size[2]%b.bands != 0; {
		b.bands--
	}
	b.height = b.size[2] / b.bands
	b.live = math.MaxUint64 >> (64 - b.bands)
	if b.height%2 == 1 {
		b.odd = 0xaaaaaaaaaaaaaaaa & b.live
	}
	return b, nil
}

// rows is the number of rows of a colour, without copies.
func (b *bitLayout) rows() int { return b.size[1] * b.height }

func (b *bitLayout) sites() int { return b.size[0] * b.size[1] * b.size[2] }

func (b *bitLayout) bonds() int { return b.sites() * b.dimensions }

// length is the number of words of a colour.
func (b *bitLayout) length() int { return (b.rows() + 2*b.size[1]) * b.stride }

// start is the first word of a row; the copies below are the rows from −size[1].
func (b *bitLayout) start(row int) int { return (row+b.size[1])*b.stride + multispin.Vector }

// late are the bits of a row of a colour, at these places of the middle direction and of the bands, whose first spin of the colour is at
// x = 1, not 0.
func (b *bitLayout) late(colour, y, z int) uint64 {
	first := -uint64((colour + y + z) & 1)
	return (first ^ b.odd) & b.live
}

// around is a row of a colour and what is around it, live being its bits that are spins.
func (b *bitLayout) around(words *[2][]uint64, live []uint64, colour, row int) (r multispin.Row) {
	self, other := words[colour], words[1-colour]
	at := b.start(row)
	r.Self, r.Live, r.Beside = self[at:at+b.padded], live, other[at-1:at+b.padded+1]
	r.Across[0], r.Across[1] = b.run(other, row-b.size[1]), b.run(other, row+b.size[1])
	y, z := 0, row
	if b.dimensions == 3 {
		z = row / b.size[1]
		first := z * b.size[1]
		y = row - first
		before, after := row-1, row+1
		if y == 0 {
			before = first + b.size[1] - 1
		}
		if y == b.size[1]-1 {
			after = first
		}
		r.Across[2], r.Across[3] = b.run(other, before), b.run(other, after)
	}
	r.Before = ^b.late(colour, y, z)
	return r
}

// run is the words of a row with those that fill its last vector.
func (b *bitLayout) run(words []uint64, row int) []uint64 {
	at := b.start(row)
	return words[at : at+b.padded]
}

// copies renews the copies that a row of a colour has.
func (b *bitLayout) copies(words []uint64, row int) {
	at := b.start(row)
	words[at-1], words[at+b.words] = words[at+b.words-1], words[at]
	if row < b.size[1] {
		to := b.start(row + b.rows())
		multispin.Turn(words[to:to+b.padded], words[at:at+b.padded], b.bands, false)
	}
	if from := b.rows() - b.size[1]; row >= from {
		to := b.start(row - b.rows())
		multispin.Turn(words[to:to+b.padded], words[at:at+b.padded], b.bands, true)
	}
}
