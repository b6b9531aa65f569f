package lda

// aliasCell is a cell of Walker's (1977) table: all cells are as likely, and a cell stays with its own index where 32
// random bits are below keep.
type aliasCell struct {
	keep  uint32
	alias uint16
}

func (c aliasCell) pick(own uint16, u uint32) uint16 {
	if u < c.keep {
		return own
	}
	return c.alias
}

// aliasBuilder holds the scratch of building tables.
type aliasBuilder struct {
	scaled []float64
	small  []uint16
	large  []uint16
}

// build fills the table for positive weights as Vose (1991) does, in O(len(w)).
func (b *aliasBuilder) build(table []aliasCell, w []float64) {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	scale := float64(len(w)) / sum
	b.scaled, b.small, b.large = b.scaled[:0], b.small[:0], b.large[:0]
	for i, v := range w {
		v = float64(v * scale)
		b.scaled = append(b.scaled, v)
		if v < 1 {
			b.small = append(b.small, uint16(i))
		} else {
			b.large = append(b.large, uint16(i))
		}
	}
	for len(b.small) > 0 && len(b.large) > 0 {
		s, l := b.small[len(b.small)-1], b.large[len(b.large)-1]
		b.small = b.small[:len(b.small)-1]
		table[s] = aliasCell{keepOf(b.scaled[s]), l}
		if b.scaled[l] -= 1 - b.scaled[s]; b.scaled[l] < 1 {
			b.large = b.large[:len(b.large)-1]
			b.small = append(b.small, l)
		}
	}
	for _, rest := range [2][]uint16{b.small, b.large} { // full, but for rounding
		for _, i := range rest {
			table[i] = aliasCell{^uint32(0), i}
		}
	}
}

func keepOf(p float64) uint32 { return uint32(float64(max(p, 0) * 0x1p32)) }
