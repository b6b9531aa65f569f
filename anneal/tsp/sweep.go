package tsp

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// block is the number of cities in a row that have proposals of one kind.
const block = 16

// Sweep proposes a change at each city in turn.
func (w *Walker) Sweep(temperature float64, r *rand.Rand) (proposed, accepted int64) {
	return w.sweep(rule{beta: 1 / temperature}, r)
}

// SweepThreshold is Sweep that accepts what makes the tour longer by the threshold at most.
func (w *Walker) SweepThreshold(threshold float64, r *rand.Rand) (proposed, accepted int64) {
	return w.sweep(rule{beta: math.Inf(1), threshold: threshold}, r)
}

func (w *Walker) sweep(by rule, r *rand.Rand) (proposed, accepted int64) {
	if w.n <= longest {
		return 0, 0
	}
	s := streams.From(r).Stream(0)
	for from := 0; from < w.n; from += block {
		var x uint64
		x, s = s.Next()
		var k int64
		s, k = w.propose(kind(x>>61), int32(from), int32(min(from+block, w.n)), by, s)
		accepted += k
	}
	return int64(w.n), accepted
}

// kind is that of a proposal: 0 to 3 for 2-opt, 4 to 6 for a segment of few cities, 7 for one that ends near where it goes.
type kind int

func (w *Walker) propose(k kind, from, to int32, by rule, s streams.Stream) (streams.Stream, int64) {
	switch {
	case k < 4:
		return w.twoOpts(from, to, by, s)
	case k < 7:
		return w.segments(from, to, by, s)
	}
	return w.exchanges(from, to, by, s)
}

// The bits of a proposal's random number: which city of the list, half of the list or all of it, any city where all bits are 0; directions; the
// number of cities; the first bits of the uniform number that decides.
const (
	shiftHalf   = 4
	shiftAny    = 5
	maskAny     = 1<<6 - 1
	shiftStep   = 12
	shiftSide   = 13
	shiftSize   = 14
	shiftU      = 20
	shiftSecond = 32 // where another choice's begin
	bitsU       = 8
)

// anyCity is the probability that all bits of maskAny are 0.
const anyCity = 1. / (maskAny + 1)

// direction is −1 or 1.
func direction(x uint64, shift int) int32 { return 1 - int32(x>>shift&1)<<1 }

// rule says which changes of the length are accepted: at inverse temperature beta, or where that is infinite up to a threshold.
type rule struct{ beta, threshold float64 }

// chances are the probabilities that rule a walker's choices.
type chances struct {
	bars     [1 << bitsU]float64
	logRatio [3][3]float64
	slack    [3]float64
}

// newChances makes the table of −ln u, at most, for each of the first bits of u, with a margin for rounding of Exp and Log; and the logarithms of
// the probability of a choice of each level over that of another: first the level of the way there. The slack is the largest of them.
func newChances(n, width int) *chances {
	c := new(chances)
	c.bars[0] = math.Inf(1)
	for k := 1; k < len(c.bars); k++ {
		c.bars[k] = 1e-9 - vec.Log(float64(k)/float64(len(c.bars)))
	}
	elsewhere := anyCity / float64(n-1)
	part := (1 - anyCity) / float64(2*width)
	q := [3]float64{elsewhere + float64(3*part), elsewhere + part, elsewhere}
	for i := range q {
		for j := range q {
			c.logRatio[i][j] = vec.Log(q[j] / q[i])
		}
		c.slack[i] = c.logRatio[i][0]
	}
	return c
}

// choose is a city that a shall be next to, their distance, and the level of the probability of the choice, where that is one of the list.
func (l *lists) choose(a int32, x uint64) (c int32, d int64, level int) {
	k := int(x) & (l.width>>(x>>shiftHalf&1) - 1)
	f := &l.near[int(a)<<l.logWidth+k]
	return f.city, int64(f.distance), (2*k + 1) >> l.logWidth
}

