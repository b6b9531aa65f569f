package colouring

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// reader is a file on its way to a graph.
type reader struct {
	name         string
	line         int
	headed       bool
	nodes, count int64 // of the header
	edges        [][2]int32
	given        int64 // lines of edges
}

// bytesANode and bytesAnEdge are what a graph and a walker take while they are made, with few colours.
const (
	bytesANode  = 64
	bytesAnEdge = 24
)

// Read reads a graph as DIMACS writes them: lines c of comments, one line "p edge N M" (or col for edge) with the numbers of nodes and edges, and a line
// "e U V" for each edge, with nodes from 1. Lines n, d, v and x, which say what matters to other problems, are passed over. Where all edges are
// given in both directions, M may count either. Errors name the file and the line.
func Read(name string, text []byte) (*Graph, error) {
	r := &reader{name: name}
	for row := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		r.line++
		if err := r.row(bytes.Fields(row), len(text)); err != nil {
			return nil, err
		}
	}
	if !r.headed {
		return nil, fmt.Errorf("%s has no line \"p edge NODES EDGES\", as DIMACS's files of graphs have", name)
	}
	g, err := NewGraph(int(r.nodes), r.edges)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if distinct := int64(g.Edges()); r.count != r.given && r.count != distinct && r.count != 2*distinct {
		return nil, fmt.Errorf("%s: the line p says %d edges, and the file has %d: it is cut short, or the line is wrong", name, r.count, r.given)
	}
	return g, nil
}

func (r *reader) fail(format string, args ...any) error {
	return errors.New(wording.At(r.name, r.line, 0, fmt.Sprintf(format, args...)))
}

func (r *reader) row(f [][]byte, size int) error {
	if len(f) == 0 {
		return nil
	}
	switch kind := string(f[0]); {
	case kind == "p":
		return r.header(f, size)
	case kind == "e" && !r.headed:
		return r.fail("an edge before the line \"p edge NODES EDGES\"")
	case kind == "e":
		return r.edge(f)
	case kind[0] == 'c' || len(kind) == 1 && bytes.Contains([]byte("ndvx"), f[0]):
		return nil
	}
	return r.fail("the line begins with %s, and lines of DIMACS's files of graphs begin with c, p, e, n, d, v or x", wording.Quote(f[0]))
}

func (r *reader) header(f [][]byte, size int) (err error) {
	switch {
	case r.headed:
		return r.fail("a second line p")
	case len(f) != 4 || string(f[1]) != "edge" && string(f[1]) != "edges" && string(f[1]) != "col":
		return r.fail("the line p is not \"p edge NODES EDGES\"")
	}
	if r.nodes, err = r.number("the number of nodes", f[2], 1, maxNodes); err != nil {
		return err
	}
	if r.count, err = r.number("the number of edges", f[3], 0, maxNodes); err != nil {
		return err
	}
	if err := memory.Room(float64(bytesANode*float64(r.nodes)) + float64(bytesAnEdge*float64(size)/8)); err != nil {
		return r.fail("the graph has %d nodes: %v", r.nodes, err)
	}
	r.headed = true
	return nil
}

func (r *reader) edge(f [][]byte) error {
	if len(f) != 3 {
		return r.fail("an edge has two nodes: e U V")
	}
	u, err := r.number("a node", f[1], 1, r.nodes)
	if err != nil {
		return err
	}
	v, err := r.number("a node", f[2], 1, r.nodes)
	if err != nil {
		return err
	}
	if u == v {
		return r.fail("an edge leads from node %d to itself, so that no colouring is without conflict", u)
	}
	r.given++
	r.edges = append(r.edges, [2]int32{int32(u - 1), int32(v - 1)})
	return nil
}

func (r *reader) number(what string, word []byte, least, most int64) (int64, error) {
	n, err := strconv.ParseInt(string(word), 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, r.fail("%s is %s, which is not a whole number", what, wording.Quote(word))
	case err != nil || n < least || n > most:
		return 0, r.fail("%s is %s, and it must be from %d to %d", what, wording.Brief(word), least, most)
	}
	return n, nil
}
