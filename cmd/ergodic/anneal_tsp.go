package main

import (
	"io"

	"github.com/ergodic-mcmc/ergodic/anneal/tsp"
)

var annealTsp = &annealProblem{"tsp", "length", "solution.tour", readTSP}

func readTSP(name string, text []byte, _ *annealSpec) (*annealInstance, error) {
	p, err := tsp.Read(name, text)
	if err != nil {
		return nil, err
	}
	in := &annealInstance{Instance: p}
	in.write = func(w io.Writer, solution []float64) error {
		tour, err := p.Tour(solution)
		if err != nil {
			return err
		}
		return p.WriteTour(w, tour)
	}
	in.read = func(name string, text []byte) ([]float64, error) {
		tour, err := tsp.ReadTour(name, text, p)
		return floats(tour), err
	}
	if at := p.Points(); at != nil {
		in.points = func(solution []float64) (all [][2]float64) {
			for _, city := range solution {
				all = append(all, at[int(city)])
			}
			return all
		}
	}
	return in, nil
}
