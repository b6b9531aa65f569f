package spins

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// What dimod 0.12.23 writes.
const (
	bqmBinary = `{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false, "index_type": "int32", "bias_type": "float64", "num_variables": 3, "num_interactions": 2, "variable_labels": ["a", "b", ["x", 1]], "variable_type": "BINARY", "offset": 0.5, "info": {}, "linear_biases": [1.5, -2.0, 0.0], "quadratic_biases": [0.25, 3.0], "quadratic_head": [0, 1], "quadratic_tail": [1, 2]}`
	bqmSpin   = `{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false, "index_type": "int32", "bias_type": "float64", "num_variables": 3, "num_interactions": 2, "variable_labels": [0, 1, 2], "variable_type": "SPIN", "offset": 0.0, "info": {}, "linear_biases": [1.0, 0.0, 0.0], "quadratic_biases": [-1.0, 2.0], "quadratic_head": [0, 1], "quadratic_tail": [1, 2]}`
	cooSpin   = "# vartype=SPIN\n0 0 1.000000\n0 1 -1.000000\n1 2 2.000000\n"
)

// what is a model in one line.
func what(m *Model) string {
	labels := []string{}
	for i := range m.Variables {
		labels = append(labels, m.Label(i))
	}
	return fmt.Sprintln(m.Kind, labels, m.Offset, m.Linear, m.Couplings)
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"g", "3 2\n1 2 1\n3 2 -4\n", "Max-Cut [1 2 3] 0 [] [{0 1 1} {1 2 -4}]"},
		{"g", "\ufeff# a graph\r\n 2  1 \r\n\r\n2\t1\t1.5", "Max-Cut [1 2] 0 [] [{0 1 1.5}]"},
		{"g", "4 0", "Max-Cut [1 2 3 4] 0 [] []"},
		{"g", "0 0", "Max-Cut [] 0 [] []"},
		{"q.sparse", "3 3\n1 1 -7\n1 3 2\n3 2 5\n", "QUBO [1 2 3] 0 [-7 0 0] [{0 2 4} {1 2 10}]"},
		{"q.coo", cooSpin, "Ising [0 1 2] 0 [1 0 0] [{0 1 -1} {1 2 2}]"},
		{"any", cooSpin, "Ising [0 1 2] 0 [1 0 0] [{0 1 -1} {1 2 2}]"},
		{"q.qubo", "1 0 2\n0 1 3\n3 3 1\n3 3 1\n", "QUBO [0 1 2 3] 0 [0 0 0 2] [{0 1 5}]"},
		{"q.coo", "0 0 1\n# vartype=BINARY\n", "QUBO [0] 0 [1] []"},
		{"b.json", bqmBinary, `QUBO [a b ["x",1]] 0.5 [1.5 -2 0] [{0 1 0.25} {1 2 3}]`},
		{"b", bqmSpin, "Ising [0 1 2] 0 [1 0 0] [{0 1 -1} {1 2 2}]"},
	} {
		m, err := Read(c.name, []byte(c.text), Auto)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := what(m); got != c.want+"\n" {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	replaced := func(old, new string) string { return strings.Replace(bqmBinary, old, new, 1) }
	for _, c := range []struct{ name, text, want string }{
		{"g", "", "g: the file is empty; its first line says how many vertices and edges it has"},
		{"g", "3\n", "g:1: the first line has two numbers, how many vertices and edges there are, and this one has 1 field"},
		{"g", "3 2 1 7 7\n", "g:1: the first line has two numbers, how many vertices and edges there are, and this one has more"},
		{"g", "x 2\n", `g:1: the number of vertices is "x"; write a whole number`},
		{"g", "99999999999 2\n1 2 1\n", "g:1: 99999999999 vertices; at most 67108864 are possible"},
		{"g", "3 99999999\n1 2 1\n", `g:1: the first line says "99999999" edges, and the text is too short for them`},
		{"g", "3 2\n1 2 1\n", "g:2: the file ends after 1 of the 2 edges that its first line says"},
		{"g", "3 1\n1 2 1\n\n1 3 1\n", "g:4: a line more than the 1 edges that the first line says"},
		{"g", "3 1\n1 2\n", "g:2: a line has two variables and a number, and this one has 2 fields"},
		{"g", "3 1\n1 4 1\n", `g:2: "4" is no variable; they are the whole numbers from 1 to 3`},
		{"g", "3 1\n0 2 1\n", `g:2: "0" is no variable; they are the whole numbers from 1 to 3`},
		{"g", "3 1\n1 2 one\n", `g:2: "one" is no finite number`},
		{"g", "3 1\n1 2 NaN\n", `g:2: "NaN" is no finite number`},
		{"g", "3 1\n1 2 1e999\n", `g:2: "1e999" is no finite number`},
		{"g", "3 2\n1 2 1\n2 2 1\n", "g:3: an edge of vertex 2 to itself, which no cut divides; leave it out"},
		{"g", "3 3\n1 2 1\n3 2 1\n2 1 1\n", "g:4: the edge of 2 and 1 is there twice, also in line 2; add the weights"},
		{"q.sparse", "3 2\n1 2 1\n2 1 5\n", "q.sparse:3: the matrix is symmetric, and (2, 1) is 5 where line 2 has (1, 2) as 1"},
		{"q.sparse", "3 2\n1 2 1\n2 1 1\n", "q.sparse:3: (2, 1) is there twice, also in line 2; one triangle of the symmetric matrix is written, each element once"},
		{"q.sparse", "3 2\n2 2 1\n2 2 1\n", "q.sparse:3: (2, 2) is there twice, also in line 2; one triangle of the symmetric matrix is written, each element once"},
		{"q.sparse", "2 2\n1 1 1e308\n2 2 1e308\n", "q.sparse: spins: the coefficients are too large: their absolute values add up to +Inf"},
		{"q.coo", "0 1 2\n", "q.coo:1: the file does not say what its variables are: its first line is # vartype=SPIN or # vartype=BINARY"},
		{"q.coo", "# vartype=QUBO\n0 1 2\n", `q.coo:1: vartype is "QUBO"; it is SPIN or BINARY`},
		{"q.coo", "# vartype=SPIN\n0 -1 2\n", `q.coo:2: "-1" is no variable; they are the whole numbers from 0 to 67108863`},
		{"b.json", "{\n\n", "b.json:3: not JSON: unexpected end of JSON input"},
		{"b.json", replaced(`"num_variables": 3`, `"num_variables": 4`), "b.json: num_variables does not agree with the 3 numbers of linear_biases"},
		{"b.json", replaced(`"num_interactions": 2`, `"num_interactions": 1`), "b.json: num_interactions does not agree with the 2 numbers of quadratic_biases"},
		{"b.json", replaced(`"quadratic_head": [0, 1]`, `"quadratic_head": [0]`), "b.json: quadratic_biases are 2, quadratic_head 1 and quadratic_tail 2; they belong together"},
		{"b.json", replaced(`"quadratic_head": [0, 1]`, `"quadratic_head": [0, 2]`), "b.json: interaction 1 is of variables 2 and 2; they are two different ones from 0 to 2"},
		{"b.json", replaced(`"quadratic_head": [0, 1]`, `"quadratic_head": [0, 3]`), "b.json: interaction 1 is of variables 3 and 2; they are two different ones from 0 to 2"},
		{"b.json", replaced(`"use_bytes": false`, `"use_bytes": true`), "b.json: the numbers are bytes (use_bytes is true); write the file with to_serializable(use_bytes=False)"},
		{"b.json", replaced("3.0.0", "1.0.0"), `b.json: bqm_schema is "1.0.0"; 3.0.0 can be read`},
		{"b.json", replaced("BinaryQuadraticModel", "SampleSet"), `b.json: type is "SampleSet", not BinaryQuadraticModel; write the file with dimod's to_serializable()`},
		{"b.json", replaced("BINARY", "INTEGER"), `b.json: variable_type is "INTEGER"; it is SPIN or BINARY`},
		{"b.json", replaced("[1.5,", "[null,"), `b.json: "null" is no finite number`},
		{"b.json", replaced(`"a"`, `"b"`), `b.json: two variables have the label "b"`},
		{"b.json", replaced(`"a", `, ""), "b.json: variable_labels are 2, and variables 3"},
		{"b.json", replaced(`"num_variables": 3`, `"num_variables": "3"`), "b.json:1: num_variables cannot be JSON's string"},
	} {
		_, err := Read(c.name, []byte(c.text), Auto)
		if err == nil || err.Error() != c.want {
			t.Errorf("%.60q:\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for format := range byte(5) {
		for _, text := range []string{"3 2\n1 2 1\n3 2 -4\n", "3 3\n1 1 -7\n1 3 2.5\n3 2 5\n", cooSpin, bqmBinary, bqmSpin, "67108864 0\n", "# vartype=SPIN\n9999999 1 0.1\n"} {
			f.Add([]byte(text), format)
		}
	}
	debug.SetMemoryLimit(1 << 28)
	f.Fuzz(func(t *testing.T, text []byte, format byte) {
		m, err := Read("file", text, Format(format%5))
		if err != nil {
			if m != nil || !strings.HasPrefix(err.Error(), "file") {
				t.Fatalf("the error %q", err)
			}
			return
		}
		if m.Variables > 1000 {
			return
		}
		if err := m.finite(); err != nil {
			t.Fatal(err)
		}
		n, err := NewInstance(m)
		if err != nil {
			t.Fatal(err)
		}
		if hot, cold := n.Temperatures(); !(hot >= cold && cold > 0) {
			t.Fatalf("temperatures from %v to %v", hot, cold)
		}
		if err := m.Write(os.Stderr, make([]float64, m.Variables+1)); err == nil {
			t.Fatal("a solution of too many spins is written")
		}
	})
}
