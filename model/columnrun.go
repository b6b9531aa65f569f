package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// forwardNarrow computes the nodes that are one number.
func (r *groupRun) forwardNarrow(s *State) {
	num, last := r.num, 0.0
	for k := range r.g.scalar {
		o := &r.g.scalar[k]
		switch o.code {
		case cellCode:
			last = s.V[o.a]
		case addCode:
			last = o.first(num, last) + num[o.b]
		case subCode:
			last = o.first(num, last) - num[o.b]
		case mulCode:
			last = float64(o.first(num, last) * num[o.b])
		case divCode:
			last = o.first(num, last) / num[o.b]
		case sqrCode:
			x := o.first(num, last)
			last = float64(x * x)
		case negCode:
			last = -o.first(num, last)
		case expCode:
			last = vec.Exp(o.first(num, last))
		case logCode:
			last = vec.Log(o.first(num, last))
		case sqrtCode:
			last = math.Sqrt(o.first(num, last))
		case powCode:
			last = power(o.first(num, last), num[o.b])
		case linearCode:
			last = r.numbers(r.g.nodes[o.id].lin)
		default:
			r.narrowLane(o.id, &r.g.nodes[o.id], s.V)
			last = num[o.id]
		}
		num[o.id] = last
	}
}

// first is the first operand; last is what the operation before has given.
func (o *scalarOp) first(num []float64, last float64) float64 {
	if o.fed {
		return last
	}
	return num[o.a]
}

func (r *groupRun) narrowLane(id int32, n *colNode, v []float64) {
	x := r.l.load(n, nil, 0)
	if n.kind == gatherNode {
		r.idx[id][0] = n.cell(0, x)
		r.num[id] = math.NaN()
		if c := r.idx[id][0]; c >= 0 {
			r.num[id] = v[c]
		}
		return
	}
	r.num[id] = r.l.apply(n, 0, v)
}

// numbers is the part of a combination that is one number for all rows.
func (r *groupRun) numbers(l *linear) float64 {
	sum := l.number
	if l.offset >= 0 && !r.g.nodes[l.offset].wide {
		sum += r.num[l.offset]
	}
	for k := range l.narrow {
		t := &l.narrow[k]
		sum += float64(r.scale(t) * r.num[t.atom])
	}
	return sum
}

// scale is a term's coefficient, of one that is one number.
func (r *groupRun) scale(t *linearTerm) float64 {
	if t.coef < 0 || r.g.nodes[t.coef].wide {
		return t.scale
	}
	return float64(t.scale * r.num[t.coef])
}

// forward computes the columns of the block.
func (r *groupRun) forward() {
	for _, id := range r.g.broad {
		n := &r.g.nodes[id]
		switch n.kind {
		case cellsNode:
			if !n.even && !n.there {
				r.readCells(id, n)
			}
		case linearNode:
			r.combine(r.cols[id], id, n.lin)
		case gatherNode:
			r.gather(id, n)
		case pickNode:
			r.pick(id, n)
		default:
			r.operate(r.cols[id], n)
		}
	}
}

// readCells copies cells that do not follow one another.
func (r *groupRun) readCells(id int32, n *colNode) {
	switch {
	case n.steps != nil:
		for _, t := range n.steps[r.at] {
			copy(r.cols[id][t.row:t.row+t.n], r.v[t.cell:])
		}
	case n.runs != nil && n.runs[r.at].long():
		r.spread(r.cols[id], &n.runs[r.at])
	default:
		columns.Gather(r.cols[id], r.v, n.cells[r.lo:])
	}
}

// long tells whether filling runs is quicker than reading every row's cell.
func (c *cellRuns) long() bool { return int(c.ends[len(c.ends)-1]) >= longStep*len(c.at) }

// spread writes the cell of each run to its rows.
func (r *groupRun) spread(d []float64, runs *cellRuns) {
	from := int32(0)
	for k, to := range runs.ends {
		columns.Fill(d[from:to], r.v[runs.at[k]])
		from = to
	}
}

func (r *groupRun) combine(d []float64, id int32, l *linear) {
	s := r.numbers(l)
	begun := false
	if l.offset >= 0 && r.g.nodes[l.offset].wide {
		columns.AddScalar(d, r.cols[l.offset], s)
		begun = true
	}
	if k := len(l.dense); k > 0 {
		if !begun {
			columns.Fill(d, s)
			begun = true
		}
		for j := range l.dense {
			r.coef[j] = r.num[l.dense[j].atom]
		}
		columns.AddMatVec(d, l.panels[r.lo*k:], len(d), r.coef[:k])
	}
	for k := range l.loose {
		t := &l.loose[k]
		if !begun {
			columns.MulScalar(d, r.cols[t.coef], float64(t.scale*r.num[t.atom]))
			r.plus(d, s)
			begun = true
			continue
		}
		columns.AddScaled(d, r.cols[t.coef], float64(t.scale*r.num[t.atom]))
	}
	for k := range l.wide {
		r.combineColumn(d, &l.wide[k], s, begun)
		begun = true
	}
}

