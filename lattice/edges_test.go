package lattice

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func ExampleReadEdges() {
	g, err := ReadEdges("triangle.txt", []byte("# a triangle with a tail\n0 1\n1 2\n2,0\n2 3 -0.5\n"), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for b := range g.All() {
		fmt.Println(b.I, b.J, b.Coupling)
	}
	// Output:
	// 0 1 1
	// 0 2 1
	// 1 2 1
	// 2 3 -0.5
}

func TestReadEdgesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "f has no bonds",
		"# none\n\n":          "f has no bonds",
		"0 1\n0\n":            "f:2: 1 field where",
		"0 1 2 3":             "f:1: 4 fields where",
		"0 -1":                `f:1: "-1" is not the number of a site`,
		"0 x":                 `f:1: "x" is not the number of a site`,
		"1 1":                 "f:1: a bond from site 1 to itself",
		"0 1 nan":             "f:1: the coupling",
		"0 1 1e999":           "f:1: the coupling",
		"0 2147483647":        "is not the number of a site",
		"0 1 1\r\n1\t2 inf\n": "f:2: the coupling",
	} {
		if _, err := ReadEdges("f", []byte(text), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

// FuzzReadEdges holds what is read to what NewGraph promises: the bonds of the text, written and read again, are the same.
func FuzzReadEdges(f *testing.F) {
	for _, text := range []string{"0 1\n1 2 0.5\n", "# x\n3,1;-1e300\n", "0 1\r\n", "0 99999\n", "\x00", "1 2 3 4"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for word := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return r < '0' || r > '9' }) {
			if len(word) > 5 { // graphs that are slow to make
				t.Skip()
			}
		}
		g, err := ReadEdges("f", text, 1)
		if err != nil {
			return
		}
		var b strings.Builder
		for x := range g.All() {
			fmt.Fprintln(&b, x.I, x.J, x.Coupling)
		}
		again, err := ReadEdges("g", []byte(b.String()), 1)
		if err != nil || again.Sites() != g.Sites() || !slices.Equal(slices.Collect(again.All()), slices.Collect(g.All())) {
			t.Fatalf("%q is read as %q, %v", text, b.String(), err)
		}
	})
}
