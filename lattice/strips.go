package lattice

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// strip is sites in a row whose bonds to earlier sites go equally far back: i − offsets[0], i − offsets[1], ….
type strip struct {
	from, to int
	offsets  []int32 // ascending
}

// strips are those of the bonds of blocks, block by block, from first[b] to first[b+1]; nil where sites in a row have not much in common.
type strips struct {
	all   []strip
	first []int
}

// leastStrip is the mean length from which strips are worth it.
const leastStrip = 12

func newStrips(g *Graph, block int) *strips {
	n := g.Sites()
	s := &strips{first: []int{0}}
	var row []int32
	for i := range n {
		if i%block == 0 && i > 0 {
			s.first = append(s.first, len(s.all))
		}
		row = row[:0]
		for _, j := range g.Of(i) {
			if int(j) < i && int(j)/block == i/block {
				row = append(row, int32(i)-j)
			}
		}
		slices.Sort(row)
		if last := len(s.all) - 1; last >= s.first[len(s.first)-1] && slices.Equal(s.all[last].offsets, row) {
			s.all[last].to = i + 1
			continue
		}
		s.all = append(s.all, strip{i, i + 1, slices.Clone(row)})
		if len(s.all) > 64+(i+1)/leastStrip {
			return nil
		}
	}
	s.first = append(s.first, len(s.all))
	if len(s.all) > 8+n/leastStrip {
		return nil
	}
	return s
}

// of are the strips of block b.
func (s *strips) of(b int) []strip { return s.all[s.first[b]:s.first[b+1]] }

const (
	ones = 0x0101010101010101 // of each byte
	tops = 0x80 * ones
)

// opener opens bonds between eight sites and eight others at a time. A bond compares 7 random bits with the leading bits of the chance, and where they are
// equal another 57.
type opener struct {
	stream *streams.Stream
	low    uint64 // the other bits of the chance
	high   uint64 // its leading bits in each byte; 128: certain
	ties   uint64 // the highest bit of each byte, none where no tie is possible
	unlike uint64 // 1 in each byte where different Ising spins satisfy a bond
}

func newOpener(stream *streams.Stream, c chance, unlike bool) opener {
	o := opener{stream: stream, low: uint64(c) & (1<<57 - 1), high: uint64(c>>57) * ones, ties: tops}
	if c == certain {
		o.high, o.ties = tops, 0
	}
	if unlike {
		o.unlike = ones
	}
	return o
}

// mask are the open bonds between n ≤ 64 sites from at and those that lie off before them, a bit each.
func (o *opener) mask(spins []uint8, at, off, n int) (open uint64) {
	for w := 0; w < n; w += 8 {
		x := eight(spins, at+w) ^ eight(spins, at+w-off) ^ o.unlike
		like := ^((x&^tops + (tops - ones)) | x) & tops
		u := next(o.stream) &^ tops
		below := ^((u | tops) - o.high) & like
		if tie := ^((u ^ o.high) + (tops - ones)) & like & o.ties; tie != 0 {
			below |= o.untie(tie)
		}
		open |= below >> 7 * 0x0102040810204080 >> 56 << w
	}
	return open & (1<<n - 1)
}

func (o *opener) untie(tie uint64) (below uint64) {
	for ; tie != 0; tie &= tie - 1 {
		if next(o.stream)>>7 < o.low {
			below |= tie & -tie
		}
	}
	return below
}

// eight are the spins from i, a byte each; those beyond the last are 0.
func eight(spins []uint8, i int) uint64 {
	if i+8 <= len(spins) {
		return binary.LittleEndian.Uint64(spins[i:])
	}
	var b [8]uint8
	copy(b[:], spins[i:])
	return binary.LittleEndian.Uint64(b[:])
}

// joinStrip opens the bonds of the sites of a strip and joins their clusters.
func joinStrip(o *opener, s strip, spins []uint8, parent []int32) {
	offsets := s.offsets
	chains := 0
	for chains < len(offsets) && offsets[chains] == 1 {
		chains++
	}
	for at := s.from; at < s.to; at += 64 {
		n := min(64, s.to-at)
		chain := uint64(0)
		for range chains {
			chain |= o.mask(spins, at, 1, n)
		}
		labelChain(parent, at, n, chain)
		for _, off := range offsets[chains:] {
			for m := o.mask(spins, at, int(off), n); m != 0; m &= m - 1 {
				i := int32(at + bits.TrailingZeros64(m))
				link(parent, i, i-off)
			}
		}
	}
}

// labelChain makes n sites from at their own parents, or those that chain joins to the site before them of its parent.
func labelChain(parent []int32, at, n int, chain uint64) {
	p := int32(at)
	if chain&1 == 1 {
		p = parent[at-1]
	}
	for i := at; i < at+n; i++ {
		if chain&1 == 0 {
			p = int32(i)
		}
		parent[i] = p
		chain >>= 1
	}
}

// next is the next word of a stream.
func next(s *streams.Stream) (u uint64) {
	u, *s = s.Next()
	return u
}
