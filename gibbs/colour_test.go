package gibbs

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/coloring"
	"gonum.org/v1/gonum/graph/simple"
)

// randomGraph has each edge with probability p.
func randomGraph(r *rand.Rand, n int, p float64) [][2]int {
	var list [][2]int
	for j := range n {
		for i := range j {
			if r.Float64() < p {
				list = append(list, [2]int{i, j})
			}
		}
	}
	return list
}

// Random graphs: the colouring is proper, needs no more colours than the largest blanket
// and one, nor fewer than the chromatic number that gonum finds by branch and bound, and
// at these sizes at most one more than that.
func TestColour(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 2 + r.IntN(14)
		list := randomGraph(r, n, r.Float64())
		b := must(Undirected(n, pairs(list...)))
		colours := must(b.Colour())
		if err := b.Proper(colours); err != nil {
			t.Fatal(err)
		}
		g, most := simple.NewUndirectedGraph(), 0
		for i := range n {
			g.AddNode(simple.Node(i))
			most = max(most, len(b.Of(i)))
		}
		for _, e := range list {
			g.SetEdge(g.NewEdge(simple.Node(e[0]), simple.Node(e[1])))
		}
		fewest, _, err := coloring.DsaturExact(coloring.Terminator(context.Background()), g)
		if err != nil {
			t.Fatal(err)
		}
		if k := slices.Max(colours) + 1; k < fewest || k > fewest+1 || k > most+1 {
			t.Errorf("%d colours for edges %v; the fewest are %d", k, list, fewest)
		}
	}
}

// Graphs whose chromatic number is known.
func TestColourKnown(t *testing.T) {
	complete := randomGraph(rand.New(rand.NewPCG(2, 2)), 130, 2)
	var star, tree, odd, even, wheel [][2]int
	for i := 1; i < 1000; i++ {
		star, tree = append(star, [2]int{0, i}), append(tree, [2]int{i / 3, i})
	}
	for i := range 51 {
		odd = append(odd, [2]int{i, (i + 1) % 51})
		wheel = append(wheel, odd[i], [2]int{i, 51})
	}
	for i := range 50 {
		even = append(even, [2]int{i, (i + 1) % 50})
	}
	for _, c := range []struct {
		name  string
		n     int
		edges func(func(int, int) bool)
		want  int
	}{
		{"no edges", 10, pairs(), 1},
		{"complete", 130, pairs(complete...), 130},
		{"star", 1000, pairs(star...), 2},
		{"tree", 1000, pairs(tree...), 2},
		{"odd cycle", 51, pairs(odd...), 3},
		{"even cycle", 50, pairs(even...), 2},
		{"wheel", 52, pairs(wheel...), 4},
		{"grid", 37 * 53, grid(37, 53), 2},
	} {
		b := must(Undirected(c.n, c.edges))
		colours := must(b.Colour())
		if err := b.Proper(colours); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if k := slices.Max(colours) + 1; k != c.want {
			t.Errorf("%s: %d colours, want %d", c.name, k, c.want)
		}
		if !slices.Equal(colours, must(b.Colour())) {
			t.Errorf("%s: another colouring the second time", c.name)
		}
	}
}

// Observed nodes have no colour and keep no two others apart.
func TestColourObserved(t *testing.T) {
	b := must(Undirected(4, pairs([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}, [2]int{2, 3})))
	if got, want := must(b.Colour(2)), []int{0, 1, Fixed, 0}; !slices.Equal(got, want) {
		t.Errorf("colours %v, want %v", got, want)
	}
	if _, err := b.Colour(4); err == nil {
		t.Error("an observed node that is not there is accepted")
	}
	if _, err := b.Colour(0, 1, 2, 3); err == nil {
		t.Error("nothing to colour is accepted")
	}
}

func TestProper(t *testing.T) {
	b := must(Undirected(4, pairs([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3})))
	for _, c := range []struct {
		colours []int
		want    string // "": proper
	}{
		{[]int{0, 1, 0, 1}, ""},
		{[]int{0, 1, 3, 1}, ""},
		{[]int{0, Fixed, Fixed, 0}, ""},
		{[]int{0, 1, 1, 0}, "nodes 1 and 2"},
		{[]int{0, 1, 0}, "3 colours for 4 nodes"},
		{nil, "0 colours"},
		{[]int{0, 1, -2, 1}, "node 2 has colour -2"},
		{[]int{0, 1, 4, 1}, "node 2 has colour 4"},
	} {
		err := b.Proper(c.colours)
		if (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.colours, err, c.want)
		}
	}
}

// Whatever the graph, colouring ends with a proper one.
func FuzzColour(f *testing.F) {
	f.Add(uint8(4), []byte{0, 1, 1, 2, 2, 3, 3, 0}, uint8(9))
	f.Fuzz(func(t *testing.T, n uint8, ends []byte, observed uint8) {
		if n == 0 {
			return
		}
		var list [][2]int
		for ; len(ends) > 1; ends = ends[2:] {
			if i, j := int(ends[0]%n), int(ends[1]%n); i != j {
				list = append(list, [2]int{min(i, j), max(i, j)})
			}
		}
		b := must(Directed(int(n), pairs(list...)))
		var fixed []int
		if observed < n && n > 1 {
			fixed = []int{int(observed)}
		}
		colours, err := b.Colour(fixed...)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Proper(colours); err != nil {
			t.Error(err)
		}
	})
}
