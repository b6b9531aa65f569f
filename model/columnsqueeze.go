package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// squeezed are rows of a normal density with one precision and a linear mean, replaced by fewer. Rows whose means have the same cells, y = Zb + ε, are turned by the
// orthogonal factor of Z = QR: of Qᵀy only the first rows depend on b, and their distance from Rb and the sum of squares of the others are those of least
// squares. So the cost of a density does not depend on the number of rows, and nothing cancels.
type squeezed struct {
	n     int       // rows as they were
	y     []int32   // their values
	shift []float64 // what their means have without b
	z     [][]float64
	rows  []int32 // in groups with the same cells
	ends  []int
	node  int32   // the column of Qᵀy
	order []int32 // of its rows, where they are in another one
}

const (
	squeezeWork  = 1 << 29 // products that decompositions may take
	squeezeLeast = 0.7     // rows that may be left of 1
)

// squeeze does that where it pays.
func (b *groupBuilder) squeeze(order []int32) bool {
	d := &b.g.den
	if d.kind != normalDensity || b.node(d.p[1]).wide || b.node(d.y).moves || b.node(d.y).kind != cellsNode || !b.node(d.p[0]).moves {
		return false
	}
	l := linear{offset: -1}
	switch mu := b.node(d.p[0]); {
	case mu.kind == linearNode:
		l = *mu.lin
	case mu.wide:
		l.wide = []linearTerm{{scale: 1, coef: -1, atom: d.p[0]}}
	default:
		l.narrow = []linearTerm{{scale: 1, coef: -1, atom: d.p[0]}}
	}
	if len(l.loose) > 0 || l.offset >= 0 && !b.node(l.offset).fixed || !b.plain(l.narrow) || !b.plain(l.wide) {
		return false
	}
	for _, t := range l.wide {
		if b.node(t.atom).kind != cellsNode {
			return false
		}
	}
	q := b.groupRows(&l)
	width := len(l.dense) + len(l.wide)
	if len(l.narrow) > 0 {
		width++
	}
	left, from := 0, 0
	for _, to := range q.ends {
		left += min(to-from, width)
		from = to
	}
	if float64(left) > squeezeLeast*float64(b.g.n) || b.g.n*width*width > squeezeWork {
		return false
	}
	b.replace(q, &l, order, left)
	return true
}

// plain tells whether coefficients never change.
func (b *groupBuilder) plain(terms []linearTerm) bool {
	return !slices.ContainsFunc(terms, func(t linearTerm) bool { return t.coef >= 0 && !b.node(t.coef).fixed })
}

// groupRows sorts rows by the cells that their means have.
func (b *groupBuilder) groupRows(l *linear) *squeezed {
	q := &squeezed{n: b.g.n, y: b.node(b.g.den.y).cells, rows: ascending(b.g.n)}
	order := func(i, j int32) int {
		for _, t := range l.wide {
			cells := b.node(t.atom).cells
			if cells[i] != cells[j] {
				return cmp.Compare(cells[i], cells[j])
			}
		}
		return 0
	}
	slices.SortStableFunc(q.rows, order)
	for k := 1; k < len(q.rows); k++ {
		if order(q.rows[k-1], q.rows[k]) != 0 {
			q.ends = append(q.ends, k)
		}
	}
	q.ends = append(q.ends, len(q.rows))
	return q
}

