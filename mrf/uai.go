package mrf

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// maxCount is the most variables, values and factors that a file may announce.
const maxCount = math.MaxInt32

// ReadUAI reads a model in the form of the UAI competitions: the word MARKOV or BAYES, the number of variables, the number of values of each,
// the number of factors, the scope of each with its length before it, and the table of each with its length before it. The value of the last variable
// of a scope changes fastest. Both words give the product of the factors; under BAYES each is of the last
// variable of its scope given the others, and it is an error for probabilities not to add up to 1. The name is for errors, which are of type [*Error].
func ReadUAI(name string, text []byte) (*Model, error) {
	s := newScanner(name, text)
	word, at := s.next()
	if !bytes.EqualFold(word, []byte("MARKOV")) && !bytes.EqualFold(word, []byte("BAYES")) {
		return nil, s.fault(at, "a UAI model begins with MARKOV or BAYES, and this file with %s", wording.Quote(word))
	}
	m := &Model{}
	if err := readCards(s, m); err != nil {
		return nil, err
	}
	if err := readScopes(s, m); err != nil {
		return nil, err
	}
	for a := range m.Factors {
		if err := readTable(s, m, a, bytes.EqualFold(word, []byte("BAYES"))); err != nil {
			return nil, err
		}
	}
	return m, s.end("the number of factors, or the length of a table, is too small")
}

func readCards(s *scanner, m *Model) error {
	n, at, err := s.count("the number of variables", 1, maxCount)
	if err != nil {
		return err
	}
	if n > s.left() {
		return s.fault(at, "there are %d variables, and the file is too short for the number of values of each", n)
	}
	m.Cards = make([]int, n)
	values := 0.0
	for i := range m.Cards {
		if m.Cards[i], at, err = s.count("the number of values of variable "+strconv.Itoa(i), 1, maxCount); err != nil {
			return err
		}
		values += float64(m.Cards[i])
	}
	if err := memory.Room(bytesOfValue * values); err != nil { // a marginal of each, at least
		return s.fault(at, "the variables have %s values: %v", approximately(values), err)
	}
	return nil
}

// bytesOfValue is what inference takes for each value of each variable, whatever the factors are.
const bytesOfValue = 200

func readScopes(s *scanner, m *Model) error {
	n, at, err := s.count("the number of factors", 0, maxCount)
	if err != nil {
		return err
	}
	if n > s.left() {
		return s.fault(at, "there are %d factors, and the file is too short for them", n)
	}
	m.Factors = make([]Factor, n)
	seen := make([]int, len(m.Cards)) // the last factor that has a variable, from 1
	for a := range m.Factors {
		size, at, err := s.count("the number of variables of factor "+strconv.Itoa(a), 0, len(m.Cards))
		if err != nil {
			return err
		}
		if size > s.left() {
			return s.fault(at, "factor %d has %d variables, and the file is too short for them", a, size)
		}
		scope := make([]int, size)
		for k := range scope {
			i, at, err := s.count("a variable of factor "+strconv.Itoa(a), 0, len(m.Cards)-1)
			if err != nil {
				return err
			}
			if seen[i] == a+1 {
				return s.fault(at, "variable %d is twice in factor %d", i, a)
			}
			seen[i], scope[k] = a+1, i
		}
		m.Factors[a].Scope = scope
	}
	return nil
}

// unit is how far from 1 probabilities in a file, which are rounded, may add up to.
const unit = 0.01

// readTable reads the table of factor a, whose rows add up to 1 if it is conditional.
func readTable(s *scanner, m *Model, a int, conditional bool) error {
	f := &m.Factors[a]
	want := m.entries(f.Scope)
	n, at, err := s.count("the length of the table of factor "+strconv.Itoa(a), 0, maxCount)
	switch {
	case err != nil:
		return err
	case want > MaxTable:
		return s.fault(at, "factor %d has %s combinations of values, and at most %d fit into a table", a, approximately(want), MaxTable)
	case n != int(want):
		return s.fault(at, "the table of factor %d has %s, and its variables have %.0f of values%s", a, wording.Count(n, "entry", "entries"), want, m.scopeText(f.Scope))
	case n > s.left():
		return s.fault(at, "the table of factor %d has %s, and the file is too short for them", a, wording.Count(n, "entry", "entries"))
	}
	if err := memory.Room(8 * want); err != nil {
		return &Error{File: s.name, Msg: "factor " + strconv.Itoa(a) + ": " + err.Error(), Err: err}
	}
	f.Table = make([]float64, n)
	what := "an entry of factor " + strconv.Itoa(a)
	positive, row, from, sum := false, 0, 0, 0.0
	if conditional && len(f.Scope) > 0 {
		row = m.Cards[f.Scope[len(f.Scope)-1]]
	}
	for k := range f.Table {
		if row > 0 && k%row == 0 {
			ahead := *s
			_, from = ahead.next()
			sum = 0
		}
		if f.Table[k], err = s.entry(what); err != nil {
			return err
		}
		positive = positive || f.Table[k] > 0
		if row == 0 {
			continue
		}
		if sum += f.Table[k]; (k+1)%row == 0 && math.Abs(sum-1) > unit {
			return s.fault(from, "the probabilities of variable %d in row %d of factor %d add up to %s, and not to 1; if that is meant, the model begins with MARKOV",
				f.Scope[len(f.Scope)-1], k/row, a, approximately(sum))
		}
	}
	if !positive {
		return s.fault(at, "all entries of factor %d are 0, so no state has positive probability", a)
	}
	return nil
}

// entries is the number of combinations of values.
func (m *Model) entries(scope []int) float64 {
	n := 1.0
	for _, i := range scope {
		n *= float64(m.Cards[i])
	}
	return n
}

func approximately(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// scopeText is the variables of a scope with their numbers of values, for messages.
func (m *Model) scopeText(scope []int) string {
	if len(scope) == 0 {
		return " (it has none)"
	}
	var names []string
	for _, i := range scope {
		names = append(names, strconv.Itoa(i)+" with "+strconv.Itoa(m.Cards[i]))
	}
	return " (variables " + wording.Few(names, 8) + ")"
}

// WriteUAI writes a model as [ReadUAI] reads it, under the word MARKOV; names are lost.
func (m *Model) WriteUAI(to io.Writer) error {
	w := bufio.NewWriter(to)
	w.WriteString("MARKOV\n" + strconv.Itoa(len(m.Cards)) + "\n")
	writeInts(w, m.Cards)
	w.WriteString(strconv.Itoa(len(m.Factors)) + "\n")
	for _, f := range m.Factors {
		w.WriteString(strconv.Itoa(len(f.Scope)) + " ")
		writeInts(w, f.Scope)
	}
	for _, f := range m.Factors {
		w.WriteString("\n" + strconv.Itoa(len(f.Table)) + "\n")
		for _, x := range f.Table {
			w.WriteString(" " + strconv.FormatFloat(x, 'g', -1, 64))
		}
		w.WriteString("\n")
	}
	return w.Flush()
}

func writeInts(w *bufio.Writer, all []int) {
	for k, i := range all {
		if k > 0 {
			w.WriteByte(' ')
		}
		w.WriteString(strconv.Itoa(i))
	}
	w.WriteByte('\n')
}
