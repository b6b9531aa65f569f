package bugs

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
)

func itoa(n int) string { return strconv.Itoa(n) }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// memoKey names an expression at the values of the counters it uses.
type memoKey struct {
	n *node
	c [4]int32
}

// key is the memo key of a call in the current environment; ok is false when
// the call would not be met again, or its counters do not fit the key.
func (c *compiler) key(n *node) (k memoKey, ok bool) {
	k.n = n
	j, all := 0, true
	for s, v := range c.env {
		if n.counters>>s&1 == 0 {
			all = false
			continue
		}
		if j == len(k.c) {
			return k, false
		}
		k.c[j] = v
		j++
	}
	return k, !all
}

func (c *compiler) emitCall(w *row, n *node) val {
	switch n.fn.kind {
	case fnLength, fnDim:
		return c.emitLength(n)
	case fnDensity:
		if d, ok := c.shape(n, c.env); ok && size(d) > 1 {
			return c.emitDensities(w, n)
		}
		return c.shared(w, n, c.emitReduce)
	case fnReduce, fnInprod, fnLogDet, fnInterp:
		return c.shared(w, n, c.emitReduce)
	case fnBlock:
		return c.emitBlock(w, n)
	case fnTranspose:
		return c.emitTranspose(w, n)
	case fnCombine:
		var items []item
		for _, a := range n.args {
			v := c.emit(w, a)
			c.count(n.pos, v.n())
			c.checkItems(n.pos, len(items)+v.n())
			for i := range v.n() {
				items = append(items, v.at(i))
			}
		}
		return vectorVal([]int{len(items)}, items)
	case fnRep:
		return c.emitRep(w, n)
	case fnCAR:
		return c.emitCAR(w, n)
	}
	return c.emitInterval(w, n)
}

// shared evaluates a call that several rows have in common once: its value is
// kept, and when it changes while sampling it gets a node of its own.
func (c *compiler) shared(w *row, n *node, emit func(*row, *node) val) val {
	k, ok := c.key(n)
	if !ok {
		return emit(w, n)
	}
	if v, ok := c.memo[k]; ok {
		return v
	}
	own := c.newRow()
	v := emit(own, n)
	if !v.one.fixed && v.one.reg != -1 {
		cell := c.b.NewCell()
		if c.memoRel[n] == nil {
			c.memoRel[n] = &[]entry{}
		}
		c.addLogical(c.memoRel[n], own, []item{v.one}, []int32{cell}, c.exprPlace(n))
		v = scalarVal(item{cell: c.canonical(cell), reg: -1})
	}
	c.release(own)
	c.memo[k] = v
	return v
}

func (c *compiler) exprPlace(n *node) model.Place {
	return model.Place{Line: n.pos.Line, Col: n.pos.Col, Text: n.text()}
}

func (c *compiler) emitLength(n *node) val {
	a := n.args[0]
	if a.kind != varNode {
		c.fail(n.pos, nameFirst, "%s takes a variable, not the expression %s", n.fn.name, a.src)
	}
	a.arr.used = true
	dims := a.arr.dims
	if a.hasIndex {
		d, ok := c.shape(a, c.env)
		if !ok {
			c.fail(n.pos, "Give the subscripts in the data, or name the array alone.", "the shape of %s is not fixed", a.src)
		}
		dims = d
	}
	if n.fn.kind == fnDim {
		x := floatsOf(dimsOrOne(dims))
		items := make([]item, len(x))
		for i := range x {
			items[i] = fixedItem(x[i])
		}
		return vectorVal([]int{len(x)}, items)
	}
	return scalarVal(fixedItem(float64(size(dims))))
}

func (c *compiler) emitReduce(w *row, n *node) val {
	defer c.giveBack(len(c.stack))
	total := 0
	vals := make([]val, len(n.args))
	sizes := make([][]int, len(n.args))
	counts := make([]int, len(n.args))
	for i, a := range n.args {
		v := c.emit(w, a)
		vals[i], sizes[i], counts[i] = v, dimsOrOne(v.dims), v.n()
		total += v.n()
		c.count(n.pos, v.n())
		c.checkItems(n.pos, total)
	}
	items := c.items(total)
	for i := range vals {
		items = vals[i].appendTo(items)
	}
	if total == 0 {
		return scalarVal(c.emptyReduce(n))
	}
	var fn *model.DistFn
	switch n.fn.kind {
	case fnInprod:
		if counts[0] != counts[1] {
			if counts[0] != 1 && counts[1] != 1 || counts[0] == 0 || counts[1] == 0 {
				c.fail(n.pos, "Take the same range of both: inprod(x[i,1:K], b[1:K]).", "inprod takes vectors of one length, not %d and %d%s", counts[0], counts[1], c.where(c.env))
			}
			items = recycle(items, counts[0], counts[1])
		}
	case fnLogDet:
		c.square(n, sizes[0])
	case fnInterp:
		if counts[0] != 1 || counts[1] != counts[2] {
			c.fail(n.pos, "Write interp.lin(x, points[], values[]).", "interp.lin takes a number and two vectors of one length%s", c.where(c.env))
		}
		if counts[1] == 0 {
			c.fail(n.pos, "Give it two points at least.", "interp.lin has no points to go through: its vectors are empty%s", c.where(c.env))
		}
	case fnDensity:
		fn = c.densityCall(n, sizes, counts)
	}
	return scalarVal(c.nary(w, n.fn.op, items, fn)[0])
}

