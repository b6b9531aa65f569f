package bugs

import (
	"github.com/ergodic-mcmc/ergodic/model"
)

// item is one number of an expression: known already, the content of a cell,
// or the register a row's program computes.
type item struct {
	fixed bool
	x     float64
	cell  int32 // −1 where the number has no cell yet
	reg   int32 // −1 unless computed
}

func fixedItem(x float64) item { return item{fixed: true, x: x, cell: -1, reg: -1} }

// val is the value of an expression: a scalar in one, an array in vec.
type val struct {
	dims []int
	one  item
	vec  []item
}

func scalarVal(it item) val { return val{one: it} }

func (v *val) scalar() bool { return v.vec == nil }

func (v *val) n() int {
	if v.vec == nil {
		return 1
	}
	return len(v.vec)
}

func (v *val) at(i int) item {
	if v.vec == nil {
		return v.one
	}
	return v.vec[i]
}

// appendTo appends the value's numbers to a list.
func (v *val) appendTo(items []item) []item {
	if v.vec == nil {
		return append(items, v.one)
	}
	return append(items, v.vec...)
}

func vectorVal(dims []int, items []item) val {
	if len(items) == 1 {
		return val{one: items[0]}
	}
	return val{dims: dims, vec: items}
}

// operand gives the register of an item, loading its cell if need be.
func (c *compiler) operand(w *row, it item) int32 {
	if it.reg != -1 {
		return it.reg
	}
	w.ins = append(w.ins, c.cellOf(it))
	return int32(len(w.ins) - 1)
}

// cellOf is the cell of an item that is not computed in this row.
func (c *compiler) cellOf(it item) int32 {
	if it.cell >= 0 {
		return it.cell
	}
	return c.b.Const(it.x)
}

func (c *compiler) op(w *row, op model.Op, a ...item) item {
	fixed := true
	for _, it := range a {
		fixed = fixed && it.fixed
	}
	if fixed {
		var x [3]float64
		for i, it := range a {
			x[i] = it.x
		}
		return fixedItem(model.Apply(op, x[0], x[1], x[2]))
	}
	in := model.Instr{Op: op}
	for i, it := range a {
		r := c.operand(w, it)
		switch i {
		case 0:
			in.A = r
		case 1:
			in.B = r
		case 2:
			in.C = r
		}
	}
	in.Dst = w.temp()
	w.code = append(w.code, in)
	return item{cell: -1, reg: in.Dst}
}

// nary emits an operation on a list; block ones return as many items as they
// take.
func (c *compiler) nary(w *row, op model.Op, a []item, fn *model.DistFn) []item {
	if allFixed(a) {
		x := make([]float64, len(a))
		for i, it := range a {
			x[i] = it.x
		}
		y := model.EvalOp(op, x, fn)
		out := c.items(len(y))
		for i := range y {
			out = append(out, fixedItem(y[i]))
		}
		return out
	}
	in := model.Instr{Op: op, B: int32(len(a))}
	in.A = int32(len(w.args))
	for _, it := range a {
		w.args = append(w.args, c.operand(w, it))
	}
	if fn != nil {
		in.C = int32(len(w.fns))
		w.fns = append(w.fns, *fn)
	}
	n := 1
	if op.Block() {
		n = len(a)
	}
	out := c.items(n)
	// A block's registers must ascend: temporaries are renumbered in order.
	for range n {
		out = append(out, item{cell: -1, reg: w.temp()})
	}
	in.Dst = out[0].reg
	w.code = append(w.code, in)
	return out
}

func allFixed(a []item) bool {
	for _, it := range a {
		if !it.fixed {
			return false
		}
	}
	return true
}

// emit writes the code of an expression into w and returns its value.
func (c *compiler) emit(w *row, n *node) val {
	if c.nest++; c.nest > c.limits.nest {
		c.fail(n.pos, "Write the loops in the order in which values depend on one another.", "the definition of %s is nested too deep", n.src)
	}
	c.count(n.pos, 1)
	v := c.emitNode(w, n)
	c.checkCode(n.pos, w)
	c.nest--
	return v
}

func (c *compiler) emitNode(w *row, n *node) val {
	switch n.kind {
	case numNode:
		return scalarVal(fixedItem(n.num))
	case counterNode:
		return scalarVal(fixedItem(float64(c.env[n.slot])))
	case varNode:
		return c.emitVar(w, n)
	case opNode:
		return c.emitOp(w, n)
	case rangeNode:
		return c.emitRange(w, n)
	case matmulNode:
		return c.emitMatmul(w, n)
	}
	return c.emitCall(w, n)
}

func (c *compiler) emitScalar(w *row, n *node, what string) item {
	v := c.emit(w, n)
	if !v.scalar() {
		c.fail(n.pos, "Index it, or use a function of the whole array such as sum or inprod.", "%s has %d elements where %s wants one number%s", n.src, v.n(), what, c.where(c.env))
	}
	return v.one
}

