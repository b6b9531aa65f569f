package model

import "slices"

// opCode is how a node is computed.
type opCode uint8

const (
	laneCode  opCode = iota // row by row, as the table of operations has it
	unaryCode               // of one operand, by a loop over the column
	addCode
	subCode
	mulCode
	divCode
	sqrCode
	negCode
	expCode
	logCode
	sqrtCode
	ilogitCode
	phiCode
	cellCode
	linearCode
	gatherCode
	powCode // of one number, with an exponent that is known
)

// scalarOp is a node that moves and is one number, with what its evaluation needs at hand.
type scalarOp struct {
	code  opCode
	slope bool
	id    int32
	a, b  int32 // operands; a cell
	fed   bool  // a is the node before: its value, and its derivative, need not go through memory
}

// feed tells of the operations which the one before feeds.
func feed(all []scalarOp) {
	for k := 1; k < len(all); k++ {
		o, before := &all[k], all[k-1].id
		switch o.code {
		case addCode, mulCode:
			if o.b == before {
				o.a, o.b = o.b, o.a
			}
		case subCode, divCode, sqrCode, negCode, expCode, logCode, sqrtCode, powCode:
		default:
			continue
		}
		o.fed = o.a == before
	}
}

func scalarOpOf(id int32, n *colNode) scalarOp {
	o := scalarOp{code: n.code, slope: n.slope, id: id}
	switch {
	case n.kind == cellNode:
		o.code, o.a = cellCode, n.cells[0]
	case n.kind == linearNode:
		o.code = linearCode
	case n.kind == gatherNode:
		o.code = gatherCode
	default:
		o.a, o.b = n.args[0], n.args[len(n.args)-1]
	}
	return o
}

func codeOf(op Op) opCode {
	switch op {
	case OpAdd:
		return addCode
	case OpSub:
		return subCode
	case OpMul:
		return mulCode
	case OpDiv:
		return divCode
	case OpSqr:
		return sqrCode
	case OpNeg:
		return negCode
	case OpExp:
		return expCode
	case OpIlogit:
		return ilogitCode
	case OpPhi:
		return phiCode
	}
	switch op.String() {
	case "log":
		return logCode
	case "sqrt":
		return sqrtCode
	}
	if operations[op].column1 != nil {
		return unaryCode
	}
	return laneCode
}

const (
	mostBlock  = 512  // rows of a block: its columns stay in the first-level cache
	keptRows   = 1024 // up to here a group is one block, so that what logical rows computed is kept for the derivatives
	panelFloat = 4096 // numbers of a block of a matrix, half of the first-level cache
	blockUnit  = 16   // a block has a multiple of so many rows
)

// roots calls f with the places of all nodes that are read from outside.
func (b *groupBuilder) roots(f func(id *int32)) {
	g, d := b.g, &b.g.den
	if g.out >= 0 {
		f(&g.out)
		return
	}
	for k := range d.roots {
		f(&d.roots[k])
	}
	if d.y >= 0 {
		f(&d.y)
	}
	switch d.kind {
	case formulaDensity:
		if d.root >= 0 {
			f(&d.root)
		}
	case negBinLog:
		f(&d.p[0])
		f(&d.p[1])
		f(&d.weight)
	case normalDensity, binomialLogit, orderedLogit, orderedProbit:
		f(&d.p[0])
		f(&d.p[1])
	default:
		f(&d.p[0])
	}
	for k := range d.checks {
		f(&d.checks[k].node)
		if w := d.checks[k].what; w == 'n' || w == 'k' {
			f(&d.checks[k].most)
		}
	}
	for k := range d.within {
		for _, id := range []*int32{&d.within[k].x, &d.within[k].lo, &d.within[k].hi} {
			if *id >= 0 {
				f(id)
			}
		}
	}
}

// operands are the nodes that a node reads.
func (n *colNode) operands() []int32 {
	if n.kind != linearNode {
		return n.args
	}
	var all []int32
	l := n.lin
	if l.offset >= 0 {
		all = append(all, l.offset)
	}
	for _, t := range slices.Concat(l.narrow, l.dense, l.loose, l.wide) {
		if t.coef >= 0 {
			all = append(all, t.coef)
		}
		all = append(all, t.atom)
	}
	return all
}