// replace makes the group that of the fewer rows.
func (b *groupBuilder) replace(q *squeezed, l *linear, order []int32, left int) {
	g := b.g
	g.full, g.num = append(g.full, make([][]float64, len(g.nodes)-len(g.full))...), make([]float64, len(g.nodes))
	fixed := newLanes(g)
	for _, id := range order {
		switch n := &g.nodes[id]; {
		case n.kind == numberNode:
			g.num[id] = n.x
		case n.fixed:
			fixed.set(id, b.c.m.Init)
		}
	}
	column := func(id int32, scale float64) []float64 {
		x := make([]float64, g.n)
		columns.Fill(x, scale)
		if id >= 0 {
			for i := range x {
				if x[i] = float64(scale * g.num[id]); g.nodes[id].wide {
					x[i] = float64(scale * g.full[id][i])
				}
			}
		}
		return x
	}
	q.shift = column(l.offset, 1)
	if l.offset < 0 {
		clear(q.shift)
	}
	for i := range q.shift {
		q.shift[i] += l.number
	}
	if len(l.narrow) > 0 {
		q.z = append(q.z, column(-1, 1))
	}
	for _, t := range slices.Concat(l.dense, l.wide) {
		q.z = append(q.z, column(t.coef, t.scale))
	}
	r, firsts := q.factors(left)
	g.n = left
	mu := &linear{offset: -1}
	k := 0
	if len(l.narrow) > 0 {
		ones := b.fixedColumn(r[0])
		k = 1
		for _, t := range l.narrow {
			if t.coef >= 0 {
				t.scale *= g.num[t.coef]
			}
			mu.dense = append(mu.dense, linearTerm{scale: t.scale, coef: ones, atom: t.atom})
		}
	}
	for _, t := range l.dense {
		mu.dense = append(mu.dense, linearTerm{scale: 1, coef: b.fixedColumn(r[k]), atom: t.atom})
		k++
	}
	for _, t := range l.wide {
		cells := make([]int32, left)
		for i, row := range firsts {
			cells[i] = b.node(t.atom).cells[row]
		}
		atom := b.column(cells, false)
		if !b.node(atom).wide {
			mu.dense = append(mu.dense, linearTerm{scale: 1, coef: b.fixedColumn(r[k]), atom: atom})
		} else {
			mu.wide = append(mu.wide, linearTerm{scale: 1, coef: b.fixedColumn(r[k]), atom: atom})
		}
		k++
	}
	d := &g.den
	d.p[0] = b.add(colNode{kind: linearNode, lin: mu, wide: true, moves: true, slope: true})
	d.y = b.add(colNode{kind: columnNode, wide: true})
	q.node = d.y
	d.squeezed = q
}

// factors gives the columns of the triangles R of all groups, and for each of their rows one of those it stands for.
func (q *squeezed) factors(left int) (r [][]float64, firsts []int32) {
	r = make([][]float64, len(q.z))
	for k := range r {
		r[k] = make([]float64, 0, left)
	}
	q.turn(nil, func(rows []int32, w []float64, _ []float64) {
		n := len(rows)
		for i := range min(n, len(q.z)) {
			for k := range q.z {
				x := w[k*n+i]
				if i > k {
					x = 0
				}
				r[k] = append(r[k], x)
			}
			firsts = append(firsts, rows[0])
		}
	})
	return r, firsts
}

// values writes the first rows of Qᵀy to dst and returns the sum of squares of the others.
func (q *squeezed) values(dst, v []float64) (rest float64) {
	at := 0
	q.turn(v, func(rows []int32, _, y []float64) {
		n := min(len(rows), len(q.z))
		at += copy(dst[at:], y[:n])
		for _, e := range y[n:] {
			rest += float64(e * e)
		}
	})
	if q.order != nil {
		copy(dst, permuted(dst, q.order))
	}
	return rest
}

// turn decomposes each group, and gives R, in the columns of Z, and Qᵀy.
func (q *squeezed) turn(v []float64, f func(rows []int32, w, y []float64)) {
	from := 0
	for _, to := range q.ends {
		rows := q.rows[from:to]
		n := len(rows)
		from = to
		w, y := make([]float64, n*len(q.z)), make([]float64, n)
		for i, row := range rows {
			for k := range q.z {
				w[k*n+i] = q.z[k][row]
			}
			if v != nil {
				y[i] = v[q.y[row]] - q.shift[row]
			}
		}
		householder(w, y, n, len(q.z))
		f(rows, w, y)
	}
}

// householder makes the columns of w triangular by reflections, and reflects y with them (Golub and Van Loan, algorithm 5.2.1).
func householder(w, y []float64, n, columns int) {
	for k := range min(n, columns) {
		x := w[k*n+k : (k+1)*n]
		most, sum := 0.0, 0.0
		for _, a := range x {
			most = max(most, math.Abs(a))
		}
		if !(most > 0) || math.IsInf(most, 1) {
			continue
		}
		for _, a := range x {
			sum += float64((a / most) * (a / most))
		}
		alpha := float64(most * math.Sqrt(sum))
		if x[0] > 0 {
			alpha = -alpha
		}
		// v = x − α e₁, vᵀv = 2α(α − x₁).
		first := x[0]
		x[0] -= alpha
		scale := 1 / float64(alpha*(alpha-first))
		reflect := func(c []float64) {
			dot := 0.0
			for i, a := range x {
				dot += float64(a * c[i])
			}
			dot = float64(dot * scale)
			for i, a := range x {
				c[i] -= float64(dot * a)
			}
		}
		for j := k + 1; j < columns; j++ {
			reflect(w[j*n+k : (j+1)*n])
		}
		reflect(y[k:n])
		x[0] = alpha
	}
}
