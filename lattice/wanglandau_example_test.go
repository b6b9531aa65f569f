package lattice_test

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/lattice"
)

// The free energy at any temperature follows from one run. At the critical temperature ln Z of the 4 × 4 lattice is exactly 15.5219.
func ExampleWangLandau() {
	g, err := lattice.Geometry{Size: []int{4, 4}}.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	w := &lattice.WangLandau{Model: &lattice.Model{Graph: g}, Walkers: 8, Sweeps: 10000, Seed: 1, Threads: 2}
	if err := w.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	d, err := w.Result()
	if err != nil {
		fmt.Println(err)
		return
	}
	at := d.At(1 / lattice.SquareCriticalTemperature(0))
	fmt.Printf("%d levels, ln Z = %.3f ± %.3f\n", len(d.Energies), at.LogZ.Mean, at.LogZ.SE)
	// Output:
	// 15 levels, ln Z = 15.561 ± 0.030
}
