package model

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// merged are rows of a discrete density that are alike, and count once. Rows with one predictor have the sum of their counts, or of their successes and trials;
// of others, which are alike in their values too, the log density is multiplied by how many they are.
type merged struct {
	kind  densityKind // of the rows as they were
	class []int32     // the row that each of them is part of
	y     []int32     // cells of their values
	size  []int32     // and of their trials
	check check       // what their values have to be
	data  []float64   // these, where rows are told apart by them
	logs  int32       // the column of the logarithms of how many rows are one, of Poisson counts
}

const (
	leastMerged = 24  // rows of a group that are looked through
	mostLeft    = 0.7 // of 1 that may be left
	fewLeft     = 8   // one in so many left is worth a formula in place of a pass that counts rows once
)

// alike finds rows with the same operands of the given nodes, and of the same value where byValue is true: the class of each row and the first row of each class; nil
// where there are more than most of them.
func (b *groupBuilder) alike(nodes []int32, byValue bool, most int) (class, first []int32) {
	class = make([]int32, b.g.n)
	type key struct {
		class int32
		x     uint64
	}
	split := func(of func(i int) uint64) bool {
		seen := map[key]int32{}
		first = first[:0]
		for i := range class {
			k := key{class[i], of(i)}
			c, ok := seen[k]
			if !ok {
				if len(first) >= most {
					return false
				}
				c, first = int32(len(first)), append(first, int32(i))
				seen[k] = c
			}
			class[i] = c
		}
		return true
	}
	m, done := b.c.m, map[int32]bool{}
	var visit func(id int32) bool
	visit = func(id int32) bool {
		n := b.node(id)
		if done[id] || !n.wide {
			return true
		}
		done[id] = true
		ok := true
		switch {
		case n.kind == cellsNode && (n.fixed || byValue && id == b.g.den.y):
			ok = split(func(i int) uint64 { return math.Float64bits(m.Init[n.cells[i]]) })
		case n.kind == cellsNode:
			ok = split(func(i int) uint64 { return uint64(n.cells[i]) })
		case n.kind == gatherNode:
			ok = split(func(i int) uint64 { return uint64(n.addr[i]) })
		}
		return ok && !slices.ContainsFunc(n.args, func(a int32) bool { return !visit(a) })
	}
	if byValue {
		if slices.ContainsFunc(b.node(b.g.den.y).cells, func(c int32) bool { return m.Kinds[c] != Observed }) {
			return nil, nil
		}
		nodes = append([]int32{b.g.den.y}, nodes...)
	}
	if slices.ContainsFunc(nodes, func(id int32) bool { return !visit(id) }) || len(first) == 0 {
		return nil, nil
	}
	return class, first
}

// repeats tells whether so many rows are alike, values included, that a formula for each kind of row costs less than a pass over all.
func (b *groupBuilder) repeats(nodes []int32) bool {
	if b.g.n < leastMerged {
		return false
	}
	class, _ := b.alike(nodes, true, b.g.n/fewLeft)
	return class != nil
}

// merge counts rows that are alike once, where that pays.
func (b *groupBuilder) merge(t *Template, rows []int32) {
	g, d := b.g, &b.g.den
	if g.n < leastMerged || !t.Stoch.Scalar.Discrete {
		return
	}
	q := &merged{kind: d.kind, y: outColumn(t, rows)}
	var nodes []int32
	switch d.kind {
	case bernoulliLogit, binomialLogit, poissonLog, negBinLog:
		nodes = append(nodes, d.p[0])
	case formulaDensity:
		if d.root < 0 || !b.node(d.root).wide {
			return
		}
		nodes = append(nodes, d.root)
		for _, c := range d.checks {
			if c.node != d.y {
				nodes = append(nodes, c.node)
			}
		}
		for _, w := range d.within {
			for _, id := range []int32{w.x, w.lo, w.hi} {
				if id >= 0 {
					nodes = append(nodes, id)
				}
			}
		}
	default:
		return
	}
	class, first := b.alike(nodes, d.kind == formulaDensity, int(mostLeft*float64(g.n)))
	if class == nil {
		return
	}
	q.class = class
	weight := make([]float64, len(first))
	for _, c := range class {
		weight[c]++
	}
	b.keep(first)
	if d.merged = q; d.kind == formulaDensity {
		for _, c := range q.y {
			q.data = append(q.data, b.c.m.Init[c])
		}
		d.root = b.op(OpMul, nil, nil, d.root, b.fixedColumn(weight))
		return
	}
	q.check, d.checks = d.checks[0], d.checks[1:]
	d.y = b.add(colNode{kind: columnNode, wide: true})
	switch d.kind {
	case bernoulliLogit:
		d.kind, d.p[1] = binomialLogit, b.fixedColumn(weight)
	case binomialLogit:
		for _, r := range rows {
			q.size = append(q.size, t.in(int(r))[1])
		}
		d.p[1] = b.add(colNode{kind: columnNode, wide: true})
	case poissonLog:
		logs := make([]float64, len(weight))
		columns.Log(logs, weight)
		q.logs = b.fixedColumn(logs)
		d.p[0] = b.op(OpAdd, nil, nil, d.p[0], q.logs)
	case negBinLog:
		d.weight = b.fixedColumn(weight)
	}
}

// fixedColumn is the node of a column of numbers.
func (b *groupBuilder) fixedColumn(x []float64) int32 {
	id := b.add(colNode{kind: columnNode, wide: true, fixed: true})
	b.g.full = append(b.g.full, make([][]float64, len(b.g.nodes)-len(b.g.full))...)
	b.g.full[id] = x
	return id
}

// keep leaves some rows of the group.
func (b *groupBuilder) keep(rows []int32) {
	for k := range b.g.nodes {
		n := &b.g.nodes[k]
		if n.kind == cellsNode {
			n.cells = permuted(n.cells, rows)
			n.even = consecutive(n.cells)
		}
		if n.kind == gatherNode && n.wide {
			n.addr = permuted(n.addr, rows)
		}
	}
	b.g.n = len(rows)
}

// permute tells of another order of the rows that are left.
func (q *merged) permute(rows []int32) {
	to := make([]int32, len(rows))
	for k, i := range rows {
		to[i] = int32(k)
	}
	for i, c := range q.class {
		q.class[i] = to[c]
	}
}

// mergedConstants adds up what the rows have, and finds what of their density stands still.
func (r *groupRun) mergedConstants(v []float64) {
	d, q := &r.g.den, r.g.den.merged
	r.yWas = r.yWas[:0]
	for _, cells := range [2][]int32{q.y, q.size} {
		for _, c := range cells {
			r.yWas = append(r.yWas, v[c])
		}
	}
	y, size := r.yWas[:len(q.y)], r.yWas[len(q.y):]
	if q.data != nil {
		r.ok = r.ok && slices.Equal(y, q.data)
		return
	}
	sum := r.l.full[d.y]
	clear(sum)
	if q.size != nil {
		clear(r.l.full[d.p[1]])
	}
	for i, x := range y {
		most := 0.0
		switch q.kind {
		case binomialLogit:
			most = size[i]
			r.konst += vec.LogChoose(most, x)
			r.l.full[d.p[1]][q.class[i]] += most
		case poissonLog, negBinLog:
			r.konst -= vec.Lgamma(x + 1)
		}
		r.ok = r.ok && q.check.holds(x, most)
		sum[q.class[i]] += x
	}
	switch {
	case q.kind == poissonLog:
		r.konst -= columns.Dot(sum, r.l.full[q.logs])
	case q.kind == negBinLog && r.ok:
		r.countRises(y)
	}
}
