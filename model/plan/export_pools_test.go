package plan

import "github.com/ergodic-mcmc/ergodic/model"

// CountSum is the log of the sum over the counts of its first kernel that sums over trees of them, of all densities that depend on them or on the nodes that it moves, and the cells of the counts.
func (w *Sweep) CountSum(s *model.State) (sum float64, cells []int32) {
	for _, k := range w.kernels {
		if k, ok := k.(*withPools); ok {
			k.sums.begin(s)
			sum = k.logProb(s, 0)
			k.sums.restore(s)
			return sum, k.sums.c.cells
		}
	}
	return 0, nil
}
