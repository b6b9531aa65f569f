package model

import "github.com/ergodic-mcmc/ergodic/internal/columns"

// pass is one loop over columns in the evaluation of a group of normal rows: which one, and over which columns, is decided once. Columns are numbered: those of nodes,
// the derivatives by them, those by the cells of nodes, and work.
type pass struct {
	code    passCode
	d, a, b int32
	node    int32 // whose number, or derivative of one, it takes
	k       float64
	whole   wholePasses
}

type passCode uint8

const (
	fillPass           passCode = iota // d = number
	copyPass                           // d = a, where it is not a
	addPass                            // d = a + b
	subPass                            // d = a − b
	mulPass                            // d = a·b
	divPass                            // d = a/b
	addMulPass                         // d += a·b
	addScaledPass                      // d += k·a
	mulScaledPass                      // d = k·a
	addNumberPass                      // d = a + number·k
	subFromPass                        // d = number − a
	mulNumberPass                      // d = a·number
	mulInversePass                     // d = a/number
	divIntoPass                        // d = number/a
	addTimesPass                       // d += a·number
	numbersPass                        // the part of a combination that is one number for all rows
	addNumbersPass                     // d = a + that
	subFromNumbersPass                 // d = that − a
	plusNumbersPass                    // d += that
	cellsPass                          // a node's cells
	operatePass                        // a node by its operation
	mulTherePass                       // d = a times cells of b, where they are
	addTherePass                       // d += that
	backTherePass                      // derivatives by cells of d, where they are, += a·b
	scatterPass                        // derivatives by a node's cells += those by it
	sumPass                            // derivative by the number += k·Σ a
	sumTimesPass                       // derivative by the number += Σ a times the number of node d
	dotPass                            // derivative by the number += Σ a·b
	narrowPass                         // derivatives by the numbers of a combination
	normalPass                         // d = derivatives by the means b of a normal density with values a and one precision
	normalRowsPass                     // and with precisions, those of the node
	wholePass                          // all of a density and its derivatives
)

// The numbers of columns.
func (g *colGroup) byNode(id int32) int32 { return int32(len(g.nodes)) + id }
func (g *colGroup) byCell(id int32) int32 { return int32(2*len(g.nodes)) + id }
func (g *colGroup) work(k int) int32      { return int32(3*len(g.nodes) + k) }

// Columns of work.
const (
	workDerivatives = iota
	workSquares
	workValues
	workMeans
	works
)

// passWriter writes the passes of a group.
type passWriter struct {
	g      *colGroup
	passes []pass
	seen   []bool // nodes whose derivatives have been begun
	failed bool   // a node is such that what there is to do depends on numbers
}

// normalPasses are those of a group of normal rows, nil where not all can be decided.
func (g *colGroup) normalPasses() []pass {
	d := &g.den
	if d.kind != normalDensity || g.alike || len(d.columns)+len(d.columnsWithin) > 0 || g.nodes[d.p[1]].wide && g.nodes[d.p[1]].moves {
		return nil
	}
	w := &passWriter{g: g, seen: make([]bool, len(g.nodes))}
	for _, id := range g.broad {
		w.forward(id)
	}
	w.normal()
	for k := len(g.broad) - 1; k >= 0; k-- {
		if id := g.broad[k]; g.nodes[id].slope && w.seen[id] {
			w.backward(id)
		}
	}
	if w.failed {
		return nil
	}
	if whole := g.wholeOf(w.passes); whole != nil {
		return []pass{{code: wholePass, whole: whole}}
	}
	return w.passes
}

func (w *passWriter) add(p pass) { w.passes = append(w.passes, p) }

func (w *passWriter) forward(id int32) {
	n := &w.g.nodes[id]
	switch n.kind {
	case cellsNode:
		if !n.even && !n.there {
			w.add(pass{code: cellsPass, d: id})
		}
	case linearNode:
		w.combine(id, n.lin)
	case opNode:
		w.operate(id, n)
	default:
		w.failed = true
	}
}

func (w *passWriter) combine(id int32, l *linear) {
	g := w.g
	if len(l.dense)+len(l.loose) > 0 {
		w.failed = true
		return
	}
	w.add(pass{code: numbersPass, node: id})
	begun := l.offset >= 0 && g.nodes[l.offset].wide
	if begun {
		w.add(pass{code: addNumbersPass, d: id, a: l.offset})
	}
	for _, t := range l.wide {
		broad := t.coef >= 0 && g.nodes[t.coef].wide
		switch {
		case t.coef >= 0 && !broad, broad && t.scale != 1:
			w.failed = true
		case broad && g.nodes[t.atom].there && begun:
			w.add(pass{code: addTherePass, d: id, a: t.coef, b: t.atom})
		case broad && g.nodes[t.atom].there:
			w.add(pass{code: mulTherePass, d: id, a: t.coef, b: t.atom})
			w.add(pass{code: plusNumbersPass, d: id})
		case begun && broad:
			w.add(pass{code: addMulPass, d: id, a: t.coef, b: t.atom})
		case begun && t.scale == 1:
			w.add(pass{code: addPass, d: id, a: id, b: t.atom})
		case begun:
			w.add(pass{code: addScaledPass, d: id, a: t.atom, k: t.scale})
		case broad:
			w.add(pass{code: mulPass, d: id, a: t.coef, b: t.atom})
			w.add(pass{code: plusNumbersPass, d: id})
		case t.scale == 1:
			w.add(pass{code: addNumbersPass, d: id, a: t.atom})
		case t.scale == -1:
			w.add(pass{code: subFromNumbersPass, d: id, a: t.atom})
		default:
			w.add(pass{code: mulScaledPass, d: id, a: t.atom, k: t.scale})
			w.add(pass{code: plusNumbersPass, d: id})
		}
		begun = true
	}
}