// emitPredictor evaluates the argument of an inverse link in a row of its own:
// samplers look for linear predictors, and several children may share one.
func (c *compiler) emitPredictor(n *node) val {
	own := c.newRow()
	defer c.release(own)
	v := c.emit(own, n)
	if v.scalar() && v.one.reg != -1 {
		cell := c.b.NewCell()
		if c.memoRel[n] == nil {
			c.memoRel[n] = &[]entry{}
		}
		c.addLogical(c.memoRel[n], own, []item{v.one}, []int32{cell}, c.exprPlace(n))
		return scalarVal(item{cell: c.canonical(cell), reg: -1})
	}
	return v
}

// emitLink evaluates an inverse link of a scalar predictor; its value is empty
// for an array.
func (c *compiler) emitLink(w *row, n *node) val {
	v := c.emitPredictor(n.args[0])
	if v.scalar() {
		return scalarVal(c.op(w, n.op, v.one))
	}
	return val{one: item{cell: -1, reg: -1}}
}

func (c *compiler) emitOp(w *row, n *node) val {
	var a [3]val
	if n.op.InverseLink() && n.args[0].kind != varNode {
		if v := c.shared(w, n, c.emitLink); v.vec == nil && (v.one.fixed || v.one.cell > 0 || v.one.reg != -1) {
			return v
		}
	}
	size, dims := 1, []int(nil)
	for i, arg := range n.args {
		a[i] = c.emit(w, arg)
		if a[i].scalar() {
			continue
		}
		if size > 1 && a[i].n() != size {
			c.fail(n.pos, oneLengthHint, "%s combines arrays of %d and %d elements%s", n.src, size, a[i].n(), c.where(c.env))
		}
		if size == 1 {
			size, dims = a[i].n(), a[i].dims
		}
	}
	k := len(n.args)
	if size == 1 {
		switch k {
		case 1:
			return scalarVal(c.op(w, n.op, a[0].one))
		case 2:
			return scalarVal(c.op(w, n.op, a[0].one, a[1].one))
		}
		return scalarVal(c.op(w, n.op, a[0].one, a[1].one, a[2].one))
	}
	c.spend(n.pos, size)
	items := c.items(size)
	var at [3]item
	for j := range size {
		for i := range k {
			at[i] = a[i].at(j)
		}
		items = append(items, c.op(w, n.op, at[:k]...))
	}
	return vectorVal(dims, items)
}

func (c *compiler) emitRange(w *row, n *node) val {
	lo := c.emitScalar(w, n.args[0], "a range")
	hi := c.emitScalar(w, n.args[1], "a range")
	if !lo.fixed || !hi.fixed {
		c.fail(n.pos, "The ends of a range must be fixed: data, loop counters, constants.", "the range %s changes while sampling", n.src)
	}
	x, _ := c.fixedVector(&node{kind: rangeNode, pos: n.pos, src: n.src, args: []*node{{kind: numNode, num: lo.x, pos: n.pos, src: n.src}, {kind: numNode, num: hi.x, pos: n.pos, src: n.src}}}, c.env, 0)
	items := make([]item, len(x))
	for i := range x {
		items[i] = fixedItem(x[i])
	}
	if len(items) == 0 {
		return val{dims: []int{0}, vec: items}
	}
	return vectorVal([]int{len(items)}, items)
}

// cellItem is the content of a cell, compiling the relation that defines it
// when it has not been yet.
func (c *compiler) cellItem(n *node, cell int32) item {
	if c.b.Kind(cell) == model.Undefined {
		c.compileCell(n, cell)
	}
	switch c.b.Kind(cell) {
	case model.Constant, model.Observed:
		it := item{fixed: true, x: c.b.Value(cell), cell: cell, reg: -1}
		if c.b.Kind(cell) == model.Constant && c.repeats(cell) {
			it.cell = -1
		}
		return it
	case model.Undefined:
		c.missingElement(n, cell)
	}
	return item{cell: c.canonical(cell), reg: -1}
}

// repeats tells whether a cell has its value from a relation that gives all its elements the same: one without loop counters on the right. Rows that
// differ in nothing else are equal.
func (c *compiler) repeats(cell int32) bool {
	if int(cell) >= len(c.defInst) || c.defInst[cell] == 0 {
		return false
	}
	r, _ := c.instance(c.defInst[cell] - 1)
	return len(r.loops) > 0 && r.expr != nil && r.expr.counters == 0
}

// compileCell compiles the logical relation behind a cell, if there is one.
func (c *compiler) compileCell(n *node, cell int32) {
	if int(cell) >= len(c.defInst) || c.defInst[cell] == 0 {
		return
	}
	inst := c.defInst[cell] - 1
	if c.state[inst] == 1 {
		c.fail(n.pos, "A node cannot depend on itself, directly or through others.", "possible directed cycle involving %s%s", n.src, c.where(c.env))
	}
	env, names := c.env, c.envNames
	c.envNames = nil
	c.depth++
	c.logical(inst)
	c.depth--
	c.env, c.envNames = env, names
}

