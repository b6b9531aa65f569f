package lattice

import "github.com/ergodic-mcmc/ergodic/mcmc"

// bathShare is the share of sweeps that are of the heat bath.
const bathShare = 1. / 16

// WithHeatBath makes one step in 16, picked by chance, one of the heat bath for the same distribution. Metropolis's rule in a fixed order can move
// in circles: see [NewMetropolis]. Beside the heat bath, which takes every value with positive probability, it cannot.
func WithHeatBath[S any](metropolis, heatBath mcmc.Kernel[S]) (mcmc.Kernel[S], error) {
	return mcmc.Mixture([]float64{1 - bathShare, bathShare}, metropolis, heatBath)
}
