package markov

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// matrixReader reads a transition matrix row by row.
type matrixReader struct {
	*lines
	normalise bool

	names  []string // of the header or of the rows
	header bool
	label  int // 1 if rows begin with a name
	n      int // states
	row    []float64
	s      Sparse

	// pending is the fault of a first line that may be a header of numbers: the number of rows tells.
	pending error
}

func (m *matrixReader) read() (Chain, error) {
	ok, err := m.next()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("markov: the file is empty; it should hold a transition matrix or a list of transitions")
	}
	if m.isHeader() {
		if ok, err = m.takeHeader(); err != nil {
			return nil, err
		}
	} else {
		m.width()
	}
	m.s.start = []int{0}
	for ; ok; ok, err = m.next() {
		if err := m.takeRow(); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	return m.finish()
}

// isHeader reports whether no field but the first can be a probability.
func (m *matrixReader) isHeader() bool {
	for k := range m.fields {
		if k > 0 && m.numeric(k) {
			return false
		}
	}
	return !m.numeric(0)
}

// takeHeader reads names, and goes to the first row, which tells what the first column is.
func (m *matrixReader) takeHeader() (bool, error) {
	line := m.number
	for k := range m.fields {
		m.names = append(m.names, string(m.get(k)))
	}
	m.header = true
	ok, err := m.next()
	if err != nil || !ok {
		if err == nil {
			err = &ReadError{File: m.name, Line: line, Msg: "the file has a line of names and no row after it"}
		}
		return false, err
	}
	switch w := len(m.fields); {
	case w == len(m.names)+1:
		m.label = 1
	case w == len(m.names) && (m.names[0] == "" || !m.numeric(0)):
		m.label = 1
		m.names = m.names[1:]
	}
	m.n = len(m.names)
	seen := map[string]bool{}
	for _, s := range m.names {
		if seen[s] {
			return false, &ReadError{File: m.name, Line: line, Msg: fmt.Sprintf("two states are named %s", wording.Quote(s))}
		}
		seen[s] = true
	}
	return true, nil
}

// width learns the number of states from the first row.
func (m *matrixReader) width() {
	if !m.numeric(0) && len(m.fields) > 1 {
		m.label = 1
	}
	m.n = len(m.fields) - m.label
}

func (m *matrixReader) takeRow() error {
	i := len(m.s.start) - 1
	if i == m.n {
		if m.pending == nil {
			return m.fault(0, "this is row %d of a matrix of %s; it must be square", i+1, count(m.n, "column", "columns"))
		}
		m.dropFirst()
		i--
	}
	if len(m.fields) != m.n+m.label {
		return m.fault(0, "this row has %s; the first has %d", count(len(m.fields)-m.label, "probability", "probabilities"), m.n)
	}
	if m.label == 1 {
		if err := m.takeName(i); err != nil {
			return err
		}
	}
	if m.row == nil {
		m.row = make([]float64, m.n)
	}
	err := m.parseRow(i)
	if err != nil && i == 0 && !m.header && m.label == 0 && m.allNumeric() {
		m.pending, err = err, nil
		for k := range m.fields {
			m.names = append(m.names, string(m.get(k)))
		}
		clear(m.row)
		m.row[0] = 1
	}
	if err != nil {
		return err
	}
	for j, v := range m.row {
		if v > 0 {
			m.s.to, m.s.p = append(m.s.to, int32(j)), append(m.s.p, v)
		}
	}
	m.s.start = append(m.s.start, len(m.s.to))
	return nil
}

// dropFirst takes the first line for a header after all.
func (m *matrixReader) dropFirst() {
	m.pending, m.header = nil, true
	m.s.to, m.s.p = m.s.to[1:], m.s.p[1:]
	m.s.start = m.s.start[1:]
	for i := range m.s.start {
		m.s.start[i]--
	}
}

func (m *matrixReader) allNumeric() bool {
	for k := range m.fields {
		if !m.numeric(k) {
			return false
		}
	}
	return true
}

func (m *matrixReader) takeName(i int) error {
	name := string(m.get(0))
	if !m.header {
		if slices.Contains(m.names, name) {
			return m.fault(m.fields[0].from, "two rows are named %s", wording.Quote(name))
		}
		m.names = append(m.names, name)
		return nil
	}
	if i < m.n && name != m.names[i] {
		return m.fault(m.fields[0].from, "the row of %s stands where the header has %s; rows and columns must be in the same order", wording.Quote(name), wording.Quote(m.names[i]))
	}
	return nil
}

func (m *matrixReader) parseRow(i int) error {
	for j := range m.n {
		v, err := m.probability(j+m.label, m.normalise)
		if err != nil {
			return err
		}
		m.row[j] = v
	}
	if err := m.labels(i).normalise(i, m.row, m.normalise); err != nil {
		return m.sumFault(m.number, err)
	}
	return nil
}

// labels are the names known so far, for messages.
func (m *matrixReader) labels(i int) labels {
	if i < len(m.names) && m.pending == nil {
		return m.names
	}
	return nil
}

func (m *matrixReader) finish() (Chain, error) {
	if m.pending != nil {
		return nil, m.pending
	}
	rows := len(m.s.start) - 1
	if rows != m.n {
		return nil, &ReadError{File: m.name, Line: m.number, Msg: fmt.Sprintf("the matrix has %s and %s; it must be square", count(rows, "row", "rows"), count(m.n, "column", "columns"))}
	}
	if err := checkStates(m.n); err != nil {
		return nil, err
	}
	if len(m.names) > 0 {
		m.s.labels = m.names
	}
	if m.n <= dense {
		return asDense(&m.s), nil
	}
	return &m.s, nil
}
