package spins

import (
	"bytes"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// coo reads dimod's coordinate format: a header # vartype=SPIN or BINARY, then lines i j value, variables from 0, linear terms where i = j.
// Terms that are there more than once are added, as dimod adds them. Variables without terms below the largest are there too. Binary is the kind
// without a header.
func (s *scanner) coo(binary bool) (*Model, error) {
	kind, known := Ising, false
	if binary {
		kind, known = QUBO, true
	}
	see := func(comment []byte) error {
		_, value, ok := bytes.Cut(comment, []byte("vartype="))
		if !ok {
			return nil
		}
		known = true
		switch string(bytes.TrimSpace(value)) {
		case "SPIN":
			kind = Ising
		case "BINARY":
			kind = QUBO
		default:
			return s.fault("vartype is %s; it is SPIN or BINARY", wording.Quote(value))
		}
		return nil
	}
	n, linear, couplings := 0, []float64(nil), []Coupling(nil)
	for {
		found, err := s.next(see)
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		e, err := s.entry(0, MaxVariables-1)
		if err != nil {
			return nil, err
		}
		if e.I != e.J {
			couplings = append(couplings, e.Coupling)
			n = max(n, e.I+1, e.J+1)
			continue
		}
		if n = max(n, e.I+1); n > len(linear) {
			if err := s.room(2*n, 0); err != nil {
				return nil, err
			}
			linear = append(linear, make([]float64, n-len(linear))...)
		}
		linear[e.I] += e.Value
	}
	if !known {
		s.line = 1
		return nil, s.fault("the file does not say what its variables are: its first line is # vartype=SPIN or # vartype=BINARY")
	}
	if err := s.room(n, len(couplings)); err != nil {
		return nil, err
	}
	linear = append(linear, make([]float64, n-len(linear))...)
	m, err := s.model(kind, n, linear, couplings)
	if m != nil {
		m.FromZero = true
	}
	return m, err
}
