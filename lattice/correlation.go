package lattice

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Correlation measures in a configuration the correlations along the axes of a lattice,
//
//	G(r) = ⟨(q δ(s_i, s_j) − 1)/(q − 1)⟩
//
// over pairs of sites at a distance of r cells along an axis (sites of the same kind in a honeycomb), which for the Ising model is ⟨s_i s_j⟩: 1
// for equal spins, 0 on average for independent ones. It takes one bit operation for 64 sites, axis and distance.
type Correlation struct {
	Lags []int // distances r that are measured: all up to 16, then eight an octave, up to half the shortest length

	sites, q, planes int
	axes             []axis
	words            []uint64 // workspace: the spins' bits by plane, in the order of an axis
}

// axis is a direction: in the array of spins, length slices that are stride apart, in blocks of stride·length.
type axis struct {
	stride, length int
	wraps          bool // what leaves at one end comes back at the other
	flat           bool // the whole array is shifted by r·stride
}

const lagsOctave = 8

// NewCorrelation prepares for a lattice and a number of colours, 2 for the Ising model. It is an error for a lattice to be no longer than one
// site, along its shortest side, so that there is no distance to measure.
func NewCorrelation(l Geometry, q int) (*Correlation, error) {
	n, err := l.sites()
	if err != nil {
		return nil, err
	}
	c := &Correlation{sites: n, q: q, planes: bits.Len(uint(q - 1))}
	stride, shortest, most := l.basis(), 0, 0
	for _, length := range l.Size {
		if length > 1 {
			a := axis{stride, length, l.Boundary != Open, l.Boundary == Helical || stride == 1 && length == n}
			c.axes = append(c.axes, a)
			most = max(most, a.room(n))
			if shortest == 0 || length < shortest {
				shortest = length
			}
		}
		stride *= length
	}
	if shortest == 0 {
		return nil, fmt.Errorf("lattice: size %v: correlations take two sites or more along a side", l)
	}
	c.Lags = lags(shortest / 2)
	c.words = make([]uint64, c.planes*most)
	return c, nil
}

func lags(most int) (all []int) {
	for r := 1; r <= most; r += max(1, 1<<bits.Len(uint(r))/2/lagsOctave) {
		all = append(all, r)
	}
	if n := len(all); n > 0 && all[n-1] != most {
		all = append(all, most)
	}
	return all
}

// room is the words that the bits of one plane take. A flat array is followed by its beginning, as far as a window of 64 reaches.
func (a axis) room(sites int) int {
	if a.flat {
		return 2*((sites+63)/64) + 2
	}
	return a.length * ((sites/a.length + 63) / 64)
}

// Measure puts G(r) at each of the distances, averaged over the axes, into a slice as long as Lags. It allocates nothing.
func (c *Correlation) Measure(to []float64, spins []uint8) {
	clear(to)
	for _, a := range c.axes {
		size := a.room(c.sites)
		words := c.words[:c.planes*size]
		clear(words)
		for p := range c.planes {
			a.pack(words[p*size:(p+1)*size], spins, uint(p))
		}
		for k, r := range c.Lags {
			var differ, pairs int
			if a.flat {
				differ, pairs = a.shifted(words, size, c.sites, r)
			} else {
				differ, pairs = a.sliced(words, size, c.sites, r)
			}
			equal := 1 - float64(differ)/float64(pairs)
			to[k] += (float64(float64(c.q)*equal) - 1) / float64(c.q-1) / float64(len(c.axes))
		}
	}
}

// pack gathers bit p of the spins: of each slice into words of its own, or all in a row.
func (a axis) pack(words []uint64, spins []uint8, p uint) {
	width := (len(spins)/a.length + 63) / 64
	switch block := a.stride * a.length; {
	case a.flat:
		packSlice(words, spins, 0, p)
		repeat(words, len(spins))
	case a.stride == 1:
		packColumns(words, spins, a.length, p)
	default:
		for from, at := 0, 0; from < len(spins); from, at = from+block, at+a.stride {
			for x := range a.length {
				packSlice(words[x*width:(x+1)*width], spins[from+x*a.stride:from+(x+1)*a.stride], at, p)
			}
		}
	}
}