func recycle(items []item, n0, n1 int) []item {
	out := make([]item, 0, 2*max(n0, n1))
	for i := range max(n0, n1) {
		out = append(out, items[i%n0])
	}
	for i := range max(n0, n1) {
		out = append(out, items[n0+i%n1])
	}
	return out
}

func (c *compiler) emptyReduce(n *node) item {
	switch n.fn.op {
	case model.OpSum, model.OpDot:
		return fixedItem(0)
	case model.OpProd:
		return fixedItem(1)
	}
	c.fail(n.pos, "Let the loop begin where the range has an element.", "%s has nothing to work on: its range is empty%s", n.src, c.where(c.env))
	return item{}
}

func (c *compiler) densityCall(n *node, sizes [][]int, counts []int) *model.DistFn {
	f := n.fn
	fn := &model.DistFn{Kind: f.density, Name: f.name, PDims: sizes, Scalar: f.scalar, Multi: f.multi}
	if f.multi != nil {
		dims, err := f.multi.Dims(sizes[1:])
		if err != nil {
			c.fail(n.pos, "Give the parameters the shapes of one value.", "%s: %v%s", f.name, err, c.where(c.env))
		}
		if !equalInts(dimsOrOne(dims), sizes[0]) {
			c.fail(n.pos, "Give the value the shape of the parameters.", "%s of a value of shape %s, where the parameters want %s%s", f.name, timesText(sizes[0]), timesText(dims), c.where(c.env))
		}
		return fn
	}
	for i, k := range counts {
		if k != 1 && f.scalar.Name != "dcat" {
			c.fail(n.args[i].pos, "Loop over the elements.", "%s takes numbers, but %s has %d elements%s", f.name, n.args[i].src, k, c.where(c.env))
		}
	}
	return fn
}

// emitDensities is a density, a distribution function or a quantile element by element, numbers going with vectors.
func (c *compiler) emitDensities(w *row, n *node) val {
	vals, elements, dims := make([]val, len(n.args)), 1, []int(nil)
	for i, a := range n.args {
		vals[i] = c.emit(w, a)
		k := vals[i].n()
		if k == 1 {
			continue
		}
		if elements > 1 && k != elements {
			c.fail(n.pos, oneLengthHint, "%s combines arrays of %d and %d elements%s", n.src, elements, k, c.where(c.env))
		}
		elements, dims = k, vals[i].dims
	}
	f := n.fn
	fn := &model.DistFn{Kind: f.density, Name: f.name, Scalar: f.scalar}
	for range n.args {
		fn.PDims = append(fn.PDims, []int{1})
	}
	c.spend(n.pos, elements*len(n.args))
	items := c.items(elements)
	for j := range elements {
		args := make([]item, len(vals))
		for i := range vals {
			args[i] = vals[i].at(j)
		}
		items = append(items, c.nary(w, f.op, args, fn)[0])
		c.checkCode(n.pos, w)
	}
	return vectorVal(dims, items)
}

func (c *compiler) square(n *node, dims []int) {
	if len(dims) == 1 && dims[0] == 1 {
		return
	}
	if len(dims) != 2 || dims[0] != dims[1] {
		c.fail(n.pos, "Take a part that is square, such as S[1:K,1:K].", "%s takes a square matrix, not an array of shape %s%s", n.fn.name, timesText(dims), c.where(c.env))
	}
	cubic := dims[0] * dims[0] * dims[0] // some 1 ns each, where a step takes some 30
	if n.fn.op != model.OpMExp {
		cubic /= 32
	}
	c.count(n.pos, cubic)
}