// chooseAny is choose where any city may be chosen.
func (w *Walker) chooseAny(a int32, x uint64) (c int32, d int64, level int) {
	if c = int32(streams.Below(x, w.n-1)); c >= a {
		c++
	}
	return c, w.distance(a, c), w.level(a, c)
}

// level is that of c among the choices of a: in the first half of the list, in the second, or elsewhere.
func (w *Walker) level(a, c int32) int {
	row := w.near[int(a)*w.width : int(a)*w.width+w.width]
	for k := range row {
		if row[k].city == c {
			return (2*k + 1) >> w.logWidth
		}
	}
	return 2
}

// decide is whether a change of the length is accepted, which is as probable as the logarithm of a ratio says the other way; the first bits
// of the uniform number are k, and x gives the others.
func (by rule) decide(d int64, logRatio float64, k, x uint64) bool {
	if by.beta > math.MaxFloat64 {
		return float64(d) <= by.threshold
	}
	rise := float64(float64(d)*by.beta) - logRatio
	if rise <= 0 {
		return true
	}
	return (float64(k)+float64(streams.Unit(x)))/(1<<bitsU) < vec.Exp(-rise)
}

// twoOpts proposes for cities a to replace the edges from a and from c to the cities after them, or before them, by one between a and c and one
// between the others.
func (w *Walker) twoOpts(from, to int32, by rule, s streams.Stream) (streams.Stream, int64) {
	accepted := int64(0)
	tour, at, xy, all, n, m, ch := w.tour, w.at, w.xy, w.matrix, int32(w.n), w.n, w.chances
	near := w.lists
	for a := from; a < to; a++ {
		var x uint64
		x, s = s.Next()
		c, d, level := near.choose(a, x)
		if x>>shiftAny&maskAny == 0 {
			var y uint64
			y, s = s.Next()
			c, d, level = w.chooseAny(a, y)
		}
		step := direction(x, shiftStep)
		a1, c1 := tour[wrap(at[a]+step, n)], tour[wrap(at[c]+step, n)]
		if all != nil {
			d += int64(all[int(a1)*m+int(c1)]) - int64(all[int(a)*m+int(a1)]) - int64(all[int(c)*m+int(c1)])
		} else if xy != nil {
			d += euclid(xy[a1], xy[c1]) - euclid(xy[a], xy[a1]) - euclid(xy[c], xy[c1])
		} else {
			d += w.distance(a1, c1) - w.distance(a, a1) - w.distance(c, c1)
		}
		k := x >> shiftU & (1<<bitsU - 1)
		if (float64(d)-by.threshold)*by.beta > ch.bars[k]+ch.slack[level] || a1 == c || c1 == a {
			continue
		}
		if x, s = s.Next(); by.decide(d, ch.logRatio[level][w.level(a, a1)], k, x) {
			w.changes(d)
			w.flip(a, a1, c, c1)
			accepted++
		}
	}
	return s, accepted
}

