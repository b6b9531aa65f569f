package lattice

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func ExampleReadEdges() {
	g, err := ReadEdges("triangle.txt", []byte("# a triangle with a tail\n1 2\n2 3\n3,1\n3 4 -0.5\n"), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for b := range g.All() {
		fmt.Println(b.I, b.J, b.Coupling, "or", g.Label(b.I), g.Label(b.J))
	}
	// Output:
	// 0 1 1 or 1 2
	// 0 2 1 or 1 3
	// 1 2 1 or 2 3
	// 2 3 -0.5 or 3 4
}

// What users have: lists from 0 and from 1, with gaps, with names, with first lines of all kinds.
func TestReadEdges(t *testing.T) {
	for _, c := range []struct{ text, labels, bonds string }{
		{"0 1\n1 2", "0 1 2", "0-1:7 1-2:7"},
		{"1 2\n2 3\n", "1 2 3", "0-1:7 1-2:7"},
		{"10 20\n20 5 2\n", "5 10 20", "0-2:2 1-2:7"},
		{"5 3\n1 2 1\n2 3 -1\n1 5 1\n", "1 2 3 4 5", "0-1:1 0-4:1 1-2:-1"}, // the G-set
		{"3 2\n1 2\n2 3\n", "1 2 3", "0-1:7 1-2:7"},
		{"3 2\n0 1\n1 2\n", "0 1 2", "0-1:7 1-2:7"},
		{"3 2\n1 2\n", "1 2 3", "0-1:7 1-2:7"}, // one bond, not two: no numbers of sites and bonds
		{"source,target,weight\na,b,1.5\nb,c,-2\n", "a b c", "0-1:1.5 1-2:-2"},
		{"from;to\nx;y\n", "x y", "0-1:7"},
		{"node,other\n3,4\n", "3 4", "0-1:7"},
		{"x y\ny z\n", "x y z", "0-1:7 1-2:7"},
		{"x 1\n1 2", "x 1 2", "0-1:7 1-2:7"},
		{"0 1 # a bond\n1 2 0.5 #strong\n2 3 -1 % weak, 2 of 3\n", "0 1 2 3", "0-1:7 1-2:0.5 2-3:-1"},
		{"\ufeff% a comment\r\n# another\r\n\r\n 0\t 1 ,1e-3 \r\n", "0 1", "0-1:0.001"},
		{"0 99999999 1", "0 99999999", "0-1:1"},
	} {
		g, err := ReadEdges("f", []byte(c.text), 7)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var names, bonds []string
		for i := range g.Sites() {
			names = append(names, g.Label(i))
		}
		for b := range g.All() {
			bonds = append(bonds, fmt.Sprintf("%d-%d:%v", b.I, b.J, b.Coupling))
		}
		if got := strings.Join(names, " "); got != c.labels {
			t.Errorf("%q: sites %s, want %s", c.text, got, c.labels)
		}
		if got := strings.Join(bonds, " "); got != c.bonds {
			t.Errorf("%q: bonds %s, want %s", c.text, got, c.bonds)
		}
	}
}

func TestReadEdgesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "f has no bonds",
		"# none\n\n":                 "f has no bonds",
		"source,target\n":            "f has no bonds after its first line",
		"0 1\n0\n":                   "f:2: 1 field where",
		"0 1 2 3":                    "f:1: 4 fields where",
		"0 -1":                       `f:1: "-1" is not the number of a site`,
		"0 1\n0 x":                   `f:2: "x" is not the number of a site`,
		"0 1\n1 1.5":                 `f:2: "1.5" is not the number of a site`,
		"0 2147483647":               "is not the number of a site",
		"0 1e99":                     "is not the number of a site",
		"1 1":                        `f:1: a bond from site "1" to itself`,
		"1 01":                       "f:1: a bond from site 1 to itself",
		"a a":                        `f:1: a bond from site "a" to itself`,
		"0 1 nan":                    "f:1: the coupling",
		"0 1 1e999":                  "f:1: the coupling",
		"a b 1e999\nb c 1\n":         "f:1: the coupling",
		"a b 1.5x\nb c 1\n":          "f:1: the coupling",
		"a b x\n":                    "taken for the names of columns",
		"0 1 1\r\n1\t2 inf\n":        "f:2: the coupling",
		"0 1\n1 2\n1 0 3\n":          "f:3: the bond of line 1 again",
		"a b\n\nb a\n":               "f:3: the bond of line 1 again",
		"800 5\n1 2 1\n3 4 1\n1 4 1": "f:1: two fields where all other lines have three: 800 sites and 5 bonds? There are 3 other bonds, of sites up to 4",
		"3 3\n1 2 1\n3 4 1\n1 3 1":   "f:1: two fields where all other lines have three: 3 sites and 3 bonds?",
		"3 2\n0 2 1\n3 1 1":          "f:3: site 3 of 3 that the first line says, which begin with 0",
	} {
		if _, err := ReadEdges("f", []byte(text), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

// FuzzReadEdges holds what is read to itself: the bonds, written with their labels and read again, are the same.
func FuzzReadEdges(f *testing.F) {
	for _, text := range []string{"0 1\n1 2 0.5\n", "# x\n3,1;-1e300\n", "0 1\r\n", "0 99999\n", "\x00", "1 2 3 4", "5 2\n1 2 1\n2 5 1\n", "a b\nb c 2", "from to\n1 2\n", "1 2\n2 1"} {
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
		for i := range g.Sites() {
			if strings.ContainsRune("#%", rune(g.Label(i)[0])) { // a comment, where it comes first
				t.Skip()
			}
		}
		var b strings.Builder
		var want []string
		for x := range g.All() {
			line := fmt.Sprintln(g.Label(x.I), g.Label(x.J), x.Coupling)
			b.WriteString(line)
			want = append(want, sorted(line))
		}
		again, err := ReadEdges("g", []byte(b.String()), 1)
		if err != nil || again.Sites() > g.Sites() {
			t.Fatalf("%q is read as %q, %v", text, b.String(), err)
		}
		var got []string
		for x := range again.All() {
			got = append(got, sorted(fmt.Sprintln(again.Label(x.I), again.Label(x.J), x.Coupling)))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q is read as %q, and that as %q", text, want, got)
		}
	})
}

// sorted is a bond with its ends in order.
func sorted(line string) string {
	f := strings.Fields(line)
	slices.Sort(f[:2])
	return strings.Join(f, " ")
}