// terms are the columns of a linear combination.
func (n *colNode) terms() []linearTerm {
	if n.lin == nil {
		return nil
	}
	return n.lin.wide
}

// finish readies the group for its evaluation.
func (b *groupBuilder) finish() *colGroup {
	g := b.g
	b.countUses()
	done := map[int32]int32{}
	b.roots(func(id *int32) { *id = b.rewrite(*id, done) })
	b.countUses()
	order := b.order()
	if b.squeeze(order) {
		b.countUses()
		order = b.order()
	}
	if g.out < 0 {
		b.reorder(order)
	}
	g.full, g.num = append(g.full, make([][]float64, len(g.nodes)-len(g.full))...), make([]float64, len(g.nodes))
	fixed := newLanes(g)
	g.block = mostBlock
	if g.n <= keptRows {
		g.block = keptRows
	}
	for _, id := range order {
		n := &g.nodes[id]
		switch {
		case n.kind == numberNode:
			g.num[id] = n.x
			continue
		case n.fixed:
			fixed.set(id, b.c.m.Init)
			continue
		case !n.moves:
			g.still = append(g.still, id)
			continue
		case n.lin != nil && n.lin == g.rootCombination():
			continue
		case n.wide:
			g.broad = append(g.broad, id)
			n.sole = n.kind == cellsNode && n.uses == 1
		default:
			g.narrow = append(g.narrow, id)
		}
		if n.kind == opNode {
			n.code = codeOf(n.op)
			if e := &g.nodes[n.args[len(n.args)-1]]; n.op == OpPow && !n.wide && e.kind == numberNode && e.x != 0 {
				n.code = powCode
			}
		}
		if n.kind == linearNode && len(n.lin.dense) > 0 {
			rows := panelFloat / len(n.lin.dense) / blockUnit * blockUnit
			g.block = min(g.block, max(rows, 2*blockUnit))
		}
	}
	if g.n <= g.block {
		g.block = (g.n + blockUnit - 1) / blockUnit * blockUnit
	}
	if g.out >= 0 && g.even {
		n := &g.nodes[g.out]
		g.direct = n.wide && n.slope && (n.kind == opNode || n.kind == linearNode)
	}
	g.den.sortChecks(g)
	for _, id := range g.narrow {
		g.scalar = append(g.scalar, scalarOpOf(id, &g.nodes[id]))
	}
	feed(g.scalar)
	for _, id := range order {
		if n := &g.nodes[id]; n.wide && (!n.moves || n.lin == nil || n.lin != g.rootCombination()) {
			g.bound = append(g.bound, id)
		}
	}
	for _, id := range g.broad {
		n := &g.nodes[id]
		switch {
		case n.kind == linearNode && len(n.lin.dense) > 0:
			g.pack(n.lin)
			g.dense = append(g.dense, id)
			for _, t := range n.lin.dense {
				if g.nodes[t.coef].uses == 1 {
					g.full[t.coef], g.nodes[t.coef].cells = nil, nil // the matrix has it
				}
			}
		case n.kind == cellsNode && !n.even:
			if n.steps = g.stepsOf(n.cells); n.steps == nil {
				n.runs = g.runsOf(n.cells)
			}
		}
	}
	g.readThere()
	g.alike = g.isAlike()
	g.single = g.out >= 0 && len(g.cells) == 1 && len(g.broad) == 0 && !g.nodes[g.out].wide
	g.power = g.powerOf()
	g.constant = g.isConstant()
	g.bounds = g.boundsOf()
	g.passes = g.normalPasses()
	g.bound = slices.DeleteFunc(g.bound, func(id int32) bool { return g.nodes[id].fixed && g.full[id] == nil })
	return g
}

// readThere finds the cells that a linear combination multiplies by a column where they are.
func (g *colGroup) readThere() {
	for _, id := range g.broad {
		for _, t := range g.nodes[id].terms() {
			if n := &g.nodes[t.atom]; n.sole && n.steps != nil && t.coef >= 0 && g.nodes[t.coef].wide {
				n.there = true
			}
		}
	}
}

