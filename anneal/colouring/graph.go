package colouring

import (
	"fmt"
	"math"
	"slices"
)

// Graph is a graph without loops, in which an edge is there once. It does not change.
type Graph struct {
	first      []int32 // of the neighbours of a node; one more at the end
	neighbours []int32 // ascending
}

// maxNodes keeps numbers of nodes in 32 bits.
const maxNodes = math.MaxInt32 / 2

// NewGraph makes a graph of n nodes, from 0. Edges that are given again, in either direction, count once.
func NewGraph(n int, edges [][2]int32) (*Graph, error) {
	switch {
	case n < 1 || n > maxNodes:
		return nil, fmt.Errorf("a graph has from 1 to %d nodes, not %d", maxNodes, n)
	case len(edges) > maxNodes/2:
		return nil, fmt.Errorf("a graph has at most %d edges, not %d", maxNodes/2, len(edges))
	}
	first := make([]int32, n+1)
	for _, e := range edges {
		for _, v := range e {
			if v < 0 || int(v) >= n {
				return nil, fmt.Errorf("an edge of nodes %d and %d, and nodes are from 0 to %d", e[0], e[1], n-1)
			}
			first[v+1]++
		}
		if e[0] == e[1] {
			return nil, fmt.Errorf("an edge leads from node %d to itself, so that no colouring is without conflict", e[0])
		}
	}
	for v := range n {
		first[v+1] += first[v]
	}
	all, next := make([]int32, 2*len(edges)), slices.Clone(first[:n])
	for _, e := range edges {
		all[next[e[0]]], all[next[e[1]]] = e[1], e[0]
		next[e[0]]++
		next[e[1]]++
	}
	g := &Graph{first: make([]int32, n+1)}
	for v := range n {
		own := all[first[v]:first[v+1]]
		slices.Sort(own)
		g.neighbours = append(g.neighbours, slices.Compact(own)...)
		g.first[v+1] = int32(len(g.neighbours))
	}
	return g, nil
}

// Nodes and Edges are how many there are.
func (g *Graph) Nodes() int { return len(g.first) - 1 }

// Edges is how many there are, each counted once.
func (g *Graph) Edges() int { return len(g.neighbours) / 2 }

func (g *Graph) of(v int32) []int32   { return g.neighbours[g.first[v]:g.first[v+1]] }
func (g *Graph) degree(v int32) int32 { return g.first[v+1] - g.first[v] }

// Greedy colours one node after the other with the first colour that no neighbour has, always the node whose neighbours have most
// colours already, of those the one with most neighbours, and of those the first (DSATUR; Brélaz, 1979). It has no conflict; k is how
// many colours it uses, at least as many as are needed. The time is of order n² + edges.
func (g *Graph) Greedy() (colours []float64, k int) {
	n := g.Nodes()
	colours = make([]float64, n)
	seen := make([]map[int32]bool, n)
	for v := range colours {
		colours[v], seen[v] = -1, map[int32]bool{}
	}
	for range n {
		next := int32(-1)
		for v := range int32(n) {
			if colours[v] < 0 && (next < 0 || len(seen[v]) > len(seen[next]) || len(seen[v]) == len(seen[next]) && g.degree(v) > g.degree(next)) {
				next = v
			}
		}
		c := int32(0)
		for seen[next][c] {
			c++
		}
		colours[next], k = float64(c), max(k, int(c)+1)
		for _, u := range g.of(next) {
			seen[u][c] = true
		}
	}
	return colours, k
}

// Clique finds nodes that are all joined to one another, which need a colour each: from each node in turn, neighbours of it are added by falling
// number of neighbours as long as they fit. The largest that this finds is a lower bound of the colours, and often not the best one.
func (g *Graph) Clique() (largest []int) {
	order := make([]int32, g.Nodes())
	for v := range order {
		order[v] = int32(v)
	}
	byDegree := func(a, b int32) int { return int(g.degree(b) - g.degree(a)) }
	slices.SortStableFunc(order, byDegree)
	for _, v := range order {
		if int(g.degree(v)) < len(largest) {
			break
		}
		clique := []int{int(v)}
		near := slices.Clone(g.of(v))
		slices.SortStableFunc(near, byDegree)
		for _, u := range near {
			if !slices.ContainsFunc(clique, func(w int) bool { return !g.joined(u, int32(w)) }) {
				clique = append(clique, int(u))
			}
		}
		if len(clique) > len(largest) {
			largest = clique
		}
	}
	slices.Sort(largest)
	return largest
}

func (g *Graph) joined(u, v int32) bool {
	_, found := slices.BinarySearch(g.of(u), v)
	return found
}
