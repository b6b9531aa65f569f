package dist

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// ARS is adaptive rejection sampling from a log-concave density on an interval, known up to a constant (Gilks and Wild
// 1992, "Adaptive rejection sampling for Gibbs sampling", Applied Statistics 41). The proposal is the exponential of an
// envelope of straight lines above the log density h: its tangents, or without a derivative its chords continued (Gilks
// 1992, "Derivative-free adaptive rejection sampling for Gibbs sampling", Bayesian Statistics 4). Where the chords
// between known points, below h, cannot tell that a proposal is accepted, h is evaluated there and the envelope
// improved. Draws are independent and exact; after some ten evaluations of h most need none.
type ARS struct {
	f      func(x float64) (h, dh float64)
	free   bool // f knows no derivative
	lo, hi float64
	knots  []knot // in ascending order
	lines  []piece
	mass   []float64 // of the lines, up to a factor
	total  float64
	shift  float64 // the height of the envelope is that of lines plus shift
	evals  int
}

// knot is a point at which h is known.
type knot struct{ x, h, dh float64 }

// maxKnots is how many points an envelope has at most.
const maxKnots = 64

// NewARS is the sampler for exp(h) on [lo, hi], either end of which may be infinite, where logDensity gives h and its
// derivative. It begins with the points of start, inside the interval and with h finite; one will do, near the mode or
// not. At an infinite end it walks on until h falls. The errors of NewARS and Draw name the x at which h is NaN or
// +Inf, or is found not to be concave or not to have that derivative.
func NewARS(lo, hi float64, logDensity func(x float64) (h, dh float64), start ...float64) (*ARS, error) {
	if logDensity == nil {
		return nil, errors.New("dist: adaptive rejection needs a log density")
	}
	return newARS(lo, hi, logDensity, false, start)
}

// NewARSDerivativeFree is NewARS for a log density without its derivative. It takes some more evaluations.
func NewARSDerivativeFree(lo, hi float64, logDensity func(x float64) float64, start ...float64) (*ARS, error) {
	if logDensity == nil {
		return nil, errors.New("dist: adaptive rejection needs a log density")
	}
	return newARS(lo, hi, func(x float64) (h, dh float64) { return logDensity(x), 0 }, true, start)
}

