package lattice_test

import (
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// A free spin in a field of 1 is up with probability 1/(1 + exp(−2β)). Measured at β = 0.5 for 200 such spins, the energy of one at
// β = 0.55 is −tanh 0.55 = −0.5005.
func ExampleReweighting() {
	s := &lattice.Series{Beta: 0.5, Sites: 200}
	for chain := range uint64(2) {
		r := rng.New(2, "free spins", chain)
		e := make([]float64, 2000)
		for t := range e {
			for range s.Sites {
				if r.Float64() < 0.7310585786300049 {
					e[t] -= 1 / float64(s.Sites)
				} else {
					e[t] += 1 / float64(s.Sites)
				}
			}
		}
		s.Energy = append(s.Energy, e)
	}
	w, err := lattice.NewReweighting(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	near, err := w.At(0.55)
	fmt.Printf("energy %.3f ± %.3f, worth %.0f measurements %v\n", near.Value[lattice.Energy], near.SE[lattice.Energy], near.Effective, err)
	_, err = w.At(0.8)
	fmt.Println("far away:", errors.Is(err, lattice.ErrSupport))
	// Output:
	// energy -0.500 ± 0.001, worth 2708 measurements <nil>
	// far away: true
}
