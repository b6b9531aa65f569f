package model

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Evaluator computes the density of a [Block] with its derivatives, for one chain at a time.
type Evaluator struct {
	k          *Block
	det, stoch []*groupRun // nil for rows that go one by one
	ready      bool

	mean, precision []float64 // of the priors
	konst           float64   // of their densities
	proper          bool
}

// NewEvaluator returns one with memory of its own.
func (k *Block) NewEvaluator() *Evaluator {
	e := &Evaluator{k: k, mean: make([]float64, len(k.priors)), precision: make([]float64, len(k.priors))}
	for _, p := range k.det {
		e.det = append(e.det, newGroupRun(k.m, p.group))
	}
	for _, p := range k.stoch {
		e.stoch = append(e.stoch, newGroupRun(k.m, p.group))
	}
	return e
}

// Prepare tells the evaluator that cells other than the block's may have changed. Logical cells of these must be up to date.
func (e *Evaluator) Prepare(s *State) {
	if s.A == nil {
		s.clearAdjoints()
	}
	for _, r := range e.det {
		r.prepare(s.V)
	}
	for _, r := range e.stoch {
		r.prepare(s.V)
	}
	e.preparePriors(s.V)
	e.ready = true
}

func (e *Evaluator) preparePriors(v []float64) {
	changed := !e.ready
	for i, p := range e.k.priors {
		changed = changed || v[p.mean] != e.mean[i] || v[p.precision] != e.precision[i]
	}
	if !changed {
		return
	}
	e.konst, e.proper = 0, true
	for i, p := range e.k.priors {
		e.mean[i], e.precision[i] = v[p.mean], v[p.precision]
		e.konst += float64(0.5*vec.Log(e.precision[i])) - halfLog2Pi
		e.proper = e.proper && e.precision[i] > 0 && vec.Finite(e.precision[i]) && vec.Finite(e.mean[i])
	}
}

// priors is the log density of the normal nodes whose parameters stand still.
func (e *Evaluator) priors(s *State) float64 {
	if !e.proper {
		return math.NaN()
	}
	v, a, k := s.V, s.A, e.k
	runs, from := 0.0, 0
	for _, r := range k.priorRuns {
		to := from + int(r.hi-r.lo)
		runs += columns.NormalPriors(a[r.lo:r.hi], v[r.lo:r.hi], e.mean[from:to], e.precision[from:to])
		from = to
	}
	even, odd := 0.0, 0.0
	for i := from; i < len(k.priors); i++ {
		c := k.priors[i].cell
		d := v[c] - e.mean[i]
		w := float64(e.precision[i] * d)
		a[c] -= w
		even, odd = odd, even+float64(w*d)
	}
	return e.konst - float64(0.5*(even+odd+runs))
}

// ValueGradient is the log density at the block's cells as they are in s, and fills s.A[c] with the derivative by each of them. Cells of V that are
// computed from them are not kept up to date: [State.Run] does so. Where the density is zero it is −Inf, and s.A holds nothing. What has no
// derivative, or none that is finite, contributes none, as in [Gradient.At].
//
// It differs from [State.LogProb] and [Gradient.At] by rounding. Where a number is not finite or a formula does not hold, such as at the edge of a support, these
// decide.
func (e *Evaluator) ValueGradient(s *State) float64 {
	lp := e.quick(s)
	if vec.Finite(lp) && e.finite(s) {
		return lp
	}
	return e.exact(s)
}

// Unchecked is [Evaluator.ValueGradient] for a caller who sees whether the derivatives are finite. Where one is not, it has to ask ValueGradient.
func (e *Evaluator) Unchecked(s *State) float64 {
	if lp := e.quick(s); vec.Finite(lp) {
		return lp
	}
	return e.exact(s)
}

func (e *Evaluator) quick(s *State) float64 {
	if !e.ready {
		e.Prepare(s)
	}
	return e.byColumns(s)
}

