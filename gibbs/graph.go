package gibbs

import (
	"errors"
	"fmt"
	"iter"

	"gonum.org/v1/gonum/graph"
)

// FromUndirected takes a graph of gonum. The IDs of its nodes must be 0 to n−1, the
// numbers of the nodes in the state.
func FromUndirected(g graph.Undirected) (*Blankets, error) {
	return from(g, Undirected)
}

// FromDirected takes a graph of gonum. The IDs of its nodes must be 0 to n−1, the
// numbers of the nodes in the state.
func FromDirected(g graph.Directed) (*Blankets, error) {
	return from(g, Directed)
}

func from(g graph.Graph, blankets func(nodes int, edges iter.Seq2[int, int]) (*Blankets, error)) (*Blankets, error) {
	n, err := countNodes(g)
	if err != nil {
		return nil, err
	}
	return blankets(n, edgesOf(g, n))
}

func countNodes(g graph.Graph) (int, error) {
	if g == nil {
		return 0, errors.New("gibbs: there is no graph, only nil")
	}
	nodes := graph.NodesOf(g.Nodes())
	for _, v := range nodes {
		if id := v.ID(); id < 0 || id >= int64(len(nodes)) {
			return 0, fmt.Errorf("gibbs: a graph of %d nodes has one with ID %d; the IDs must be 0 to %d", len(nodes), id, len(nodes)-1)
		}
	}
	return len(nodes), nil
}

func edgesOf(g graph.Graph, nodes int) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		for i := range nodes {
			for to := g.From(int64(i)); to.Next(); {
				if !yield(i, int(to.Node().ID())) {
					return
				}
			}
		}
	}
}
