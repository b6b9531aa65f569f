package modeltest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// row is one turn of a relation, ready to be evaluated.
type row struct {
	rel   *Rel
	i     int
	cells []int
	seen  bool
	par   []float64
	ptr   [][]float64
	dims  [][]int
}

// evaluator evaluates a program at points.
type evaluator struct {
	p    *Program
	rows []*row
	pt   point
	val  []float64
	work dist.Work
}

func newEvaluator(p *Program) *evaluator {
	e := &evaluator{p: p, pt: point{x: make([]float64, p.cells)}}
	for i := range e.pt.x {
		e.pt.x[i] = math.NaN()
	}
	for _, v := range p.Vars {
		copy(e.pt.x[v.base:], v.data)
	}
	for _, r := range p.Rels {
		for i, to := r.turns(); i <= to; i++ {
			w := &row{rel: r, i: i, cells: r.cells(i), seen: r.dist == "target" || r.dist != "" && r.seen(i)}
			for _, a := range r.args {
				w.dims = append(w.dims, shape(a))
			}
			w.ptr = make([][]float64, len(r.args))
			e.rows = append(e.rows, w)
		}
	}
	return e
}

// shape is the dimensions of a vector or matrix expression, nil of a scalar.
func shape(e *Expr) []int {
	switch e.kind {
	case whole:
		if len(e.index) == 0 {
			return e.v.Dims
		}
		var d []int
		for k, ix := range e.index {
			if ix == nil {
				d = append(d, e.v.Dims[k])
			}
		}
		return d
	case call:
		switch e.fn {
		case "c":
			return []int{len(e.args)}
		case "sort":
			return shape(e.args[0])
		case "%*%":
			return shape(e.args[1])
		case "inverse":
			return []int{2, 2}
		case "+", "-", "*", "/", "^", "<", ">=", "==", "exp":
			for _, a := range e.args {
				if d := shape(a); d != nil {
					return d
				}
			}
		}
	}
	return nil
}

// params evaluates the parameters of a row.
func (e *evaluator) params(w *row) {
	e.pt.i = w.i
	w.par = w.par[:0]
	var at [8]int
	for k, a := range w.rel.args {
		w.par = e.pt.eval(w.par, a)
		at[k+1] = len(w.par)
	}
	for k := range w.rel.args {
		w.ptr[k] = w.par[at[k]:at[k+1]]
	}
}

// bounds evaluates the bounds of a row.
func (e *evaluator) bounds(w *row) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	if w.rel.lo != nil {
		lo = e.pt.scalar(w.rel.lo)
	}
	if w.rel.hi != nil {
		hi = e.pt.scalar(w.rel.hi)
	}
	return lo, hi
}

// compute gives the cells of a logical row their values.
func (e *evaluator) compute(w *row) {
	e.pt.i = w.i
	e.val = e.pt.eval(e.val[:0], w.rel.args[0])
	if w.rel.link != "" {
		e.val[0] = evalScalar(inverse[w.rel.link], e.val[:1], nil)
	}
	for k, c := range w.cells {
		e.pt.x[c] = e.val[k]
	}
}

var inverse = map[string]string{"log": "exp", "logit": "ilogit", "probit": "phi", "cloglog": "icloglog"}

// draw gives the cells of a stochastic row a draw from its distribution; where some are data, those that are not.
func (e *evaluator) draw(w *row, r *rand.Rand) error {
	if w.seen && w.rel.apart != nil {
		return e.drawRest(w, r)
	}
	return e.drawAll(w, r)
}