func (c *compiler) emitBlock(w *row, n *node) val {
	v := c.emit(w, n.args[0])
	dims := []int{v.n()} // of sort, order and rank, as in JAGS
	if n.fn.ofMatrix() {
		c.square(n, dimsOrOne(v.dims))
		dims = v.dims
	}
	c.spend(n.pos, v.n())
	return vectorVal(dims, c.nary(w, n.fn.op, v.appendTo(c.items(v.n())), nil))
}

func (c *compiler) emitTranspose(w *row, n *node) val {
	v := c.emit(w, n.args[0])
	if v.scalar() {
		return v
	}
	c.matrix(n, v.dims)
	rows, cols := v.dims[0], 1
	if len(v.dims) == 2 {
		cols = v.dims[1]
	}
	items := c.items(v.n())
	for i := range rows {
		for j := range cols {
			items = append(items, v.at(i+j*rows))
		}
	}
	return vectorVal([]int{cols, rows}, items)
}

func (c *compiler) matrix(n *node, dims []int) {
	if len(dims) > 2 {
		c.fail(n.pos, "Take a part with two subscripts that are not fixed, such as x[k,,].", "%s takes a vector or a matrix, not an array of shape %s%s", n.fn.name, timesText(dims), c.where(c.env))
	}
}

// emitRepEach repeats each element a number of times of its own.
func (c *compiler) emitRepEach(n *node, v, times val) val {
	if times.n() != v.n() {
		c.fail(n.args[1].pos, "Write rep(x, 3), or rep(x, times) with a vector of the length of x.", "rep wants one number of times, or one for each of %s, not %d%s", plural(v.n(), "element"), times.n(), c.where(c.env))
	}
	items := []item{}
	for j := range v.n() {
		it := times.at(j)
		if !it.fixed {
			c.fail(n.args[1].pos, "Give the number in the data: the shapes of arrays do not change while sampling.", "rep wants a fixed number of times, not %s", n.args[1].src)
		}
		c.checkTimes(n, it.x, c.env)
		c.spend(n.pos, len(items)+int(min(it.x, math.MaxInt32)))
		for range int(it.x) {
			items = append(items, v.at(j))
		}
	}
	if len(items) == 0 {
		return val{dims: []int{0}, vec: items}
	}
	return vectorVal([]int{len(items)}, items)
}

// checkTimes holds rep to a number of times that there is.
func (c *compiler) checkTimes(n *node, times float64, env []int32) {
	if !(times >= 0) {
		c.fail(n.args[1].pos, "Correct the number of times.", "%s cannot repeat %v times: the number of times is 0 or more%s", n.src, times, c.where(env))
	}
}

func (c *compiler) emitRep(w *row, n *node) val {
	v := c.emit(w, n.args[0])
	each := c.emit(w, n.args[1])
	if !each.scalar() {
		return c.emitRepEach(n, v, each)
	}
	times := each.one
	if !times.fixed {
		c.fail(n.args[1].pos, "Give the number in the data: the shapes of arrays do not change while sampling.", "rep wants a fixed number of times, not %s", n.args[1].src)
	}
	c.checkTimes(n, times.x, c.env)
	if v.n() == 0 {
		return val{dims: []int{0}, vec: []item{}}
	}
	c.spend(n.pos, int(min(times.x, math.MaxInt32))*v.n())
	items := c.items(int(times.x) * v.n())
	for range int(times.x) {
		for j := range v.n() {
			items = append(items, v.at(j))
		}
	}
	return vectorVal([]int{len(items)}, items)
}

func (c *compiler) emitInterval(w *row, n *node) val {
	t := c.emitScalar(w, n.args[0], "dinterval")
	cuts := c.emit(w, n.args[1])
	items := []item{t}
	for i := range cuts.n() {
		items = append(items, cuts.at(i))
	}
	return scalarVal(c.nary(w, model.OpInterval, items, nil)[0])
}

// matmulDims reads two shapes as matrices: a vector on the left is a row or a
// column, whichever conforms, one on the right likewise.
func matmulDims(l, r []int) (rows, inner, cols int, ok bool) {
	lr, lc := 1, 1
	switch len(l) {
	case 1:
		lc = l[0]
	case 2:
		lr, lc = l[0], l[1]
	}
	rr, rc := 1, 1
	switch len(r) {
	case 1:
		rr = r[0]
	case 2:
		rr, rc = r[0], r[1]
	}
	if lc == rr {
		return lr, lc, rc, true
	}
	if len(l) == 1 && rr == 1 { // column times row
		return lc, 1, rc, true
	}
	if len(r) == 1 && lc == 1 {
		return lr, 1, rr, true
	}
	return 0, 0, 0, false
}