// isAlike tells whether the group is normal nodes that follow one another, nothing else reads here, with one mean and one precision.
func (g *colGroup) isAlike() bool {
	d := &g.den
	if d.kind != normalDensity || d.squeezed != nil || g.nodes[d.p[0]].wide || g.nodes[d.p[1]].wide {
		return false
	}
	y := &g.nodes[d.y]
	return len(g.broad) == 1 && y.sole && y.even && y.slope
}

// isConstant tells whether the group is of single rows whose densities do not depend on what moves, but for where they are zero.
func (g *colGroup) isConstant() bool {
	d := &g.den
	return len(d.roots) > 0 && len(g.broad)+len(d.columns)+len(d.columnsWithin) == 0 && !slices.ContainsFunc(d.roots, func(id int32) bool { return g.nodes[id].moves })
}

// cellPower is a logical row that is a power of a cell, as a precision of a standard deviation is.
type cellPower struct {
	in, out  int32
	exponent int32 // node, of a number
}

// powerOf tells whether the group is such a row.
func (g *colGroup) powerOf() *cellPower {
	if !g.single || len(g.scalar) != 2 {
		return nil
	}
	cell, of := &g.scalar[0], &g.scalar[1]
	if cell.code != cellCode || of.code != powCode || of.id != g.out || of.a != cell.id || !cell.slope || !of.slope {
		return nil
	}
	return &cellPower{cell.a, g.cells[0], of.b}
}

// cellBounds are those of a cell, nodes that are numbers, or −1.
type cellBounds struct{ cell, lo, hi int32 }

// boundsOf are those of a group of uniform nodes whose bounds stand still, where there is nothing else in it.
func (g *colGroup) boundsOf() (all []cellBounds) {
	d := &g.den
	if !g.constant || len(d.numbers) > 0 {
		return nil
	}
	cells := map[int32]int32{}
	for _, o := range g.scalar {
		if o.code != cellCode {
			return nil
		}
		cells[o.id] = o.a
	}
	for _, w := range d.numbersWithin {
		cell, ok := cells[w.x]
		if !ok || w.lo >= 0 && g.nodes[w.lo].moves || w.hi >= 0 && g.nodes[w.hi].moves {
			return nil
		}
		all = append(all, cellBounds{cell, w.lo, w.hi})
	}
	return all
}

func (b *groupBuilder) countUses() {
	for k := range b.g.nodes {
		b.g.nodes[k].uses = 0
	}
	var visit func(id int32)
	visit = func(id int32) {
		n := b.node(id)
		if n.uses++; n.uses > 1 {
			return
		}
		for _, a := range n.operands() {
			visit(a)
		}
	}
	b.roots(func(id *int32) { visit(*id) })
}

// order lists the nodes that are needed, operands first.
func (b *groupBuilder) order() []int32 {
	seen := make([]bool, len(b.g.nodes))
	var all []int32
	var visit func(id int32)
	visit = func(id int32) {
		if seen[id] {
			return
		}
		seen[id] = true
		for _, a := range b.node(id).operands() {
			visit(a)
		}
		all = append(all, id)
	}
	b.roots(func(id *int32) { visit(*id) })
	return all
}

// pack copies the columns of a matrix, block after block.
func (g *colGroup) pack(l *linear) {
	l.panels = make([]float64, 0, g.n*len(l.dense))
	for lo := 0; lo < g.n; lo += g.block {
		hi := min(lo+g.block, g.n)
		for _, t := range l.dense {
			for _, x := range g.full[t.coef][lo:hi] {
				l.panels = append(l.panels, float64(t.scale*x))
			}
		}
	}
}

// runsOf finds the runs of rows with one cell in each block, nil where they are short.
func (g *colGroup) runsOf(cells []int32) []cellRuns {
	var all []cellRuns
	total := 0
	for lo := 0; lo < g.n; lo += g.block {
		hi := min(lo+g.block, g.n)
		var r cellRuns
		for i := lo; i < hi; i++ {
			if i > lo && cells[i] == cells[i-1] {
				r.ends[len(r.ends)-1]++
				continue
			}
			r.at, r.ends = append(r.at, cells[i]), append(r.ends, int32(i-lo+1))
		}
		total += len(r.at)
		all = append(all, r)
	}
	if 2*total > g.n {
		return nil
	}
	return all
}
