package tsp

import (
	"fmt"
	"sync"
)

// Problem is a symmetric travelling salesman problem: the shortest closed tour that visits each of n cities once. [Read] makes one.
// Cities have numbers from 0, which are those of the file less one. It implements anneal.Instance, and may be used by several goroutines.
type Problem struct {
	Name    string
	Comment string // of several lines, if the file has several
	Type    string // EDGE_WEIGHT_TYPE

	n       int
	x, y, z []float64    // coordinates, as the file has them; z where there are three, none where weights are explicit
	weights []int32      // below the diagonal, row by row, where they are explicit
	display [][2]float64 // DISPLAY_DATA_SECTION

	once sync.Once
	land *land
	err  error
}

// Variables is the number of cities.
func (p *Problem) Variables() int { return p.n }

// Objective is the length itself.
func (p *Problem) Objective(energy float64) float64 { return energy }

// Length is that of the closed tour that visits cities in order. An error says why the tour is none.
func (p *Problem) Length(tour []int) (int64, error) {
	if len(tour) != p.n {
		return 0, fmt.Errorf("the tour has %d cities, and the problem %d", len(tour), p.n)
	}
	seen := make([]bool, p.n)
	for _, c := range tour {
		switch {
		case c < 0 || c >= p.n:
			return 0, fmt.Errorf("city %d is in the tour, and cities are 0 to %d", c, p.n-1)
		case seen[c]:
			return 0, fmt.Errorf("city %d is in the tour twice", c)
		}
		seen[c] = true
	}
	var length int64
	last := tour[p.n-1]
	for _, c := range tour {
		length += p.Distance(last, c)
		last = c
	}
	return length, nil
}

// Evaluate is [Problem.Length] of a solution as walkers give it.
func (p *Problem) Evaluate(solution []float64) (float64, error) {
	tour, err := p.Tour(solution)
	if err != nil {
		return 0, err
	}
	length, err := p.Length(tour)
	return float64(length), err
}

// Tour is a solution as cities in order.
func (p *Problem) Tour(solution []float64) ([]int, error) {
	tour := make([]int, len(solution))
	for i, v := range solution {
		if !(v >= 0 && v < float64(p.n)) || v != float64(int(v)) {
			return nil, fmt.Errorf("%v is in the tour, and cities are 0 to %d", v, p.n-1)
		}
		tour[i] = int(v)
	}
	return tour, nil
}

// Points are places of the cities for a picture: those the file gives for display, else their coordinates, for GEO longitude and latitude in
// degrees. They are nil where the file has neither; of three coordinates they are the first two.
func (p *Problem) Points() [][2]float64 {
	if p.display != nil {
		return append([][2]float64(nil), p.display...)
	}
	if p.x == nil {
		return nil
	}
	points := make([][2]float64, p.n)
	for i := range points {
		points[i] = [2]float64{p.x[i], p.y[i]}
		if p.Type == "GEO" {
			points[i] = [2]float64{degrees(p.y[i]), degrees(p.x[i])}
		}
	}
	return points
}