func (w *passWriter) operate(id int32, n *colNode) {
	g := w.g
	switch n.code {
	case addCode, subCode, mulCode, divCode:
	default:
		w.add(pass{code: operatePass, d: id})
		return
	}
	a, b := n.args[0], n.args[1]
	wide0, wide1 := g.nodes[a].wide, g.nodes[b].wide
	p := pass{d: id, a: a, b: b}
	if wide0 && wide1 {
		p.code = map[opCode]passCode{addCode: addPass, subCode: subPass, mulCode: mulPass, divCode: divPass}[n.code]
		w.add(p)
		return
	}
	if p.node = b; !wide0 {
		p.a, p.node = b, a
	}
	switch p.k = 1; {
	case n.code == addCode:
		p.code = addNumberPass
	case n.code == mulCode:
		p.code = mulNumberPass
	case n.code == subCode && wide0:
		p.code, p.k = addNumberPass, -1
	case n.code == subCode:
		p.code = subFromPass
	case wide0:
		p.code = mulInversePass
	default:
		p.code = divIntoPass
	}
	w.add(p)
}

// normal is the density itself, with the derivatives by values and means.
func (w *passWriter) normal() {
	g, d := w.g, &w.g.den
	column := func(id int32, k int) int32 {
		if g.nodes[id].wide {
			return id
		}
		w.add(pass{code: fillPass, d: g.work(k), node: id})
		return g.work(k)
	}
	p := pass{code: normalPass, d: g.work(workDerivatives), a: column(d.y, workValues), b: column(d.p[0], workMeans), node: d.p[1]}
	mean := &g.nodes[d.p[0]]
	own := mean.wide && mean.slope
	if own {
		w.seen[d.p[0]] = true
		p.d = g.byNode(d.p[0])
	}
	if g.nodes[d.p[1]].wide {
		p.code = normalRowsPass
	}
	w.add(p)
	w.give(d.y, p.d, -1)
	if !own {
		w.give(d.p[0], p.d, 1)
	}
}

func (w *passWriter) backward(id int32) {
	g := w.g
	n, d := &g.nodes[id], g.byNode(id)
	switch n.kind {
	case cellsNode:
		if n.even {
			w.add(pass{code: addPass, d: g.byCell(id), a: g.byCell(id), b: d})
		} else {
			w.add(pass{code: scatterPass, node: id, a: d})
		}
	case linearNode:
		if len(n.lin.narrow) > 0 {
			w.add(pass{code: narrowPass, node: id, a: d})
		}
		for _, t := range n.lin.wide {
			if t.coef >= 0 {
				w.giveProduct(t.atom, d, t.coef)
			} else {
				w.give(t.atom, d, t.scale)
			}
		}
	default:
		w.operateBack(n, d, id)
	}
}

func (w *passWriter) operateBack(n *colNode, d, y int32) {
	a := n.args[0]
	switch n.code {
	case expCode:
		w.giveProduct(a, d, y)
	case negCode:
		w.give(a, d, -1)
	case addCode:
		w.give(a, d, 1)
		w.give(n.args[1], d, 1)
	case subCode:
		w.give(a, d, 1)
		w.give(n.args[1], d, -1)
	case mulCode:
		w.giveTimes(a, d, n.args[1])
		w.giveTimes(n.args[1], d, a)
	default:
		w.failed = true
	}
}

// The rest is what give, giveProduct and giveTimes of a groupRun do.

// first tells whether derivatives by a column are the first ones, which they are not again.
func (w *passWriter) first(id int32) bool {
	was := w.seen[id]
	w.seen[id] = true
	return !was
}

func (w *passWriter) give(id, d int32, k float64) {
	g := w.g
	n, to := &g.nodes[id], g.byNode(id)
	switch {
	case !n.slope:
	case !n.wide:
		w.add(pass{code: sumPass, node: id, a: d, k: k})
	case n.sole && n.even:
		w.add(pass{code: addScaledPass, d: g.byCell(id), a: d, k: k})
	case w.first(id):
		if k == 1 {
			w.add(pass{code: copyPass, d: to, a: d})
		} else {
			w.add(pass{code: mulScaledPass, d: to, a: d, k: k})
		}
	case k == 1:
		w.add(pass{code: addPass, d: to, a: to, b: d})
	default:
		w.add(pass{code: addScaledPass, d: to, a: d, k: k})
	}
}

