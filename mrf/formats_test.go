package mrf

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// A pair of variables, with white space as files have it.
const pair = "MARKOV\r\n2\n2  3\n3\n1 0\n2 0 1\n0\n\n2\n 0.25 .75\n\n6\n 1 0 3 4e0 5 6\n1\n2\n"

func TestReadUAI(t *testing.T) {
	m, err := ReadUAI("m.uai", []byte(pair))
	if err != nil {
		t.Fatal(err)
	}
	want := &Model{Cards: []int{2, 3}, Factors: []Factor{{[]int{0}, []float64{0.25, 0.75}}, {[]int{0, 1}, []float64{1, 0, 3, 4, 5, 6}}, {[]int{}, []float64{2}}}}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("%+v", m)
	}
	if d := m.LogDensity([]int{1, 2}); math.Abs(d-math.Log(9)) > 1e-15 {
		t.Errorf("log density %v", d)
	}
	var b bytes.Buffer
	if err := m.WriteUAI(&b); err != nil {
		t.Fatal(err)
	}
	if again, err := ReadUAI("again", b.Bytes()); err != nil || !reflect.DeepEqual(again, m) {
		t.Errorf("%+v %v", again, err)
	}
}

// Each fault is told with its place and value.
func TestFaultsOfUAI(t *testing.T) {
	for text, want := range map[string]string{
		"":                          `m.uai:1:1: a UAI model begins with MARKOV or BAYES, and this file with ""`,
		"BAYES 1 2 1 1 0 2 0.4 0.5": "m.uai:1:19: the probabilities of variable 0 in row 0 of factor 0 add up to 0.9, and not to 1; if that is meant, the model begins with MARKOV",
		"BAYES 2 2 2 2 1 0 2 0 1 2\n1 0\n4\n0.3 0.7\n1.0 0.1": "m.uai:5:1: the probabilities of variable 1 in row 1 of factor 1 add up to 1.1",
		"MARKOF 1":                       `m.uai:1:1: a UAI model begins with MARKOV or BAYES, and this file with "MARKOF"`,
		"MARKOV\n":                       `m.uai:2:1: the file ends where the number of variables should be`,
		"MARKOV\n0":                      `m.uai:2:1: the number of variables is 0, and it must be from 1 to`,
		"MARKOV\n-2":                     `m.uai:2:1: the number of variables is -2, and`,
		"MARKOV\n1.5":                    `m.uai:2:1: the number of variables is "1.5", which is not a whole number`,
		"MARKOV\n99999999999999999999":   `m.uai:2:1: the number of variables is 99999999999999999999, and`,
		"MARKOV\n2000000000\n2":          `m.uai:2:1: there are 2000000000 variables, and the file is too short`,
		"MARKOV\n2\n2 0\n1":              `m.uai:3:3: the number of values of variable 1 is 0, and it must be from 1`,
		"MARKOV\n2\n2 2\n900000\n1 0":    `m.uai:4:1: there are 900000 factors, and the file is too short`,
		"MARKOV\n2\n2 2\n1\n3 0 1 0":     `m.uai:5:1: the number of variables of factor 0 is 3, and it must be from 0 to 2`,
		"MARKOV\n2\n2 2\n1\n2 0 2":       `m.uai:5:5: a variable of factor 0 is 2, and it must be from 0 to 1`,
		"MARKOV\n2\n2 2\n1\n2 1 1\n":     `m.uai:5:5: variable 1 is twice in factor 0`,
		"MARKOV 2 2 2 1 2 0 1 3 1 1 1":   `m.uai:1:22: the table of factor 0 has 3 entries, and its variables have 4 of values (variables 0 with 2, 1 with 2)`,
		"MARKOV 2 2 2 1 2 0 1 4 1 1 1":   `the table of factor 0 has 4 entries, and the file is too short for them`,
		"MARKOV 2 2 2 1 1 1 2 1111":      `m.uai:1:26: the file ends where an entry of factor 0 should be; it is cut short`,
		"MARKOV 1 2 1 1 0 2 1 -1":        `m.uai:1:22: an entry of factor 0 is -1, which is negative`,
		"MARKOV 1 2 1 1 0 2 1 NaN":       `m.uai:1:22: an entry of factor 0 is NaN, which is not a number`,
		"MARKOV 1 2 1 1 0 2 1 inf":       `m.uai:1:22: an entry of factor 0 is inf; entries must be finite`,
		"MARKOV 1 2 1 1 0 2 1 1e999":     `m.uai:1:22: an entry of factor 0 is 1e999, which is too large`,
		"MARKOV 1 2 1 1 0 2 1 1e-999":    `m.uai:1:22: an entry of factor 0 is 1e-999, which is too small`,
		"MARKOV 1 2 1 1 0 2 1 x":         `m.uai:1:22: an entry of factor 0 is "x", which is not a number`,
		"MARKOV 1 2 1 1 0 2 0 0.0":       `m.uai:1:18: all entries of factor 0 are 0`,
		"MARKOV 1 2 1 1 0 2 0 1\nmore":   `m.uai:2:1: "more" follows where the file should end`,
		"MARKOV 3 60000 60000 2 1 2 0 1": `the file ends where the length of the table`,
		"MARKOV 2 60000 60000 1 2 0 1 9": `factor 0 has 3.6e+09 combinations of values, and at most 268435456 fit`,
	} {
		_, err := ReadUAI("m.uai", []byte(text))
		var placed *Error
		if err == nil || !errors.As(err, &placed) {
			t.Errorf("%q: %v", text, err)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n%s\nnot\n%s", text, err, want)
		}
	}
}

