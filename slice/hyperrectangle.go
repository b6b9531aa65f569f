package slice

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Hyperrectangle moves a vector as a whole: it puts a box of given widths around the point
// at random, draws from it uniformly, and cuts it in every coordinate at each draw that is off
// the slice, until one is on it (Neal 2003, section 5.1 and figure 8). A step takes few
// evaluations whatever the dimension, but where coordinates are correlated, or many, it is a
// short one. In warm-up it learns the widths. A chain needs one of its own.
type Hyperrectangle struct {
	// Exhausted counts steps that gave up and left the point where it was.
	Exhausted int

	target       mcmc.Target
	lower, upper []float64
	tune         boxTuner

	left, right, proposal, home []float64
}

// NewHyperrectangle takes the widths that the box has at first, one a coordinate; they need
// not be good, only positive and finite. Lower and upper bound the support, coordinate by
// coordinate, at −Inf and +Inf not at all; nil is unbounded.
func NewHyperrectangle(target mcmc.Target, widths, lower, upper []float64) (*Hyperrectangle, error) {
	d := len(widths)
	if target == nil || d == 0 {
		return nil, fmt.Errorf("slice: a box of %d widths; give a target and one width a coordinate", d)
	}
	h := &Hyperrectangle{target: target, lower: make([]float64, d), upper: make([]float64, d)}
	if err := h.bound(lower, upper); err != nil {
		return nil, err
	}
	shape, err := NewCoordinates(target, d, Univariate{})
	if err != nil {
		return nil, err
	}
	shape.Lower, shape.Upper = h.lower, h.upper
	for i, w := range widths {
		if !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("slice: width %d of the box is %v; it must be positive and finite", i+1, w)
		}
		shape.coords[i].Width = w
	}
	h.tune = boxTuner{shape: shape, size: 1}
	h.left, h.right = make([]float64, d), make([]float64, d)
	h.proposal, h.home = make([]float64, d), make([]float64, d)
	return h, nil
}

// bound sets the support; every end is finite, so that a box is.
func (h *Hyperrectangle) bound(lower, upper []float64) error {
	d := len(h.lower)
	if lower != nil && len(lower) != d || upper != nil && len(upper) != d {
		return fmt.Errorf("slice: %d lower and %d upper bounds for a box of %d widths; give one a coordinate, or nil for none", len(lower), len(upper), d)
	}
	for i := range d {
		h.lower[i], h.upper[i] = -math.MaxFloat64, math.MaxFloat64
		if lower != nil {
			h.lower[i] = max(lower[i], -math.MaxFloat64)
		}
		if upper != nil {
			h.upper[i] = min(upper[i], math.MaxFloat64)
		}
		if !(h.lower[i] < h.upper[i]) {
			return fmt.Errorf("slice: coordinate %d is bounded by %v below and %v above; there must be room between them", i+1, h.lower[i], h.upper[i])
		}
	}
	return nil
}

// Dim is the length of the vectors.
func (h *Hyperrectangle) Dim() int { return len(h.lower) }

// Step moves the whole vector. A log density that is NaN, −Inf or +Inf is taken for zero
// density, as in [Univariate.Step1].
func (h *Hyperrectangle) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	info := mcmc.Info{Accepted: true, AcceptProb: 1}
	level := drawLevel(s.LogP, r)
	h.place(s.X, r)
	for range maxShrink {
		for i := range h.proposal {
			h.proposal[i] = between(h.left[i], h.right[i], r.Float64())
		}
		f := h.target.LogDensity(h.proposal)
		info.Evals++
		if vec.Finite(f) && f > level {
			copy(s.X, h.proposal)
			s.LogP = f
			return info
		}
		if h.shrink(s.X) {
			return info
		}
	}
	h.Exhausted++
	return info
}

// place puts the box around x at random and cuts it at the ends of the support, beyond
// which there is nothing to look for.
func (h *Hyperrectangle) place(x []float64, r *rand.Rand) {
	for i := range x {
		w := h.tune.width(i)
		left := x[i] - float64(w*r.Float64())
		right := left + w
		h.left[i] = min(max(left, h.lower[i]), h.upper[i])
		h.right[i] = min(max(right, h.lower[i]), h.upper[i])
	}
}

// shrink cuts the box at the proposal, so that x stays in it, and says whether nothing but
// x is left.
func (h *Hyperrectangle) shrink(x []float64) (done bool) {
	done = true
	for i, p := range h.proposal {
		switch {
		case p < x[i]:
			h.left[i], done = p, false
		case p > x[i]:
			h.right[i], done = p, false
		}
	}
	return done
}

// Adapt moves the whole vector, learns the size of the box from its jump and, from moves of
// single coordinates, its shape.
func (h *Hyperrectangle) Adapt(s *mcmc.Point, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	evals := h.tune.learnShape(s, r)
	copy(h.home, s.X)
	info := h.Step(s, r)
	h.tune.learnSize(h.home, s.X)
	info.Evals += evals
	return info
}

// Freeze has nothing to do: the widths change in Adapt only.
func (h *Hyperrectangle) Freeze() {}

// Widths are the widths of the box now, one a coordinate.
func (h *Hyperrectangle) Widths() []float64 {
	w := make([]float64, len(h.lower))
	for i := range w {
		w[i] = h.tune.width(i)
	}
	return w
}
