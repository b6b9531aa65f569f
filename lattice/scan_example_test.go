package lattice_test

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// The energy of the Ising model on a square lattice, exactly −1.4915891 a site for 8 × 8 spins at the critical temperature of the infinite one.
func ExampleNewMetropolis() {
	g, err := lattice.Geometry{Size: []int{8, 8}}.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &lattice.Model{Graph: g}
	k, err := lattice.NewMetropolis(m, 1/lattice.SquareCriticalTemperature(0), lattice.ScanSettings{Scan: lattice.Checkerboard})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "example").Rand
	s := m.Random(r)
	sum, steps := 0.0, 100_000
	for range 1000 {
		k.Step(s, r)
	}
	for range steps {
		k.Step(s, r)
		sum += m.Energy(s)
	}
	fmt.Printf("%.2f\n", sum/float64(steps)/64)
	// Output:
	// -1.49
}

// A spin glass of 36 spins cooled slowly, to a state of least energy (no run of 300 found a lower one).
func ExampleNewHeatBath() {
	g, err := lattice.Geometry{Size: []int{6, 6}}.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	if g, err = g.PlusMinus(1, 0.5, 2026); err != nil {
		fmt.Println(err)
		return
	}
	m := &lattice.Model{Graph: g}
	k, err := lattice.NewHeatBath(m, 0, lattice.ScanSettings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "example").Rand
	s := m.Random(r)
	for sweep := range 1000 {
		if err := k.SetBeta(3 * float64(sweep) / 1000); err != nil {
			fmt.Println(err)
			return
		}
		k.Step(s, r)
	}
	fmt.Println(m.Energy(s))
	// Output:
	// -48
}

// In the cold few spins change, and time goes on in continuous time at little cost: here 1000 units of it.
func ExampleContinuous() {
	g, err := lattice.Geometry{Size: []int{100, 100}}.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &lattice.Model{Graph: g}
	k, err := lattice.NewContinuous(m, 1.2)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "example").Rand
	s := &lattice.State{Spins: make([]uint8, g.Sites())}
	changes := 0
	for range 1000 {
		changes += k.Step(s, r).Evals
	}
	fmt.Printf("%d changes instead of %d proposals\n", changes, 1000*g.Sites())
	// Output:
	// 1357 changes instead of 10000000 proposals
}

// Sites of a triangular lattice lie at distance 1 from their neighbours.
func ExampleGeometry_Position() {
	l := lattice.Geometry{Kind: lattice.Triangular, Size: []int{3, 3}, Boundary: lattice.Open}
	g, err := l.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("site 4 at %.3f\n", l.Position(nil, 4))
	for _, j := range g.Of(4) {
		fmt.Printf("joined to %d at %.3f\n", j, l.Position(nil, int(j)))
	}
	// Output:
	// site 4 at [1.500 0.866]
	// joined to 1 at [1.000 0.000]
	// joined to 2 at [2.000 0.000]
	// joined to 3 at [0.500 0.866]
	// joined to 5 at [2.500 0.866]
	// joined to 6 at [1.000 1.732]
	// joined to 7 at [2.000 1.732]
}
