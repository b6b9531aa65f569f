package slice

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Method is the way in which the interval around the current point grows until it
// covers the slice.
type Method uint8

const (
	// SteppingOut adds one width at a time (Neal 2003, figure 3).
	SteppingOut Method = iota
	// Doubling doubles the interval: fewer evaluations where the width is far too small,
	// but each point it proposes must pass a test of its own (Neal 2003, figures 4 and 6).
	Doubling
)

// Univariate is a slice sampler of one variable. Its zero value works: width 1, stepping
// out, a real variable. It does not allocate.
type Univariate struct {
	Width    float64 // first interval around the point, the scale of the slice; 0: 1
	Method   Method
	Integer  bool // the variable takes whole values
	MaxSteps int  // widths that stepping out may add, 0: 100; or doublings, 0: 20

	// Exhausted counts steps that gave up after maxShrink proposals and left the point
	// where it was. That happens only to a density that changes between calls or has its
	// mass in fewer points than floats can tell apart.
	Exhausted int

	tune widthTuner
}

const (
	defaultWidth    = 1
	defaultSteps    = 100
	defaultDoubling = 20
	maxDoubling     = 60
	maxShrink       = 2200 // halvings that take any interval of floats to one point, and to spare
	maxWidth        = 1e280
)

// Step1 moves x, at which the log density is fx, within the support [lo, hi], whose ends
// may be infinite. It returns the new point, its log density and the number of
// evaluations of logp.
//
// A log density that is NaN, −Inf or +Inf is taken for zero density: +Inf can be met only
// on a set of probability zero, such as the pole of a gamma density at 0, and staying
// there would be wrong. From such a point every point of finite log density is accepted.
//
// For an integer variable x, lo and hi are whole; logp is asked at whole values only.
// The walk is that of a real variable of piecewise constant density on [x, x+1).
func (u *Univariate) Step1(r *rand.Rand, x, fx, lo, hi float64, logp func(float64) float64) (x1, fx1 float64, evals int) {
	s := search{logp: logp, home: x, fx: fx, lo: lo, hi: hi, x: x, width: u.width()}
	if u.Integer {
		s.integer = true
		s.hi++
		s.x += r.Float64()
		if s.x >= x+1 || s.x < x { // where neighbouring floats are 1 or more apart
			s.x = x
		}
	}
	s.level = drawLevel(fx, r)
	s.place(r)
	if u.Method == Doubling {
		s.double(r, u.limit())
	} else {
		s.stepOut(r, u.limit())
	}
	if !s.shrink(r, u.Method == Doubling) {
		u.Exhausted++
		return x, fx, s.evals
	}
	return s.found, s.foundLogP, s.evals
}

func (u *Univariate) width() float64 {
	if !(u.Width > 0) {
		return defaultWidth
	}
	return min(u.Width, maxWidth)
}

func (u *Univariate) limit() int {
	if u.Method == Doubling {
		if u.MaxSteps <= 0 {
			return defaultDoubling
		}
		return min(u.MaxSteps, maxDoubling)
	}
	if u.MaxSteps <= 0 {
		return defaultSteps
	}
	return u.MaxSteps
}

// drawLevel is the logarithm of a uniform level below a density; any level is below one that counts as zero.
func drawLevel(logp float64, r *rand.Rand) float64 {
	if !vec.Finite(logp) {
		return math.Inf(-1)
	}
	return logp - dist.StdExp(r)
}

// search is one step under way: the interval (left, right) and what is known of it.
type search struct {
	logp        func(float64) float64
	integer     bool
	home, fx    float64 // where the step began
	x           float64 // home, for an integer variable spread over its cell
	lo, hi      float64
	width       float64
	level       float64
	left, right float64
	fl, fr      float64 // log density at the ends, for doubling
	evals       int

	found, foundLogP float64
}

