package mh

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Neighbourhood says which discrete states lie one step from a state: numbers, subsets,
// permutations, partitions, graphs. If x' is m times among the neighbours of x, x must be m
// times among those of x'.
type Neighbourhood[X any] interface {
	// Count is the number of neighbours.
	Count(x X) int
	// Neighbour makes neighbour i, from 0 on, in the storage of dst as a [Move] does.
	Neighbour(dst, x X, i int) X
}

// Neighbours is the move to a neighbour, each as likely as the others. Its log ratio is
// log Count(x) − log Count(x'). A state without neighbours stays.
type Neighbours[X any] struct{ of Neighbourhood[X] }

// NewNeighbours returns the move.
func NewNeighbours[X any](of Neighbourhood[X]) (*Neighbours[X], error) {
	if of == nil {
		return nil, errors.New("mh: a move to neighbours needs to know which they are")
	}
	return &Neighbours[X]{of}, nil
}

// Propose picks a neighbour.
func (k *Neighbours[X]) Propose(dst, x X, r *rand.Rand) (to X, logRatio float64) {
	n := k.of.Count(x)
	if n < 1 {
		return dst, math.Inf(-1)
	}
	to = k.of.Neighbour(dst, x, r.IntN(n))
	back := k.of.Count(to)
	switch {
	case back == n:
		return to, 0
	case back < 1: // x is not among the neighbours of its neighbour
		return to, math.NaN()
	}
	return to, vec.Log(float64(n) / float64(back))
}