func matmulShape(l, r []int, rows, cols int) []int {
	switch {
	case rows == 1 && cols == 1:
		return nil
	case len(r) < 2 && cols == 1:
		return []int{rows}
	case len(l) < 2 && rows == 1:
		return []int{cols}
	}
	return []int{rows, cols}
}

func (c *compiler) emitMatmul(w *row, n *node) val {
	l, r := c.emit(w, n.args[0]), c.emit(w, n.args[1])
	rows, inner, cols, ok := matmulDims(l.dims, r.dims)
	if !ok || len(l.dims) > 2 || len(r.dims) > 2 {
		c.fail(n.pos, matmulHint, "%s multiplies %s by %s%s", n.src, timesText(l.dims), timesText(r.dims), c.where(c.env))
	}
	c.spend(n.pos, rows*cols)
	items := c.items(rows * cols)
	for j := range cols {
		for i := range rows {
			c.spend(n.pos, 2*inner)
			arg := c.items(2 * inner)
			for k := range inner {
				arg = append(arg, l.at(i+k*rows))
			}
			for k := range inner {
				arg = append(arg, r.at(k+j*inner))
			}
			items = append(items, c.nary(w, model.OpDot, arg, nil)[0])
			c.checkCode(n.pos, w)
		}
	}
	return vectorVal(matmulShape(l.dims, r.dims, rows, cols), items)
}

// stochastic compiles an instance of a ~ relation.
func (c *compiler) stochastic(r *relation) {
	defer c.giveBack(len(c.stack))
	cells := c.appendLHS(nil, r)
	if inst := c.partOf(cells); inst >= 0 {
		c.dirichletInPart(r, inst, cells)
		return
	}
	if len(cells) > 0 && c.stochInst[cells[0]] == 0 { // a dinterval without data
		c.logical(c.defInst[cells[0]] - 1)
		return
	}
	if !c.holds(r) {
		for _, cell := range cells {
			c.stochInst[cell] = 0 // <- alone defines it
			if c.b.Kind(cell) == model.Observed {
				c.b.SetKind(cell, model.Constant)
			}
		}
		return
	}
	seen := c.observe(r, cells)
	if seen > 0 && seen < len(cells) && !c.partly(r, cells) {
		return
	}
	if r.ast.Dist.Name == "dloglik" && seen == 0 {
		c.fail(r.lhs.pos, "Give "+r.lhs.arr.name+" a value in the data, such as 0.", "dloglik stands for a likelihood, but %s is not observed%s", r.lhs.src, c.where(c.env))
	}
	if r.value != nil { // observed: what that says stands in relations of its own
		for _, cell := range cells {
			c.b.SetKind(cell, model.Constant)
		}
		return
	}
	name, pdims, ins := c.parameters(r, cells)
	lo, hi := c.bounds(r, &ins)
	for k := len(r.main) - 1; k >= 0; k-- {
		e := &r.main[k]
		t := c.b.Template(e.tmpl)
		if t.NIn == len(ins) && t.NOut == len(cells) && sameShapes(t.Stoch.PDims, pdims) {
			c.b.AddRow(e.tmpl, ins, nil, cells)
			return
		}
	}
	st := model.NewStoch(name, pdims, lo, hi)
	t := &model.Template{Place: c.place(r), NIn: len(ins), NOut: len(cells), Stoch: st}
	ti := c.b.AddTemplate(t)
	r.main = append(r.main, entry{tmpl: ti})
	c.b.AddRow(ti, ins, nil, cells)
}

// observe computes what <- makes of a node's cells, which are its observation
// then, and counts those that are observed.
func (c *compiler) observe(r *relation, cells []int32) (seen int) {
	for _, cell := range cells {
		if c.b.Kind(cell) == model.Undefined {
			c.compileCell(r.lhs, cell)
		}
		if c.b.Kind(cell) == model.Observed {
			seen++
		}
	}
	return seen
}

func sameShapes(a, b [][]int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equalInts(a[i], b[i]) {
			return false
		}
	}
	return true
}

// distribution looks up a relation's distribution and holds it to its number of
// parameters.
func (c *compiler) distribution(r *relation) (sc *dist.Scalar, mu *dist.Multi, name string) {
	d := r.ast.Dist
	sc, isScalar := dist.Lookup(d.Name)
	mu, isMulti := dist.LookupMulti(d.Name)
	want := 2
	switch {
	case isScalar:
		name, want = sc.Name, len(sc.Params)
	case isMulti:
		name, want = mu.Name, len(mu.Params)
	default:
		name = d.Name // dinterval
	}
	if len(r.args) != want {
		hint := calledHint(name)
		if isMulti || name == "dcat" {
			hint = vectorsHint(name, hint, want, d.Args)
		}
		c.fail(d.Pos, hint, "%s takes %s, not %d", d.Name, plural(want, "parameter"), len(r.args))
	}
	return sc, mu, name
}

