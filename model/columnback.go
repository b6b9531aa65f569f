package model

import "github.com/ergodic-mcmc/ergodic/internal/columns"

// backward passes derivatives by the columns of the block on to what they were computed from.
func (r *groupRun) backward() {
	g := r.g
	for k := len(g.broad) - 1; k >= 0; k-- {
		id := g.broad[k]
		n := &g.nodes[id]
		if !n.slope || !r.seen[id] {
			continue
		}
		d := r.adj[id]
		switch n.kind {
		case cellsNode:
			r.scatter(n, d)
		case gatherNode:
			for i, c := range r.idx[id][:len(d)] {
				if c >= 0 {
					r.a[c] += d[i]
				}
			}
		case pickNode:
			r.pickBack(id, n, d)
		case linearNode:
			r.combineBack(id, n.lin, d)
		default:
			r.operateBack(n, d, r.cols[id])
		}
	}
}

func (r *groupRun) pickBack(id int32, n *colNode, d []float64) {
	idx := r.idx[id][r.lo : r.lo+len(d)]
	if table := r.table[id]; table != nil {
		clear(table)
		columns.ScatterAdd(table, idx, d)
		for k, w := range table {
			r.dnum[n.args[k]] += w
		}
		return
	}
	r.startColumns(n.args[:len(n.args)-1])
	for i, w := range d {
		a := n.args[idx[i]]
		switch x := &r.g.nodes[a]; {
		case !x.slope:
		case x.wide:
			r.adj[a][i] += w
		default:
			r.dnum[a] += w
		}
	}
}

// startColumns readies the derivatives by columns for adding to them.
func (r *groupRun) startColumns(ids []int32) {
	for _, a := range ids {
		if x := &r.g.nodes[a]; x.wide && x.slope && !r.seen[a] {
			r.seen[a] = true
			clear(r.adj[a])
		}
	}
}

// scatter adds derivatives to those by cells.
func (r *groupRun) scatter(n *colNode, d []float64) {
	switch {
	case n.even:
		c := int(n.cells[0]) + r.lo
		a := r.a[c : c+len(d)]
		columns.Add(a, a, d)
	case n.steps != nil:
		for _, t := range n.steps[r.at] {
			a := r.a[t.cell : t.cell+t.n]
			columns.Add(a, a, d[t.row:t.row+t.n])
		}
	case n.runs != nil:
		runs := &n.runs[r.at]
		columns.AddRuns(r.a, runs.at, runs.ends, d)
	default:
		columns.ScatterAdd(r.a, n.cells[r.lo:], d)
	}
}

// give adds s·d to the derivative by a node.
func (r *groupRun) give(id int32, d []float64, s float64) {
	n := &r.g.nodes[id]
	switch {
	case !n.slope:
	case !n.wide:
		r.dnum[id] += float64(s * columns.Sum(d))
	case n.sole && n.even:
		c := int(n.cells[0]) + r.lo
		columns.AddScaled(r.a[c:c+len(d)], d, s)
	case !r.seen[id] && s == 1:
		r.seen[id] = true
		if to := r.adj[id]; &to[0] != &d[0] {
			copy(to, d)
		}
	case !r.seen[id]:
		r.seen[id] = true
		columns.MulScalar(r.adj[id], d, s)
	case s == 1:
		columns.Add(r.adj[id], r.adj[id], d)
	default:
		columns.AddScaled(r.adj[id], d, s)
	}
}

// giveProduct adds d·x to it.
func (r *groupRun) giveProduct(id int32, d, x []float64) {
	n := &r.g.nodes[id]
	switch {
	case !n.slope:
	case !n.wide:
		r.dnum[id] += columns.Dot(d, x)
	case n.sole && n.even:
		c := int(n.cells[0]) + r.lo
		columns.AddMul(r.a[c:c+len(d)], d, x)
	case n.sole && n.steps != nil:
		for _, t := range n.steps[r.at] {
			columns.AddMul(r.a[t.cell:t.cell+t.n], d[t.row:t.row+t.n], x[t.row:])
		}
	case !r.seen[id]:
		r.seen[id] = true
		columns.Mul(r.adj[id], d, x)
	default:
		columns.AddMul(r.adj[id], d, x)
	}
}