// segments proposes to move a and up to two cities after it, or before it, between c and a city beside it, so that a is next to c.
func (w *Walker) segments(from, to int32, by rule, s streams.Stream) (streams.Stream, int64) {
	accepted := int64(0)
	tour, at, xy, all, n, m, ch := w.tour, w.at, w.xy, w.matrix, int32(w.n), w.n, w.chances
	near := w.lists
	for a := from; a < to; a++ {
		var x uint64
		x, s = s.Next()
		c, d, level := near.choose(a, x)
		if x>>shiftAny&maskAny == 0 {
			var y uint64
			y, s = s.Next()
			c, d, level = w.chooseAny(a, y)
		}
		size := int32(x >> shiftSize & longest)
		if size == 0 || size+3 > n {
			size = 1
		}
		step, side := direction(x, shiftStep), direction(x, shiftSide)
		i, j := at[a], at[c]
		p, z, q, c1 := tour[wrap(i-step, n)], tour[wrap(i+step*(size-1), n)], tour[wrap(i+step*size, n)], tour[wrap(j+side, n)]
		if all != nil {
			d += int64(all[int(p)*m+int(q)]) + int64(all[int(z)*m+int(c1)]) - int64(all[int(p)*m+int(a)]) - int64(all[int(z)*m+int(q)]) - int64(all[int(c)*m+int(c1)])
		} else if xy != nil {
			d += euclid(xy[p], xy[q]) + euclid(xy[z], xy[c1]) - euclid(xy[p], xy[a]) - euclid(xy[z], xy[q]) - euclid(xy[c], xy[c1])
		} else {
			d += w.distance(p, q) + w.distance(z, c1) - w.distance(p, a) - w.distance(z, q) - w.distance(c, c1)
		}
		k := x >> shiftU & (1<<bitsU - 1)
		if (float64(d)-by.threshold)*by.beta > ch.bars[k]+ch.slack[level] || wrap((j-i)*step, n) < size || wrap((at[c1]-i)*step, n) < size {
			continue
		}
		if x, s = s.Next(); by.decide(d, ch.logRatio[level][w.level(a, p)], k, x) {
			w.changes(d)
			w.move(a, z, c, c1, size)
			accepted++
		}
	}
	return s, accepted
}

// exchanges proposes to move the cities from a to z, which is near c1, between c and c1, which are neighbours, so that a is next to c and z to
// c1. Of the two ways from a to z it is the one without c. On the way back a is chosen for the city that it leaves, and z for the one that it leaves.
func (w *Walker) exchanges(from, to int32, by rule, s streams.Stream) (streams.Stream, int64) {
	accepted := int64(0)
	tour, at, xy, all, n, m, ch := w.tour, w.at, w.xy, w.matrix, int32(w.n), w.n, w.chances
	near := w.lists
	for a := from; a < to; a++ {
		var x uint64
		x, s = s.Next()
		c, d, level := near.choose(a, x)
		if x>>shiftAny&maskAny == 0 {
			var y uint64
			y, s = s.Next()
			c, d, level = w.chooseAny(a, y)
		}
		i, j := at[a], at[c]
		c1 := tour[wrap(j+direction(x, shiftSide), n)]
		z, second, level1 := near.choose(c1, x>>shiftSecond)
		if x>>(shiftSecond+shiftAny)&maskAny == 0 {
			var y uint64
			y, s = s.Next()
			z, second, level1 = w.chooseAny(c1, y)
		}
		k := at[z]
		step := int32(1)
		if wrap(k-i, n) > wrap(j-i, n) {
			step = -1
		}
		p, q := tour[wrap(i-step, n)], tour[wrap(k+step, n)]
		if all != nil {
			d += second + int64(all[int(p)*m+int(q)]) - int64(all[int(p)*m+int(a)]) - int64(all[int(z)*m+int(q)]) - int64(all[int(c)*m+int(c1)])
		} else if xy != nil {
			d += second + euclid(xy[p], xy[q]) - euclid(xy[p], xy[a]) - euclid(xy[z], xy[q]) - euclid(xy[c], xy[c1])
		} else {
			d += second + w.distance(p, q) - w.distance(p, a) - w.distance(z, q) - w.distance(c, c1)
		}
		u := x >> shiftU & (1<<bitsU - 1)
		if (float64(d)-by.threshold)*by.beta > ch.bars[u]+ch.slack[level]+ch.slack[level1] || z == a || z == c || c1 == a {
			continue
		}
		if x, s = s.Next(); by.decide(d, ch.logRatio[level][w.level(a, p)]+ch.logRatio[level1][w.level(q, z)], u, x) {
			w.changes(d)
			w.insert(p, a, z, q, c, c1)
			accepted++
		}
	}
	return s, accepted
}

// changes is called before the tour changes: the best is kept, and the new length counted.
func (w *Walker) changes(d int64) {
	if d > 0 {
		w.save()
	}
	if w.length += d; w.length < w.shortest {
		w.shortest, w.unsaved = w.length, true
	}
}
