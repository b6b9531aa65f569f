package ensemble

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// State is an ensemble: the places of the walkers, row after row, and the log density at
// each, which every kernel leaves up to date.
type State struct {
	Dim  int
	X    []float64 // walker w is at X[w*Dim : (w+1)*Dim]
	LogP []float64 // a number a walker
}

// NewState copies the places of the walkers, rows of length dim, and evaluates the target
// there. It refuses an ensemble that could not move through the whole space: fewer than
// 2 dim walkers (the rule of emcee), places that are not finite, or a coordinate that is, in
// all walkers alike, an affine function of those before it: every move but
// differential evolution with a spread keeps such a relation for ever.
func NewState(t mcmc.Target, dim int, x []float64) (*State, error) {
	switch {
	case t == nil || dim < 1:
		return nil, fmt.Errorf("ensemble: walkers in %d dimensions; give a target and a dimension of 1 or more", dim)
	case len(x)%dim != 0:
		return nil, fmt.Errorf("ensemble: %d numbers are not whole walkers of %d coordinates each", len(x), dim)
	}
	n := len(x) / dim
	if err := checkSize(n, dim); err != nil {
		return nil, err
	}
	if err := checkSpread(x, dim); err != nil {
		return nil, err
	}
	s := &State{Dim: dim, X: append([]float64(nil), x...), LogP: make([]float64, n)}
	for w := range n {
		s.LogP[w] = t.LogDensity(s.Walker(w))
	}
	return s, nil
}

func checkSize(walkers, dim int) error {
	if walkers < 2*dim || walkers < 2 {
		return fmt.Errorf("ensemble: %d walkers in %d dimensions; take %d or more, twice the dimension, so that each half can span the space",
			walkers, dim, 2*dim)
	}
	return nil
}

// Walkers is their number.
func (s *State) Walkers() int { return len(s.LogP) }

// Walker is the place of walker w, not a copy.
func (s *State) Walker(w int) []float64 { return s.X[w*s.Dim : (w+1)*s.Dim : (w+1)*s.Dim] }

// MarshalBinary writes the ensemble bit for bit.
func (s *State) MarshalBinary() ([]byte, error) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(s.Dim))
	b, err := binary.Append(b, binary.LittleEndian, s.X)
	if err != nil {
		return nil, err
	}
	return binary.Append(b, binary.LittleEndian, s.LogP)
}

var errState = errors.New("ensemble: these bytes are not an ensemble; pass what MarshalBinary returned")

// UnmarshalBinary reads what MarshalBinary wrote.
func (s *State) UnmarshalBinary(b []byte) error {
	if len(b) < 8 || len(b)%8 != 0 {
		return errState
	}
	dim, numbers := binary.LittleEndian.Uint64(b), uint64(len(b)/8-1)
	if dim < 1 || dim > numbers || numbers%(dim+1) != 0 {
		return errState
	}
	all := make([]float64, numbers)
	if _, err := binary.Decode(b[8:], binary.LittleEndian, all); err != nil {
		return errState
	}
	n := numbers / (dim + 1)
	s.Dim, s.X, s.LogP = int(dim), all[:n*dim:n*dim], all[n*dim:]
	return nil
}
