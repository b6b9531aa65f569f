package diag

// BFMI is the energy Bayesian fraction of missing information of each chain:
// Σ(E_i - E_{i-1})² / Σ(E_i - Ē)² (Betancourt 2016, "Diagnosing suboptimal
// cotangent disintegrations in Hamiltonian Monte Carlo", section 2). Below 0.3 the momenta
// move the energy too slowly for its heavy tails. NaN for constant energies
// and fewer than two draws.
func BFMI(energy [][]float64) []float64 {
	fractions := make([]float64, len(energy))
	for c, e := range energy {
		m := mean(e)
		steps, spread := 0.0, 0.0
		for i, x := range e {
			if i > 0 {
				steps += (x - e[i-1]) * (x - e[i-1])
			}
			spread += (x - m) * (x - m)
		}
		fractions[c] = steps / spread
	}
	return fractions
}
