package mrf

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Observation is a variable whose value is known.
type Observation struct{ Variable, Value int }

// Evidence is what has been observed, by variable.
type Evidence []Observation

// ReadEvidence reads the evidence of a model in the form of the UAI competitions: the number of observations, and the variable and the value of each.
// Files of the earlier competitions have the number of samples before that, and may have several samples; each is evidence of its own. A
// file that can be read in both ways has samples where the lines say so: the first number alone, and one line a sample. No evidence is one
// sample without observations.
func ReadEvidence(name string, text []byte, m *Model) ([]Evidence, error) {
	s := newScanner(name, text)
	n, at, err := s.count("the number of observations", 0, maxCount)
	if err != nil {
		return nil, err
	}
	if sampleLines(text, n) {
		return readSamples(s, m, n)
	}
	several, fits := *s, s.words() == 2*n
	e, err := readSample(s, m, n, at)
	if err == nil {
		err = s.end("the number of observations is too small")
	}
	if err == nil {
		return []Evidence{e}, nil
	}
	if all, e := readSamples(&several, m, n); e == nil && !fits {
		return all, nil
	}
	return nil, err
}

// words counts what is left.
func (s *scanner) words() (n int) {
	for rest := *s; ; n++ {
		if word, _ := rest.next(); len(word) == 0 {
			return n
		}
	}
}

// sampleLines tells whether the first of the lines that are not empty has a word, and n follow, each a sample.
func sampleLines(text []byte, n int) bool {
	seen := 0
	for line := range bytes.Lines(text) {
		words := bytes.Fields(line)
		if len(words) == 0 {
			continue
		}
		if count, err := strconv.Atoi(string(words[0])); seen == 0 && len(words) != 1 || seen > 0 && (err != nil || len(words) != 1+2*count) {
			return false
		}
		seen++
	}
	return n > 0 && seen == n+1
}

func readSamples(s *scanner, m *Model, n int) (all []Evidence, err error) {
	for k := range n {
		size, at, err := s.count("the number of observations of sample "+strconv.Itoa(k+1), 0, len(m.Cards))
		if err != nil {
			return nil, err
		}
		e, err := readSample(s, m, size, at)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, s.end("the number of samples is too small")
}

func readSample(s *scanner, m *Model, n, at int) (Evidence, error) {
	if n > len(m.Cards) {
		return nil, s.fault(at, "there are %d observations, and the model has %s", n, wording.Count(len(m.Cards), "variable", "variables"))
	}
	e := make(Evidence, 0, min(n, s.left()))
	known := make(map[int]int, cap(e))
	for range n {
		i, _, err := s.count("an observed variable", 0, len(m.Cards)-1)
		if err != nil {
			return nil, err
		}
		v, at, err := s.count("the value of variable "+strconv.Itoa(i), 0, m.Cards[i]-1)
		if err != nil {
			return nil, err
		}
		if was, ok := known[i]; ok && was != v {
			return nil, s.fault(at, "variable %d is observed to be %d and %d", i, was, v)
		}
		known[i] = v
		e = append(e, Observation{i, v})
	}
	return e.sorted(), nil
}

// sorted is evidence by variable, each once.
func (e Evidence) sorted() Evidence {
	slices.SortStableFunc(e, func(a, b Observation) int { return cmp.Compare(a.Variable, b.Variable) })
	return slices.Compact(e)
}

// Check says what is wrong with evidence of a model.
func (e Evidence) Check(m *Model) error {
	seen := make(map[int]int, len(e))
	for _, o := range e {
		if o.Variable < 0 || o.Variable >= len(m.Cards) {
			return fmt.Errorf("mrf: variable %d is observed, and variables are 0 to %d", o.Variable, len(m.Cards)-1)
		}
		if o.Value < 0 || o.Value >= m.Cards[o.Variable] {
			return fmt.Errorf("mrf: variable %s is observed to be %d, and its values are 0 to %d", m.VariableName(o.Variable), o.Value, m.Cards[o.Variable]-1)
		}
		if v, ok := seen[o.Variable]; ok && v != o.Value {
			return fmt.Errorf("mrf: variable %s is observed to be %s and %s", m.VariableName(o.Variable), m.ValueName(o.Variable, v), m.ValueName(o.Variable, o.Value))
		}
		seen[o.Variable] = o.Value
	}
	return nil
}

// WriteEvidence writes evidence as [ReadEvidence] reads it: without a number of samples where there is one.
func WriteEvidence(to io.Writer, all []Evidence) error {
	w := bufio.NewWriter(to)
	if len(all) != 1 {
		fmt.Fprintf(w, "%d\n", len(all))
	}
	for _, e := range all {
		fmt.Fprint(w, len(e))
		for _, o := range e {
			fmt.Fprintf(w, " %d %d", o.Variable, o.Value)
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}
