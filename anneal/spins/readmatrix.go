package spins

import (
	"cmp"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// entry is a line of a file: a coupling, or a number of the diagonal where i = j.
type entry struct {
	Coupling
	line int
}

// header reads the first line, the numbers of variables and of the lines that follow.
func (s *scanner) header(variables, lines string) (n, m int, err error) {
	found, err := s.next(nil)
	if err != nil {
		return 0, 0, err
	}
	if !found {
		return 0, 0, s.fault("the file is empty; its first line says how many %s and %s it has", variables, lines)
	}
	if s.n != 2 {
		return 0, 0, s.fault("the first line has two numbers, how many %s and %s there are, and this one has %s", variables, lines, s.has())
	}
	if n, err = s.count(0, variables, MaxVariables); err != nil {
		return 0, 0, err
	}
	// A line takes six bytes at least: what the text cannot hold is refused here.
	m, err = s.count(1, lines, len(s.rest)/6+1)
	if err != nil {
		return 0, 0, s.fault("the first line says %s %s, and the text is too short for them", wording.Quote(s.fields[1]), lines)
	}
	return n, m, s.room(n, m)
}

func (s *scanner) has() string {
	if s.n == len(s.fields) {
		return "more"
	}
	return wording.Count(s.n, "field", "fields")
}

// entries reads the lines i j value after a header, of variables from 1 to n.
func (s *scanner) entries(n, m int, lines string) (all []entry, err error) {
	all = make([]entry, 0, m)
	for {
		found, err := s.next(nil)
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		if len(all) == m {
			return nil, s.fault("a line more than the %d %s that the first line says", m, lines)
		}
		e, err := s.entry(1, n)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	if len(all) < m {
		return nil, s.fault("the file ends after %d of the %d %s that its first line says", len(all), m, lines)
	}
	return all, nil
}

// entry is a line i j value.
func (s *scanner) entry(first, last int) (e entry, err error) {
	if s.n != 3 {
		return e, s.fault("a line has two variables and a number, and this one has %s", s.has())
	}
	e.line = s.line
	if e.I, err = s.variable(0, first, last); err != nil {
		return e, err
	}
	if e.J, err = s.variable(1, first, last); err != nil {
		return e, err
	}
	e.Value, err = s.number(2)
	return e, err
}

// once checks that no pair is there twice, in whichever order. Symmetric says that the file is of a matrix.
func (s *scanner) once(all []entry, symmetric bool) error {
	sorted := slices.Clone(all)
	low := func(e entry) int { return min(e.I, e.J) }
	high := func(e entry) int { return max(e.I, e.J) }
	slices.SortFunc(sorted, func(a, b entry) int {
		return cmp.Or(cmp.Compare(low(a), low(b)), cmp.Compare(high(a), high(b)), cmp.Compare(a.line, b.line))
	})
	for k := 1; k < len(sorted); k++ {
		a, b := sorted[k-1], sorted[k]
		if low(a) != low(b) || high(a) != high(b) {
			continue
		}
		s.line = b.line
		switch i, j := b.I+1, b.J+1; {
		case symmetric && a.I != b.I && a.Value != b.Value:
			return s.fault("the matrix is symmetric, and (%d, %d) is %v where line %d has (%d, %d) as %v", i, j, b.Value, a.line, j, i, a.Value)
		case symmetric:
			return s.fault("(%d, %d) is there twice, also in line %d; one triangle of the symmetric matrix is written, each element once", i, j, a.line)
		default:
			return s.fault("the edge of %d and %d is there twice, also in line %d; add the weights", i, j, a.line)
		}
	}
	return nil
}

// rudy reads a graph: its numbers of vertices and edges, then a line i j w for each edge, vertices from 1.
func (s *scanner) rudy() (*Model, error) {
	n, m, err := s.header("vertices", "edges")
	if err != nil {
		return nil, err
	}
	all, err := s.entries(n, m, "edges")
	if err != nil {
		return nil, err
	}
	couplings := make([]Coupling, len(all))
	for k, e := range all {
		if e.I == e.J {
			s.line = e.line
			return nil, s.fault("an edge of vertex %d to itself, which no cut divides; leave it out", e.I+1)
		}
		couplings[k] = e.Coupling
	}
	if err := s.once(all, false); err != nil {
		return nil, err
	}
	return s.model(MaxCut, n, nil, couplings)
}

// sparse reads a symmetric matrix Q, of which xᵀQx is the energy: its size and how many elements follow, then a line i j q for each,
// from 1. An element off the diagonal stands for both of a pair, so b_ij = 2 q_ij.
func (s *scanner) sparse() (*Model, error) {
	n, m, err := s.header("variables", "elements")
	if err != nil {
		return nil, err
	}
	all, err := s.entries(n, m, "elements")
	if err != nil {
		return nil, err
	}
	if err := s.once(all, true); err != nil {
		return nil, err
	}
	linear, couplings := make([]float64, n), make([]Coupling, 0, len(all))
	for _, e := range all {
		if e.I == e.J {
			linear[e.I] = e.Value
			continue
		}
		couplings = append(couplings, Coupling{e.I, e.J, 2 * e.Value})
	}
	return s.model(QUBO, n, linear, couplings)
}
