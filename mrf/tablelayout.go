package mrf

// layout goes through the table of a clique in blocks: the last variables count within a block, the first number the blocks.
type layout struct {
	scope  []int32
	cards  []int
	outer  int // variables that number the blocks
	blocks int
	size   int // entries of a block
}

const (
	leastBlock = 256
	mostBlock  = 4096
)

func newLayout(m *Model, scope []int32) layout {
	l := layout{scope: scope, cards: make([]int, len(scope)), outer: len(scope), blocks: 1, size: 1}
	for k, i := range scope {
		l.cards[k] = m.Cards[i]
	}
	for l.outer > 0 && l.size < leastBlock && (l.size == 1 || l.size*l.cards[l.outer-1] <= mostBlock) {
		l.outer--
		l.size *= l.cards[l.outer]
	}
	for _, k := range l.cards[:l.outer] {
		l.blocks *= k
	}
	return l
}

// pattern is how the entries of a part's table lie in a block.
type pattern int

const (
	scattered pattern = iota // at the places of offsets
	constant                 // one entry for the whole block
	straight                 // one after the other
)

// part is a table over some of the clique's variables, as the blocks of the clique meet it.
type part struct {
	table  []float64
	starts []int32 // of each block
	places []int32 // of each entry of a block, from the start
	how    pattern
}

// part lays out a table whose scope, in the order of its strides, is within the clique's.
func (l *layout) part(scope []int32, cards []int, table []float64) part {
	stride := make([]int, len(l.scope))
	for k, n := len(scope)-1, 1; k >= 0; k-- {
		for c, i := range l.scope {
			if i == scope[k] {
				stride[c] = n
			}
		}
		n *= cards[scope[k]]
	}
	p := part{table: table, starts: places(l.cards[:l.outer], stride[:l.outer], l.blocks), places: places(l.cards[l.outer:], stride[l.outer:], l.size)}
	p.how = straight
	flat := true
	for k, at := range p.places {
		if at != int32(k) {
			p.how = scattered
		}
		flat = flat && at == 0
	}
	if flat {
		p.how = constant
	}
	return p
}

// places are the places of all combinations of values, the last changing fastest.
func places(cards, stride []int, n int) []int32 {
	all := make([]int32, 1, n)
	for k, c := range cards {
		all = expand(all, c, stride[k])
	}
	return all
}

// expand adds a variable that changes faster than those before.
func expand(all []int32, card, stride int) []int32 {
	n := len(all)
	all = all[:n*card]
	for k := n - 1; k >= 0; k-- {
		at := all[k]
		for v := range card {
			all[k*card+v] = at + int32(v*stride)
		}
	}
	return all
}

// set fills a block with a part's entries.
func (p *part) set(block []float64, b int) {
	at := p.starts[b]
	switch p.how {
	case constant:
		x := p.table[at]
		for k := range block {
			block[k] = x
		}
	case straight:
		copy(block, p.table[at:])
	default:
		from := p.table[at:]
		for k, o := range p.places[:len(block)] {
			block[k] = from[o]
		}
	}
}

// multiply multiplies a block by a part's entries.
func (p *part) multiply(block []float64, b int) {
	at := p.starts[b]
	switch p.how {
	case constant:
		x := p.table[at]
		for k := range block {
			block[k] *= x
		}
	case straight:
		from := p.table[at:][:len(block)]
		for k, x := range from {
			block[k] *= x
		}
	default:
		from := p.table[at:]
		for k, o := range p.places[:len(block)] {
			block[k] *= from[o]
		}
	}
}

// add adds a part's entries to a block.
func (p *part) add(block []float64, b int) {
	at := p.starts[b]
	switch p.how {
	case constant:
		x := p.table[at]
		for k := range block {
			block[k] += x
		}
	case straight:
		from := p.table[at:][:len(block)]
		for k, x := range from {
			block[k] += x
		}
	default:
		from := p.table[at:]
		for k, o := range p.places[:len(block)] {
			block[k] += from[o]
		}
	}
}

// collect adds a block to the part's entries: each sums the entries of the clique that agree with it.
func (p *part) collect(block []float64, b int, sum float64) {
	at := p.starts[b]
	switch p.how {
	case constant:
		p.table[at] += sum
	case straight:
		to := p.table[at:][:len(block)]
		for k, x := range block {
			to[k] += x
		}
	default:
		to := p.table[at:]
		for k, o := range p.places[:len(block)] {
			to[o] += block[k]
		}
	}
}