func newARS(lo, hi float64, f func(x float64) (h, dh float64), free bool, start []float64) (*ARS, error) {
	if !(lo < hi) || math.IsInf(lo, 1) || math.IsInf(hi, -1) {
		return nil, fmt.Errorf("dist: adaptive rejection on [%v, %v]; the lower end must be below the upper", lo, hi)
	}
	if len(start) == 0 || len(start) > maxKnots/2 {
		return nil, fmt.Errorf("dist: adaptive rejection begins with 1 to %d points, not %d", maxKnots/2, len(start))
	}
	a := &ARS{
		f: f, free: free, lo: lo, hi: hi,
		knots: make([]knot, 0, maxKnots), lines: make([]piece, 0, 2*maxKnots), mass: make([]float64, 0, 2*maxKnots),
	}
	for i, x := range start {
		if !(x > lo && x < hi) {
			return nil, fmt.Errorf("dist: point %d of adaptive rejection, %v, must be inside (%v, %v)", i+1, x, lo, hi)
		}
		k, err := a.evaluate(x)
		if err == nil && math.IsInf(k.h, -1) {
			err = fmt.Errorf("dist: the log density is -Inf at the point x = %v where adaptive rejection is to begin; begin where there is mass", x)
		}
		if err == nil {
			_, err = a.insert(k)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, dir := range []float64{-1, 1} {
		if err := a.open(dir); err != nil {
			return nil, err
		}
	}
	if err := a.fill(); err != nil {
		return nil, err
	}
	return a, a.envelop()
}

// fill adds points until there are the three that chords need.
func (a *ARS) fill() error {
	for range maxARSTries {
		n := len(a.knots)
		left, right := a.knots[0].x, a.knots[n-1].x
		switch {
		case !a.free || n > 2:
			return nil
		case n == 1 && finite(a.lo):
			right = a.lo
		case n == 1:
			right = a.hi // finite, as the density was 0 there: otherwise open has added a point
		}
		if err := a.learn(midpoint(left, right)); err != nil {
			return err
		}
	}
	return fmt.Errorf("dist: the log density is finite at hardly more than the point x = %v; give an interval in which it is", a.knots[0].x)
}

func midpoint(x, y float64) float64 { return float64(0.5*x) + float64(0.5*y) }

// Evals is how many times the log density has been evaluated.
func (a *ARS) Evals() int { return a.evals }

// evaluate asks for h at x.
func (a *ARS) evaluate(x float64) (knot, error) {
	h, dh := a.f(x)
	a.evals++
	switch {
	case math.IsNaN(h) || math.IsInf(h, 1):
		return knot{}, fmt.Errorf("dist: the log density is %v at x = %v; it must be a number below +Inf", h, x)
	case !math.IsInf(h, -1) && !finite(dh):
		return knot{}, fmt.Errorf("dist: the derivative of the log density is %v at x = %v, where the log density is %v; it must be finite", dh, x, h)
	}
	return knot{x, h, dh}, nil
}

// learn evaluates h at x, which lies between known points or next to an end.
func (a *ARS) learn(x float64) error {
	k, err := a.evaluate(x)
	if err != nil {
		return err
	}
	if math.IsInf(k.h, -1) {
		return a.cut(x)
	}
	_, err = a.insert(k)
	return err
}

// cut moves an end of the interval to x, where the density is 0: then it is so beyond.
func (a *ARS) cut(x float64) error {
	switch {
	case x < a.knots[0].x:
		a.lo = x
	case x > a.knots[len(a.knots)-1].x:
		a.hi = x
	default:
		return notConcave(x, math.Inf(-1), "less than between its neighbours")
	}
	return nil
}

// open makes sure that the envelope has finite mass on one side: at an infinite end the outermost line has to fall.
func (a *ARS) open(dir float64) error {
	end, outer := a.hi, len(a.knots)-1
	if dir < 0 {
		end, outer = a.lo, 0
	}
	from := a.knots[outer].x
	if finite(end) {
		if a.free {
			return a.learn(midpoint(from, end))
		}
		return nil
	}
	walked := false
	for step := 1.0; !a.falls(dir); step *= 2 {
		x := from + float64(dir*step)
		if math.IsInf(x, 0) {
			return fmt.Errorf("dist: the log density does not fall from x = %v towards %v, so that it has no finite mass; give the interval a finite end", from, end)
		}
		k, err := a.evaluate(x)
		if err != nil {
			return err
		}
		if math.IsInf(k.h, -1) {
			return a.cut(x)
		}
		at, err := a.insert(k)
		if err != nil {
			return err
		}
		if walked { // only the last step is kept
			before := at - int(dir)
			a.knots = slices.Delete(a.knots, before, before+1)
		}
		walked = true
	}
	return nil
}

// falls reports whether the outermost line on one side does.
func (a *ARS) falls(dir float64) bool {
	n := len(a.knots)
	first, last := 0, n-2 // intervals
	if a.free {
		return n >= 2 && (dir < 0 && a.chord(first) > 0 || dir > 0 && a.chord(last) < 0)
	}
	return dir < 0 && a.knots[0].dh > 0 || dir > 0 && a.knots[n-1].dh < 0
}

// chord is the slope between knots i and i+1.
func (a *ARS) chord(i int) float64 {
	l, u := a.knots[i], a.knots[i+1]
	return (u.h - l.h) / (u.x - l.x)
}

// insert puts a knot in its place, unless it is there already, and checks that h is concave around it.
func (a *ARS) insert(k knot) (at int, err error) {
	at = sort.Search(len(a.knots), func(i int) bool { return a.knots[i].x >= k.x })
	if at < len(a.knots) && a.knots[at].x == k.x {
		return at, nil
	}
	a.knots = slices.Insert(a.knots, at, k)
	return at, a.checkAround(at)
}

// Draw is one draw.
func (a *ARS) Draw(r *rand.Rand) (float64, error) {
	for range maxARSTries {
		i := a.pick(float64(uniform(r) * a.total))
		x := min(max(a.lines[i].draw(r), a.lo), a.hi)
		top := a.lines[i].height(x) + a.shift
		e := StdExp(r)
		if -e <= a.squeeze(x)-top {
			return x, nil
		}
		k, err := a.evaluate(x)
		if err != nil {
			return math.NaN(), err
		}
		if k.h > top+rounding(k.h, top) {
			return math.NaN(), notConcave(x, k.h, fmt.Sprintf("above the envelope, %v", top))
		}
		if err := a.improve(k); err != nil {
			return math.NaN(), err
		}
		if -e <= k.h-top {
			return x, nil
		}
	}
	return math.NaN(), fmt.Errorf("dist: adaptive rejection refused %d proposals in a row; the log density is too rough to be concave", maxARSTries)
}

// maxARSTries bounds the proposals of a draw, for functions that are not what they claim to be.
const maxARSTries = 100_000

func (a *ARS) pick(u float64) int {
	last := 0
	for i, m := range a.mass {
		if m == 0 {
			continue
		}
		last = i
		if u -= m; u < 0 {
			break
		}
	}
	return last
}

// squeeze is the chord under h at x, −Inf outside the knots.
func (a *ARS) squeeze(x float64) float64 {
	n := len(a.knots)
	if !(x >= a.knots[0].x && x <= a.knots[n-1].x) || n < 2 {
		return math.Inf(-1)
	}
	i := max(sort.Search(n, func(i int) bool { return a.knots[i].x >= x }), 1) - 1
	return a.knots[i].h + float64(a.chord(i)*(x-a.knots[i].x))
}