// at evaluates the log density; unusable values and points off the support are −Inf.
func (s *search) at(x float64) float64 {
	if s.integer {
		x = s.cell(x)
	}
	if x < s.lo || x > s.hi {
		return math.Inf(-1)
	}
	f := s.fx
	if !s.integer || x != s.home { // many proposals fall into the cell at home
		s.evals++
		f = s.logp(x)
	}
	if !vec.Finite(f) {
		return math.Inf(-1)
	}
	return f
}

// cell is the whole number whose cell x is in; rounding may have taken x to the end
// that does not belong to the last one.
func (s *search) cell(x float64) float64 { return min(math.Floor(x), s.hi-1) }

func (s *search) inside(f float64) bool { return f > s.level }

// place puts an interval of one width around x at random.
func (s *search) place(r *rand.Rand) {
	s.left = s.x - float64(s.width*r.Float64())
	s.right = s.left + s.width
}

// stepOut widens the interval until both ends are off the slice, at most limit widths
// in all, shared out at random between the two sides beforehand: without that the move
// back would have another probability. At the end of the support there is nothing to
// look for, so the interval is cut there.
func (s *search) stepOut(r *rand.Rand, limit int) {
	j := int(r.Float64() * float64(limit))
	k := limit - 1 - j
	for ; j > 0 && s.left > s.lo && s.inside(s.at(s.left)); j-- {
		s.left -= s.width
	}
	for ; k > 0 && s.right < s.hi && s.inside(s.at(s.right)); k-- {
		s.right += s.width
	}
	s.cut()
}

func (s *search) cut() {
	s.left = max(s.left, s.lo, -math.MaxFloat64)
	s.right = min(s.right, s.hi, math.MaxFloat64)
}

// double doubles the interval to a random side until both ends are off the slice.
func (s *search) double(r *rand.Rand, limit int) {
	s.fl, s.fr = s.at(s.left), s.at(s.right)
	for ; limit > 0 && (s.inside(s.fl) || s.inside(s.fr)); limit-- {
		if r.Uint64()&1 == 0 {
			s.left -= s.right - s.left
			s.fl = s.at(s.left)
		} else {
			s.right += s.right - s.left
			s.fr = s.at(s.right)
		}
	}
}

// shrink proposes points of the interval until one is on the slice, cutting the interval
// at each that is not (Neal 2003, figure 5). It reports whether one was found.
func (s *search) shrink(r *rand.Rand, doubled bool) bool {
	full := *s
	s.cut()
	for range maxShrink {
		p := between(s.left, s.right, r.Float64())
		f := s.at(p)
		if s.inside(f) && (!doubled || s.reachable(&full, p)) {
			s.found, s.foundLogP = p, f
			if s.integer {
				s.found = s.cell(p)
			}
			return true
		}
		switch {
		case p < s.x:
			s.left = p
		case p > s.x:
			s.right = p
		default: // the interval has shrunk to the point it began from
			s.found, s.foundLogP = s.home, s.fx
			return true
		}
	}
	return false
}

// between is left + u (right − left), also where the difference overflows.
func between(left, right, u float64) float64 {
	d := right - left
	if math.IsInf(d, 1) {
		return float64(left*(1-u)) + float64(right*u) // 1−u is exact, fused or not
	}
	return left + float64(d*u)
}

// reachable says whether doubling from p could have given the same interval: walking the
// halvings that lead to p, none may be cut off by two ends off the slice where x and p
// had parted (Neal 2003, figure 6).
func (s *search) reachable(full *search, p float64) bool {
	left, right, fl, fr := full.left, full.right, full.fl, full.fr
	parted := false
	for right-left > 1.1*s.width {
		mid := left + float64(0.5*(right-left))
		if !(mid > left && mid < right) {
			break // floats are too coarse for the widths in between
		}
		if (s.x < mid) != (p < mid) {
			parted = true
		}
		if p < mid {
			right, fr = mid, s.at(mid)
		} else {
			left, fl = mid, s.at(mid)
		}
		if parted && !s.inside(fl) && !s.inside(fr) {
			return false
		}
	}
	return true
}
