package main

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/anneal/spins"
	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
)

var (
	annealMaxcut = &annealProblem{"maxcut", "cut", "partition.txt", readSpins((*spins.Model).MaxCut)}
	annealQubo   = &annealProblem{"qubo", "value", "assignment.txt", readSpins((*spins.Model).QUBO)}
	annealIsing  = &annealProblem{"ising", "energy", "spins.txt", readSpins((*spins.Model).Ising)}
)

// readSpins reads a model of spins, binary variables or cuts, and makes it the kind that was asked for.
func readSpins(as func(*spins.Model) *spins.Model) func(name string, text []byte, s *annealSpec) (*annealInstance, error) {
	return func(name string, text []byte, s *annealSpec) (*annealInstance, error) {
		m, err := spins.Read(name, text, spins.Auto)
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
