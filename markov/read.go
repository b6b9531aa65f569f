package markov

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Format is the form of a file that holds a chain.
type Format int

// The forms of files. Fields are separated by commas, semicolons, tabs or blanks: whichever of these, in this order, the
// first line has. What follows # is a comment; fields may stand in double quotes.
const (
	// Auto takes for Edges: files that begin with the headings of Edges, in any order; files whose first line is a
	// transition that has further fields, or that has fewer or more than the second; and others of three columns and more
	// than four lines. Shorter ones of three columns are a Matrix where their lines sum to one as its rows would, or hold
	// fractions where Edges would have states. All others are a Matrix.
	Auto Format = iota
	// Matrix has the transition probabilities of one state a line, and may have a line with the states' names before
	// them, a column of names, or both.
	Matrix
	// Edges has a transition a line: from, to, probability; and may have a line of headings. Headings of these names,
	// capital or not, may stand in any order; prob, p and weight mean probability. States are named by text or by numbers,
	// which need not be consecutive; they are ordered by number if all are numbers, otherwise as they first appear. A
	// transition that is given twice is an error.
	Edges
)

// ReadSettings say how a chain is read; the zero value is ready to use.
type ReadSettings struct {
	Name      string // of the file, for messages
	Format    Format
	Normalise bool // divide rows by their sums, whatever these are
}

// ReadError is a fault in a file.
type ReadError struct {
	File      string
	Line, Col int // from 1; 0 where the fault has no place
	Msg       string
	Err       error // what the chain itself refused, if that is the fault
}

// Error renders file:line:column: message.
func (e *ReadError) Error() string { return wording.At(e.File, e.Line, e.Col, e.Msg) }

// Unwrap gives the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// dense is the largest number of states that are read into a dense matrix.
const dense = 2000

// Read reads a chain in one pass, in memory linear in its positive transitions and without an allocation a line. Up to
// 2000 states of a Matrix give a [*Dense] chain, all others a [*Sparse] one. A fault is a [*ReadError] that names the
// line and column.
func Read(r io.Reader, set ReadSettings) (Chain, error) {
	in := newLines(r, set.Name)
	format := set.Format
	if format == Auto {
		var err error
		if format, err = in.detect(); err != nil {
			return nil, err
		}
	}
	var c Chain
	var err error
	if format == Matrix {
		m := &matrixReader{lines: in, normalise: set.Normalise}
		c, err = m.read()
	} else {
		e := &edgeReader{lines: in, normalise: set.Normalise, columns: inOrder}
		c, err = e.read()
	}
	if err == nil {
		return c, nil
	}
	var placed *ReadError
	if !errors.As(err, &placed) {
		err = &ReadError{File: set.Name, Msg: strings.TrimPrefix(err.Error(), "markov: "), Err: err}
	}
	return nil, err
}

// sumFault places the error of a row.
func (in *lines) sumFault(line int, err error) error {
	msg := err.Error()
	var s *SumError
	if errors.As(err, &s) && s.Sum != 0 && !math.IsInf(s.Sum, 1) {
		msg = fmt.Sprintf("the row of state %s sums to %.12g, not 1 (tolerance %g); correct it, or let rows be divided by their sums (ReadSettings.Normalise)", wording.Brief(s.Name), s.Sum, Tolerance)
	}
	return &ReadError{File: in.name, Line: line, Msg: msg, Err: err}
}
