package lattice_test

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/lattice"
)

// Two stripes on an 8 × 8 lattice: spins are up where x < 4. Along y neighbours are equal, along x a quarter of those one apart differs
// and all that are four apart: G is (1 + 1/2)/2 and (1 − 1)/2. All of the variation is in one wave length.
func ExampleCorrelation() {
	square := lattice.Geometry{Size: []int{8, 8}}
	spins := make([]uint8, 64)
	for i := range spins {
		if i%8 < 4 {
			spins[i] = 1
		}
	}
	c, err := lattice.NewCorrelation(square, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	g := make([]float64, len(c.Lags))
	c.Measure(g, spins)
	fmt.Println(c.Lags, g)
	w, err := lattice.NewWaves(square, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	zero, first := w.Measure(spins)
	fmt.Printf("S(0) = %.1f, S(k) = %.1f for k of %.3f\n", zero, first, w.Number)
	// Output:
	// [1 2 3 4] [0.75 0.5 0.25 0]
	// S(0) = 0.0, S(k) = 13.7 for k of 0.765
}
