package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

const halfLog2Pi = 0.91893853320467274178

// rootCombination is the formula's result where it is a linear combination of columns: it is summed over rows term by term.
func (g *colGroup) rootCombination() *linear {
	if g.den.kind != formulaDensity || g.den.root < 0 || !g.nodes[g.den.root].wide {
		return nil
	}
	return g.nodes[g.den.root].lin
}

// rows is how many rows the density is of.
func (g *colGroup) rows() int {
	if q := g.den.squeezed; q != nil {
		return q.n
	}
	return g.n
}

// sameValues tells whether the values are those that were squeezed or merged.
func (r *groupRun) sameValues(v []float64) bool {
	var lists [2][]int32
	switch d := &r.g.den; {
	case d.squeezed != nil:
		lists[0] = d.squeezed.y
	case d.merged != nil:
		lists = [2][]int32{d.merged.y, d.merged.size}
	}
	was := r.yWas
	for _, cells := range lists {
		for i, c := range cells {
			if v[c] != was[i] {
				return false
			}
		}
		was = was[len(cells):]
	}
	return true
}

// constants finds what of the density stands still.
func (r *groupRun) constants(v []float64) {
	g, d := r.g, &r.g.den
	r.ok, r.konst = true, 0
	for _, c := range d.checks {
		if !g.nodes[c.node].moves {
			r.ok = r.ok && r.stillHolds(c)
		}
	}
	kind := d.kind
	if d.merged != nil {
		if r.mergedConstants(v); kind != formulaDensity {
			kind = noDensity
		}
	}
	switch kind {
	case binomialLogit:
		for i := range g.n {
			r.konst += vec.LogChoose(r.still(d.p[1], i), r.still(d.y, i))
		}
	case poissonLog:
		for i := range g.n {
			r.konst -= vec.Lgamma(r.still(d.y, i) + 1)
		}
	case negBinLog:
		r.negBinConstants()
	case normalDensity:
		r.normalConstants(v)
	case formulaDensity:
		r.formulaConstants()
	}
	for _, row := range d.cut {
		p, lo, hi := row.t.params(int(row.i), v, make([]float64, row.t.NIn))
		r.konst -= row.t.Stoch.Scalar.LogMass(p, lo, hi)
	}
}

// negBinConstants counts the counts.
func (r *groupRun) negBinConstants() {
	if !r.ok {
		return
	}
	y := r.rises.x[:0]
	for i := range r.g.n {
		v := r.still(r.g.den.y, i)
		r.konst -= vec.Lgamma(v + 1)
		y = append(y, v)
	}
	r.rises.x = y
	r.countRises(y)
}

func (r *groupRun) countRises(y []float64) {
	r.rises.count(y)
	if size := r.g.den.p[1]; !r.g.nodes[size].moves {
		sum, _ := r.rises.of(r.num[size])
		r.konst += sum
	}
}

// still is a node that stands still in a row.
func (r *groupRun) still(id int32, i int) float64 {
	if r.g.nodes[id].wide {
		return r.l.full[id][i]
	}
	return r.num[id]
}

func (r *groupRun) stillHolds(c check) bool {
	for i := range r.g.n {
		x, most := r.still(c.node, i), 0.0
		if c.what == 'n' || c.what == 'k' {
			most = r.still(c.most, i)
		}
		if !c.holds(x, most) {
			return false
		}
		if !r.g.nodes[c.node].wide && (c.what != 'n' || !r.g.nodes[c.most].wide) {
			break
		}
	}
	return true
}

func (c check) holds(x, most float64) bool {
	const large = 1 << 53
	switch c.what {
	case 'p':
		return x > 0 && x <= math.MaxFloat64
	case 'u':
		return x > 0 && x < 1
	case 'w':
		return x >= 0 && x <= math.MaxFloat64
	case 'b':
		return x == 0 || x == 1
	case 'k':
		return x >= 1 && x <= most && x == math.Floor(x)
	case 'n':
		return x >= 0 && x <= most && most <= large && x == math.Floor(x) && most == math.Floor(most)
	}
	return x >= 0 && x <= large && x == math.Floor(x)
}

