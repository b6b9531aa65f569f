package colouring

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for _, text := range []string{
		"c a path\np edge 3 2\ne 1 2\ne 2 3\n",
		"p col 3 4\nn 1 5\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n\n",
		"p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2",
		"\ufeffp edges 3 4\r\ne 1 2\r\ne 2 3\r\n",
	} {
		g, err := Read("f", []byte(text))
		if err != nil || !reflect.DeepEqual(g, graph(t, 3, [2]int32{0, 1}, [2]int32{1, 2})) {
			t.Errorf("%q: %v %v", text, g, err)
		}
	}
}

func TestReadFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                         `f has no line "p edge NODES EDGES"`,
		"e 1 2":                    "f:1: an edge before the line",
		"p edge 3":                 `f:1: the line p is not "p edge NODES EDGES"`,
		"p edge 3 1\np edge 3 1":   "f:2: a second line p",
		"p edge 0 1":               "f:1: the number of nodes is 0, and it must be from 1 to",
		"p edge 3 1\ne 1":          "f:2: an edge has two nodes: e U V",
		"p edge 3 1\ne 1 4":        "f:2: a node is 4, and it must be from 1 to 3",
		"p edge 3 1\ne 1 x":        `f:2: a node is "x", which is not a whole number`,
		"p edge 3 1\ne 2 2":        "f:2: an edge leads from node 2 to itself",
		"p edge 3 3\ne 1 2\ne 2 3": "f: the line p says 3 edges, and the file has 2",
		"p edge 3 1\nf 2 2":        `f:2: the line begins with "f"`,
	} {
		if _, err := Read("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"p edge 3 2\ne 1 2\ne 2 3\n", "p col 1 0", "p edge 1073741823 0", "p edge 2 1\ne 1 2\ne 2 1", "c\np edge 2 1\nx\nd\ne 2 1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 28))
		g, err := Read("f", text)
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Fatalf("a message of %d bytes", len(err.Error()))
			}
			return
		}
		if g.Nodes() > 1<<20 { // read twice, it may need more than the limit
			return
		}
		var b strings.Builder
		fmt.Fprintf(&b, "p edge %d %d\n", g.Nodes(), g.Edges())
		for u := range int32(g.Nodes()) {
			for _, v := range g.of(u) {
				if v > u {
					fmt.Fprintf(&b, "e %d %d\n", u+1, v+1)
				}
			}
		}
		if again, err := Read("again", []byte(b.String())); err != nil || !reflect.DeepEqual(again, g) {
			t.Fatalf("%q is read as %v: %v", b.String(), again, err)
		}
	})
}
