package lattice

import (
	"math"
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// fourOf16 draws one of up to 16 values that attract each other, given four neighbours: a value whatever these are, or that of a neighbour, by the alias method (Walker
// 1977; Vose 1991) with a table for each of the ways in which the four are equal.
type fourOf16 struct {
	alike *[1 << 16]uint8 // by the four values, four bits each: the number of the way
	cells [waysOfFour][fourCells]fourCell
}

// waysOfFour has room for the 15 partitions of a set of four.
const waysOfFour = 16

// fourCells is a power of 2 that 16 values and 4 neighbours fit in.
const fourCells = 32

// fourCell is a cell of an alias table: what it gives where the bits after those of its number are not below a threshold, and where they are. That is the
// number of bits to shift the four values by, for the lowest four to be the value drawn; and from bit 5 on the value where the shift leaves none.
type fourCell struct {
	below uint64
	gives [2]uint16
}

// fourAlike numbers the ways in which four values of 4 bits are equal.
func (g *Graph) fourAlike() *[1 << 16]uint8 {
	g.scans.fourAlike.once.Do(func() {
		var numbers [64]uint8 // from 1
		ways := new([1 << 16]uint8)
		last := uint8(0)
		for key := range ways {
			k := uint32(key)
			way := alikeOfFour(k&15 | k>>4&15<<8 | k>>8&15<<16 | k>>12<<24)
			if numbers[way] == 0 {
				last++
				numbers[way] = last
			}
			ways[key] = numbers[way] - 1
		}
		g.scans.fourAlike.of = ways
	})
	return g.scans.fourAlike.of
}

// fill makes the tables from what the weight of a value, 1 without neighbours, rises by.
func (f *fourOf16) fill(q int, rise [mostFew + 1]float64) {
	var done [waysOfFour]bool
	for key, way := range f.alike {
		if done[way] {
			continue
		}
		done[way] = true
		var weights [fourCells]float64
		for c := range q {
			weights[c] = 1
		}
		for k := range 4 {
			before := 0
			for j := range k {
				before += one(key>>(4*k)&15 == key>>(4*j)&15)
			}
			weights[q+k] = rise[before]
		}
		f.cells[way] = newFourCells(q, weights)
	}
}

// newFourCells is the alias table of weights, first of q values and then of four neighbours.
func newFourCells(q int, weights [fourCells]float64) (cells [fourCells]fourCell) {
	// Whole numbers, of which a cell holds full: what is taken from one is what another gets.
	const full = 1 << 58
	total := 0.0
	for _, w := range weights {
		total += w
	}
	var has [fourCells]uint64
	largest, left := 0, uint64(fourCells*full)
	for k, w := range weights {
		has[k] = uint64(math.Ldexp(w/total, 63))
		left -= has[k] // 2⁶⁴ − a little where rounding gave too much
		if has[k] > has[largest] {
			largest = k
		}
	}
	has[largest] += left
	gives := func(k int) uint16 {
		if k < q {
			return 16 | uint16(k)<<5
		}
		return uint16(4 * (k - q))
	}
	var poor, rich []int
	sort := func(k int) {
		if has[k] < full {
			poor = append(poor, k)
		} else {
			rich = append(rich, k)
		}
	}
	for k := range has {
		sort(k)
	}
	for len(poor) > 0 {
		k, from := poor[len(poor)-1], rich[len(rich)-1]
		poor, rich = poor[:len(poor)-1], rich[:len(rich)-1]
		cells[k] = fourCell{has[k] << 6, [2]uint16{gives(from), gives(k)}}
		has[from] -= full - has[k]
		sort(from)
	}
	for _, k := range rich {
		cells[k] = fourCell{0, [2]uint16{gives(k), gives(k)}}
	}
	return cells
}

// value is drawn by random bits, of which the first five are a cell.
func (f *fourOf16) value(a, b, c, d uint8, u uint64) uint8 {
	key := uint16(a) | uint16(b)<<4 | uint16(c)<<8 | uint16(d)<<12
	return f.cells[f.alike[key]%waysOfFour][u>>59].value(key, u)
}

func (x *fourCell) value(key uint16, u uint64) uint8 {
	_, own := bits.Sub64(u<<5, x.below, 0)
	g := x.gives[own&1]
	return uint8(uint32(key)>>(g&31))&15 | uint8(g>>5)
}

func (f *fourOf16) stride(spins []uint8, x stretch, s streams.Stream) streams.Stream {
	own := x.of(spins, 0)
	a, b, c, d := x.of(spins, x.row[0]), x.of(spins, x.row[1]), x.of(spins, x.row[2]), x.of(spins, x.row[3])
	a, b, c, d = a[:len(own)], b[:len(own)], c[:len(own)], d[:len(own)]
	for k := uint(0); k < uint(len(own)); k += uint(x.step) {
		var u uint64
		u, s = s.Next()
		key := uint16(a[k]) | uint16(b[k])<<4 | uint16(c[k])<<8 | uint16(d[k])<<12
		own[k] = f.cells[f.alike[key]%waysOfFour][u>>59].value(key, u)
	}
	return s
}