func (r *groupRun) normalConstants(v []float64) {
	g, d := r.g, &r.g.den
	n := float64(g.rows())
	r.konst = -float64(n * halfLog2Pi)
	switch tau := &g.nodes[d.p[1]]; {
	case tau.moves:
	case tau.wide:
		for _, t := range r.l.full[d.p[1]] {
			r.konst += float64(0.5 * vec.Log(t))
		}
	default:
		r.konst += float64(n * float64(0.5*vec.Log(r.num[d.p[1]])))
	}
	if q := d.squeezed; q != nil {
		r.yWas = r.yWas[:0]
		for _, c := range q.y {
			r.yWas = append(r.yWas, v[c])
		}
		r.rest = q.values(r.l.full[q.node], v)
	}
}

func (r *groupRun) formulaConstants() {
	g, root := r.g, r.g.den.root
	for _, id := range g.den.roots {
		if !g.nodes[id].moves {
			r.konst += r.num[id]
		}
	}
	if root < 0 {
		return
	}
	n := &g.nodes[root]
	switch {
	case n.moves && r.total == nil:
	case n.moves:
		l := n.lin
		k := 0
		for _, list := range [][]linearTerm{l.dense, l.loose} {
			for _, t := range list {
				r.total[k] = float64(t.scale * columns.Sum(r.l.full[t.coef]))
				k++
			}
		}
		if l.offset >= 0 && g.nodes[l.offset].wide {
			r.konst += columns.Sum(r.l.full[l.offset])
		}
	case n.wide:
		r.konst += columns.Sum(r.l.full[root])
	default:
		r.konst += float64(float64(g.n) * r.num[root])
	}
}

// holdNumbers tells whether what the density takes for granted of numbers that move holds.
func (r *groupRun) holdNumbers() bool {
	d := &r.g.den
	for _, c := range d.numbers {
		if !c.holds(r.num[c.node], 0) {
			return false
		}
	}
	for _, w := range d.numbersWithin {
		x := r.num[w.x]
		if w.lo >= 0 && !(x >= r.num[w.lo]) || w.hi >= 0 && !(x <= r.num[w.hi]) {
			return false
		}
	}
	return true
}

// holdColumns is that of the block's columns.
func (r *groupRun) holdColumns(m int) bool {
	d := &r.g.den
	for _, c := range d.columns {
		for _, x := range r.cols[c.node] {
			if !c.holds(x, 0) {
				return false
			}
		}
	}
	for _, w := range d.columnsWithin {
		for i := range m {
			x := r.at1(w.x, i)
			if w.lo >= 0 && !(x >= r.at1(w.lo, i)) || w.hi >= 0 && !(x <= r.at1(w.hi, i)) {
				return false
			}
		}
	}
	return true
}

// at1 is a node in a row of the block.
func (r *groupRun) at1(id int32, i int) float64 {
	if r.g.nodes[id].wide {
		return r.cols[id][i]
	}
	return r.num[id]
}

// score sums up the density of blocks.
type score struct {
	lp   float64
	sum  columns.Sums
	soft columns.Sums
	den  columns.Density
	logs columns.Logs
}

func (c *score) begin(g *colGroup) {
	switch g.den.kind {
	case formulaDensity:
		c.lp = 0
	case bernoulliLogit, bernoulliProbit, orderedLogit, orderedProbit:
		c.den = columns.Density{}
	case negBinLog:
		c.sum, c.soft = columns.Sums{}, columns.Sums{}
	case normalDensity:
		c.sum = columns.Sums{}
		if tau := &g.nodes[g.den.p[1]]; tau.wide && tau.moves {
			c.logs = columns.Logs{}
		}
	default:
		c.sum = columns.Sums{}
	}
}