func (e *evaluator) drawAll(w *row, r *rand.Rand) error {
	e.params(w)
	if d, ok := own[w.rel.dist]; ok {
		e.val = append(e.val[:0], make([]float64, len(w.cells))...)
		d.draw(e.val, r, w.ptr)
		for k, c := range w.cells {
			e.pt.x[c] = e.val[k]
		}
		return nil
	}
	if w.rel.dist == "dinterval" {
		e.pt.x[w.cells[0]] = interval(w.ptr[0][0], w.ptr[1])
		return nil
	}
	if d, ok := dist.Lookup(w.rel.dist); ok {
		p := w.par
		if msg := d.Check(p); msg != "" {
			return fmt.Errorf("%s ~ %s: %s", w.rel.left(), w.rel.dist, msg)
		}
		lo, hi := e.bounds(w)
		x := 0.0
		if w.rel.lo != nil || w.rel.hi != nil {
			x = d.SampleT(r, p, lo, hi)
		} else {
			x = d.Sample(r, p)
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s ~ %s has no value", w.rel.left(), w.rel.dist)
		}
		e.pt.x[w.cells[0]] = x
		return nil
	}
	d, _ := dist.LookupMulti(w.rel.dist)
	if msg := d.Check(w.ptr, w.dims); msg != "" {
		return fmt.Errorf("%s ~ %s: %s", w.rel.left(), w.rel.dist, msg)
	}
	e.val = append(e.val[:0], make([]float64, len(w.cells))...)
	d.Sample(e.val, r, w.ptr, w.dims, &e.work)
	for k, c := range w.cells {
		if math.IsNaN(e.val[k]) || math.IsInf(e.val[k], 0) {
			return fmt.Errorf("%s ~ %s has no value", w.rel.left(), w.rel.dist)
		}
		e.pt.x[c] = e.val[k]
	}
	return nil
}

// interval is the number of cut points below t: y with cut[y] < t ≤ cut[y+1].
func interval(t float64, cut []float64) float64 {
	y := 0
	for y < len(cut) && t > cut[y] {
		y++
	}
	return float64(y)
}

// logProb is the log density of a stochastic row at the point.
func (e *evaluator) logProb(w *row) float64 {
	e.params(w)
	if d, ok := own[w.rel.dist]; ok {
		e.val = e.val[:0]
		for _, c := range w.cells {
			e.val = append(e.val, e.pt.x[c])
		}
		return d.logProb(e.val, w.ptr)
	}
	if w.rel.dist == "dinterval" {
		if e.pt.x[w.cells[0]] == interval(w.ptr[0][0], w.ptr[1]) {
			return 0
		}
		return math.Inf(-1)
	}
	if d, ok := dist.Lookup(w.rel.dist); ok {
		x := e.pt.x[w.cells[0]]
		lp := d.LogProb(x, w.par)
		if w.rel.lo == nil && w.rel.hi == nil {
			return lp
		}
		lo, hi := e.bounds(w)
		if !(x >= lo && x <= hi) {
			return math.Inf(-1)
		}
		return lp - logMass(d, w.par, lo, hi)
	}
	d, _ := dist.LookupMulti(w.rel.dist)
	e.val = e.val[:0]
	for _, c := range w.cells {
		e.val = append(e.val, e.pt.x[c])
	}
	return d.LogProb(e.val, w.ptr, w.dims, &e.work)
}

// logMass is log P(lo ≤ X ≤ hi), from the tail that is smaller.
func logMass(d *dist.Scalar, p []float64, lo, hi float64) float64 {
	if d.Discrete {
		lo = math.Ceil(lo) - 1
	}
	if d.CDF(lo, p) > 0.5 {
		return math.Log(math.Exp(d.LogSF(lo, p)) - math.Exp(d.LogSF(hi, p)))
	}
	return math.Log(math.Exp(d.LogCDF(hi, p)) - math.Exp(d.LogCDF(lo, p)))
}

// simulate draws nodes in order, those with data too where all is true, and computes the
// logical ones.
func (e *evaluator) simulate(r *rand.Rand, all bool) error {
	for _, w := range e.rows {
		if w.rel.dist == "" {
			e.compute(w)
			continue
		}
		if w.seen && !all && w.rel.apart == nil {
			continue
		}
		f := e.draw
		if all {
			f = e.drawAll
		}
		if err := f(w, r); err != nil {
			return err
		}
	}
	return nil
}

// likelihood is the log density of the data given the rest; NaN counts as −Inf.
func (e *evaluator) likelihood() float64 {
	lp := 0.0
	for _, w := range e.rows {
		switch {
		case w.seen && w.rel.apart != nil:
			lp += e.logData(w)
		case w.seen:
			lp += e.logProb(w)
		}
	}
	if math.IsNaN(lp) {
		return math.Inf(-1)
	}
	return lp
}
