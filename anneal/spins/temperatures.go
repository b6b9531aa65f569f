package spins

import "math"

// temperatures are those of D-Wave's samplers: at the first the change that raises the energy most is accepted with probability ½; at the last
// the smallest excitations, each of one of the spins with the smallest coefficient, are 0.01 in number.
//
//	T₁ = 2 max_i (Σ_j |J_ij| + |h_i|)/ln 2,   T₂ = 2g/ln(n_g/0.01)
//
// where g is the smallest coefficient and n_g the number of spins that have it.
func temperatures(m *Model, z integers) (hot, cold float64) {
	smallest := make([]float64, m.Variables) // coefficient of each spin; 0: none
	see := func(i int, v float64) {
		if v = math.Abs(v); v != 0 && (smallest[i] == 0 || v < smallest[i]) {
			smallest[i] = v
		}
	}
	for i, h := range z.fields {
		see(i, z.unit*float64(h))
	}
	for k, c := range m.Couplings {
		v := z.unit * float64(z.couplings[k])
		see(c.I, v)
		see(c.J, v)
	}
	gap, count := math.Inf(1), 0.0
	for _, s := range smallest {
		switch {
		case s == 0 || s > gap:
		case s < gap:
			gap, count = s, 1
		default:
			count++
		}
	}
	if count == 0 {
		return 1, 1
	}
	return 2 * largestField(m) / math.Ln2, 2 * gap / math.Log(count/0.01)
}
