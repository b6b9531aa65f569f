package lattice_test

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Independent exact draws at the critical temperature need no warm-up and no autocorrelation time. The exact energy of the 8 × 8 lattice is −1.4916 a site.
func ExampleNewCouplingFromThePast() {
	g, err := lattice.Geometry{Size: []int{8, 8}}.Graph(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := &lattice.Model{Graph: g}
	k, err := lattice.NewCouplingFromThePast(m, 1/lattice.SquareCriticalTemperature(0), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "example").Rand
	s := m.Random(r)
	energy := 0.0
	for range 4000 {
		if err := k.Draw(s, r); err != nil {
			fmt.Println(err)
			return
		}
		energy += m.Energy(s) / 64 / 4000
	}
	fmt.Printf("energy of a site: %.3f ± 0.005\n", energy)
	// Output:
	// energy of a site: -1.493 ± 0.005
}
