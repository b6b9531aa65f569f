package lattice_test

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Clusters give the susceptibility with less noise than spins: Σ n²/N over the clusters of a step has the mean N⟨m²⟩.
func ExampleNewSwendsenWang() {
	g, err := lattice.Geometry{Size: []int{64, 64}}.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &lattice.Model{Graph: g}
	k, err := lattice.NewSwendsenWang(m, 0.4, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "example").Rand
	s := m.Random(r)
	for range 100 {
		k.Step(s, r)
	}
	const sites, steps = 64 * 64, 2000
	spins, clusters := 0.0, 0.0
	for range steps {
		k.Step(s, r)
		magnetisation := m.Magnetisation(s)
		spins += sites * magnetisation * magnetisation / steps
		clusters += k.Clusters().Squares / sites / steps
	}
	fmt.Printf("N⟨m²⟩: %.0f by spins, %.0f by clusters\n", spins, clusters)
	// Output:
	// N⟨m²⟩: 61 by spins, 62 by clusters
}

// At the critical temperature a cluster of Wolff's is a large part of the lattice, and a step that makes a few changes everything.
func ExampleNewWolff() {
	g, err := lattice.Geometry{Size: []int{32, 32}}.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &lattice.Model{Graph: g, Q: 3}
	k, err := lattice.NewWolff(m, 1.005, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "example").Rand
	s := m.Random(r)
	sites := 0
	for range 1000 {
		k.Step(s, r)
		_, changed := k.Sites()
		sites += changed
	}
	fmt.Printf("%.0f of 1024 sites change in a step\n", float64(sites)/1000)
	// Output:
	// 773 of 1024 sites change in a step
}
