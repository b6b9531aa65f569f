package plan

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/model"
)

// CountSum is the log of the sum over the counts of its first kernel that sums over trees of them, of all densities that depend on them or on the nodes that it moves, and the cells of the counts.
func (w *Sweep) CountSum(s *model.State) (sum float64, cells []int32) {
	for _, k := range w.kernels {
		if k, ok := k.(*withPools); ok {
			if g, ok := k.sums.(*poolSums); ok {
				g.begin(s)
				sum = k.logProb(s, nil, 0, g.here)
				g.restore(s)
				return sum, g.c.cells
			}
		}
	}
	return 0, nil
}

// CountEstimate is an estimate of the sum that CountSum gives, with so many particles for each part, and the cells of the counts. Where these are given, it is as in a move from there.
func (w *Sweep) CountEstimate(s *model.State, r *rand.Rand, particles int, given bool) (sum float64, cells []int32) {
	for _, k := range w.kernels {
		if k, ok := k.(*withPools); ok {
			if f, ok := k.sums.(*countFilter); ok {
				for i := range f.parts {
					f.parts[i].particles = float64(particles)
				}
				f.begin(s)
				by := f.value
				if given {
					by = f.here
				}
				sum = k.logProb(s, r, 0, by)
				f.restore(s)
				return sum, f.g.cells
			}
		}
	}
	return 0, nil
}