// repeat puts the first n bits once more after themselves, as far as there is room.
func repeat(words []uint64, n int) {
	at, off := n>>6, uint(n&63)
	for i := 0; i<<6 < n && at+i+1 < len(words); i++ {
		w := words[i]
		if i == at {
			w &= 1<<off - 1
		}
		words[at+i] |= w << off
		words[at+i+1] |= w >> 1 >> (63 - off)
	}
}

// packColumns packs rows of so many spins, 64 by 64, and turns rows into columns.
func packColumns(words []uint64, spins []uint8, length int, p uint) {
	rows := len(spins) / length
	width := (rows + 63) / 64
	var block [64]uint64
	for top := 0; top < rows; top += 64 {
		for left := 0; left < length; left += 64 {
			block = [64]uint64{}
			columns := min(64, length-left)
			for y := range min(64, rows-top) {
				from := (top+y)*length + left
				packSlice(block[y:y+1], spins[from:from+columns], 0, p)
			}
			transpose(&block)
			for x := range columns {
				words[(left+x)*width+top/64] = block[x]
			}
		}
	}
}

// transpose turns 64 × 64 bits: ever smaller halves change places with what lies across the diagonal (Warren 2012, Hacker's Delight, section 7-3).
func transpose(b *[64]uint64) {
	mask := uint64(1)<<32 - 1
	for j := 32; j > 0; j, mask = j/2, mask^mask<<(j/2) {
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			t := (b[k]>>j ^ b[k+j]) & mask
			b[k] ^= t << j
			b[k+j] ^= t
		}
	}
}

// packSlice puts bits of some spins into the words of a slice from bit at on.
func packSlice(slice []uint64, part []uint8, at int, p uint) {
	if at&7 == 0 {
		for ; len(part) >= 8; part = part[8:] {
			x := binary.LittleEndian.Uint64(part)
			x = x >> p & 0x0101010101010101 * 0x0102040810204080 >> 56 // bit p of byte i becomes bit i
			slice[at>>6] |= x << (at & 63)
			at += 8
		}
	}
	for _, s := range part {
		slice[at>>6] |= uint64(s>>p&1) << (at & 63)
		at++
	}
}

// sliced counts the pairs of sites r slices apart, and those of different spins.
func (a axis) sliced(words []uint64, size, sites, r int) (differ, pairs int) {
	width := size / a.length
	ends := a.length
	if !a.wraps {
		ends -= r
	}
	for x := range ends {
		y := x + r
		if y >= a.length {
			y -= a.length
		}
		if len(words) == size { // one plane
			u, v := words[x*width:(x+1)*width], words[y*width:(y+1)*width]
			for i, w := range u {
				differ += bits.OnesCount64(w ^ v[i])
			}
			continue
		}
		for i := range width {
			var d uint64
			for at := 0; at < len(words); at += size {
				d |= words[at+x*width+i] ^ words[at+y*width+i]
			}
			differ += bits.OnesCount64(d)
		}
	}
	return differ, ends * (sites / a.length)
}

// shifted does so for the array shifted by r strides.
func (a axis) shifted(words []uint64, size, sites, r int) (differ, pairs int) {
	shift := r * a.stride
	n := sites
	if !a.wraps {
		n -= shift
	}
	whole, rest := shift>>6, uint(shift&63)
	for i := 0; i<<6 < n; i++ {
		var d uint64
		for at := 0; at < len(words); at += size {
			w := words[at:]
			d |= w[i] ^ (w[i+whole]>>rest | w[i+whole+1]<<1<<(63-rest))
		}
		if left := n - i<<6; left < 64 {
			d &= 1<<left - 1
		}
		differ += bits.OnesCount64(d)
	}
	return differ, n
}
