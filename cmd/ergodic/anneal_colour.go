package main

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/anneal/colouring"
	"github.com/ergodic-mcmc/ergodic/anneal/partition"
	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
)

var (
	annealColour    = &annealProblem{"colour", "conflicts", "colours.txt", readColouring}
	annealPartition = &annealProblem{"partition", "difference", "parts.txt", readPartition}
)

// readColouring reads a graph, and chooses how many colours there are where that is not said.
func readColouring(name string, text []byte, s *annealSpec) (*annealInstance, error) {
	g, err := colouring.Read(name, text)
	if err != nil {
		return nil, err
	}
	k, note := 0, ""
	if s.Colours != nil {
		k = *s.Colours
	} else {
		_, greedy := g.Greedy()
		clique := len(g.Clique())
		k = max(greedy-1, clique, 1)
		note = fmt.Sprintf("%d colours; a greedy colouring takes %d, and a clique needs %d", k, greedy, clique)
	}
	p, err := g.Colours(k)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	in := &annealInstance{Instance: p, write: annealreport.WriteValues, read: annealreport.ReadValues, least: new(float64)}
	if note != "" {
		in.notes = []string{note}
	}
	return in, nil
}

func readPartition(name string, text []byte, _ *annealSpec) (*annealInstance, error) {
	p, err := partition.Read(name, text)
	if err != nil {
		return nil, err
	}
	least := p.Parity()
	return &annealInstance{Instance: p, write: annealreport.WriteValues, read: annealreport.ReadValues, least: &least}, nil
}