func (r *groupRun) plus(d []float64, s float64) {
	if s != 0 {
		columns.AddScalar(d, d, s)
	}
}

func (r *groupRun) combineColumn(d []float64, t *linearTerm, s float64, begun bool) {
	x := r.cols[t.atom]
	broad := t.coef >= 0 && r.g.nodes[t.coef].wide
	c := r.scale(t)
	if broad && t.scale != 1 {
		columns.MulScalar(r.tmp, r.cols[t.coef], t.scale)
	}
	w := r.tmp
	if broad && t.scale == 1 {
		w = r.cols[t.coef]
	}
	switch {
	case broad && r.g.nodes[t.atom].there:
		r.combineThere(d, w, r.g.nodes[t.atom].steps[r.at], s, begun)
	case begun && broad:
		columns.AddMul(d, w, x)
	case begun && c == 1:
		columns.Add(d, d, x)
	case begun:
		columns.AddScaled(d, x, c)
	case broad:
		columns.Mul(d, w, x)
		r.plus(d, s)
	case c == 1:
		columns.AddScalar(d, x, s)
	case c == -1:
		columns.SubFrom(d, s, x)
	default:
		columns.MulScalar(d, x, c)
		r.plus(d, s)
	}
}

// combineThere is combineColumn for cells that are read where they are.
func (r *groupRun) combineThere(d, w []float64, steps cellSteps, s float64, begun bool) {
	for _, t := range steps {
		to, x := d[t.row:t.row+t.n], r.v[t.cell:t.cell+t.n]
		if begun {
			columns.AddMul(to, w[t.row:], x)
		} else {
			columns.Mul(to, w[t.row:], x)
		}
	}
	if !begun {
		r.plus(d, s)
	}
}

func (r *groupRun) gather(id int32, n *colNode) {
	idx := r.idx[id]
	for i := range r.cols[id] {
		idx[i] = n.cell(r.lo+i, r.l.load(n, r.cols, i))
		r.cols[id][i] = math.NaN()
		if idx[i] >= 0 {
			r.cols[id][i] = r.v[idx[i]]
		}
	}
}

// pick takes one of several nodes in each row; numbers go through a table.
func (r *groupRun) pick(id int32, n *colNode) {
	d := r.cols[id]
	idx := r.idx[id][r.lo : r.lo+len(d)]
	if table := r.table[id]; table != nil {
		for k := range table {
			table[k] = r.num[n.args[k]]
		}
		columns.Gather(d, table, idx)
		return
	}
	for i, k := range idx {
		a := n.args[k]
		if d[i] = r.num[a]; r.g.nodes[a].wide {
			d[i] = r.cols[a][i]
		}
	}
}

// operate computes a column by an operation.
func (r *groupRun) operate(d []float64, n *colNode) {
	g := r.g
	x := r.cols[n.args[0]]
	switch n.code {
	case expCode:
		columns.Exp(d, x)
	case logCode:
		columns.Log(d, x)
	case sqrtCode:
		columns.Sqrt(d, x)
	case ilogitCode:
		columns.Ilogit(d, x)
	case phiCode:
		columns.Phi(d, x)
	case sqrCode:
		columns.Sqr(d, x)
	case negCode:
		columns.Neg(d, x)
	case unaryCode:
		operations[n.op].column1(d, x)
	case addCode, subCode, mulCode, divCode:
		r.operateTwo(d, n, g.nodes[n.args[0]].wide, g.nodes[n.args[1]].wide)
	default:
		for i := range d {
			r.l.load(n, r.cols, i)
			d[i] = r.l.apply(n, r.lo+i, r.v)
		}
	}
}

func (r *groupRun) operateTwo(d []float64, n *colNode, wide0, wide1 bool) {
	a, b := n.args[0], n.args[1]
	x, y := r.cols[a], r.cols[b]
	if !wide0 && n.code != divCode && n.code != subCode {
		x, wide0, b, wide1 = y, true, a, false
	}
	switch n.code {
	case addCode:
		if wide1 {
			columns.Add(d, x, y)
		} else {
			columns.AddScalar(d, x, r.num[b])
		}
	case mulCode:
		if wide1 {
			columns.Mul(d, x, y)
		} else {
			columns.MulScalar(d, x, r.num[b])
		}
	case subCode:
		switch {
		case wide0 && wide1:
			columns.Sub(d, x, y)
		case wide0:
			columns.AddScalar(d, x, -r.num[b])
		default:
			columns.SubFrom(d, r.num[a], y)
		}
	default:
		switch {
		case wide0 && wide1:
			columns.Div(d, x, y)
		case wide0:
			columns.MulScalar(d, x, 1/r.num[b])
		default:
			columns.DivInto(d, r.num[a], y)
		}
	}
}

