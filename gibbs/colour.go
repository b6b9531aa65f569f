package gibbs

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Fixed is the colour of an observed node.
const Fixed = -1

// Colour gives each node a colour, 0, 1, 2, …, that no node of its blanket has, and observed
// nodes, which do not count as neighbours, the colour Fixed. It takes next the node that
// sees most colours, the one of the largest blanket among equals (DSATUR: Brélaz, 1979), which needs
// no more than two colours for a grid or a tree and never more than one above the largest
// blanket. Time is O((n + m) log n) for n nodes and m pairs of neighbours; for a graph of
// gonum it is coloring.Dsatur, which takes O(n²) and, where nodes lie in a map, depends on the
// map's order.
func (b *Blankets) Colour(observed ...int) ([]int, error) {
	free, err := unobserved(b.Nodes(), observed)
	if err != nil {
		return nil, err
	}
	colour := slices.Repeat([]int{Fixed}, b.Nodes())
	d := dsatur{b: b, colour: colour, sees: make([]uint64, b.Nodes())}
	for _, i := range free {
		colour[i] = uncoloured
		d.heap = append(d.heap, d.entry(i))
	}
	d.heap.init()
	for len(d.heap) > 0 {
		if i, current := d.next(); current {
			d.paint(i)
		}
	}
	return colour, nil
}

const uncoloured = -2

// dsatur is a colouring under way.
type dsatur struct {
	b      *Blankets
	colour []int
	sees   []uint64 // which of the first 64 colours the neighbours have; more do not count
	used   []int32  // by colour, the last node that saw it: its number plus 1
	heap   maxHeap
}

// An entry is what decides, most significant first: colours seen (7 bits), size of the
// blanket up to 2²⁵ − 1, and the complement of the node's number. When a node comes to see
// more it is entered again.
const (
	nodeBits   = 32
	degreeBits = 25
)

func (d *dsatur) entry(i int32) uint64 {
	degree := min(len(d.b.Of(int(i))), 1<<degreeBits-1)
	seen := bits.OnesCount64(d.sees[i])
	return uint64(seen)<<(nodeBits+degreeBits) | uint64(degree)<<nodeBits | uint64(math.MaxUint32-uint32(i))
}

// next takes the first entry from the heap, and says whether it is the node's latest.
func (d *dsatur) next() (i int32, current bool) {
	e := d.heap.pop()
	i = int32(math.MaxUint32 - uint32(e))
	return i, d.colour[i] == uncoloured && e == d.entry(i)
}

// paint gives node i the first colour that it does not see.
func (d *dsatur) paint(i int32) {
	for _, j := range d.b.Of(int(i)) {
		if c := d.colour[j]; c >= 0 {
			d.used[c] = i + 1
		}
	}
	c := 0
	for c < len(d.used) && d.used[c] == i+1 {
		c++
	}
	if c == len(d.used) {
		d.used = append(d.used, 0)
	}
	d.colour[i] = c
	if c >= 64 {
		return
	}
	for _, j := range d.b.Of(int(i)) {
		if d.colour[j] == uncoloured && d.sees[j]>>c&1 == 0 {
			d.sees[j] |= 1 << c
			d.heap.push(d.entry(j))
		}
	}
}

// Proper says whether a colouring can be drawn in parallel: one colour a node, none
// negative but Fixed, and no two nodes of one colour in each other's blanket. The error names
// two such nodes.
func (b *Blankets) Proper(colour []int) error {
	if len(colour) != b.Nodes() {
		return fmt.Errorf("gibbs: %d colours for %d nodes; give one a node", len(colour), b.Nodes())
	}
	for i, c := range colour {
		if c == Fixed {
			continue
		}
		if c < 0 || c >= len(colour) {
			return fmt.Errorf("gibbs: node %d has colour %d; colours are 0 to %d, or Fixed for an observed node", i, c, len(colour)-1)
		}
		for _, j := range b.Of(i) {
			if colour[j] == c {
				return fmt.Errorf("gibbs: nodes %d and %d are in each other's Markov blanket and both have colour %d; they cannot be drawn at the same time", i, j, c)
			}
		}
	}
	return nil
}
