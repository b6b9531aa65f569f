package ensemble

import "math/rand/v2"

// Move proposes a place for one walker. Its values keep no state, so that one serves
// any number of kernels.
type Move interface {
	// Propose writes to y a proposal for the walker at x, and returns the logarithm of what
	// the ratio of densities is to be multiplied by: q(y→x)/q(x→y), with the Jacobian where
	// there is one. The complementary ensemble does not move.
	Propose(y, x []float64, complement *Complement, r *rand.Rand) (logFactor float64)
	// Least is the smallest complementary ensemble that it can propose from.
	Least() int
	// Check validates the move's constants.
	Check() error
}

// Complement is the complementary ensemble of the walker that moves: the walkers that its proposal may
// depend on (Foreman-Mackey, Hogg, Lang and Goodman 2013).
type Complement struct {
	of    *State
	index []int
	spare []float64
}

// Len is the number of walkers.
func (o *Complement) Len() int { return len(o.index) }

// At is the place of the i-th, not to be written to.
func (o *Complement) At(i int) []float64 { return o.of.Walker(o.index[i]) }

// Spare is a vector that a move may write to while it proposes.
func (o *Complement) Spare() []float64 { return o.spare }

// pick draws one walker.
func (o *Complement) pick(r *rand.Rand) []float64 { return o.At(r.IntN(len(o.index))) }

// pair draws two different ones, in random order.
func (o *Complement) pair(r *rand.Rand) (a, b []float64) {
	i, j := r.IntN(len(o.index)), r.IntN(len(o.index)-1)
	if j >= i {
		j++
	}
	return o.At(i), o.At(j)
}

// triple draws three different ones, in random order.
func (o *Complement) triple(r *rand.Rand) (a, b, c []float64) {
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