func (r *groupRun) combineBack(id int32, l *linear, d []float64) {
	if len(l.narrow) > 0 {
		r.narrowBack(l, d)
	}
	if k := len(l.dense); k > 0 {
		columns.AddMatTVec(r.by[id], l.panels[r.lo*k:], len(d), d)
	}
	for k := range l.loose {
		t := &l.loose[k]
		r.dnum[t.atom] += float64(t.scale * columns.Dot(d, r.cols[t.coef]))
	}
	for k := range l.wide {
		t := &l.wide[k]
		if t.coef < 0 || !r.g.nodes[t.coef].wide {
			r.give(t.atom, d, r.scale(t))
			continue
		}
		w := r.cols[t.coef]
		if t.scale != 1 {
			columns.MulScalar(r.tmp, w, t.scale)
			w = r.tmp
		}
		r.giveProduct(t.atom, d, w)
	}
}

// narrowBack passes derivatives on to the numbers of a combination.
func (r *groupRun) narrowBack(l *linear, d []float64) { r.giveNumbers(l, columns.Sum(d)) }

// giveNumbers passes the sum of derivatives on.
func (r *groupRun) giveNumbers(l *linear, sum float64) {
	for k := range l.narrow {
		t := &l.narrow[k]
		r.dnum[t.atom] += float64(r.scale(t) * sum)
	}
}

const invRoot2Pi = 0.3989422804014326779399

func (r *groupRun) operateBack(n *colNode, d, y []float64) {
	a := n.args[0]
	x := r.cols[a]
	switch n.code {
	case expCode:
		r.giveProduct(a, d, y)
	case logCode:
		columns.Div(r.tmp, d, x)
		r.give(a, r.tmp, 1)
	case sqrtCode:
		columns.Div(r.tmp, d, y)
		r.give(a, r.tmp, 0.5)
	case sqrCode:
		columns.Mul(r.tmp, d, x)
		r.give(a, r.tmp, 2)
	case negCode:
		r.give(a, d, -1)
	case ilogitCode:
		columns.SubFrom(r.tmp, 1, y)
		columns.Mul(r.tmp, r.tmp, y)
		r.giveProduct(a, d, r.tmp)
	case phiCode: // by the density of N(0, 1)
		columns.Sqr(r.tmp, x)
		columns.MulScalar(r.tmp, r.tmp, -0.5)
		columns.Exp(r.tmp, r.tmp)
		columns.MulScalar(r.tmp, r.tmp, invRoot2Pi)
		r.giveProduct(a, d, r.tmp)
	case addCode:
		r.give(a, d, 1)
		r.give(n.args[1], d, 1)
	case subCode:
		r.give(a, d, 1)
		r.give(n.args[1], d, -1)
	case mulCode:
		r.giveTimes(a, d, n.args[1])
		r.giveTimes(n.args[1], d, a)
	case divCode:
		r.divideBack(n, d, y)
	default:
		r.lanesBack(n, d, y)
	}
}

// giveTimes adds d times another node.
func (r *groupRun) giveTimes(id int32, d []float64, by int32) {
	if r.g.nodes[by].wide {
		r.giveProduct(id, d, r.cols[by])
		return
	}
	r.give(id, d, r.num[by])
}

func (r *groupRun) divideBack(n *colNode, d, y []float64) {
	a, b := n.args[0], n.args[1]
	if !r.g.nodes[b].wide {
		r.give(a, d, 1/r.num[b])
		r.dnum[b] -= columns.Dot(d, y) / r.num[b]
		return
	}
	columns.Div(r.tmp, d, r.cols[b])
	r.give(a, r.tmp, 1)
	columns.Neg(r.tmp, r.tmp)
	r.giveProduct(b, r.tmp, y)
}

// lanesBack goes row by row.
func (r *groupRun) lanesBack(n *colNode, d, y []float64) {
	g := r.g
	r.startColumns(n.args)
	for i, w := range d {
		if w == 0 {
			continue
		}
		r.l.load(n, r.cols, i)
		for k, slope := range r.l.slopes(n, y[i]) {
			switch x := &g.nodes[n.args[k]]; {
			case !x.slope:
			case x.wide:
				r.adj[n.args[k]][i] += slopeOf(w, slope)
			default:
				r.dnum[n.args[k]] += slopeOf(w, slope)
			}
		}
	}
}
