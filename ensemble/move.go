package ensemble

import "math/rand/v2"

// Move proposes a place for one walker. Its values keep no state, so that one serves
// any number of kernels.
type Move interface {
	// Propose writes to y a proposal for the walker at x, and returns the logarithm of what
	// the ratio of densities is to be multiplied by: q(y→x)/q(x→y), with the Jacobian where
	// there is one. The others stand still.
	Propose(y, x []float64, others *Others, r *rand.Rand) (logFactor float64)
	// Least is the smallest number of others that it can work with.
	Least() int
	// Check judges the move's constants.
	Check() error
}

// Others are the walkers that a proposal may depend on.
type Others struct {
	of    *State
	index []int
	spare []float64
}

// Len is their number.
func (o *Others) Len() int { return len(o.index) }

// At is the place of the i-th, not to be written to.
func (o *Others) At(i int) []float64 { return o.of.Walker(o.index[i]) }

// Spare is a vector that a move may write to while it proposes.
func (o *Others) Spare() []float64 { return o.spare }

// pick draws one of the others.
func (o *Others) pick(r *rand.Rand) []float64 { return o.At(r.IntN(len(o.index))) }

// pair draws two different ones, in random order.
func (o *Others) pair(r *rand.Rand) (a, b []float64) {
	i, j := r.IntN(len(o.index)), r.IntN(len(o.index)-1)
	if j >= i {
		j++
	}
	return o.At(i), o.At(j)
}

// triple draws three different ones, in random order.
func (o *Others) triple(r *rand.Rand) (a, b, c []float64) {
	n := len(o.index)
	i, j, k := r.IntN(n), r.IntN(n-1), r.IntN(n-2)
	if j >= i {
		j++
	}
	if k >= min(i, j) {
		k++
	}
	if k >= max(i, j) {
		k++
	}
	return o.At(i), o.At(j), o.At(k)
}
