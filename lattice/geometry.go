package lattice

import (
	"fmt"
	"iter"
	"strings"
)

// Geometry is a regular lattice of the same kind of cell throughout.
type Geometry struct {
	Kind     Kind
	Size     []int // cells along each direction; site i of a cubic lattice is at x_0 + Size[0]·(x_1 + Size[1]·(…))
	Boundary Boundary
}

// Kind is how the neighbours of a site lie.
type Kind uint8

// Lattices. Cubic is the chain, the square lattice, the cubic one and those of more dimensions, as Size has lengths.
const (
	Cubic Kind = iota
	Triangular
	Honeycomb
)

// Boundary is what the sites at a face are joined to.
type Boundary uint8

// Boundaries.
const (
	Periodic Boundary = iota // to those at the opposite face
	Open                     // to nothing
	Helical                  // to those at the opposite face, one row on: neighbours of site i are i ± 1, i ± Size[0], … modulo N
)

// String is the size as users write it: 64x64.
func (l Geometry) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Size), " ", "x"), "[]")
}

// Graph is the lattice's, with the same coupling for all bonds.
func (l Geometry) Graph(coupling float64) (*Graph, error) {
	n, err := l.sites()
	if err != nil {
		return nil, err
	}
	return NewGraph(n, l.bonds(coupling))
}

func (l Geometry) sites() (int, error) {
	if len(l.Size) == 0 {
		return 0, fmt.Errorf("lattice: a size has a length for each direction, as 64x64")
	}
	n := 1
	for _, k := range l.Size {
		if k < 1 || n > MaxSites/k {
			return 0, fmt.Errorf("lattice: size %v: lengths must be 1 or more, and there may be %d sites", l, MaxSites)
		}
		n *= k
	}
	return n, nil
}

// bonds are those of each site towards larger coordinates.
func (l Geometry) bonds(coupling float64) iter.Seq[Bond] {
	return func(yield func(Bond) bool) {
		n, _ := l.sites()
		for i := range n {
			stride := 1
			for _, length := range l.Size {
				x := i / stride % length
				j := i + stride
				if x == length-1 {
					j -= stride * length
				}
				if length > 1 && (x < length-1 || l.Boundary == Periodic) && !yield(Bond{i, j, coupling}) {
					return
				}
				stride *= length
			}
		}
	}
}
