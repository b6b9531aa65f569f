package dist

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// envelop draws the lines above h and finds the mass under their exponential.
func (a *ARS) envelop() error {
	a.lines = a.lines[:0]
	if a.free {
		a.chords()
	} else {
		a.tangents()
	}
	a.shift = math.Inf(-1)
	for i := range a.lines {
		// From its highest point a line is exact there also where the knot is far and h huge.
		p := &a.lines[i]
		p.at, p.value = p.peak(), p.height(p.peak())
		if p.to > p.from {
			a.shift = max(a.shift, p.value)
		}
	}
	a.mass, a.total = a.mass[:0], 0
	for i := range a.lines {
		a.lines[i].value -= a.shift
		m := a.lines[i].mass()
		a.mass = append(a.mass, m)
		a.total += m
	}
	if !(a.total > 0 && a.total <= math.MaxFloat64) {
		return errors.New("dist: the envelope of adaptive rejection has no finite mass; begin with points on both sides of the mode")
	}
	return nil
}

// tangents is the envelope of the tangents at the knots, each to where it meets the next.
func (a *ARS) tangents() {
	from := a.lo
	for i, k := range a.knots {
		p := piece{at: k.x, value: k.h, slope: k.dh, from: from, to: a.hi}
		if i+1 < len(a.knots) {
			u := a.knots[i+1]
			p.to = meet(p, piece{at: u.x, value: u.h, slope: u.dh})
		}
		a.lines = append(a.lines, p)
		from = p.to
	}
}

// chords is the envelope of the chords, continued into the intervals on both sides of their own.
func (a *ARS) chords() {
	n := len(a.knots)
	line := func(knot, chord int, from, to float64) piece {
		k := a.knots[knot]
		return piece{at: k.x, value: k.h, slope: a.chord(chord), from: from, to: to}
	}
	a.lines = append(a.lines, line(0, 0, a.lo, a.knots[0].x))
	for i := range n - 1 {
		from, to := a.knots[i].x, a.knots[i+1].x
		switch {
		case i == 0:
			a.lines = append(a.lines, line(1, 1, from, to))
		case i == n-2:
			a.lines = append(a.lines, line(i, i-1, from, to))
		default:
			l, u := line(i, i-1, from, to), line(i+1, i+1, from, to)
			l.to = meet(l, u)
			u.from = l.to
			a.lines = append(a.lines, l, u)
		}
	}
	a.lines = append(a.lines, line(n-1, n-2, a.knots[n-1].x, a.hi))
}

// meet is where two lines do, between their points; anywhere there where they are one.
func meet(l, u piece) float64 {
	if !(l.slope > u.slope) {
		return midpoint(l.at, u.at)
	}
	return crossing(l, u)
}

// improve takes a new value of h into the envelope, while there is room.
func (a *ARS) improve(k knot) error {
	if math.IsInf(k.h, -1) {
		if err := a.cut(k.x); err != nil {
			return err
		}
		return a.envelop()
	}
	if len(a.knots) == maxKnots && !a.forget() {
		return nil
	}
	if mid, tight := a.tooClose(k.x); tight {
		if err := a.learn(mid); err != nil {
			return err
		}
	} else if _, err := a.insert(k); err != nil {
		return err
	}
	return a.envelop()
}

// tooClose reports whether x is so near to a knot that h there tells little but rounding, and gives the middle of the
// interval around it or next to it: a steep line far from the mode sends its proposals to its end.
func (a *ARS) tooClose(x float64) (mid float64, tight bool) {
	n := len(a.knots)
	if n < 2 {
		return x, false
	}
	at := sort.Search(n, func(i int) bool { return a.knots[i].x >= x })
	l, u := a.knots[min(max(at, 1), n-1)-1].x, a.knots[min(max(at, 1), n-1)].x
	return midpoint(l, u), min(math.Abs(x-l), math.Abs(u-x)) < float64(1e-3*(u-l))
}

// forget drops the outermost knot with the lesser h, if it is far below the others and not needed for a finite mass.
func (a *ARS) forget() bool {
	n := len(a.knots)
	top := math.Inf(-1)
	for _, k := range a.knots {
		top = max(top, k.h)
	}
	drop, dir, end := a.knots[0], -1.0, a.lo
	if a.knots[n-1].h < drop.h {
		drop, dir, end = a.knots[n-1], 1, a.hi
	}
	if drop.h > top-forgotten {
		return false
	}
	if dir < 0 {
		copy(a.knots, a.knots[1:])
	}
	a.knots = a.knots[:n-1]
	if finite(end) || a.falls(dir) {
		return true
	}
	if a.knots = a.knots[:n]; dir < 0 {
		copy(a.knots[1:], a.knots)
		a.knots[0] = drop
	}
	return false
}

// forgotten is how far below the greatest known h a knot is of little use.
const forgotten = 20

// checkAround holds the knot at i and its neighbours to concavity.
func (a *ARS) checkAround(at int) error {
	x := a.knots[at].x
	for i := max(at-1, 0); i < min(at+1, len(a.knots)-1); i++ {
		if a.free {
			break
		}
		l, u := a.knots[i], a.knots[i+1]
		width := u.x - l.x
		rise, fall := float64(l.dh*width), float64(u.dh*width)
		up, down := l.h+rise, u.h-fall // the tangents at the other point
		if u.h > up+rounding(u.h, rise) {
			return notConcave(u.x, u.h, fmt.Sprintf("above its tangent at %v, or its derivative there, %v, is wrong", l.x, l.dh))
		}
		if l.h > down+rounding(l.h, fall) {
			return notConcave(l.x, l.h, fmt.Sprintf("above its tangent at %v, or its derivative there, %v, is wrong", u.x, u.dh))
		}
	}
	for i := max(at-1, 1); i <= min(at+1, len(a.knots)-2); i++ {
		l, k, u := a.knots[i-1], a.knots[i], a.knots[i+1]
		low := l.h + float64((u.h-l.h)*((k.x-l.x)/(u.x-l.x)))
		if k.h < low-rounding(k.h, max(math.Abs(l.h), math.Abs(u.h))) {
			return notConcave(x, a.knots[at].h, fmt.Sprintf("and at %v below the chord from %v to %v", k.x, l.x, u.x))
		}
	}
	return nil
}

// rounding is how much numbers of these sizes may be off.
func rounding(x, y float64) float64 { return float64(1e-10 * (1 + math.Abs(x) + math.Abs(y))) }

func notConcave(x, h float64, how string) error {
	return fmt.Errorf("dist: the log density is not concave: at x = %v it is %v, %s", x, h, how)
}
