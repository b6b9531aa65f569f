package main

import (
	"io"

	"github.com/ergodic-mcmc/ergodic/anneal"
)

// annealProblem is a kind of problem: how it is called, and what its instances are read with.
type annealProblem struct {
	name     string // of the command
	value    string // what the objective is
	solution string // the file of the run's folder
	read     func(name string, text []byte, s *annealSpec) (*annealInstance, error)
}

// annealInstance is an instance with the forms of its solutions.
type annealInstance struct {
	anneal.Instance
	write  func(w io.Writer, solution []float64) error
	read   func(name string, text []byte) ([]float64, error)
	points func(solution []float64) [][2]float64 // of a tour in the plane; nil where there is none
	least  *float64                              // no energy is lower; nil: not known
	notes  []string
	value  string                                     // what the objective is, where it is another than the problem's
	begin  []float64                                  // a solution to begin with
	fewer  func(colours int) (*annealInstance, error) // of colours; nil: their number is given
	names  []string                                   // of coordinates, which are shown with their values; nil: these are only written
}

// job is the name of its runs.
func (p *annealProblem) job() string { return annealJob + " " + p.name }