func (w *passWriter) giveProduct(id, d, x int32) {
	g := w.g
	n, to := &g.nodes[id], g.byNode(id)
	switch {
	case !n.slope:
	case !n.wide:
		w.add(pass{code: dotPass, node: id, a: d, b: x})
	case n.sole && n.even:
		w.add(pass{code: addMulPass, d: g.byCell(id), a: d, b: x})
	case n.sole && n.steps != nil:
		w.add(pass{code: backTherePass, d: id, a: d, b: x})
	case w.first(id):
		w.add(pass{code: mulPass, d: to, a: d, b: x})
	default:
		w.add(pass{code: addMulPass, d: to, a: d, b: x})
	}
}

func (w *passWriter) giveTimes(id, d, by int32) {
	g := w.g
	n, to := &g.nodes[id], g.byNode(id)
	switch {
	case g.nodes[by].wide:
		w.giveProduct(id, d, by)
	case !n.slope:
	case !n.wide:
		w.add(pass{code: sumTimesPass, node: id, a: d, d: by})
	case n.sole && n.even:
		w.add(pass{code: addTimesPass, d: g.byCell(id), a: d, node: by})
	case w.first(id):
		w.add(pass{code: mulNumberPass, d: to, a: d, node: by})
	default:
		w.add(pass{code: addTimesPass, d: to, a: d, node: by})
	}
}

// run does the passes over a block.
func (r *groupRun) run(passes []pass) {
	v, num, dnum := r.vec, r.num, r.dnum
	for k := range passes {
		p := &passes[k]
		switch p.code {
		case fillPass:
			columns.Fill(v[p.d], num[p.node])
		case copyPass:
			if to, from := v[p.d], v[p.a]; &to[0] != &from[0] {
				copy(to, from)
			}
		case addPass:
			columns.Add(v[p.d], v[p.a], v[p.b])
		case subPass:
			columns.Sub(v[p.d], v[p.a], v[p.b])
		case mulPass:
			columns.Mul(v[p.d], v[p.a], v[p.b])
		case divPass:
			columns.Div(v[p.d], v[p.a], v[p.b])
		case addMulPass:
			columns.AddMul(v[p.d], v[p.a], v[p.b])
		case addScaledPass:
			columns.AddScaled(v[p.d], v[p.a], p.k)
		case mulScaledPass:
			columns.MulScalar(v[p.d], v[p.a], p.k)
		case addNumberPass:
			columns.AddScalar(v[p.d], v[p.a], float64(p.k*num[p.node]))
		case subFromPass:
			columns.SubFrom(v[p.d], num[p.node], v[p.a])
		case mulNumberPass:
			columns.MulScalar(v[p.d], v[p.a], num[p.node])
		case mulInversePass:
			columns.MulScalar(v[p.d], v[p.a], 1/num[p.node])
		case divIntoPass:
			columns.DivInto(v[p.d], num[p.node], v[p.a])
		case addTimesPass:
			columns.AddScaled(v[p.d], v[p.a], num[p.node])
		case numbersPass:
			r.part = r.numbers(r.g.nodes[p.node].lin)
		case addNumbersPass:
			columns.AddScalar(v[p.d], v[p.a], r.part)
		case subFromNumbersPass:
			columns.SubFrom(v[p.d], r.part, v[p.a])
		case plusNumbersPass:
			r.plus(v[p.d], r.part)
		case sumPass:
			dnum[p.node] += float64(p.k * columns.Sum(v[p.a]))
		case sumTimesPass:
			dnum[p.node] += float64(num[p.d] * columns.Sum(v[p.a]))
		case dotPass:
			dnum[p.node] += columns.Dot(v[p.a], v[p.b])
		case narrowPass:
			r.narrowBack(r.g.nodes[p.node].lin, v[p.a])
		case wholePass:
			p.whole.run(r)
		case normalPass:
			columns.Normal(&r.score.sum, v[p.d], v[p.a], v[p.b], num[p.node])
		case normalRowsPass:
			columns.NormalRows(&r.score.sum, v[p.d], v[r.g.work(workSquares)], v[p.a], v[p.b], v[p.node])
		default:
			r.pass(p)
		}
	}
}

// pass does those that take longer.
func (r *groupRun) pass(p *pass) {
	v := r.vec
	switch p.code {
	case cellsPass:
		r.readCells(p.d, &r.g.nodes[p.d])
	case operatePass:
		r.operate(v[p.d], &r.g.nodes[p.d])
	case mulTherePass:
		for _, t := range r.g.nodes[p.b].steps[r.at] {
			columns.Mul(v[p.d][t.row:t.row+t.n], v[p.a][t.row:], r.v[t.cell:])
		}
	case addTherePass:
		for _, t := range r.g.nodes[p.b].steps[r.at] {
			columns.AddMul(v[p.d][t.row:t.row+t.n], v[p.a][t.row:], r.v[t.cell:])
		}
	case backTherePass:
		for _, t := range r.g.nodes[p.d].steps[r.at] {
			columns.AddMul(r.a[t.cell:t.cell+t.n], v[p.a][t.row:], v[p.b][t.row:])
		}
	case scatterPass:
		r.scatter(&r.g.nodes[p.node], v[p.a])
	}
}