// density is the log density of the group, NaN where it does not know; it adds the derivatives to s.A.
func (r *groupRun) density(s *State) float64 {
	if !r.ok {
		return math.NaN()
	}
	g := r.g
	if g.bounds != nil {
		return r.withinBounds(s)
	}
	r.forwardNarrow(s)
	if !r.holdNumbers() {
		return math.NaN()
	}
	if g.constant {
		return r.konst
	}
	r.begin()
	if g.alike {
		lp := r.alike(s)
		r.end(s)
		return lp
	}
	if len(g.broad) > 0 || g.den.kind != formulaDensity || len(g.den.columnsWithin) > 0 {
		r.score.begin(g)
		for lo := 0; lo < g.n; lo += g.block {
			m := min(g.block, g.n-lo)
			r.bind(s, lo, m)
			if g.passes != nil {
				r.run(g.passes)
				continue
			}
			r.forward()
			if !r.holdColumns(m) {
				return math.NaN()
			}
			clear(r.seen)
			r.rowsOfDensity(m)
			r.backward()
		}
	}
	lp := r.whole()
	r.end(s)
	return lp
}

// withinBounds is the density of uniform nodes.
func (r *groupRun) withinBounds(s *State) float64 {
	for _, w := range r.g.bounds {
		x := s.V[w.cell]
		if w.lo >= 0 && !(x >= r.num[w.lo]) || w.hi >= 0 && !(x <= r.num[w.hi]) {
			return math.NaN()
		}
	}
	return r.konst
}

// alike is the density of normal nodes that follow one another and have one mean and one precision.
func (r *groupRun) alike(s *State) float64 {
	g, d := r.g, &r.g.den
	c := int(g.nodes[d.y].cells[0])
	slope, squares := columns.NormalAlike(s.A[c:c+g.n], s.V[c:c+g.n], r.num[d.p[0]], r.num[d.p[1]])
	if g.nodes[d.p[0]].slope {
		r.dnum[d.p[0]] += slope
	}
	return r.normalWhole(squares)
}

// column is a node as a column.
func (r *groupRun) column(id int32, k, m int) []float64 {
	if r.g.nodes[id].wide {
		return r.cols[id]
	}
	columns.Fill(r.fill[k][:m], r.num[id])
	return r.fill[k][:m]
}

// target is where the first derivatives by a node may be written, or other memory; then deliver adds them.
func (r *groupRun) target(id int32, m int) []float64 {
	if n := &r.g.nodes[id]; n.wide && n.slope && !r.seen[id] {
		r.seen[id] = true
		return r.adj[id]
	}
	return r.d[:m]
}

func (r *groupRun) deliver(id int32, d []float64) {
	if n := &r.g.nodes[id]; n.wide && n.slope && &r.adj[id][0] == &d[0] {
		return
	}
	r.give(id, d, 1)
}

// rowsOfDensity adds the block's log density, and begins its derivatives.
func (r *groupRun) rowsOfDensity(m int) {
	d := &r.g.den
	c := &r.score
	switch d.kind {
	case formulaDensity:
		r.rowsOfFormula(m)
		return
	case orderedLogit, orderedProbit:
		r.rowsOfCategories(m)
		return
	}
	y, eta := r.column(d.y, 0, m), r.column(d.p[0], 1, m)
	to := r.target(d.p[0], m)
	switch d.kind {
	case bernoulliLogit:
		columns.BernoulliLogit(&c.den, to, y, eta)
	case bernoulliProbit:
		columns.BernoulliProbit(&c.den, to, y, eta)
	case binomialLogit:
		columns.BinomialLogit(&c.sum, to, y, r.column(d.p[1], 2, m), eta)
	case poissonLog:
		columns.PoissonLog(&c.sum, to, y, eta)
	case negBinLog:
		columns.NegBinLog(&c.sum, &c.soft, to, y, r.column(d.weight, 2, m), eta, r.num[d.p[1]])
	case normalDensity:
		if tau := &r.g.nodes[d.p[1]]; !tau.wide {
			columns.Normal(&c.sum, to, y, eta, r.num[d.p[1]])
		} else {
			t, q := r.cols[d.p[1]], r.q[:m]
			columns.NormalRows(&c.sum, to, q, y, eta, t)
			if tau.slope {
				c.logs.Add(t)
				columns.DivInto(r.tmp, 1, t)
				columns.Sub(r.tmp, r.tmp, q)
				r.give(d.p[1], r.tmp, 0.5)
			} else if tau.moves {
				c.logs.Add(t)
			}
		}
		r.give(d.y, to, -1)
	}
	r.deliver(d.p[0], to)
}