func TestReadEvidence(t *testing.T) {
	m := &Model{Cards: []int{2, 3, 2}}
	for text, want := range map[string][]Evidence{
		"0":                   {{}},
		"0\n":                 {{}},
		"1 0":                 {{}}, // a sample without observations
		"2 1 2 0 1":           {{{0, 1}, {1, 2}}},
		"1\n1 2\r\n\n":        {{{1, 2}}},
		"1\n1 1 2":            {{{1, 2}}},
		"2\n1 1 2\n0\n":       {{{1, 2}}, {}},
		"2\n0\n1 1 2\n":       {{}, {{1, 2}}},
		"2 0 1 1 2":           {{{0, 1}, {1, 2}}}, // both forms fit, and the lines do not say samples
		"2 1 2 1 2":           {{{1, 2}}},
		"2 1 1 0 2 0 1 1 0":   {{{1, 0}}, {{0, 1}, {1, 0}}},
		"3\n0 0\n1 1\n2 1\n":  {{{0, 0}, {1, 1}, {2, 1}}},
		"1\n3\n0 0\n1 1\n2 1": {{{0, 0}, {1, 1}, {2, 1}}},
	} {
		got, err := ReadEvidence("e", []byte(text), m)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                    "e:1:1: the file ends where the number of observations should be",
		"x":                   `e:1:1: the number of observations is "x", which is not a whole number`,
		"1 3 0":               "e:1:3: an observed variable is 3, and it must be from 0 to 2",
		"1 -1 0":              "e:1:3: an observed variable is -1",
		"2 0 1 1 3":           "e:1:9: the value of variable 1 is 3, and it must be from 0 to 2",
		"2 0 1 0 0":           "e:1:9: variable 0 is observed to be 1 and 0",
		"2 0 1 1":             "e:1:8: the file ends where the value of variable 1 should be",
		"1 0 1 1":             `e:1:7: "1" follows where the file should end; the number of observations is too small`,
		"2\n1 1 9\n0":         "e:2:5: the value of variable 1 is 9",
		"4 0 0 1 1 2 0 2 0 9": "e:1:1: there are 4 observations, and the model has 3 variables",
	} {
		got, err := ReadEvidence("e", []byte(text), m)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
}

func TestReadSolutions(t *testing.T) {
	m := &Model{Cards: []int{2, 3}}
	mar := [][]float64{{0.25, 0.75}, {0, 1, 0}}
	for text, want := range map[string][][][]float64{
		"MAR\n2 2 .25 .75 3 0 1 0\n":                                              {mar},
		"MAR\n1\n2 2 .25 .75 3 0 1 0\n":                                           {mar},
		"MAR\n2\n2 2 .25 .75 3 0 1 0\n2 2 .25 .75 3 0 1 0\n":                      {mar, mar},
		"MAR\n1\n2 2 1 0 3 0 1 0\n-BEGIN-\n1\n2 2 .25 .75 3 0 1 0\n":              {mar},
		"MAR 2 2 1 0 3 0 1 0 -BEGIN- 2 2 1 0 3 0 1 0 -BEGIN- 2 2 .25 .75 3 0 1 0": {mar},
	} {
		if got, err := ReadMAR("f", []byte(text), m); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for text, want := range map[string][]float64{"PR\n-31.5": {-31.5}, "PR 1 -31.5": {-31.5}, "pr\n2\n1\n-inf": {1, math.Inf(-1)}} {
		if got, err := ReadPR("f", []byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for text, want := range map[string][][]int{"MAP\n2 1 2": {{1, 2}}, "MAP\n1\n2 1 2\n": {{1, 2}}, "MAP 2 2 1 2 2 0 0": {{1, 2}, {0, 0}}} {
		if got, err := ReadMAP("f", []byte(text), m); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"MAR 3 2 .25 .75":          "f:1:5: the number of variables is 3, and the model's 2",
		"MAR 2 2 .25 .75 3 0 1":    "f:1:22: the file ends where",
		"MAR 2 2 .25 1.75 3 0 1 0": "f:1:13: a probability of variable 0 is 1.75",
		"PR 1":                     "f:1:1: this should be a file of the task MAR",
	} {
		if _, err := ReadMAR("f", []byte(text), m); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := ReadMAP("f", []byte("MAP 2 1 3"), m); err == nil || !strings.HasPrefix(err.Error(), "f:1:9: the value of variable 1 is 3") {
		t.Error(err)
	}
}

func TestSolutionsAreWrittenAsTheyAreRead(t *testing.T) {
	m := &Model{Cards: []int{2, 3}}
	mar := [][][]float64{{{0.1, 0.9}, {1. / 3, 2. / 3, 0}}, {{1, 0}, {0, 0, 1}}}
	pr := []float64{math.Pi, math.Inf(-1)}
	states := [][]int{{1, 2}, {0, 0}}
	evidence := []Evidence{{{0, 1}}, {}}
	for n := 1; n <= 2; n++ {
		var b bytes.Buffer
		if err := WriteMAR(&b, mar[:n]); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadMAR("f", b.Bytes(), m); err != nil || !reflect.DeepEqual(got, mar[:n]) {
			t.Errorf("%v %v", got, err)
		}
		b.Reset()
		if err := WritePR(&b, pr[:n]); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadPR("f", b.Bytes()); err != nil || !reflect.DeepEqual(got, pr[:n]) {
			t.Errorf("%v %v", got, err)
		}
		b.Reset()
		if err := WriteMAP(&b, states[:n]); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadMAP("f", b.Bytes(), m); err != nil || !reflect.DeepEqual(got, states[:n]) {
			t.Errorf("%v %v", got, err)
		}
		b.Reset()
		if err := WriteEvidence(&b, evidence[:n]); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadEvidence("f", b.Bytes(), m); err != nil || !reflect.DeepEqual(got, evidence[:n]) {
			t.Errorf("%v %v", got, err)
		}
	}
}

const alarm = `// a house
network "a house" { property author me; }
variable burglary { type discrete [ 2 ] { no, yes }; }
variable "quake size" { type discrete[3] { none "very small" large }; property position = (1, 2) ; }
probability (burglary) { table 0.99, 0.01; }
/* no
   bars */
probability ( "quake size" ) { table .9 .09 .01; }
variable alarm { type discrete [ 2 ] { off, on }; }
probability ( alarm | burglary, "quake size" ) {
  default 0.5, 0.5;
  (yes, none) 0.1, 0.9;
  (no, none) 0.999, 0.001;
}
variable call { type discrete [ 2 ] { no, yes }; }
probability ( call | alarm ) { table 0.9, 0.2, 0.1, 0.8; }
`

func TestReadBIF(t *testing.T) {
	m, err := Read("house.bif", []byte(alarm))
	if err != nil {
		t.Fatal(err)
	}
	want := &Model{Cards: []int{2, 3, 2, 2}, Names: []string{"burglary", "quake size", "alarm", "call"},
		Values: [][]string{{"no", "yes"}, {"none", "very small", "large"}, {"off", "on"}, {"no", "yes"}},
		Factors: []Factor{{[]int{0}, []float64{0.99, 0.01}}, {[]int{1}, []float64{.9, .09, .01}},
			{[]int{0, 1, 2}, []float64{0.999, 0.001, 0.5, 0.5, 0.5, 0.5, 0.1, 0.9, 0.5, 0.5, 0.5, 0.5}}, {[]int{2, 3}, []float64{0.9, 0.1, 0.2, 0.8}}}}
	for a, f := range m.Factors {
		for k, x := range f.Table {
			if w := want.Factors[a].Table[k]; math.Abs(x-w) > 1e-15 {
				t.Errorf("factor %d: %v", a, f.Table)
			} else {
				m.Factors[a].Table[k] = w
			}
		}
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("%+v", m)
	}
	if m.Variable("alarm") != 2 || m.Variable("2") != -1 || m.Value(2, "on") != 1 || m.Value(2, "1") != -1 || m.VariableName(1) != "quake size" || m.ValueName(1, 2) != "large" {
		t.Error("names")
	}
}

func TestFaultsOfBIF(t *testing.T) {
	const v = "variable a { type discrete [2] {x, y}; }\nvariable b { type discrete [2] {x, y}; }\n"
	for text, want := range map[string]string{
		"":                                     "f.bif: there are no variables in this file",
		"foo":                                  `f.bif:1:1: "foo" where a block network, variable or probability should begin`,
		"network":                              "f.bif:1:8: the file ends where the network's name should be",
		"variable a {":                         "f.bif:1:13: the file ends where",
		"variable a { }":                       `f.bif:1:14: the variable "a" has no "type discrete"`,
		"variable a { type continuous ; }":     `f.bif:1:19: the variable "a" is of type "continuous"`,
		"variable a { type discrete [0] {}; }": `f.bif:1:29: the number of values of "a" is "0"`,
		"variable a { type discrete [3] {x y}; }": `f.bif:1:36: the variable "a" has 2 values in brackets and is said to have 3`,
		"variable a { type discrete [2] {x x}; }": `f.bif:1:35: the variable "a" has the value "x" twice`,
		v + v:                                                    `f.bif:3:10: the variable "a" is there twice`,
		v:                                                        `f.bif: the variable "a" has no probability block`,
		v + "probability (c) { table 1 0; }":                     `f.bif:3:14: there is no variable "c" before this line`,
		v + "probability (a a) { table 1 0; }":                   `f.bif:3:16: "a" is there twice`,
		v + "probability () { table 1 0; }":                      `f.bif:3:14: a variable should be named here`,
		v + "probability (a) { table 1; }":                       `f.bif:3:26: there is 1 number, and 2 are needed`,
		v + "probability (a) { table .5 .5 1; }":                 `f.bif:3:31: "1" is more than the 2 numbers that are needed`,
		v + "probability (a) { table .5 .6; }":                   `f.bif:3:19: probabilities of "a" sum to 1.1, not to 1`,
		v + "probability (a) { table -.5 1.5; }":                 `f.bif:3:25: a probability is -.5, which is negative`,
		v + "probability (a) { table nan 1; }":                   `f.bif:3:25: a probability is nan`,
		v + "probability (a | b) { (x) 1 0; }":                   `f.bif:3:32: there are no probabilities of "a" for b = y`,
		v + "probability (a | b) { (z) 1 0; }":                   `f.bif:3:24: "z" is no value of "b"`,
		v + "probability (a | b) { (x) 1 0; (x) 1 0; (y) 1 0; }": `f.bif:3:32: the probabilities for these values are there twice`,
		v + "probability (a | b) { default 1 0; } probability (b | a) { default 1 0; }": `is its own ancestor`,
		v + "probability (a) { table 1 0; } probability (a) { table 1 0; }":             `the probabilities of "a" are there twice`,
		v + "/* x":        `f.bif:3:1: the comment that begins here does not end`,
		v + `network "x`:  `f.bif:3:9: the quotation that begins here does not end`,
		v + "probability": `f.bif:3:12: the file ends where`,
	} {
		_, err := ReadBIF("f.bif", []byte(text))
		var placed *Error
		if err == nil || !errors.As(err, &placed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n%v\nnot\n%s", text, err, want)
		}
	}
}

func TestGiven(t *testing.T) {
	m := &Model{Cards: []int{2, 3, 1, 2}, Factors: []Factor{{[]int{3, 1, 0}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0}}, {[]int{2, 1}, []float64{1, 2, 3}}, {[]int{0}, []float64{0, 1}}}}
	c, err := m.Given(Evidence{{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Factor{{[]int{1, 0}, []float64{5, 6, 11, 0}}, {nil, []float64{3}}, {[]int{0}, []float64{0, 1}}}
	if !reflect.DeepEqual(c.Free, []int{0, 3}) || !reflect.DeepEqual(c.Fixed, []int{-1, 2, 0, -1}) || !reflect.DeepEqual(c.Factors, want) || !reflect.DeepEqual(c.Cards, []int{2, 2}) {
		t.Errorf("%+v %v", c, c.Factors)
	}
	for _, x := range [][]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		if got, want := c.LogDensity(x), m.LogDensity(c.State(x)); got != want && math.Abs(got-want) > 1e-14 {
			t.Errorf("%v: %v, not %v", x, got, want)
		}
	}
	all := c.Marginals([][]float64{{0, 1}, {0.5, 0.5}})
	if !reflect.DeepEqual(all, [][]float64{{0, 1}, {0, 0, 1}, {1}, {0.5, 0.5}}) {
		t.Error(all)
	}
	_, err = m.Given(Evidence{{0, 0}})
	var impossible *ImpossibleError
	if !errors.As(err, &impossible) || !strings.Contains(err.Error(), "factor 2 is 0 for 0 = 0") {
		t.Error(err)
	}
	for _, e := range []Evidence{{{4, 0}}, {{1, 3}}, {{1, -1}}, {{-1, 0}}, {{0, 0}, {0, 1}}} {
		if _, err := m.Given(e); err == nil {
			t.Errorf("%v is accepted", e)
		}
	}
}
