package lattice_test

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Four chains of Gaussian energies with correlations 0.8^t: τ = 1 + 2 Σ 0.8^t = 9 sweeps, and 40 000 measurements of variance
// 0.01 tell the mean to √(9 · 0.01/40000) = 0.0015.
func ExampleAnalyse() {
	s := &lattice.Series{Beta: 0.44, Sites: 64}
	for chain := range uint64(4) {
		r := rng.New(1, "example", chain)
		e, x := make([]float64, 10000), 0.0
		for t := range e {
			x = 0.8*x + 0.06*r.NormFloat64()
			e[t] = x - 1.45
		}
		s.Energy = append(s.Energy, e)
	}
	a, err := lattice.Analyse(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := a.Of(lattice.Energy)
	fmt.Printf("energy %.3f ± %.4f by blocks, ± %.4f by autocorrelations, τ = %.0f sweeps\n", e.Value, e.Binning, e.Autocorrelation, e.Tau)
	fmt.Printf("specific heat %.3f ± %.3f\n", a.Of(lattice.SpecificHeat).Value, a.Of(lattice.SpecificHeat).SE())
	// Output:
	// energy -1.450 ± 0.0015 by blocks, ± 0.0016 by autocorrelations, τ = 9 sweeps
	// specific heat 0.127 ± 0.002
}
