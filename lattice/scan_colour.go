package lattice

import "fmt"

// Colour gives each site a colour, from 0, that no site has which a bond joins it to. Two are enough where no circle of bonds is odd: the
// checkerboard of a square lattice of even lengths, whose site 0 has colour 0. Elsewhere it is [gibbs.Blankets.Colour]. Time is
// O(sites + bonds), there with a logarithm.
func (g *Graph) Colour() ([]uint8, error) {
	if two, ok := g.bipartite(); ok {
		return two, nil
	}
	b, err := g.Blankets()
	if err != nil {
		return nil, err
	}
	many, err := b.Colour()
	if err != nil {
		return nil, err
	}
	colours := make([]uint8, len(many))
	for i, c := range many {
		if c > 255 {
			return nil, fmt.Errorf("lattice: the sites need more than 256 colours for a parallel scan: choose another scan")
		}
		colours[i] = uint8(c)
	}
	return colours, nil
}

// bipartite colours part after part of the graph from its first site on, as far as two colours go.
func (g *Graph) bipartite() ([]uint8, bool) {
	const none = 2
	colours := make([]uint8, g.Sites())
	for i := range colours {
		colours[i] = none
	}
	var todo []int32
	for i := range colours {
		if colours[i] != none {
			continue
		}
		colours[i] = 0
		todo = append(todo[:0], int32(i))
		for len(todo) > 0 {
			at := int(todo[len(todo)-1])
			todo = todo[:len(todo)-1]
			for _, j := range g.Of(at) {
				switch colours[j] {
				case none:
					colours[j] = 1 - colours[at]
					todo = append(todo, j)
				case colours[at]:
					return nil, false
				}
			}
		}
	}
	return colours, true
}
