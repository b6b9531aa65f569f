package lattice

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadEdges reads a graph from a text: a line for each bond, with the numbers of its sites, from 0, and its coupling, or the one given for lines
// without; blanks or a comma between them; lines that are empty or begin with # stand for nothing. Sites are those up to the greatest
// number. Errors name the file and the line.
func ReadEdges(name string, text []byte, coupling float64) (*Graph, error) {
	if err := memory.Room(float64(bytes.Count(text, []byte("\n"))+1) * 24); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var bonds []Bond
	sites, line := 0, 0
	for row := range bytes.Lines(text) {
		line++
		fields := bytes.FieldsFunc(row, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' || r == '\n' || r == '\r' })
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		b, err := readBond(fields, coupling)
		if err != nil {
			return nil, errors.New(wording.At(name, line, 0, err.Error()))
		}
		bonds = append(bonds, b)
		sites = max(sites, b.I+1, b.J+1)
	}
	if len(bonds) == 0 {
		return nil, fmt.Errorf("%s has no bonds: give a line for each, with the numbers of its two sites and, if it differs, its coupling", name)
	}
	g, err := NewGraph(sites, values(bonds))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g, nil
}

func values(bonds []Bond) iter.Seq[Bond] {
	return func(yield func(Bond) bool) {
		for _, b := range bonds {
			if !yield(b) {
				return
			}
		}
	}
}

func readBond(fields [][]byte, coupling float64) (b Bond, err error) {
	if len(fields) < 2 || len(fields) > 3 {
		return b, fmt.Errorf("%s where a bond has two sites and perhaps a coupling: I J or I J COUPLING", wording.Count(len(fields), "field", "fields"))
	}
	for k, to := range []*int{&b.I, &b.J} {
		n, err := strconv.Atoi(string(fields[k]))
		if err != nil || n < 0 || n >= MaxSites {
			return b, fmt.Errorf("%s is not the number of a site, from 0 to %d", wording.Quote(fields[k]), MaxSites-1)
		}
		*to = n
	}
	if b.I == b.J {
		return b, fmt.Errorf("a bond from site %d to itself", b.I)
	}
	if b.Coupling = coupling; len(fields) == 3 {
		if b.Coupling, err = strconv.ParseFloat(string(fields[2]), 64); err != nil || math.IsNaN(b.Coupling) || math.IsInf(b.Coupling, 0) {
			return b, fmt.Errorf("the coupling %s is not a finite number", wording.Quote(fields[2]))
		}
	}
	return b, nil
}
