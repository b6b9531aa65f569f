package path

import (
	"math"
	"math/rand/v2"
)

// walk is a family with its optional methods found once.
type walk[S any] struct {
	Family[S]
	ratio func(s S, from, to float64) float64
	deriv func(s S, beta float64) float64
	batch func(dst []float64, s S, betas []float64)

	marshal  Marshal[S] // nil if states cannot be kept
	together int        // states that moveAll moves at a time, at best
	moveAll  func(states []S, beta float64, rs []*rand.Rand)
}

func newWalk[S any](f Family[S]) walk[S] {
	w := walk[S]{Family: f}
	if r, ok := f.(Ratio[S]); ok {
		w.ratio = r.LogRatio
	} else {
		w.ratio = w.difference
	}
	if d, ok := f.(Deriv[S]); ok {
		w.deriv = d.DLogDensity
	} else {
		w.deriv = w.quotient
	}
	if b, ok := f.(Batch[S]); ok {
		w.batch = b.LogDensities
	} else {
		w.batch = w.oneByOne
	}
	w.marshal, _ = f.(Marshal[S])
	w.together, w.moveAll = 1, w.eachAlone
	if h, ok := f.(Grouped[S]); ok {
		w.together, w.moveAll = max(1, h.Together()), h.MoveAll
	}
	return w
}

// moves makes n moves at a temperature.
func (w *walk[S]) moves(x S, beta float64, n int, r *rand.Rand, t *tally) error {
	for range n {
		w.Move(x, beta, r)
		if t.moved() {
			return errStopped
		}
	}
	return nil
}

func (w *walk[S]) difference(s S, from, to float64) float64 {
	f := w.LogDensity(s, to)
	if math.IsInf(f, -1) {
		return f
	}
	return f - w.LogDensity(s, from)
}

func (w *walk[S]) oneByOne(dst []float64, s S, betas []float64) {
	for i, b := range betas {
		dst[i] = w.LogDensity(s, b)
	}
}

const derivStep = 1e-4 // truncation of order h², rounding of order 1e-16/h times the density's logarithm

// quotient is the derivative by differences of second order, one-sided near the ends.
func (w *walk[S]) quotient(s S, beta float64) float64 {
	const h = derivStep
	switch {
	case beta < h:
		return (float64(4*w.ratio(s, beta, beta+h)) - w.ratio(s, beta, beta+2*h)) / (2 * h)
	case beta > 1-h:
		return (w.ratio(s, beta, beta-2*h) - float64(4*w.ratio(s, beta, beta-h))) / (2 * h)
	}
	return w.ratio(s, beta-h, beta+h) / (2 * h)
}
