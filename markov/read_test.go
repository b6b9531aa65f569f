package markov_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ergodic-mcmc/ergodic/markov"
)

func read(text string, set markov.ReadSettings) (markov.Chain, error) {
	set.Name = "f"
	return markov.Read(strings.NewReader(text), set)
}

// matrixOf shows a chain as names and rows.
func matrixOf(c markov.Chain) string {
	var b strings.Builder
	for i := range c.Len() {
		fmt.Fprintf(&b, "%s:", c.Name(i))
		for j, v := range c.Row(i) {
			fmt.Fprintf(&b, " %s %g", c.Name(j), v)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestRead(t *testing.T) {
	const three = "1: 1 0.5 2 0.5; 2: 3 1; 3: 1 0.25 3 0.75"
	named := strings.NewReplacer("1:", "a:", "2:", "b:", "3:", "c:", " 1 ", " a ", " 2 ", " b ", " 3 ", " c ").Replace(three)
	for name, c := range map[string]struct{ text, want string }{
		"matrix":                  {"0.5,0.5,0\n0,0,1\n0.25,0,0.75\n", three},
		"no line feed at the end": {"0.5,0.5,0\n0,0,1\n0.25,0,0.75", three},
		"Windows":                 {"\ufeff0.5,0.5,0\r\n0,0,1\r\n\r\n0.25,0,0.75\r\n", three},
		"blanks":                  {"  0.5 0.5   0\n0\t0 1\n.25 0 .75e0  \n", three},
		"tabs":                    {"0.5\t0.5\t0\n0\t0\t1\n0.25\t0\t0.75\n", three},
		"semicolons":              {"0.5; 0.5; 0\n0;0;1\n0.25;0;0.75\n", three},
		"comments":                {"# rows\n0.5,0.5,0 # first\n\n0,0,1\n#\n0.25,0,0.75\n", three},
		"header":                  {"a,b,c\n0.5,0.5,0\n0,0,1\n0.25,0,0.75\n", named},
		"quotes":                  {"\"a\",\"b\",\"c\"\n0.5,0.5,0\n0,0,1\n0.25,0,0.75\n", named},
		"row names":               {"a,0.5,0.5,0\nb,0,0,1\nc,0.25,0,0.75\n", named},
		"both":                    {",a,b,c\na,0.5,0.5,0\nb,0,0,1\nc,0.25,0,0.75\n", named},
		"both, R":                 {"a b c\na 0.5 0.5 0\nb 0 0 1\nc 0.25 0 0.75\n", named},
		"both, a corner":          {"from,a,b,c\na,0.5,0.5,0\nb,0,0,1\nc,0.25,0,0.75\n", named},
		"numbers as header":       {"1,2,3\n0.5,0.5,0\n0,0,1\n0.25,0,0.75\n", three},
		"two states":              {"0.5,0.5\n1,0\n", "1: 1 0.5 2 0.5; 2: 1 1"},
		"two states, row names":   {"a,0.5,0.5\nb,1,0\n", "a: a 0.5 b 0.5; b: a 1"},
		"two states, both":        {"x,a,b\na,0.5,0.5\nb,1,0\n", "a: a 0.5 b 0.5; b: a 1"},
		"permutation":             {"0 1 0\n0 0 1\n1 0 0\n", "1: 2 1; 2: 3 1; 3: 1 1"},
		"edges":                   {"1,1,0.5\n1,2,0.5\n2,3,1\n3,1,0.25\n3,3,0.75\n", three},
		"edges, other order":      {"3,3,0.75\n2,3,1\n1,1,0.5\n3,1,0.25\n1,2,0.5\n", three},
		"edges with a header":     {"from,to,probability\na,a,0.5\na,b,0.5\nb,c,1\nc,a,0.25\nc,c,0.75\n", named},
		"edges, blanks":           {"a a 0.5\na b 0.5\nb c 1 # sure\nc a 0.25\nc c 0.75\n", named},
		"columns turned":          {"to,from,probability\na,a,0.5\nb,a,0.5\nc,b,1\na,c,0.25\nc,c,0.75\n", named},
		"probability first":       {"P,From,To\n0.5,1,1\n0.5,1,2\n1,2,3\n0.25,3,1\n0.75,3,3\n", three},
		"few, probability first":  {"weight,from,to\n1,1,2\n.5,2,1\n.5,2,2\n", "1: 2 1; 2: 1 0.5 2 0.5"},
		"the first name last":     {"prob,to,from\n1,x,1\n1,1,x\n", "1: x 1; x: 1 1"},
		"the third by the others": {"to,from,chance\nb,a,1\na,b,1\n", "a: b 1; b: a 1"},
		"target first":            {"target,source,weight\nb,a,1\na,b,1\n", "a: b 1; b: a 1"},
		"target first, turned":    {"Weight;Target;Source\n1;c;a\n1;a;b\n1;b;c\n", "a: c 1; c: b 1; b: a 1"},
		"source and to":           {"to,source,chance\nc,a,1\na,b,1\nb,c,1\n", "a: c 1; c: b 1; b: a 1"},
		"other headings":          {"source,target,chance\na,b,1\nb,a,1\n", "a: b 1; b: a 1"},
		"few edges":               {"a,b,1\nb,a,1\n", "a: b 1; b: a 1"},
		"few numbered edges":      {"1,2,1\n2,1,1\n", "1: 2 1; 2: 1 1"},
		"three numbered edges":    {"0,1,1\n1,2,1\n2,0,1\n", "0: 1 1; 1: 2 1; 2: 0 1"},
		"edges from 10 to 7":      {"10,7,1\n7,10,0.5\n7,7,0.5\n", "7: 7 0.5 10 0.5; 10: 7 1"},
		"far numbers":             {"2000000000,7,1\n7,2000000000,1\n", "7: 2000000000 1; 2000000000: 7 1"},
		"numbers and names":       {"1,2,1\n2,x,1\nx,1,1\n", "1: 2 1; 2: x 1; x: 1 1"},
		"a number, then a name":   {"1,x,1\nx,1,0.5\nx,2,0.5\n2,2,1\n", "1: x 1; x: 1 0.5 2 0.5; 2: 2 1"},
		"a zero edge":             {"1,2,1\n2,1,1\n1,1,0\n", "1: 2 1; 2: 1 1"},
		"leading zeros are names": {"01,1,1\n1,01,1\n", "01: 1 1; 1: 01 1"},
		"names with blanks":       {"new york,rome,1\nrome,new york,1\n", "new york: rome 1; rome: new york 1"},
		"nearly one":              {"0.3333333333,0.6666666667\n1,0\n", "1: 1 0.3333333333 2 0.6666666667; 2: 1 1"},
	} {
		got, err := read(c.text, markov.ReadSettings{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s := matrixOf(got); s != c.want {
			t.Errorf("%s: %s", name, s)
		}
	}
	// Forms that need to be told, and counts.
	for _, c := range []struct {
		text string
		set  markov.ReadSettings
		want string
	}{
		{"0,0,1\n1,1,1\n", markov.ReadSettings{Format: markov.Edges}, "0: 0 1; 1: 1 1"},
		{"2,1,1\n0,3,1\n1,1,2\n", markov.ReadSettings{Format: markov.Matrix, Normalise: true}, "1: 1 0.5 2 0.25 3 0.25; 2: 2 0.75 3 0.25; 3: 1 0.25 2 0.25 3 0.5"},
		{"a,b,3\na,a,1\nb,a,7\n", markov.ReadSettings{Normalise: true}, "a: a 0.25 b 0.75; b: a 1"},
	} {
		got, err := read(c.text, c.set)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if s := matrixOf(got); s != c.want {
			t.Errorf("%q: %s", c.text, s)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f: the file is empty"},
		{"# nothing\n\n", "f: the file is empty"},
		{"1\n", "one state"},
		{"a,a,1\n", "one state"},
		{"0.5,0.5\n0.5,0.5\n0.5,0.5\n", "f:3:1: this is row 3 of a matrix of 2 columns"},
		{"0.5,0.5,0,0\n1,0,0,0\n", "f:2: the matrix has 2 rows and 4 columns"},
		{"0.5,0.5,0,0\n1,0,0\n", "f:2:1: this row has 3 probabilities; the first has 4"},
		{"0.5,0.5\n0.5,0.6\n", "f:2: the row of state 2 sums to 1.1, not 1 (tolerance 1e-09)"},
		{"0.5,0.5\n0.5,0.6\n", "ReadSettings.Normalise"},
		{"a,b\n0.5,0.5\n0.5,0.4\n", "f:3: the row of state b sums to 0.9"},
		{"0.5,0.5\n-0.5,1.5\n", "f:2:1: the probability -0.5 is negative"},
		{"0.5,0.5\n1,nan\n", "f:2:3: the probability is NaN"},
		{"0.5,0.5\n1, inf\n", "f:2:4: the probability \"inf\" is infinite"},
		{"0.5,0.5\n1,1e999\n", "beyond the largest number"},
		{"0.5,0.5\n1,\n", "f:2:3: a probability is missing"},
		{"0.5,0.5\n0,0\n", "state 2 has no transition out"},
		{"é,b\n0.5,0.5\n0.5,zero\n", "f:3:5: \"zero\" is not a number"},
		{"a,b\n", "f:1: the file has a line of names and no row"},
		{"a,a\n0.5,0.5\n0,1\n", "f:1: two states are named \"a\""},
		{"a,0.5,0.5\na,0,1\n", "f:2:1: two rows are named \"a\""},
		{",a,b\na,0.5,0.5\nc,0,1\n", "f:3:1: the row of \"c\" stands where the header has \"b\""},
		{"5,2,3\n0.5,0.5,0\n0,0,1\n", "f:1:1: the probability 5 is above 1"},
		{"a,b,0.5\na,a,0.5\nb,a,1\na,b,0.5\n", "f:4: the transition from state a to state b is given a second time, first in line 1"},
		{"# x\na,b,0.5\n\na,a,0.5\n#\nb,a,1\na,b,0.5\n", "f:7: the transition from state a to state b is given a second time, first in line 2"},
		{"a,b,0.5\na,a,0.4\nb,a,1\nb,b,0\nc,a,1\n", "f:1: the row of state a sums to 0.9"},
		{"a,b,1\nb,a,1\na,c,0\nc,b,.5\nc,a,.4\n", "f:4: the row of state c sums to 0.9"},
		{"a,b,1\nc,b,1\nc,d,0\nd,a,1\nd,c,0\n", "f:1: state b has no transition out"},
		{"a,b,1\nb,a,1\nb,c,0\nc,a\nc,c,1\n", "f:4:1: this line has 2 fields"},
		{"a,b,1\nb,a,1\nb,c,0\nc,a,x0.3\nc,c,1\n", "f:4:5: \"x0.3\" is not a number"},
		{"a,b,x1\nb,a,1\nb,c,0\nc,a,1\nc,c,1\n", "f:1:5: \"x1\" is not a number"},
		{"a,b,1\nb,a,-1\nb,c,0\nc,a,1\nc,c,1\n", "f:2:5: the probability -1 is negative"},
		{"a,b,1\nb,a,2\nb,c,0\nc,a,1\nc,c,1\n", "f:2:5: the probability 2 is above 1"},
		{"a,b,1\n,a,1\nb,c,0\nc,a,1\nc,c,1\n", "f:2:1: the name of a state is missing"},
		{"a,b,1\nb,a\n", "f:2:1: this line has 2 fields: it lacks its probability"},
		{"1,2,1\n2,1\n", "f:2:1: this line has 2 fields: it lacks its probability"},
		{"from,to,p\na,b\n", "f:2:1: this line has 2 fields: it lacks its probability"},
		{"1,0,0\n0,1\n", "f:2:1: this row has 2 probabilities; the first has 3"},
		{"1,0,0\n0\n", "f:2:1: this row has 1 probability; the first has 3"},
		{"a,b,1\nb,a,1,x\n", "f:2:1: this line has 4 fields; a transition has three"},
		{"a,b,1,x\nb,a,1,y\n", "f:1:1: this line has 4 fields; a transition has three"},
		{"from,to,probability,note\na,b,1,x\nb,a,1,y\n", "f:1:1: this line has 4 fields; a transition has three"},
		{"goal,from,weigth\na,b,1\nb,a,1\n", "f:1:6: the heading \"from\" stands in column 2"},
		{"from,from,p\na,b,1\nb,a,1\n", "f:1:6: the heading \"from\" stands in column 2"},
		{"from,to,probability\n", "f:1: the file has a line of headings and no transition under it"},
		{"# x\nfrom;to;probability\n\n", "f:2: the file has a line of headings and no transition under it"},
		{"0.5,0.5\n", "f:1: the matrix has 1 row and 2 columns; it must be square"},
		{"1\n1\n", "f:2:1: this is row 2 of a matrix of 1 column;"},
		{"a,b,1\n\"b,a,1\nc,a,1\n", "f:2:1: the quote that begins here is not closed in its line"},
		{"a,b,1\nb, \"a,1\nc,\"a\",1\n", "f:2:4: the quote that begins here is not closed in its line"},
		{"\"a\"\"b\",c,1\nc,a,1\n", "f:1:4: text follows the closing quote"},
		{"PK\x00\x00\n", "f:1:3: the line holds a zero byte"},
	} {
		_, err := read(c.text, markov.ReadSettings{})
		var placed *markov.ReadError
		if err == nil || !errors.As(err, &placed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n  %v\n  lacks %s", c.text, err, c.want)
		}
	}
	_, err := read("1,1\n1e308,1e308\n", markov.ReadSettings{Normalise: true})
	if err == nil || strings.Contains(err.Error(), "ReadSettings.Normalise") || !strings.Contains(err.Error(), "f:2: the sum of the row of state 2 is beyond the largest number") {
		t.Errorf("%v", err)
	}
	_, err = markov.Read(iotest.ErrReader(errors.New("the disk is gone")), markov.ReadSettings{Name: "f"})
	if err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("%v", err)
	}
}

// A long list with a broken line is refused with its number, and reading does not allocate by the line.
func TestReadLong(t *testing.T) {
	const n = 50_000
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "%d %d 0.25\n%d %d 0.75\n", i, (i+1)%n, i, (i+7)%n)
	}
	good := b.String()
	allocs := testing.AllocsPerRun(1, func() {
		c, err := markov.Read(strings.NewReader(good), markov.ReadSettings{})
		if err != nil || c.Len() != n {
			t.Fatalf("%v", err)
		}
	})
	if allocs > n+1000 { // a name a state
		t.Errorf("%v allocations for %d lines", allocs, 2*n)
	}
	lines := slices.Collect(strings.Lines(good))
	lines[77_776] = "38888 38889 O.25\n"
	_, err := read(strings.Join(lines, ""), markov.ReadSettings{})
	if err == nil || err.Error() != `f:77777:13: "O.25" is not a number; a probability belongs here` {
		t.Errorf("%v", err)
	}
}

// Lines of every form among plain ones: quoted, commented, padded, with signs, long numbers and Windows ends.
func TestReadUneven(t *testing.T) {
	forms := []string{
		"%d%s%d%s%.4f\n", "%d%s%d%s%.3e\n", " %d%s %d%s %.4f  # x\n", "\"%d\"%s%d%s%.4f\r\n", "%d%s%d%s%.30f\n", "%d%s%d%s+%.4f\n", "\n%d%s%d%s%.4f\n", "%d%s%d%s%.4f \r\n", "%d%s%d%s%.19f\n",
	}
	const n = 500
	for _, sep := range []string{",", ";", "\t", " "} {
		var plain, mixed strings.Builder
		for i := range n {
			for k, p := range []float64{0.0625, 0.3125, 0.625} {
				j := (i + 7*k) % n
				fmt.Fprintf(&plain, forms[0], i, sep, j, sep, p)
				fmt.Fprintf(&mixed, forms[(i+k)%len(forms)], i, sep, j, sep, p)
			}
		}
		a, err := read(plain.String(), markov.ReadSettings{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := read(mixed.String(), markov.ReadSettings{})
		if err != nil {
			t.Fatalf("%q: %v", sep, err)
		}
		if matrixOf(a) != matrixOf(b) {
			t.Errorf("%q: the two chains differ", sep)
		}
	}
}

// A matrix with lines longer than the buffer; more states than are kept dense.
func TestReadWide(t *testing.T) {
	const n = 2100
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	for i := range n {
		for j := range n {
			if j > 0 {
				w.WriteByte(',')
			}
			if j == (i+1)%n {
				w.WriteString("1.0000000000")
			} else {
				w.WriteString("0")
			}
		}
		if i == 0 {
			w.Write(bytes.Repeat([]byte(" "), 3<<20))
		}
		w.WriteByte('\n')
	}
	w.Flush()
	c, err := markov.Read(&b, markov.ReadSettings{})
	if err != nil {
		t.Fatal(err)
	}
	s, ok := c.(*markov.Sparse)
	if !ok || s.Len() != n || s.Transitions() != n {
		t.Errorf("%T, %d states", c, c.Len())
	}
}

// FuzzRead: the reader returns an error or a chain, whose rows sum to one and which is read again from what it
// writes as edges.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"0.5,0.5\n1,0\n", "a,b\n0.5,0.5\n1,0\n", "a b 1\nb a 1\n", "1;2;0.5\n1;1;.5\n2;1;1\n", ",a,b\na,0.5,0.5\nb,0,1\n",
		"\"a\",\"b\"\n1,0\n0,1 # x", "1\t2\t1\n2\t1\t1\n2\tx\t0\nx\t1\t1\n", "1,2,3\n1,0,0\n0,1,0\n0,0,1\n", "\ufeffa,b,1\r\nb,a,1",
	} {
		f.Add(s, uint8(0), false)
		f.Add(s, uint8(1), true)
		f.Add(s, uint8(2), false)
	}
	f.Fuzz(func(t *testing.T, text string, format uint8, normalise bool) {
		c, err := read(text, markov.ReadSettings{Format: markov.Format(format % 3), Normalise: normalise})
		if err != nil {
			var placed *markov.ReadError
			if !errors.As(err, &placed) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		var b strings.Builder
		for i := range c.Len() {
			sum := 0.0
			for j, v := range c.Row(i) {
				if !(v > 0 && v <= 1+1e-15) {
					t.Fatalf("p = %v", v)
				}
				sum += v
				fmt.Fprintf(&b, "%d,%d,%v\n", i, j, v)
			}
			if !(sum > 1-1e-12 && sum < 1+1e-12) {
				t.Fatalf("a row sums to %v", sum)
			}
		}
		again, err := read(b.String(), markov.ReadSettings{Format: markov.Edges})
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if again.Len() != c.Len() {
			t.Fatalf("%d states, then %d", c.Len(), again.Len())
		}
		for i := range c.Len() {
			for j, v := range c.Row(i) {
				for k, w := range again.Row(i) {
					if k == j && !(w > v*(1-1e-12) && w < v*(1+1e-12)) {
						t.Fatalf("p_%d,%d is %v, then %v", i, j, v, w)
					}
				}
			}
		}
	})
}

// FuzzSolve compares reduction with iteration on chains of any shape.
func FuzzSolve(f *testing.F) {
	f.Add(uint64(1), uint16(10), uint8(100))
	f.Add(uint64(2), uint16(200), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, states uint16, fill uint8) {
		n := 2 + int(states)%300
		c := random(t, rand.New(rand.NewPCG(seed, 1)), n, float64(fill)/255)
		cl := markov.Classify(c)
		for _, k := range cl.Closed() {
			a, err := markov.Solver{}.SolveClass(c, cl.List[k])
			if err != nil {
				t.Fatal(err)
			}
			b, err := markov.Solver{Dense: -1}.SolveClass(c, cl.List[k])
			if err != nil {
				t.Fatal(err)
			}
			if d := markov.TotalVariation(a.Pi, b.Pi); d > 1e-10 {
				t.Fatalf("%d states: %g apart", len(cl.List[k].States), d)
			}
		}
	})
}
