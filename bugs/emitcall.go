package bugs

import (
	"fmt"
	"math"
	"strconv"

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