// values computes logical rows.
func (r *groupRun) values(s *State) {
	g := r.g
	r.forwardNarrow(s)
	if !g.nodes[g.out].wide {
		for _, c := range g.cells {
			s.V[c] = r.num[g.out]
		}
		if len(g.broad) == 0 {
			r.v, r.a = s.V, s.A
			return
		}
	}
	for lo := 0; lo < g.n; lo += g.block {
		m := min(g.block, g.n-lo)
		r.bind(s, lo, m)
		r.forward()
		if !g.nodes[g.out].wide {
			continue
		}
		x := r.cols[g.out]
		if g.direct {
			continue
		}
		if g.even {
			copy(s.V[int(g.cells[0])+lo:], x)
			continue
		}
		for i, c := range g.cells[lo : lo+m] {
			s.V[c] = x[i]
		}
	}
}

// adjoints adds the derivatives by what logical rows read.
func (r *groupRun) adjoints(s *State) {
	g := r.g
	if p := g.power; p != nil {
		if d := s.A[p.out]; d != 0 {
			x := s.V[p.in]
			s.A[p.in] += slopeOf(d, powerSlope(x, r.num[p.exponent], s.V[p.out]))
		}
		return
	}
	if g.single && s.A[g.cells[0]] == 0 {
		return
	}
	r.begin()
	if out := &g.nodes[g.out]; !out.wide {
		for _, c := range g.cells {
			r.dnum[g.out] += s.A[c]
		}
	} else if out.slope {
		for lo := 0; lo < g.n; lo += g.block {
			m := min(g.block, g.n-lo)
			r.bind(s, lo, m)
			if g.n > g.block {
				r.forward()
			}
			clear(r.seen)
			d := r.adj[g.out]
			if g.direct {
			} else if g.even {
				copy(d, s.A[int(g.cells[0])+lo:])
			} else {
				columns.Gather(d, s.A, g.cells[lo:])
			}
			r.seen[g.out] = true
			r.backward()
		}
	}
	r.end(s)
}

// begin readies the derivatives that blocks add to.
func (r *groupRun) begin() {
	for _, id := range r.g.narrow {
		r.dnum[id] = 0
	}
	for _, id := range r.g.dense {
		clear(r.by[id])
	}
}

// end passes the derivatives by nodes that are one number on.
func (r *groupRun) end(s *State) {
	g := r.g
	for _, id := range g.dense {
		for j, t := range g.nodes[id].lin.dense {
			r.dnum[t.atom] += r.by[id][j].Total()
		}
	}
	num, dnum := r.num, r.dnum
	carry := 0.0 // to the derivative by the operation before
	for k := len(g.scalar) - 1; k >= 0; k-- {
		o := &g.scalar[k]
		d, first := dnum[o.id]+carry, 0.0
		carry = 0
		if !o.slope || d == 0 {
			continue
		}
		switch o.code {
		case cellCode:
			s.A[o.a] += d
			continue
		case addCode:
			first = d
			dnum[o.b] += d
		case subCode:
			first = d
			dnum[o.b] -= d
		case mulCode:
			x, y := num[o.a], num[o.b]
			first = slopeOf(d, y)
			dnum[o.b] += slopeOf(d, x)
		case divCode:
			first = d / num[o.b]
			dnum[o.b] -= slopeOf(d, num[o.id]/num[o.b])
		case sqrCode:
			first = float64(2 * d * num[o.a])
		case negCode:
			first = -d
		case expCode:
			first = slopeOf(d, num[o.id])
		case logCode:
			first = d / num[o.a]
		case sqrtCode:
			first = d * 0.5 / num[o.id]
		case powCode:
			first = slopeOf(d, powerSlope(num[o.a], num[o.b], num[o.id]))
		case gatherCode:
			if c := r.idx[o.id][0]; c >= 0 {
				s.A[c] += d
			}
			continue
		case linearCode:
			l := g.nodes[o.id].lin
			for j := range l.narrow {
				t := &l.narrow[j]
				dnum[t.atom] += float64(r.scale(t) * d)
			}
			continue
		default:
			r.endLane(&g.nodes[o.id], d, num[o.id])
			continue
		}
		if o.fed {
			carry = first
		} else {
			dnum[o.a] += first
		}
	}
}

func (r *groupRun) endLane(n *colNode, d, y float64) {
	r.l.load(n, nil, 0)
	for k, g := range r.l.slopes(n, y) {
		r.dnum[n.args[k]] += slopeOf(d, g)
	}
}
