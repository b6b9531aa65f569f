package path

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// resolved is a family with its optional methods, or their defaults, looked up once.
type resolved[S any] struct {
	Family[S]
	ratio func(s S, from, to float64) float64
	deriv func(s S, beta float64) float64
	batch func(dst []float64, s S, betas []float64)

	marshal   Marshal[S] // nil if states cannot be marshalled
	groupSize int        // the best number of states for moveAll
	moveAll   func(states []S, beta float64, rs []*rand.Rand)
}

func resolve[S any](f Family[S]) resolved[S] {
	out := resolved[S]{Family: f, groupSize: 1}
	out.ratio, out.deriv, out.batch, out.moveAll = out.difference, out.quotient, out.oneByOne, out.moveEach
	if r, ok := f.(Ratio[S]); ok {
		out.ratio = r.LogRatio
	}
	if d, ok := f.(Deriv[S]); ok {
		out.deriv = d.DLogDensity
	}
	if b, ok := f.(Batch[S]); ok {
		out.batch = b.LogDensities
	}
	out.marshal, _ = f.(Marshal[S])
	if g, ok := f.(Grouped[S]); ok {
		out.groupSize, out.moveAll = max(1, g.GroupSize()), g.MoveAll
	}
	return out
}

// logRatio is log f_to(x) − log f_from(x), counted, and an error where it is not a number.
func (f *resolved[S]) logRatio(x S, from, to float64, t *tally) (float64, error) {
	v := f.ratio(x, from, to)
	t.evals++
	if !(v < math.Inf(1)) {
		return v, notNumber("the ratio of densities", v, from, to)
	}
	return v, nil
}

// slope is d/dβ log f_β(x), counted, and an error where it is not finite.
func (f *resolved[S]) slope(x S, beta float64, t *tally) (float64, error) {
	v := f.deriv(x, beta)
	t.evals++
	if !vec.Finite(v) {
		return v, notNumber("the derivative of the log density", v, beta, beta)
	}
	return v, nil
}

// moves makes n moves at a temperature.
func (f *resolved[S]) moves(x S, beta float64, n int, r *rand.Rand, t *tally) error {
	for range n {
		f.Move(x, beta, r)
		if t.moved() {
			return errStopped
		}
	}
	return nil
}

func (f *resolved[S]) difference(s S, from, to float64) float64 {
	density := f.LogDensity(s, to)
	if math.IsInf(density, -1) {
		return density
	}
	return density - f.LogDensity(s, from)
}

func (f *resolved[S]) oneByOne(dst []float64, s S, betas []float64) {
	for i, b := range betas {
		dst[i] = f.LogDensity(s, b)
	}
}

const derivStep = 1e-4 // truncation of order h², rounding of order 1e-16/h times the density's logarithm

// quotient is the derivative by finite differences of second order, one-sided near the ends.
func (f *resolved[S]) quotient(s S, beta float64) float64 {
	const h = derivStep
	switch {
	case beta < h:
		return (float64(4*f.ratio(s, beta, beta+h)) - f.ratio(s, beta, beta+2*h)) / (2 * h)
	case beta > 1-h:
		return (f.ratio(s, beta, beta-2*h) - float64(4*f.ratio(s, beta, beta-h))) / (2 * h)
	}
	return f.ratio(s, beta-h, beta+h) / (2 * h)
}
