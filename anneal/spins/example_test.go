package spins_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/spins"
)

// The largest cut of Petersen's graph leaves three of its fifteen edges.
func Example() {
	var edges []spins.Coupling
	for i := range 5 {
		edges = append(edges,
			spins.Coupling{I: i, J: (i + 1) % 5, Value: 1},
			spins.Coupling{I: i, J: i + 5, Value: 1},
			spins.Coupling{I: i + 5, J: (i+2)%5 + 5, Value: 1})
	}
	m, err := spins.New(spins.MaxCut, 10, nil, edges, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	in, err := spins.NewInstance(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := anneal.Run(context.Background(), in, anneal.Settings{Seed: 1, Sweeps: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("cut:", in.Objective(res.Best))
	// Output: cut: 12
}

// Files of the Biq Mac library have one triangle of a symmetric matrix: the element of 1 and 2 counts twice.
func ExampleRead() {
	m, err := spins.Read("small.sparse", []byte("3 4\n1 1 -5\n1 2 3\n2 2 -2\n3 3 1\n"), spins.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := []float64{1, -1, -1} // x = 1, 0, 0
	e, err := m.Energy(s)
	fmt.Println(e, err)
	if err := m.Write(os.Stdout, s); err != nil {
		fmt.Println(err)
	}
	// Output:
	// -5 <nil>
	// 1	1
	// 2	0
	// 3	0
}

// An Ising model of two spins with a field is a cut of three vertices.
func ExampleModel_MaxCut() {
	m, err := spins.New(spins.Ising, 2, []float64{1, 0}, []spins.Coupling{{I: 0, J: 1, Value: -1}}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	cut := m.MaxCut()
	for _, c := range cut.Couplings {
		fmt.Println(c.I, c.J, c.Value)
	}
	fmt.Println("less", cut.Offset)
	// Output:
	// 0 1 -2
	// 0 2 2
	// less 0
}
