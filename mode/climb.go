package mode

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Settings say when a climb ends. The zero value works.
type Settings struct {
	// Iterations at most; 0: 2000, as in Stan.
	Iterations int
	// Rise is the increase of the log density that may be left to the mode, as far as the estimate of the curvature tells, ½ gᵀHg: 0 is 1e-12, which is
	// 1e-6 standard deviations of a normal density.
	Rise float64
}

const (
	defaultIterations = 2000
	defaultRise       = 1e-12
)

// End says how a climb ended.
type End int

const (
	// Converged: less than Settings.Rise is left.
	Converged End = iota
	// Stalled: no step along the estimated direction leads up any more, as where numbers are too coarse or the density has a kink.
	Stalled
	// Exhausted: after as many iterations as there may be.
	Exhausted
	// Endless: the log density goes on rising, above 10¹⁰ and by as much.
	Endless
)

func (e End) String() string {
	return [...]string{"converged", "stalled", "exhausted", "endless"}[e]
}

// Top is where a climb ended.
type Top struct {
	X          []float64
	LogDensity float64
	Gradient   []float64
	End        End
	Rise       float64 // about what is left to the mode, by the last estimate of the curvature
	Iterations int
	Evals      int // of density and gradient
}

// Climb goes up from x to a mode of the density. It is an error that the density or its gradient is not finite at x.
func Climb(t hmc.Target, x []float64, set Settings) (*Top, error) {
	c, err := newClimber(t, x, set)
	if err != nil {
		return nil, err
	}
	for {
		for c.step() {
		}
		if !c.doubts() {
			return c.top(), nil
		}
	}
}

// doubts tells whether an end is not to be believed yet: the estimate of the curvature is of the way, and may know nothing of coordinates in which
// the way was short beside their scale. It forgets the estimate, so that the climb goes on from the end as from a start, until that leads no higher.
func (c *climber) doubts() bool {
	if c.end == Exhausted || c.end == Endless {
		return false
	}
	if c.doubted && !(c.f-c.was > max(doubt, c.set.Rise)) {
		c.end, c.rise = c.wasEnd, c.wasRise
		return false
	}
	c.doubted, c.was, c.wasEnd, c.wasRise = true, c.f, c.end, c.rise
	c.h, c.learnt = newHistory(len(c.x)), false
	return true
}

// climber is on its way.
type climber struct {
	target hmc.Target
	set    Settings
	x, g   []float64
	f      float64
	from   float64 // the log density at the start
	h      *history
	p      []float64 // direction
	xt, gt []float64 // where the search along it looks
	s, y   []float64
	learnt bool // H is of a step
	rise   float64

	doubted      bool
	was, wasRise float64 // the log density and the rise at the end that was doubted last
	wasEnd       End

	end   End
	n     int
	evals int
}

func newClimber(t hmc.Target, x []float64, set Settings) (*climber, error) {
	if t == nil {
		return nil, errors.New("mode: there is no target")
	}
	if set.Iterations < 0 || set.Rise < 0 {
		return nil, fmt.Errorf("mode: %d iterations and a rise of %v; they must not be negative", set.Iterations, set.Rise)
	}
	if set.Iterations == 0 {
		set.Iterations = defaultIterations
	}
	if set.Rise == 0 {
		set.Rise = defaultRise
	}
	n := len(x)
	if n == 0 {
		return nil, errors.New("mode: a start without coordinates")
	}
	c := &climber{target: t, set: set, x: slices.Clone(x), h: newHistory(n), rise: math.Inf(1)}
	for _, v := range []*[]float64{&c.g, &c.p, &c.xt, &c.gt, &c.s, &c.y} {
		*v = make([]float64, n)
	}
	c.f = c.look(c.x, c.g)
	if c.from = c.f; !vec.Finite(c.f) {
		return nil, fmt.Errorf("mode: the log density is %v at the start, or its gradient is not finite", c.f)
	}
	return c, nil
}

// look evaluates as [gradient] does, and counts.
func (c *climber) look(x, g []float64) float64 {
	c.evals++
	return gradient(c.target, x, g)
}

// gradient writes ∇ log π(x) to g and returns log π(x); −Inf where one of them is not finite.
func gradient(t hmc.Target, x, g []float64) float64 {
	if f := t.Gradient(x, g); vec.Finite(f) && vec.AllFinite(g) {
		return f
	}
	return math.Inf(-1)
}

// mostRise is how high a log density may rise on the way.
const mostRise = 1e10

// step is one iteration; false where it was the last.
func (c *climber) step() bool {
	if c.n >= c.set.Iterations {
		c.end = Exhausted
		return false
	}
	slope := c.direction()
	c.rise = 0.5 * slope
	if c.rise <= c.set.Rise && (c.learnt || slope == 0) {
		c.end = Converged
		return false
	}
	first := 1.0
	if !c.learnt {
		first = min(1, 1/math.Sqrt(vec.Dot(c.p, c.p)))
	}
	f, ok := c.search(slope, first)
	if !ok {
		if c.learnt { // once more, as if it were the first
			c.h, c.learnt = newHistory(len(c.x)), false
			return true
		}
		c.end = Stalled
		return false
	}
	for i := range c.x {
		c.s[i], c.y[i] = c.xt[i]-c.x[i], c.g[i]-c.gt[i]
	}
	still := f-c.f <= 1e-15*max(1, math.Abs(c.f))
	if c.h.learn(c.s, c.y) {
		c.learnt = true
	}
	copy(c.x, c.xt)
	copy(c.g, c.gt)
	c.f = f
	c.n++
	switch {
	case c.f > mostRise && c.f-c.from > mostRise:
		c.end = Endless
		return false
	case still && c.rise < smallRise:
		c.end = Converged
		c.rise = 0.5 * c.direction()
		return false
	}
	return true
}

// doubt is a rise after an end that was too early.
const doubt = 1e-9

// smallRise is a rise that numbers may be too coarse to show.
const smallRise = 1e-6

// direction writes H g to p and returns the slope along it.
func (c *climber) direction() float64 {
	c.h.apply(c.p, c.g)
	slope := vec.Dot(c.p, c.g)
	if slope > 0 && vec.Finite(slope) {
		return slope
	}
	c.h, c.learnt = newHistory(len(c.x)), false
	copy(c.p, c.g)
	return vec.Dot(c.g, c.g)
}

func (c *climber) top() *Top {
	return &Top{X: slices.Clone(c.x), LogDensity: c.f, Gradient: slices.Clone(c.g), End: c.end, Rise: c.rise, Iterations: c.n, Evals: c.evals}
}
