package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// piece is a part [from, to] of an envelope: exp(value + slope·(t − at)) there.
type piece struct {
	at, value, slope float64
	from, to         float64
}

// truncLogConcave draws t given a ≤ t ≤ b (either may be infinite) from a density proportional to exp(h), where h is
// concave with derivative dh and has its greatest value on the line at mode or near it. It is exact: rejection from the
// three tangents at the mode within [a, b] and at the points on both sides where h is about 1 lower (Devroye, 1986,
// VII.2.4; Gilks and Wild, 1992). However far out [a, b] lies, more than a quarter of the proposals are accepted. NaN
// where h is not finite on [a, b].
func truncLogConcave(r *rand.Rand, a, b, mode float64, f func(t float64) (h, dh float64)) float64 {
	m := min(max(mode, a), b)
	if a == b {
		return a
	}
	top, slope := f(m)
	if !finite(top) || !finite(slope) {
		return math.NaN()
	}
	var pieces [3]piece
	env := append(pieces[:0], piece{m, 0, slope, a, b})
	if l, ok := tangentBelow(m, a, -1, top, f); ok && l.slope > 0 && l.slope > slope {
		if cut := crossing(l, env[0]); cut < m { // else the doubles do not resolve it
			l.from, l.to, env[0].from = a, cut, cut
			env = append(env, l)
		}
	}
	if u, ok := tangentBelow(m, b, 1, top, f); ok && u.slope < 0 && u.slope < slope {
		if cut := crossing(env[0], u); cut > m {
			u.from, u.to, env[0].to = cut, b, cut
			env = append(env, u)
		}
	}
	var mass [3]float64
	total := 0.0
	for i := range env {
		mass[i] = env[i].mass()
		total += mass[i]
	}
	if !(total > 0 && total <= math.MaxFloat64) {
		return math.NaN()
	}
	for range 100_000 { // a bound for a density that is not what it claims to be
		u := float64(uniform(r) * total)
		i := 0
		for i < len(env)-1 && u >= mass[i] {
			u -= mass[i]
			i++
		}
		t := env[i].draw(r)
		h, _ := f(t)
		if -StdExp(r) <= (h-top)-env[i].height(t) {
			return min(max(t, a), b)
		}
	}
	return math.NaN()
}

// tangentBelow finds a point on the side dir of m, no further than end, where h is about 1 below top, and returns the
// tangent there, relative to top. ok is false where h does not fall that far before end.
func tangentBelow(m, end, dir, top float64, f func(t float64) (h, dh float64)) (p piece, ok bool) {
	width := 1.0
	if room := math.Abs(end - m); room < width {
		width = room
	}
	if width == 0 {
		return p, false
	}
	best := math.Inf(1)
	short, long := 0.0, math.Inf(1) // widths known to be so
	for range 60 {
		t := m + float64(dir*width)
		if dir*(t-end) > 0 {
			t = end
		}
		if t == m {
			return p, ok // the doubles do not resolve the fall
		}
		h, dh := f(t)
		drop := top - h
		if finite(dh) && drop > 0 && math.Abs(drop-1) < best {
			best = math.Abs(drop - 1)
			p, ok = piece{at: t, value: -drop, slope: dh}, true
		}
		var next float64
		switch {
		case drop >= 0.4 && drop <= 2.5:
			return p, ok
		case drop < 1 && t == end:
			return p, ok
		case drop < 1:
			short = width
			next = float64(width * min(1/math.Sqrt(max(drop, 1e-4)), 100))
		default: // h is often between linear and quadratic in the width
			long = width
			next = width / min(math.Sqrt(drop), 1e6)
		}
		if !(next > short && next < long) {
			next = math.Sqrt(max(short, float64(1e-6*long)) * long)
		}
		width = next
	}
	return p, ok
}

// crossing is where the tangents of l and u, l on the left, are equally high; between their points.
func crossing(l, u piece) float64 {
	// Relative to l.at, which is exact where the points are close and far from 0.
	t := l.at + (u.value-l.value+float64(u.slope*(l.at-u.at)))/(l.slope-u.slope)
	return min(max(t, l.at), u.at)
}

// height is the logarithm of the envelope at t.
func (p *piece) height(t float64) float64 { return p.value + float64(p.slope*(t-p.at)) }

// peak is the higher end of the piece.
func (p *piece) peak() float64 {
	if p.slope > 0 {
		return p.to
	}
	return p.from
}

// mass is the integral of the envelope over the piece; +Inf where it has none.
func (p *piece) mass() float64 {
	width := p.to - p.from
	if !(width > 0) {
		return 0
	}
	s := math.Abs(p.slope)
	top := vec.Exp(p.height(p.peak()))
	if d := float64(s * width); d < 1e-8 {
		return float64(top * float64(width*(1-float64(0.5*d))))
	}
	return -float64(top*vec.Expm1(-float64(s*width))) / s
}

// draw is a point of the piece with density proportional to the envelope.
func (p *piece) draw(r *rand.Rand) float64 {
	width := p.to - p.from
	s := math.Abs(p.slope)
	d := float64(s * width)
	var e float64
	if d < 1e-8 {
		e = float64(uniform(r) * width)
	} else {
		e = truncExp(r, d) / s
	}
	if p.slope > 0 {
		return p.to - e
	}
	return p.from + e
}
