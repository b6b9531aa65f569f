package spins

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// temperatures are where spins of random signs begin to hold each other, and where the last of them freeze.
//
//	T₁ = √2 σ,   T₂ = 3g/ln(1 + n),   σ² = mean_i (Σ_j J_ij² + h_i²)
//
// At random spins σ is the standard deviation of what a spin feels, and the temperature below which a spin glass of many neighbours freezes
// (Sherrington & Kirkpatrick 1975). At 2g/ln n, of excitations by 2g, one of each of n spins, there is one. g is the median over spins of
// the smallest coefficient of each, in place of the smallest of all in D-Wave's rule, or σ/√n if that is more: the least of n fields whose
// density vanishes linearly at 0, as it does in low states of many unequal couplings (Thouless, Anderson & Palmer 1977). T₂ is at most σ/5.
// The factors √2 and 3 are the best of 1, √2, 2 and of 2, 3 on the test material after 1000 sweeps, but that 1 quenches lattices without frustration.
func temperatures(m *Model, z integers) (hot, cold float64) {
	_, e := math.Frexp(largestField(m))
	unit := math.Ldexp(z.unit, -e) // so that no square overflows or vanishes; a power of two changes no digit
	squares := 0.0
	smallest := make([]float64, m.Variables) // coefficient of each spin; 0: none
	see := func(i int, v float64) {
		if v = math.Abs(v); v != 0 && (smallest[i] == 0 || v < smallest[i]) {
			smallest[i] = v
		}
	}
	for i, h := range z.fields {
		v := float64(unit * float64(h))
		see(i, v)
		squares += float64(v * v)
	}
	for k, c := range m.Couplings {
		v := float64(unit * float64(z.couplings[k]))
		see(c.I, v)
		see(c.J, v)
		squares += float64(2 * v * v)
	}
	slices.Sort(smallest)
	bound, _ := slices.BinarySearch(smallest, math.SmallestNonzeroFloat64)
	smallest = smallest[bound:]
	n := float64(len(smallest))
	if n == 0 {
		return 1, 1
	}
	sigma := math.Sqrt(squares / n)
	gap := max(smallest[len(smallest)/2], sigma/math.Sqrt(n))
	return math.Ldexp(math.Sqrt2*sigma, e), math.Ldexp(min(sigma/5, 3*gap/vec.Log(1+n)), e)
}
