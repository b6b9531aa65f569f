package gibbs

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Blankets are the Markov blankets of the nodes of a graphical model: given its blanket,
// a node is independent of all others (Pearl, 1988). They are kept as compressed rows, four bytes
// for each end of an edge.
type Blankets struct {
	start []int // row i is in[start[i]:start[i+1]]
	in    []int32
}

// edge is an ordered pair of nodes.
type edge struct{ from, to int32 }

// Undirected are the blankets of a Markov random field, in which the blanket of a node
// is its neighbours. An edge may come more than once and in either direction; nil has none.
// It is an error for an edge to leave the nodes 0 to nodes−1 or to lead from a node to itself.
func Undirected(nodes int, edges iter.Seq2[int, int]) (*Blankets, error) {
	list, err := collect(nodes, edges)
	if err != nil {
		return nil, err
	}
	return newBlankets(nodes, list), nil
}

// Directed are the blankets of a Bayesian network whose edges lead from parent to child: the
// blanket of a node is its parents, its children and the other parents of its children. It is
// an error for an edge to leave the nodes 0 to nodes−1, and for edges to run in a circle. A child
// costs memory in proportion to the square of the number of its parents.
func Directed(nodes int, edges iter.Seq2[int, int]) (*Blankets, error) {
	list, err := collect(nodes, edges)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b edge) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from)) })
	list = slices.Compact(list)
	if err := acyclic(nodes, list); err != nil {
		return nil, err
	}
	return newBlankets(nodes, moral(list)), nil
}

// moral adds an edge between each two parents of a child. The list is sorted by child.
func moral(list []edge) []edge {
	out := slices.Clone(list)
	for first := 0; first < len(list); {
		last := first
		for last < len(list) && list[last].to == list[first].to {
			last++
		}
		for i := first; i < last; i++ {
			for j := first; j < i; j++ {
				out = append(out, edge{list[j].from, list[i].from})
			}
		}
		first = last
	}
	return out
}

// acyclic takes away nodes without parents until none is left (Kahn, 1962). The list is
// sorted by child.
func acyclic(nodes int, list []edge) error {
	children := newRows(nodes, list)
	parents := make([]int32, nodes)
	for _, e := range list {
		parents[e.to]++
	}
	var ready []int32
	for i, n := range parents {
		if n == 0 {
			ready = append(ready, int32(i))
		}
	}
	for left := nodes; left > 0; left-- {
		if len(ready) == 0 {
			return circle(list, parents)
		}
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, j := range children.Of(int(i)) {
			if parents[j]--; parents[j] == 0 {
				ready = append(ready, j)
			}
		}
	}
	return nil
}

// circle names an edge on a circle. Each node that has parents left has one among such
// nodes, so that a walk from parent to parent comes back to where it has been.
func circle(list []edge, parents []int32) error {
	up := make(map[int32]int32) // child to a parent, both left
	for _, e := range list {
		if parents[e.from] > 0 && parents[e.to] > 0 {
			up[e.to] = e.from
		}
	}
	at := int32(slices.IndexFunc(parents, func(n int32) bool { return n > 0 }))
	seen := map[int32]bool{}
	for !seen[at] {
		seen[at] = true
		at = up[at]
	}
	return fmt.Errorf("gibbs: the directed edges run in a circle through %d → %d; the graph of a Bayesian network has none", up[at], at)
}

// collect checks the edges.
func collect(nodes int, edges iter.Seq2[int, int]) ([]edge, error) {
	if nodes < 1 || nodes > math.MaxInt32 {
		return nil, fmt.Errorf("gibbs: a graph of %d nodes; there must be 1 to %d", nodes, math.MaxInt32)
	}
	if edges == nil {
		return nil, nil
	}
	var list []edge
	for i, j := range edges {
		switch {
		case i < 0 || i >= nodes || j < 0 || j >= nodes:
			return nil, fmt.Errorf("gibbs: the edge %d–%d leaves the nodes 0 to %d", i, j, nodes-1)
		case i == j:
			return nil, fmt.Errorf("gibbs: the edge %d–%d leads from a node to itself", i, j)
		}
		list = append(list, edge{int32(i), int32(j)})
	}
	return list, nil
}

// newBlankets joins both ends of each edge; rows are sorted, each node in it once.
func newBlankets(nodes int, list []edge) *Blankets {
	there := len(list)
	for _, e := range list[:there] {
		list = append(list, edge{e.to, e.from})
	}
	b := newRows(nodes, list)
	end := 0
	for i := range nodes {
		row := b.in[b.start[i]:b.start[i+1]]
		slices.Sort(row)
		row = slices.Compact(row)
		b.start[i] = end
		end += copy(b.in[end:], row)
	}
	b.start[nodes] = end
	b.in = slices.Clone(b.in[:end])
	return b
}

// newRows sorts edges by where they come from, by counting.
func newRows(nodes int, list []edge) *Blankets {
	b := &Blankets{start: make([]int, nodes+1), in: make([]int32, len(list))}
	for _, e := range list {
		b.start[e.from+1]++
	}
	for i := range nodes {
		b.start[i+1] += b.start[i]
	}
	at := slices.Clone(b.start)
	for _, e := range list {
		b.in[at[e.from]] = e.to
		at[e.from]++
	}
	return b
}

// Nodes is the number of nodes.
func (b *Blankets) Nodes() int { return len(b.start) - 1 }

// Of is the blanket of node i in ascending order. The slice is the receiver's own.
func (b *Blankets) Of(i int) []int32 { return b.in[b.start[i]:b.start[i+1]] }
