package spins

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Format is a form of files.
type Format uint8

// Formats of files.
const (
	Auto   Format = iota // as the name and the text say: JSON begins with a brace, .sparse ends names of the Biq Mac library, COO has its header or ends in .coo or .qubo
	Rudy                 // G-set, rudy, and the Ising instances of the Biq Mac library: a graph
	Sparse               // the QUBO instances of the Biq Mac library: a symmetric matrix
	COO                  // dimod's coordinate format
	BQM                  // dimod's BinaryQuadraticModel as JSON, schema 3
)

// Error is a fault in a file.
type Error struct {
	File string
	Line int // from 1; 0 where the fault has no place
	Msg  string
}

// Error renders file:line: message.
func (e *Error) Error() string { return wording.At(e.File, e.Line, 0, e.Msg) }

// Read reads a model from the text of a file of a name.
func Read(name string, text []byte, format Format) (*Model, error) {
	if format == Auto {
		format = Guess(name, text)
	}
	s := &scanner{name: name, rest: bytes.TrimPrefix(text, []byte("\ufeff"))}
	if err := s.room(0, len(text)/6); err != nil { // a coupling is 6 bytes of text at least
		return nil, err
	}
	switch format {
	case Rudy:
		return s.rudy()
	case Sparse:
		return s.sparse()
	case COO:
		return s.coo(strings.EqualFold(filepath.Ext(name), ".qubo"))
	case BQM:
		return s.bqm()
	}
	return nil, fmt.Errorf("spins: there is no format %d", format)
}

// Guess is the format that Auto takes for a file.
func Guess(name string, text []byte) Format {
	head := bytes.TrimSpace(bytes.TrimPrefix(text[:min(len(text), 1<<12)], []byte("\ufeff")))
	ext := strings.ToLower(filepath.Ext(name))
	switch {
	case bytes.HasPrefix(head, []byte("{")):
		return BQM
	case ext == ".sparse":
		return Sparse
	case ext == ".coo", ext == ".qubo", bytes.Contains(head, []byte("vartype")):
		return COO
	}
	return Rudy
}

// scanner reads a text by lines.
type scanner struct {
	name   string
	rest   []byte
	line   int // of the fields, from 1
	fields [4][]byte
	n      int // fields of the line; 4 stands for more
}

func (s *scanner) fault(format string, args ...any) error {
	return &Error{File: s.name, Line: s.line, Msg: fmt.Sprintf(format, args...)}
}

// room is that of a model, with the file's name before its error.
func (s *scanner) room(variables, couplings int) error {
	if err := room(variables, couplings); err != nil {
		return fmt.Errorf("%s: %w", wording.Brief(s.name), err)
	}
	return nil
}

// next goes to the next line that has more than spaces and is no comment, and reports whether there is one. A comment is given to
// see, where it is not nil.
func (s *scanner) next(see func(comment []byte) error) (bool, error) {
	for len(s.rest) > 0 {
		var line []byte
		if end := bytes.IndexByte(s.rest, '\n'); end >= 0 {
			line, s.rest = s.rest[:end], s.rest[end+1:]
		} else {
			line, s.rest = s.rest, nil
		}
		s.line++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if line[0] == '#' {
			if see != nil {
				if err := see(line); err != nil {
					return false, err
				}
			}
			continue
		}
		s.split(line)
		return true, nil
	}
	return false, nil
}

func (s *scanner) split(line []byte) {
	s.n = 0
	for len(line) > 0 && s.n < len(s.fields) {
		end := bytes.IndexAny(line, " \t\r\v\f")
		if end < 0 {
			end = len(line)
		}
		s.fields[s.n] = line[:end]
		s.n++
		line = bytes.TrimLeft(line[end:], " \t\r\v\f")
	}
}

// count is field k as a number of things, at most as many as there may be.
func (s *scanner) count(k int, what string, most int) (int, error) {
	v, err := strconv.ParseUint(string(s.fields[k]), 10, 63)
	if err != nil {
		return 0, s.fault("the number of %s is %s; write a whole number", what, wording.Quote(s.fields[k]))
	}
	if v > uint64(most) {
		return 0, s.fault("%s %s; at most %d are possible", wording.Brief(s.fields[k]), what, most)
	}
	return int(v), nil
}

// variable is field k as the number of a variable, from first to last; it is returned counted from 0.
func (s *scanner) variable(k, first, last int) (int, error) {
	v, err := strconv.ParseInt(string(s.fields[k]), 10, 63)
	if err != nil || v < int64(first) || v > int64(last) {
		return 0, s.fault("%s is no variable; they are the whole numbers from %d to %d", wording.Quote(s.fields[k]), first, last)
	}
	return int(v) - first, nil
}

// number is field k as a coefficient.
func (s *scanner) number(k int) (float64, error) {
	v, err := strconv.ParseFloat(string(s.fields[k]), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, s.fault("%s is no finite number", wording.Quote(s.fields[k]))
	}
	return v, nil
}

// model is New with the file's name before its error.
func (s *scanner) model(kind Kind, variables int, linear []float64, couplings []Coupling) (*Model, error) {
	m, err := New(kind, variables, linear, couplings, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", wording.Brief(s.name), err)
	}
	return m, nil
}
