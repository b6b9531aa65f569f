package lattice_test

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Two temperatures of a lattice of 8 × 8 spins in one run. The exact energies per site are −1.74565 at T = 2 and −1.22232 at T = 2.5.
func ExampleSimulation() {
	g := lattice.Geometry{Size: []int{8, 8}}
	graph, err := g.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &lattice.Model{Graph: graph}
	s := &lattice.Simulation{
		Betas: []float64{1 / 2.5, 1 / 2.},
		Systems: []lattice.System{{Model: m, Kernel: func(beta float64) (mcmc.Kernel[*lattice.State], error) {
			return lattice.NewHeatBath(m, beta, lattice.ScanSettings{Scan: lattice.Checkerboard})
		}}},
	}
	run := mcmc.Settings{Seed: 1, Chains: 2, Draws: 20_000}
	if err := s.Prepare(run.Chains); err != nil {
		fmt.Println(err)
		return
	}
	rec, err := mcmc.NewMemory(s.Variables(), run)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := mcmc.Run(context.Background(), s, run, rec, nil); err != nil {
		fmt.Println(err)
		return
	}
	for i, beta := range s.Betas {
		a, err := lattice.Analyse(&lattice.Series{Beta: beta, Sites: 64, Energy: rec.Draws().Element(i), Magnetisation: rec.Draws().Element(2 + i)})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("T = %.1f: energy %.2f, |m| %.2f\n", 1/beta, a.Of(lattice.Energy).Value, a.Of(lattice.AbsMagnetisation).Value)
	}
	// Output:
	// T = 2.5: energy -1.22, |m| 0.60
	// T = 2.0: energy -1.75, |m| 0.91
}