// rowsOfCategories has the derivatives by both ends of a row's category.
func (r *groupRun) rowsOfCategories(m int) {
	d := &r.g.den
	lo, hi := r.column(d.p[0], 0, m), r.column(d.p[1], 1, m)
	byLo, byHi := r.target(d.p[0], m), r.q[:m]
	if d.kind == orderedLogit {
		columns.OrderedLogit(&r.score.den, byLo, byHi, lo, hi)
	} else {
		columns.OrderedProbit(&r.score.den, byLo, byHi, lo, hi)
	}
	r.deliver(d.p[0], byLo)
	r.give(d.p[1], byHi, 1)
}

func (r *groupRun) rowsOfFormula(m int) {
	root := r.g.den.root
	n := &r.g.nodes[root]
	switch {
	case !n.moves || !n.wide:
	case r.total == nil:
		r.score.lp += columns.Sum(r.cols[root])
		if n.slope {
			r.seen[root] = true
			columns.Fill(r.adj[root], 1)
		}
	default:
		for k := range n.lin.wide {
			t := &n.lin.wide[k]
			x := r.cols[t.atom]
			if t.coef >= 0 && r.g.nodes[t.coef].wide {
				w := r.cols[t.coef]
				r.score.lp += float64(t.scale * columns.Dot(w, x))
				r.give(t.atom, w, t.scale)
				continue
			}
			c := r.scale(t)
			r.score.lp += float64(c * columns.Sum(x))
			columns.Fill(r.tmp, c)
			r.give(t.atom, r.tmp, 1)
		}
	}
}

// whole ends the density, with what is not found by blocks.
func (r *groupRun) whole() float64 {
	g, d, c := r.g, &r.g.den, &r.score
	lp := r.konst
	switch d.kind {
	case bernoulliLogit, bernoulliProbit, orderedLogit, orderedProbit:
		return lp + c.den.Total()
	case negBinLog:
		if size := d.p[1]; g.nodes[size].moves {
			sum, slope := r.rises.of(r.num[size])
			lp += sum
			r.dnum[size] += slope - c.soft.Total()
		}
		return lp + c.sum.Total()
	case binomialLogit, poissonLog:
		return lp + c.sum.Total()
	case normalDensity:
		ss := c.sum.Total()
		tau := &g.nodes[d.p[1]]
		if tau.wide {
			if tau.moves {
				lp += float64(0.5 * c.logs.Total())
			}
			return lp - float64(0.5*ss)
		}
		return r.normalWhole(ss + r.rest)
	}
	return lp + r.wholeFormula()
}

// normalWhole is that of a normal density with one precision, by the sum of squares.
func (r *groupRun) normalWhole(squares float64) float64 {
	lp, tau := r.konst, r.g.den.p[1]
	t, n := r.num[tau], float64(r.g.rows())
	if r.g.nodes[tau].moves {
		lp += float64(0.5 * float64(n*vec.Log(t)))
		r.dnum[tau] += float64(0.5 * (n/t - squares))
	}
	return lp - float64(0.5*float64(t*squares))
}

func (r *groupRun) wholeFormula() float64 {
	g, root := r.g, r.g.den.root
	if root < 0 {
		lp := 0.0
		for _, id := range g.den.roots {
			if g.nodes[id].moves {
				lp += r.num[id]
				r.dnum[id]++
			}
		}
		return lp
	}
	n, rows := &g.nodes[root], float64(g.n)
	switch {
	case !n.moves:
		return 0
	case !n.wide:
		r.dnum[root] += rows
		return float64(rows * r.num[root])
	case r.total == nil:
		return r.score.lp
	}
	l := n.lin
	lp := r.score.lp + float64(rows*r.numbers(l))
	for k := range l.narrow {
		t := &l.narrow[k]
		r.dnum[t.atom] += float64(rows * r.scale(t))
	}
	k := 0
	for _, list := range [2][]linearTerm{l.dense, l.loose} {
		for _, t := range list {
			lp += float64(r.total[k] * r.num[t.atom])
			r.dnum[t.atom] += r.total[k]
			k++
		}
	}
	return lp
}
