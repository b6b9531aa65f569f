package lattice

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// Geometry is a regular lattice of the same kind of cell throughout.
type Geometry struct {
	Kind     Kind
	Size     []int // cells along each direction; cell c is at x_0 + Size[0]·(x_1 + Size[1]·(…))
	Boundary Boundary
}

// Kind is how the neighbours of a site lie.
type Kind uint8

// Lattices, all of bonds of length 1. Cubic is the chain, the square lattice, the cubic one and those of more dimensions, as Size has
// lengths; the others have two. A cell has one site, of the cell's number, but for Honeycomb's, which has the sites 2c and 2c + 1.
const (
	Cubic      Kind = iota
	Triangular      // cells lie along (1, 0) and (1/2, √3/2); the third bond leads from (x, y) to (x − 1, y + 1)
	Honeycomb       // cells lie along (√3, 0) and (√3/2, 3/2); site 2c is joined to 2c + 1 of its cell and of those before in either direction
)

// Boundary is what the sites at a face are joined to.
type Boundary uint8

// Boundaries. Along a direction of length 1 no cell has another; along a periodic one of length 2 each has the other twice, as two bonds.
const (
	Periodic Boundary = iota // to those at the opposite face
	Open                     // to nothing
	Helical                  // to those at the opposite face, one row on: neighbours of cell c are c ± 1, c ± Size[0], … modulo their number
)

var (
	kindNames     = [...]string{"cubic", "triangular", "honeycomb"}
	boundaryNames = [...]string{"periodic", "open", "helical"}
)

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

func (b Boundary) String() string {
	if int(b) < len(boundaryNames) {
		return boundaryNames[b]
	}
	return fmt.Sprintf("Boundary(%d)", uint8(b))
}

// String is the size as users write it: 64x64.
func (l Geometry) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Size), " ", "x"), "[]")
}

// Check says what is wrong with a geometry.
func (l Geometry) Check() error {
	_, err := l.sites()
	return err
}

// Graph is the lattice's, with the same coupling for all bonds.
func (l Geometry) Graph(coupling float64) (*Graph, error) {
	n, err := l.sites()
	if err != nil {
		return nil, err
	}
	// Asked before the bonds are counted, which takes a minute where there are too many.
	if err := memory.Room(float64(n) * (8 + float64(8*len(l.hops())/l.basis()))); err != nil {
		return nil, fmt.Errorf("lattice: the bonds of %v sites: %w", l, err)
	}
	return NewGraph(n, l.bonds(coupling))
}

func (l Geometry) sites() (int, error) {
	switch {
	case int(l.Kind) >= len(kindNames):
		return 0, fmt.Errorf("lattice: there is no lattice of number %d; choose one of the constants of type Kind", l.Kind)
	case int(l.Boundary) >= len(boundaryNames):
		return 0, fmt.Errorf("lattice: there is no boundary of number %d; choose one of the constants of type Boundary", l.Boundary)
	case len(l.Size) == 0:
		return 0, fmt.Errorf("lattice: a size has a length for each direction, as 64x64")
	case l.Kind != Cubic && len(l.Size) != 2:
		return 0, fmt.Errorf("lattice: size %v: a %v lattice has two lengths, as 64x64", l, l.Kind)
	}
	n := l.basis()
	for _, k := range l.Size {
		if k < 1 {
			return 0, fmt.Errorf("lattice: size %v: lengths must be 1 or more", l)
		}
		if n > MaxSites/k {
			return 0, fmt.Errorf("lattice: size %v: there may be %d sites, and these are more", l, MaxSites)
		}
		n *= k
	}
	return n, nil
}

// basis is the number of sites of a cell.
func (l Geometry) basis() int {
	if l.Kind == Honeycomb {
		return 2
	}
	return 1
}

// hop is the bonds of one kind: from site from of each cell to site to of the cell so many steps on.
type hop struct {
	from, to int
	by       []int
}

// hops are the kinds of bonds, each bond in one direction.
func (l Geometry) hops() []hop {
	switch l.Kind {
	case Triangular:
		return []hop{{0, 0, []int{1, 0}}, {0, 0, []int{0, 1}}, {0, 0, []int{-1, 1}}}
	case Honeycomb:
		return []hop{{0, 1, []int{0, 0}}, {0, 1, []int{-1, 0}}, {0, 1, []int{0, -1}}}
	}
	var all []hop
	for k, length := range l.Size {
		if length > 1 {
			by := make([]int, len(l.Size))
			by[k] = 1
			all = append(all, hop{0, 0, by})
		}
	}
	return all
}

// bonds are those of each cell, in the order of hops. A bond that would lead from a site to itself is none.
func (l Geometry) bonds(coupling float64) iter.Seq[Bond] {
	return func(yield func(Bond) bool) {
		n, _ := l.sites()
		basis, hops := l.basis(), l.hops()
		for c := range n / basis {
			for _, h := range hops {
				d, there := l.move(c, h.by, n/basis)
				i, j := basis*c+h.from, basis*d+h.to
				if there && i != j && !yield(Bond{i, j, coupling}) {
					return
				}
			}
		}
	}
}

// move is the cell so many steps on of this many, and whether there is one.
func (l Geometry) move(c int, by []int, cells int) (int, bool) {
	if l.Boundary == Helical {
		return l.wind(c, by, cells), true
	}
	to, stride := c, 1
	for k, length := range l.Size {
		if by[k] != 0 {
			x := c / stride % length
			y := x + by[k]
			if y < 0 || y >= length {
				if l.Boundary == Open {
					return 0, false
				}
				y = (y + length) % length
			}
			to += (y - x) * stride
		}
		stride *= length
	}
	return to, true
}

// wind is the cell so many steps on along the helix.
func (l Geometry) wind(c int, by []int, cells int) int {
	stride := 1
	for k, length := range l.Size {
		c += by[k] * stride
		stride *= length
	}
	return (c + cells) % cells
}

// Cell appends the coordinates of the cell of site i, each from 0 to a length less 1.
func (l Geometry) Cell(to []int, i int) []int {
	c := i / l.basis()
	for _, length := range l.Size {
		to = append(to, c%length)
		c /= length
	}
	return to
}

// Position appends where site i lies, in units of the length of a bond, site 0 at the origin. Sites of a helical lattice lie as those of a
// periodic one.
func (l Geometry) Position(to []float64, i int) []float64 {
	at := len(to)
	for _, x := range l.Cell(nil, i) {
		to = append(to, float64(x))
	}
	p := to[at:]
	switch half := math.Sqrt(3) / 2; l.Kind {
	case Triangular:
		p[0], p[1] = p[0]+float64(p[1]/2), float64(half*p[1])
	case Honeycomb:
		second := float64(i % 2) // of its cell: (√3/2, 1/2) from the first
		p[0], p[1] = float64(half*(float64(2*p[0])+p[1]+second)), float64(1.5*p[1])+float64(second/2)
	}
	return to
}
