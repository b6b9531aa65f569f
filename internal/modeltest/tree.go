package modeltest

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// leaves bounds the points of an enumeration, and steps the work on the way to them. grid is
// the number of points in each continuous dimension: the quantiles of the node's prior at the
// midpoints of equal probabilities, so that a mean under the posterior is an integral over a cube.
const (
	leaves = 40_000
	steps  = 20 * leaves
)

// byTree is the posterior by enumeration of the discrete nodes and quadrature over at most
// two continuous ones; ok is false where the program is not that small.
func (c *Case) byTree(elements []int) (*weighted, bool) {
	ev := newEvaluator(c.Program)
	copy(ev.pt.x, c.x)
	continuous := 0
	for _, w := range ev.rows {
		if w.rel.apart != nil || w.rel.dist == "dround" { // whose edges lie between points of a grid
			return nil, false
		}
		if w.rel.dist == "" || w.seen {
			continue
		}
		d, scalar := dist.Lookup(w.rel.dist)
		if !scalar {
			return nil, false
		}
		if !d.Discrete {
			continuous++
		}
	}
	grid := []int{1, 2000, 120}
	if continuous >= len(grid) {
		return nil, false
	}
	t := &tree{ev: ev, elements: elements, grid: grid[continuous], out: &weighted{exact: true}}
	if !t.branch(0, 0) || t.out.normalise() != nil {
		return nil, false
	}
	if continuous > 0 && t.out.ess < fine || continuous > 1 && t.coarse(continuous) {
		return nil, false
	}
	return t.out, true
}

// fine is the least effective number of points for which a grid is taken as exact: a
// posterior far out in the prior's tail has few.
const fine = 300

type tree struct {
	ev       *evaluator
	elements []int
	grid     int
	steps    int
	out      *weighted
	at       []int   // on the way to a leaf: the point in each continuous dimension
	points   [][]int // the same of each leaf
}

// coarse tells whether the posterior has few points of some dimension: those of another that data do not reach make the number of all look large.
func (t *tree) coarse(continuous int) bool {
	for d := range continuous {
		w := make([]float64, t.grid)
		for k, at := range t.points {
			w[at[d]] += t.out.w[k]
		}
		sqs := 0.0
		for _, x := range w {
			sqs += x * x
		}
		if 1/sqs < fineEach {
			return true
		}
	}
	return false
}

// fineEach is the least effective number of points of each of several dimensions.
const fineEach = 15

// branch goes over all values of the rows from k on; lw is the log weight so far.
func (t *tree) branch(k int, lw float64) bool {
	ev := t.ev
	if t.steps++; t.steps > steps {
		return false
	}
	if k == len(ev.rows) {
		t.out.add(ev, t.elements, lw)
		t.points = append(t.points, slices.Clone(t.at))
		return len(t.out.w) <= leaves
	}
	w := ev.rows[k]
	switch {
	case w.rel.dist == "":
		ev.compute(w)
		return t.branch(k+1, lw)
	case w.seen:
		if lw += ev.logProb(w); !(lw > math.Inf(-1)) {
			return true
		}
		return t.branch(k+1, lw)
	}
	d, _ := dist.Lookup(w.rel.dist)
	if d == nil { // an interval's node without data is computed
		return false
	}
	ev.params(w)
	p := append([]float64(nil), w.par...)
	lo, hi := ev.bounds(w)
	if d.Discrete {
		return t.values(k, lw, d, p, lo, hi)
	}
	a, b := 0.0, 1.0
	if !math.IsInf(lo, -1) {
		a = d.CDF(lo, p)
	}
	if !math.IsInf(hi, 1) {
		b = d.CDF(hi, p)
	}
	for i := range t.grid {
		x := d.Quantile(a+(b-a)*(float64(i)+0.5)/float64(t.grid), p)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
		ev.pt.x[w.cells[0]] = x
		t.at = append(t.at, i)
		ok := t.branch(k+1, lw)
		if t.at = t.at[:len(t.at)-1]; !ok {
			return false
		}
	}
	return true
}

// negligible is the probability beyond which the values of a count are left out.
const negligible = 1e-9

func (t *tree) values(k int, lw float64, d *dist.Scalar, p []float64, lo, hi float64) bool {
	a, b := d.Support(p)
	if math.IsInf(b, 1) {
		b = d.Quantile(1-negligible, p) + 1
		if !math.IsInf(lo, -1) {
			b += lo + 20
		}
	}
	w := t.ev.rows[k]
	for x := a; x <= min(b, hi); x++ {
		if x < lo {
			continue
		}
		t.ev.pt.x[w.cells[0]] = x
		l := t.ev.logProb(w)
		if !(l > math.Inf(-1)) {
			continue
		}
		if !t.branch(k+1, lw+l) {
			return false
		}
	}
	return true
}