func (c *compiler) missingElement(n *node, cell int32) {
	a := n.arr
	el := model.Array{Name: a.name, Dims: a.dims}
	name := el.ElementName(int(cell - a.base))
	if len(a.rels) == 0 {
		if a.data != nil {
			c.fail(n.pos, "Give it a value, or a distribution: "+name+" ~ ….", "%s is NA in the data and has no distribution%s", name, c.where(c.env))
		}
		c.undefined(a)
	}
	c.fail(n.pos, "Give it in the data, or define it on the left of a relation.", "unknown variable %s: neither in the data nor defined in the model%s", name, c.where(c.env))
}

// logical compiles an instance of a <- relation unless it has been.
func (c *compiler) logical(inst int32) {
	if c.state[inst] != 0 {
		return
	}
	c.state[inst] = 1
	r, k := c.instance(inst)
	if len(c.envNames) != len(r.loops) || c.depth > 0 {
		c.envNames = loopNames(r)
	}
	n := len(r.loops)
	c.env = r.counters[k*n : (k+1)*n]
	defer c.giveBack(len(c.stack))
	w := c.newRow()
	var v val
	var cells []int32
	op, linked := model.InverseLink(r.ast.Link)
	e, rest := c.eliminated[inst]
	switch {
	case rest:
		v, cells = c.emitRest(w, r, e.cell), []int32{e.cell}
	case r.ast.Stochastic && c.parts[inst].rest != nil:
		v, cells = c.emitShares(w, r, inst)
	case r.ast.Stochastic && r.value != nil:
		v = c.emit(w, r.value)
	case r.ast.Stochastic:
		v = c.emitUnobservedInterval(w, r)
	case linked && r.expr.kind != varNode:
		v = c.emitPredictor(r.expr)
	default:
		v = c.emit(w, r.expr)
	}
	if linked {
		if !v.scalar() {
			c.fail(r.ast.Pos, "Loop over the elements: link(x[i]) <- ….", "a link function on the left wants one number, %s has %d%s", r.expr.src, v.n(), c.where(c.env))
		}
		v = scalarVal(c.op(w, op, v.one))
	}
	if cells == nil {
		c.defined = c.appendLHS(c.defined[:0], r)
		cells = c.defined
	}
	if len(cells) != v.n() {
		c.fail(r.lhs.pos, "Write as many elements on the left as on the right, such as x[1:3] <- …, or loop over them.", "%s has %s but %s has %d%s", r.lhs.src, plural(len(cells), "element"), r.rightText(), v.n(), c.where(c.env))
	}
	c.assign(r, w, v, cells)
	c.release(w)
	c.state[inst] = 2
}

// rightText is what stands right of <-, or the distribution's name.
func (r *relation) rightText() string {
	if r.ast.Stochastic {
		return r.ast.Dist.Name
	}
	return r.ast.Expr.String()
}

func loopNames(r *relation) []string {
	names := make([]string, len(r.loops))
	for i, l := range r.loops {
		names[i] = l.name
	}
	return names
}

func (c *compiler) instance(inst int32) (*relation, int) {
	lo, hi := 0, c.begun
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if c.rels[mid].first <= inst {
			lo = mid
		} else {
			hi = mid
		}
	}
	for c.rels[lo].n == 0 {
		lo--
	}
	return c.rels[lo], int(inst - c.rels[lo].first)
}

// assign makes cells hold a value: numbers where it is fixed, a row otherwise.
func (c *compiler) assign(r *relation, w *row, v val, cells []int32) {
	out, items := c.out[:0], c.items(len(cells))
	for i, cell := range cells {
		it := v.at(i)
		if by := c.stochInst[cell]; by != 0 && !it.fixed {
			c.redefined(r, cell, by-1, fromDataHint)
		}
		if !it.fixed {
			out = append(out, cell)
			items = append(items, it)
			if k := c.b.Kind(cell); k != model.Undefined {
				c.observedLogical(r, cell)
			}
			continue
		}
		if k := c.b.Kind(cell); k != model.Undefined && c.b.Value(cell) != it.x {
			c.observedLogical(r, cell)
		}
		c.b.Fix(cell, it.x)
		if c.stochInst[cell] != 0 { // data transformed, which ~ explains
			c.b.SetKind(cell, model.Observed)
		}
	}
	if len(out) == 0 {
		return
	}
	c.addLogical(&r.main, w, items, out, c.place(r))
	c.out = out
}

func (c *compiler) observedLogical(r *relation, cell int32) {
	a := r.lhs.arr
	el := model.Array{Name: a.name, Dims: a.dims}
	name := el.ElementName(int(cell - a.base))
	if r.drawn != "" {
		c.fail(r.lhs.pos, "It is a prior: remove the node from the data, and give them to nodes that depend on it.",
			"%s ~ %s cannot be data: they give %v", name, r.drawn, c.b.Value(cell))
	}
	c.fail(r.lhs.pos, "Write ~ with a distribution instead of <-, remove it from the data, or transform the data in a data { } block.",
		"%s is a logical node and cannot be observed: the data give %v", name, c.b.Value(cell))
}

func (c *compiler) place(r *relation) model.Place {
	return model.Place{Line: r.lhs.pos.Line, Col: r.lhs.pos.Col, Text: r.lhs.text()}
}