// exact is ValueGradient by the interpreter.
func (e *Evaluator) exact(s *State) float64 {
	g := e.k.oracle
	s.Run(g.det)
	lp := s.LogProb(g.stoch)
	if vec.Finite(lp) {
		g.At(s)
	}
	return lp
}

// finite tells whether the derivatives are.
func (e *Evaluator) finite(s *State) bool {
	var sum columns.Sums
	for _, r := range e.k.clear {
		sum.Sum(s.A[r.lo:r.hi])
	}
	return vec.Finite(sum.Total())
}

// byColumns is ValueGradient, not finite where it does not know.
func (e *Evaluator) byColumns(s *State) float64 {
	k, m := e.k, e.k.m
	for _, r := range k.clear {
		clear(s.A[r.lo:r.hi])
	}
	for i, p := range k.det {
		if r := e.det[i]; r != nil {
			r.values(s)
			continue
		}
		s.runSeg(p.rows)
	}
	lp := e.priors(s)
	for i, p := range k.stoch {
		if r := e.stoch[i]; r != nil {
			lp += r.density(s)
		} else {
			t := m.Templates[p.rows.T]
			lp += s.logProbSeg(t, int(p.rows.Lo), int(p.rows.Hi))
			if vec.Finite(lp) {
				s.densityAdjoints(t, int(p.rows.Lo), int(p.rows.Hi))
			}
		}
		if !vec.Finite(lp) {
			return lp
		}
	}
	for i := len(k.det) - 1; i >= 0; i-- {
		p := k.det[i]
		if r := e.det[i]; r != nil {
			r.adjoints(s)
			continue
		}
		s.pullSeg(p.rows)
	}
	return lp
}

// groupRun is a group with the memory of one chain.
type groupRun struct {
	g    *colGroup
	l    *lanes
	v, a []float64 // the state's
	lo   int       // the block's first row
	at   int       // and its number

	vec       [][]float64 // columns of the block by the numbers of passes: the two that follow, derivatives by cells, and work
	cols, adj [][]float64 // columns of the block, and the derivatives by them
	own, back [][]float64 // memory for them
	num, dnum []float64   // of nodes that are one number
	seen      []bool      // whether the block's derivatives have been begun
	bound     bool

	part  float64   // of a combination, that is one number for all rows
	coef  []float64 // of the columns of a matrix
	by    [][]columns.Sums
	tmp   []float64
	d, q  []float64
	fill  [3][]float64
	idx   [][]int32   // what a gather has read; what a pick takes, in all rows
	table [][]float64 // numbers that a pick takes from

	ok    bool // what a formula takes for granted of what stands still holds
	konst float64
	total []float64 // of a formula that is a linear combination: sums of its coefficients
	known bool
	yWas  []float64 // the values that have been squeezed or merged, and what they leave
	rest  float64
	rises rises
	score score
}

