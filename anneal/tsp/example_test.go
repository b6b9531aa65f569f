package tsp_test

import (
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/anneal/tsp"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const burma = `NAME: burma14
TYPE: TSP
COMMENT: 14 cities in Burma (Zaw Win)
DIMENSION: 14
EDGE_WEIGHT_TYPE: GEO
NODE_COORD_SECTION
1 16.47 96.10
2 16.47 94.44
3 20.09 92.54
4 22.39 93.37
5 25.23 97.24
6 22.00 96.05
7 20.47 97.02
8 17.20 96.29
9 16.30 97.38
10 14.05 98.12
11 16.53 97.38
12 21.52 95.59
13 19.41 97.13
14 20.09 94.55
EOF
`

// The shortest tour of a small problem of TSPLIB, whose length is known to be 3323, by a temperature that falls.
func Example() {
	p, err := tsp.Read("burma14.tsp", []byte(burma))
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := p.Walker()
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "example").Rand
	w.Start(r)
	hot, cold := p.Temperatures()
	const sweeps = 2000
	for k := range sweeps {
		w.Sweep(hot+float64((cold-hot)*float64(k)/(sweeps-1)), r)
	}
	length, err := p.Evaluate(w.Solution(0))
	fmt.Println(length, err)
	// Output: 3323 <nil>
}

func ExampleProblem_WriteTour() {
	p, err := tsp.Read("square.tsp", []byte("NAME: square\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: CEIL_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 1\n3 1 1\n4 1 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.WriteTour(os.Stdout, []int{0, 2, 1, 3}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// NAME : square
	// COMMENT : length 6
	// TYPE : TOUR
	// DIMENSION : 4
	// TOUR_SECTION
	// 1
	// 3
	// 2
	// 4
	// -1
	// EOF
}
