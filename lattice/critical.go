package lattice

import "math"

// SquareCriticalTemperature is the critical temperature of the infinite square lattice with coupling 1: 2/ln(1 + √2) of the Ising model (Kramers and
// Wannier 1941), for q = 0, and 1/ln(1 + √q) of the Potts model of q colours (Potts 1952).
func SquareCriticalTemperature(q int) float64 {
	if q == 0 {
		return 2 / math.Log(1+math.Sqrt2)
	}
	return 1 / math.Log(1+math.Sqrt(float64(q)))
}