func newGroupRun(m *Model, g *colGroup) *groupRun {
	if g == nil {
		return nil
	}
	n := len(g.nodes)
	vec := make([][]float64, 3*n+works)
	r := &groupRun{g: g, vec: vec, cols: vec[:n:n], adj: vec[n : 2*n : 2*n], own: make([][]float64, n), back: make([][]float64, n),
		num: append([]float64(nil), g.num...), dnum: make([]float64, n), seen: make([]bool, n), by: make([][]columns.Sums, n), idx: make([][]int32, n), table: make([][]float64, n)}
	r.l = newLanes(g)
	r.l.full, r.l.num = append([][]float64(nil), g.full...), r.num
	rows := min(g.n, g.block)
	r.tmp = make([]float64, rows)
	if k := g.den.kind; k != noDensity && k != formulaDensity {
		r.d, r.q = make([]float64, rows), make([]float64, rows)
		for k := range r.fill {
			r.fill[k] = make([]float64, rows)
		}
	}
	for _, id := range g.still {
		if g.nodes[id].wide {
			r.l.full[id] = make([]float64, g.n)
		}
	}
	for _, id := range g.broad {
		x := &g.nodes[id]
		if x.slope {
			r.back[id] = make([]float64, rows)
		}
		if x.kind != cellsNode || !x.even {
			r.own[id] = make([]float64, rows)
		}
		if x.kind == gatherNode {
			r.idx[id] = make([]int32, rows)
		}
		if x.kind == pickNode {
			r.idx[id] = make([]int32, g.n)
			if from := x.args[:len(x.args)-1]; !slices.ContainsFunc(from, func(a int32) bool { return g.nodes[a].wide }) {
				r.table[id] = make([]float64, len(from))
			}
		}
		if x.kind == linearNode && len(x.lin.dense) > 0 {
			r.by[id] = make([]columns.Sums, len(x.lin.dense))
			if k := len(x.lin.dense); k > len(r.coef) {
				r.coef = make([]float64, k)
			}
		}
	}
	for _, id := range g.narrow {
		if g.nodes[id].kind == gatherNode {
			r.idx[id] = make([]int32, 1)
		}
	}
	for _, id := range g.broad { // derivatives that are those by a sum share its memory
		for _, t := range g.nodes[id].terms() {
			if t.scale == 1 && t.coef < 0 && g.nodes[t.atom].uses == 1 && r.back[t.atom] != nil && t.atom != g.out {
				r.back[t.atom] = r.back[id]
			}
		}
	}
	if l := g.rootCombination(); l != nil {
		r.total = make([]float64, len(l.dense)+len(l.loose)+1)
	}
	return r
}

// prepare computes what stands still, where it has changed.
func (r *groupRun) prepare(v []float64) {
	if r == nil {
		return
	}
	g := r.g
	changed := !r.known
	for _, id := range g.still {
		switch n := &g.nodes[id]; n.kind {
		case cellNode:
			changed = changed || v[n.cells[0]] != r.num[id]
		case cellsNode:
			for i, x := range r.l.full[id] {
				if v[n.cells[i]] != x {
					changed = true
					break
				}
			}
		case gatherNode:
			changed = true
		}
	}
	if !changed && r.sameValues(v) {
		return
	}
	r.known = true
	for _, id := range g.still {
		r.l.set(id, v)
	}
	r.constants(v)
	r.pickRows()
}

// pickRows finds what picks take, of which constants has checked that it is there.
func (r *groupRun) pickRows() {
	for _, id := range r.g.broad {
		if n := &r.g.nodes[id]; n.kind == pickNode && r.ok {
			number := n.args[len(n.args)-1]
			for i := range r.idx[id] {
				r.idx[id][i] = int32(r.still(number, i)) - 1
			}
		}
	}
}

// bind points the columns to the block of m rows from lo.
func (r *groupRun) bind(s *State, lo, m int) {
	g := r.g
	r.lo, r.at = lo, lo/g.block
	same := r.bound && len(r.v) == len(s.V) && &r.v[0] == &s.V[0]
	if same && g.n <= g.block {
		return
	}
	r.v, r.a, r.bound = s.V, s.A, true
	for _, id := range g.bound {
		n := &g.nodes[id]
		switch {
		case id == g.out && g.direct:
			c := int(g.cells[0]) + lo
			r.cols[id], r.adj[id] = s.V[c:c+m], s.A[c:c+m]
			continue
		case !n.moves:
			r.cols[id] = r.l.full[id][lo : lo+m]
		case n.kind == cellsNode && n.even:
			c := int(n.cells[0]) + lo
			r.cols[id] = s.V[c : c+m]
		case r.own[id] != nil:
			r.cols[id] = r.own[id][:m]
		}
		if n.slope && n.kind == cellsNode && n.even {
			c := int(n.cells[0]) + lo
			r.vec[g.byCell(id)] = s.A[c : c+m]
		}
		if r.back[id] != nil {
			r.adj[id] = r.back[id][:m]
		}
	}
	r.tmp = r.tmp[:m]
	if g.passes != nil {
		for k, x := range [works][]float64{workDerivatives: r.d, workSquares: r.q, workValues: r.fill[0], workMeans: r.fill[1]} {
			r.vec[int(g.work(0))+k] = x[:m]
		}
	}
}
