package gibbs

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/simple"
)

func TestUndirected(t *testing.T) {
	b := must(Undirected(5, pairs([2]int{3, 1}, [2]int{0, 1}, [2]int{1, 3}, [2]int{1, 2}, [2]int{0, 1})))
	want := [][]int32{{1}, {0, 2, 3}, {1}, {1}, {}}
	for i, w := range want {
		if !slices.Equal(b.Of(i), w) {
			t.Errorf("the blanket of %d is %v, want %v", i, b.Of(i), w)
		}
	}
	if b.Nodes() != 5 {
		t.Error(b.Nodes())
	}
	if b := must(Undirected(2, nil)); b.Nodes() != 2 || len(b.Of(1)) != 0 {
		t.Errorf("without edges: %+v", b)
	}
}

// The blanket by its definition, pair by pair, on random networks.
func TestDirected(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		n := 1 + r.IntN(12)
		name, parent := r.Perm(n), make([][]bool, n)
		var list [][2]int
		g := simple.NewDirectedGraph()
		for i := range n {
			parent[name[i]] = make([]bool, n)
			g.AddNode(simple.Node(i))
		}
		for j := range n {
			for i := range j {
				if r.IntN(3) == 0 {
					parent[name[j]][name[i]] = true
					list = append(list, [2]int{name[i], name[j]})
					g.SetEdge(g.NewEdge(simple.Node(name[i]), simple.Node(name[j])))
				}
			}
		}
		b, b2 := must(Directed(n, pairs(list...))), must(FromDirected(g))
		for i := range n {
			var want []int32
			for j := range n {
				co := slices.ContainsFunc(parent, func(p []bool) bool { return p[i] && p[j] })
				if i != j && (parent[i][j] || parent[j][i] || co) {
					want = append(want, int32(j))
				}
			}
			if !slices.Equal(b.Of(i), want) || !slices.Equal(b2.Of(i), want) {
				t.Fatalf("edges %v: the blanket of %d is %v and %v, want %v", list, i, b.Of(i), b2.Of(i), want)
			}
		}
	}
}

func TestFromUndirected(t *testing.T) {
	g := simple.NewUndirectedGraph()
	for i := range 4 {
		g.AddNode(simple.Node(i))
	}
	g.SetEdge(g.NewEdge(simple.Node(2), simple.Node(0)))
	b := must(FromUndirected(g))
	if b.Nodes() != 4 || !slices.Equal(b.Of(0), []int32{2}) || !slices.Equal(b.Of(2), []int32{0}) || len(b.Of(3)) != 0 {
		t.Errorf("%+v", b)
	}
	g.AddNode(simple.Node(9))
	if _, err := FromUndirected(g); err == nil || !strings.Contains(err.Error(), "ID 9") {
		t.Error(err)
	}
	d := simple.NewDirectedGraph()
	d.SetEdge(d.NewEdge(simple.Node(0), simple.Node(-1)))
	if _, err := FromDirected(d); err == nil || !strings.Contains(err.Error(), "ID -1") {
		t.Error(err)
	}
	if _, err := FromUndirected(nil); err == nil {
		t.Error("no graph is accepted")
	}
	if _, err := FromUndirected(simple.NewUndirectedGraph()); err == nil {
		t.Error("a graph without nodes is accepted")
	}
}

func TestGraphRefuses(t *testing.T) {
	for _, bad := range []struct {
		n     int
		edges [][2]int
		want  string
	}{
		{0, nil, "0 nodes"},
		{-1, nil, "-1 nodes"},
		{3, [][2]int{{0, 3}}, "edge 0–3"},
		{3, [][2]int{{-1, 2}}, "edge -1–2"},
		{3, [][2]int{{2, 2}}, "edge 2–2"},
	} {
		for _, make := range []func(int, func(func(int, int) bool)) (*Blankets, error){
			func(n int, e func(func(int, int) bool)) (*Blankets, error) { return Undirected(n, e) },
			func(n int, e func(func(int, int) bool)) (*Blankets, error) { return Directed(n, e) },
		} {
			if _, err := make(bad.n, pairs(bad.edges...)); err == nil || !strings.Contains(err.Error(), bad.want) {
				t.Errorf("%d nodes, edges %v: got %v, want an error with %q", bad.n, bad.edges, err, bad.want)
			}
		}
	}
}

// A circle is found also behind nodes that are on none, and the edge named is on it.
func TestCircle(t *testing.T) {
	_, err := Directed(6, pairs([2]int{5, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 1}, [2]int{3, 4}, [2]int{4, 0}))
	if err == nil {
		t.Fatal("a circle is accepted")
	}
	for _, edge := range []string{"1 → 2", "2 → 3", "3 → 1"} {
		if strings.Contains(err.Error(), edge) {
			return
		}
	}
	t.Error(err)
}