// emitUnobservedInterval evaluates a dinterval without data.
func (c *compiler) emitUnobservedInterval(w *row, r *relation) val {
	c.distribution(r)
	c.bounds(r, nil)
	return c.emitInterval(w, &node{args: r.args, pos: r.ast.Dist.Pos, src: r.lhs.src})
}

// parameters compiles the arguments of a distribution to operand cells.
func (c *compiler) parameters(r *relation, cells []int32) (name string, pdims [][]int, ins []int32) {
	d := r.ast.Dist
	sc, mu, name := c.distribution(r)
	if r.sum {
		return name, [][]int{{1}}, []int32{c.eliminatedDensity(r)}
	}
	for i, a := range r.args {
		dims, in := c.argument(r, i, a)
		if sc != nil && len(in) != 1 && name != "dcat" {
			c.fail(a.pos, "Scalar distributions are not vectorised: loop over the elements, for (i in 1:"+itoa(len(in))+") { … }.", "%s wants a number, but %s has %d elements%s", d.Name, a.src, len(in), c.where(c.env))
		}
		pdims = append(pdims, dims)
		ins = append(ins, in...)
	}
	c.checkShape(r, mu, pdims, len(cells))
	return name, pdims, ins
}

func (c *compiler) checkShape(r *relation, mu *dist.Multi, pdims [][]int, n int) {
	want := 1
	if mu != nil {
		dims, err := mu.Dims(pdims)
		if err != nil {
			c.fail(r.ast.Dist.Pos, multiHint(mu), "%s: %v%s", r.ast.Dist.Name, err, c.where(c.env))
		}
		for _, d := range dims {
			want *= d
		}
	}
	if n == want {
		return
	}
	hint := "Write as many elements on the left as its parameters have."
	if mu == nil {
		hint = "Loop over the elements: for (i in 1:" + itoa(n) + ") { " + r.lhs.arr.name + "[i] ~ … }."
	}
	c.fail(r.lhs.pos, hint, "%s has %s but %s gives %d%s", r.lhs.src, plural(n, "element"), r.ast.Dist.Name, want, c.where(c.env))
}

// argument compiles a parameter; what has to be computed gets a node of its
// own, so that a stochastic row only points to cells.
func (c *compiler) argument(r *relation, i int, a *node) (dims []int, cells []int32) {
	defer c.giveBack(len(c.stack))
	w := c.newRow()
	v := c.emit(w, a)
	cells = make([]int32, v.n())
	var items []item
	var out []int32
	for j := range cells {
		it := v.at(j)
		if it.reg == -1 {
			cells[j] = c.cellOf(it)
			continue
		}
		cells[j] = c.b.NewCell()
		items = append(items, it)
		out = append(out, cells[j])
	}
	if len(items) > 0 {
		c.addLogical(&r.arg[i], w, items, out, c.exprPlace(a))
		for j := range cells {
			cells[j] = c.canonical(cells[j])
		}
	}
	c.release(w)
	return dimsOrOne(v.dims), cells
}

func (c *compiler) bounds(r *relation, ins *[]int32) (lo, hi bool) {
	t := r.ast.Dist.Trunc
	if t == nil {
		return false, false
	}
	d, ok := dist.Lookup(r.ast.Dist.Name)
	if !ok || !d.CanTruncate {
		c.fail(t.Pos, untruncatedHint(r.ast.Dist.Name), "%s cannot be truncated", r.ast.Dist.Name)
	}
	if t.Kind == 'I' {
		for _, cell := range *ins {
			if k := c.b.Kind(cell); k == model.Logical || k == model.Unobserved {
				c.fail(t.Pos, "Write T(,) for truncation, or dinterval for censoring.", "I(,) is allowed only where all parameters of the node are fixed")
			}
		}
	}
	for k, b := range []*node{r.lo, r.hi} {
		if b == nil {
			continue
		}
		_, cells := c.argument(r, len(r.args)+k, b)
		if len(cells) != 1 {
			c.fail(b.pos, "A bound is one number: index it, as in T(lo[i],).", "the bound %s has %d elements%s", b.src, len(cells), c.where(c.env))
		}
		*ins = append(*ins, cells[0])
		if k == 0 {
			lo = true
		} else {
			hi = true
		}
	}
	return lo, hi
}
