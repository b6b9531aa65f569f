package lattice

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// Bond joins two different sites with a coupling J.
type Bond struct {
	I, J     int
	Coupling float64
}

// Graph is sites 0 to n−1 and bonds between them. It is kept as compressed rows: the ends of the bonds of site i are
// ends[start[i]:start[i+1]], ascending. A pair of sites may have more than one bond, as in a periodic lattice of two sites a side.
type Graph struct {
	start    []int
	ends     []int32
	coupling []float64 // beside ends; nil: uniform everywhere
	uniform  float64

	scans  scans // of the kernels
	labels labels
}

// MaxSites is the most sites that a graph has.
const MaxSites = math.MaxInt32

// NewGraph takes the bonds twice: to count the ends of each site, and to keep them. It is an error for a bond to leave the sites,
// to lead from a site to itself, or to have a coupling that is not finite.
func NewGraph(sites int, bonds iter.Seq[Bond]) (*Graph, error) {
	if sites < 1 || sites > MaxSites {
		return nil, fmt.Errorf("lattice: %d sites: there must be from 1 to %d", sites, MaxSites)
	}
	if err := memory.Room(8 * float64(sites)); err != nil {
		return nil, err
	}
	g := &Graph{start: make([]int, sites+1)}
	n, same := 0, true
	for b := range bonds {
		switch {
		case b.I < 0 || b.I >= sites || b.J < 0 || b.J >= sites:
			return nil, fmt.Errorf("lattice: bond %d joins sites %d and %d, and sites are 0 to %d", n, b.I, b.J, sites-1)
		case b.I == b.J:
			return nil, fmt.Errorf("lattice: bond %d joins site %d to itself", n, b.I)
		case math.IsNaN(b.Coupling) || math.IsInf(b.Coupling, 0):
			return nil, fmt.Errorf("lattice: bond %d between sites %d and %d has coupling %v", n, b.I, b.J, b.Coupling)
		case n == 0:
			g.uniform = b.Coupling
		}
		same = same && b.Coupling == g.uniform
		g.start[b.I+1]++
		g.start[b.J+1]++
		n++
	}
	for i := range sites {
		g.start[i+1] += g.start[i]
	}
	end := 4.0 // bytes
	if !same {
		end += 8
	}
	if err := memory.Room(float64(2*n) * end); err != nil {
		return nil, err
	}
	g.ends = make([]int32, 2*n)
	if !same {
		g.coupling = make([]float64, 2*n)
	}
	g.fill(bonds)
	return g, nil
}

// fill writes the bonds to where start says, and leaves start as it was.
func (g *Graph) fill(bonds iter.Seq[Bond]) {
	put := func(i, j int, c float64) {
		k := g.start[i]
		g.start[i]++
		g.ends[k] = int32(j)
		if g.coupling != nil {
			g.coupling[k] = c
		}
	}
	for b := range bonds {
		put(b.I, b.J, b.Coupling)
		put(b.J, b.I, b.Coupling)
	}
	copy(g.start[1:], g.start)
	g.start[0] = 0
	for i := range g.Sites() {
		row := ends{g.Of(i), nil}
		if g.coupling != nil {
			row.coupling = g.coupling[g.start[i]:g.start[i+1]]
		}
		if !slices.IsSorted(row.to) {
			sort.Stable(row)
		}
	}
}

// ends are the bonds of a site, to be sorted.
type ends struct {
	to       []int32
	coupling []float64 // nil: uniform
}

func (e ends) Len() int           { return len(e.to) }
func (e ends) Less(i, j int) bool { return e.to[i] < e.to[j] }
func (e ends) Swap(i, j int) {
	e.to[i], e.to[j] = e.to[j], e.to[i]
	if e.coupling != nil {
		e.coupling[i], e.coupling[j] = e.coupling[j], e.coupling[i]
	}
}

// Sites is the number of sites.
func (g *Graph) Sites() int { return len(g.start) - 1 }

// Bonds is the number of bonds.
func (g *Graph) Bonds() int { return len(g.ends) / 2 }

// Of are the sites at the other ends of the bonds of site i, ascending, the graph's own.
func (g *Graph) Of(i int) []int32 { return g.ends[g.start[i]:g.start[i+1]] }

// degree is the most bonds that a site has.
func (g *Graph) degree() int {
	most := 0
	for i := range g.Sites() {
		most = max(most, g.start[i+1]-g.start[i])
	}
	return most
}

// regular is how many bonds each site has; −1 where they differ.
func (g *Graph) regular() int {
	z := g.start[1]
	for i := range g.Sites() {
		if g.start[i+1]-g.start[i] != z {
			return -1
		}
	}
	return z
}

// Coupling is that of the k-th bond of site i.
func (g *Graph) Coupling(i, k int) float64 {
	if g.coupling == nil {
		return g.uniform
	}
	return g.coupling[g.start[i]+k]
}

// Uniform is the coupling of all bonds, and whether they have the same.
func (g *Graph) Uniform() (coupling float64, all bool) { return g.uniform, g.coupling == nil }

// All are the bonds, each once, with I < J.
func (g *Graph) All() iter.Seq[Bond] {
	return func(yield func(Bond) bool) {
		for i := range g.Sites() {
			for k, j := range g.Of(i) {
				if i < int(j) && !yield(Bond{i, int(j), g.Coupling(i, k)}) {
					return
				}
			}
		}
	}
}

// Blankets are the neighbours of the sites, which colour them for parallel scans.
func (g *Graph) Blankets() (*gibbs.Blankets, error) {
	return gibbs.Undirected(g.Sites(), func(yield func(int, int) bool) {
		for b := range g.All() {
			if !yield(b.I, b.J) {
				return
			}
		}
	})
}
