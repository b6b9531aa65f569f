package job_test

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// The mathematics of the example: an Ising ring, exp(β Σ sᵢsᵢ₊₁), and single-site heat-bath sweeps.

type ring struct {
	Spins []int8
	Beta  float64
}

type sweep struct{ flip [3]float64 } // P(s = 1) by the sum of the neighbours, −2, 0, 2

func (k sweep) Step(s *mcmc.State[ring], r *rand.Rand) mcmc.Info {
	n := len(s.X.Spins)
	for i := range s.X.Spins {
		h := s.X.Spins[(i+n-1)%n] + s.X.Spins[(i+1)%n]
		s.X.Spins[i] = -1
		if r.Float64() < k.flip[(h+2)/2] {
			s.X.Spins[i] = 1
		}
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

func energy(x ring) (sum float64) {
	for i, s := range x.Spins {
		sum += float64(s * x.Spins[(i+1)%len(x.Spins)])
	}
	return sum
}
