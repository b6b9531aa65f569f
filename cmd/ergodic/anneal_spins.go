package main

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/anneal/spins"
	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
)

var (
	annealMaxcut = &annealProblem{"maxcut", "cut", "partition.txt", readSpins((*spins.Model).MaxCut, spins.Rudy)}
	annealQubo   = &annealProblem{"qubo", "value", "assignment.txt", readSpins((*spins.Model).QUBO, spins.Sparse)}
	annealIsing  = &annealProblem{"ising", "energy", "spins.txt", readSpins((*spins.Model).Ising, spins.Rudy)}
)

// readSpins reads a model of spins, binary variables or cuts, and makes it the kind that was asked for. Lines of two variables and a number, of which neither name nor text say
// more, are a graph or a matrix, as the kind has them.
func readSpins(as func(*spins.Model) *spins.Model, lines spins.Format) func(name string, text []byte, s *annealSpec) (*annealInstance, error) {
	return func(name string, text []byte, s *annealSpec) (*annealInstance, error) {
		format := spins.Guess(name, text)
		if format == spins.Rudy {
			format = lines
		}
		m, err := spins.Read(name, text, format)
		if err != nil {
			return nil, err
		}
		m = as(m)
		in, err := spins.NewInstance(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if given(s.Alone, false) {
			in.Independent()
		}
		return &annealInstance{Instance: in, write: m.Write, read: readSpinState}, nil
	}
}

// readSpinState reads the last word of each line as a spin, or as a binary variable of 0 and 1.
func readSpinState(name string, text []byte) ([]float64, error) {
	all, err := annealreport.ReadValues(name, text)
	if slices.Contains(all, 0) {
		for i, v := range all {
			all[i] = 2*v - 1
		}
	}
	return all, err
}
