package mode

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Constants of the strong Wolfe conditions (Nocedal and Wright, 2006, section 3.1).
const (
	enoughRise  = 1e-4
	enoughLevel = 0.9
	mostLooks   = 60
	mostStretch = 1e20
)

// point is a look along the direction of a search: how far, the log density and its slope.
type point struct{ t, f, slope float64 }

// search looks along p for a step that meets the strong Wolfe conditions (Nocedal and Wright, 2006, algorithms 3.5 and 3.6), with cubic interpolation. It
// leaves the place in xt and gt, and says whether it leads up.
func (c *climber) search(slope, first float64) (f float64, ok bool) {
	low, t := point{0, c.f, slope}, first
	for range mostLooks {
		at := c.along(t)
		switch {
		case at.f < c.f+float64(enoughRise*float64(t*slope)) || low.t > 0 && at.f <= low.f:
			return c.zoom(slope, low, at)
		case math.Abs(at.slope) <= enoughLevel*slope:
			return at.f, true
		case at.slope <= 0:
			return c.zoom(slope, at, low)
		}
		low = at
		if t *= 4; t > mostStretch {
			return at.f, true
		}
	}
	return c.f, false
}

// along looks at x + t p.
func (c *climber) along(t float64) point {
	for i, v := range c.x {
		c.xt[i] = v + float64(t*c.p[i])
	}
	f := c.look(c.xt, c.gt)
	if math.IsInf(f, -1) {
		return point{t, f, math.NaN()}
	}
	return point{t, f, vec.Dot(c.gt, c.p)}
}

// zoom looks between two points: low has the higher log density of those that rise enough, and the density rises from it towards the other.
func (c *climber) zoom(slope float64, low, high point) (f float64, ok bool) {
	for range mostLooks {
		t := between(low, high)
		if t == low.t || t == high.t {
			break
		}
		at := c.along(t)
		if at.f < c.f+float64(enoughRise*float64(t*slope)) || at.f <= low.f {
			high = at
			continue
		}
		if math.Abs(at.slope) <= enoughLevel*slope {
			return at.f, true
		}
		if at.slope*(high.t-low.t) <= 0 {
			high = low
		}
		low = at
	}
	if low.t == 0 {
		return c.f, false
	}
	at := c.along(low.t)
	return at.f, at.f > c.f
}

// between is the top of the cubic through two points, kept off their neighbourhood; half-way where there is none.
func between(a, b point) float64 {
	half := float64(0.5 * (a.t + b.t))
	if math.IsInf(b.f, -1) {
		return a.t + float64(0.1*(b.t-a.t))
	}
	// Of −f (Nocedal and Wright, 2006, equation 3.59).
	d1 := -a.slope - b.slope + float64(3*((b.f-a.f)/(b.t-a.t)))
	inside := float64(d1*d1) - float64(a.slope*b.slope)
	if !(inside >= 0) {
		return half
	}
	d2 := math.Copysign(math.Sqrt(inside), b.t-a.t)
	t := b.t - float64((b.t-a.t)*((-b.slope+d2-d1)/(-b.slope+a.slope+float64(2*d2))))
	lo, hi := min(a.t, b.t), max(a.t, b.t)
	margin := float64(0.1 * (hi - lo))
	if !(t >= lo+margin && t <= hi-margin) {
		if !vec.Finite(t) {
			return half
		}
		return min(max(t, lo+margin), hi-margin)
	}
	return t
}
