package bugs

import (
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Expressions in ranges and subscripts are evaluated before any node exists,
// from data, loop counters and relations that hold constants.

// fixedDepth bounds how far constants may lean on one another.
const fixedDepth = 200

// fixedVector evaluates n to numbers; ok is false where it leans on what is
// not known yet.
func (c *compiler) fixedVector(n *node, env []int32, depth int) (x []float64, ok bool) {
	switch n.kind {
	case rangeNode:
		lo, ok1 := c.fixedInt(n.args[0], env, depth)
		hi, ok2 := c.fixedInt(n.args[1], env, depth)
		if !ok1 || !ok2 {
			return nil, false
		}
		if hi < lo {
			return nil, true
		}
		if hi-lo >= c.limits.items {
			c.fail(n.pos, "Correct the ends of the range.", "the range %s spans %d numbers; at most %d fit", n.src, hi-lo+1, c.limits.items)
		}
		c.count(n.pos, hi-lo+1)
		x = make([]float64, hi-lo+1)
		for i := range x {
			x[i] = float64(lo + i)
		}
		return x, true
	case varNode:
		return c.fixedVar(n, env, depth)
	case callNode:
		return c.fixedCall(n, env, depth)
	case opNode:
		if !n.single() {
			return c.fixedOp(n, env, depth)
		}
	}
	s, ok := c.fixedScalar(n, env, depth)
	return []float64{s}, ok
}

// single tells whether an expression is seen to be one number.
func (n *node) single() bool {
	switch n.kind {
	case rangeNode, matmulNode:
		return false
	case varNode:
		if !n.hasIndex {
			return n.arr.known && n.arr.size() == 1
		}
	case callNode:
		if n.fn.kind != fnDensity || !n.fn.byElement() {
			return n.fn.kind != fnBlock && n.fn.kind != fnTranspose && n.fn.kind != fnDim && n.fn.kind != fnCombine && n.fn.kind != fnRep
		}
	}
	for _, a := range n.args {
		if a == nil || !a.single() {
			return false
		}
	}
	return true
}

// fixedOp is an operation element by element, numbers going with vectors.
func (c *compiler) fixedOp(n *node, env []int32, depth int) ([]float64, bool) {
	var a [3][]float64
	size := 1
	for i, arg := range n.args {
		x, ok := c.fixedVector(arg, env, depth)
		if !ok {
			return nil, false
		}
		if a[i] = x; len(x) == 1 {
			continue
		}
		if size != 1 && len(x) != size {
			c.fail(n.pos, oneLengthHint, "%s combines arrays of %d and %d elements%s", n.src, size, len(x), c.where(env))
		}
		size = len(x)
	}
	c.count(n.pos, max(size, 1))
	out := make([]float64, size)
	for j := range out {
		var x [3]float64
		for i := range n.args {
			x[i] = a[i][j%len(a[i])]
		}
		out[j] = model.Apply(n.op, x[0], x[1], x[2])
	}
	return out, true
}

func (c *compiler) fixedInt(n *node, env []int32, depth int) (int, bool) {
	x, ok := c.fixedScalar(n, env, depth)
	if !ok {
		return 0, false
	}
	if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		c.fail(n.pos, fractionHint, "%s is %v, not a whole number%s", n.src, x, c.where(env))
	}
	return int(x), true
}

func (c *compiler) fixedScalar(n *node, env []int32, depth int) (float64, bool) {
	switch n.kind {
	case numNode:
		return n.num, true
	case counterNode:
		return float64(env[n.slot]), true
	case opNode:
		c.count(n.pos, 1)
		var a [3]float64
		for i, arg := range n.args {
			x, ok := c.fixedScalar(arg, env, depth)
			if !ok {
				return 0, false
			}
			a[i] = x
		}
		return model.Apply(n.op, a[0], a[1], a[2]), true
	}
	x, ok := c.fixedVector(n, env, depth)
	if !ok {
		return 0, false
	}
	if len(x) != 1 {
		c.fail(n.pos, "Index it: x[i], or name one of its elements; the number of its elements is length(x).", "%s has %d elements where one number is wanted%s", n.src, len(x), c.where(env))
	}
	return x[0], true
}

func (c *compiler) fixedVar(n *node, env []int32, depth int) ([]float64, bool) {
	a := n.arr
	if a.data == nil || !a.known {
		return c.fixedConstant(n, env, depth)
	}
	if !n.hasIndex {
		return a.data.Data, !anyNaN(a.data.Data)
	}
	idx, ok := c.fixedSubscripts(n, env, depth)
	if !ok {
		return nil, false
	}
	c.spend(n.pos, block(idx))
	var out []float64
	good := true
	eachCell(idx, a.stride, func(off int32) {
		x := a.data.Data[off]
		good = good && !math.IsNaN(x)
		out = append(out, x)
	})
	if !good {
		return c.fixedConstant(n, env, depth)
	}
	return out, true
}

func anyNaN(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) {
			return true
		}
	}
	return false
}

// fixedSubscripts evaluates the subscripts of a variable of known shape.
func (c *compiler) fixedSubscripts(n *node, env []int32, depth int) ([][]int32, bool) {
	a := n.arr
	c.checkRank(n)
	idx := make([][]int32, len(n.args))
	for k, arg := range n.args {
		if arg == nil {
			idx[k] = c.sequence(a.dims[k])
			continue
		}
		x, ok := c.fixedVector(arg, env, depth)
		if !ok {
			return nil, false
		}
		for _, v := range x {
			idx[k] = append(idx[k], c.subscript(n, arg, k, v, env))
		}
	}
	return idx, true
}

// sequence is 1 to n, to be read only.
func (c *compiler) sequence(n int) []int32 {
	for i := len(c.counting); i < n; i++ {
		c.counting = append(c.counting, int32(i+1))
	}
	return c.counting[:n:n]
}

// subscript checks one subscript value against the array's extent.
func (c *compiler) subscript(n, arg *node, k int, v float64, env []int32) int32 {
	if v != math.Trunc(v) {
		c.fail(arg.pos, fractionHint, "subscript %s of %s is %v, not a whole number%s", arg.src, n.arr.name, v, c.where(env))
	}
	if arg.kind == rangeNode && (v < 1 || v > float64(n.arr.dims[k])) {
		c.fail(arg.pos, c.extentHint(n, k, v), "the range %s of %s reaches %v, outside 1:%d%s", arg.src, n.src, v, n.arr.dims[k], c.where(env))
	}
	if v < 1 || v > float64(n.arr.dims[k]) {
		c.fail(arg.pos, c.extentHint(n, k, v), "subscript %s = %v of %s is outside 1:%d%s", arg.src, v, n.src, n.arr.dims[k], c.where(env))
	}
	return int32(v)
}

func (c *compiler) checkRank(n *node) {
	if len(n.args) == len(n.arr.dims) {
		return
	}
	if len(n.arr.dims) == 0 && len(n.args) == 1 {
		n.arr.dims, n.arr.stride = []int{1}, []int32{1}
		return
	}
	hint := "Write " + wording.Brief(n.arr.name) + "[i]; or give it the dimensions: .Dim = c(rows, columns) in the data, or var " + wording.Brief(n.arr.name) + "[…] before the model."
	if len(n.arr.dims) > 1 {
		hint = "Its shape is " + timesText(n.arr.dims) + ", and an element has a subscript for each dimension: an empty one stands for all, as in " + wording.Brief(n.arr.name) + "[1" + strings.Repeat(",", len(n.arr.dims)-1) + "]."
	}
	c.fail(n.pos, hint, "%s has %s but %s is used with %s", n.arr.name, plural(len(n.arr.dims), "dimension"), n.src, plural(len(n.args), "subscript"))
}

// block is how many elements the subscripts choose, up to what no array has.
func block(idx [][]int32) int {
	n := 1
	for _, s := range idx {
		n = min(n*len(s), 1<<30)
	}
	return n
}

// eachCell walks a block of an array in column-major order.
func eachCell(idx [][]int32, stride []int32, f func(off int32)) {
	for _, s := range idx {
		if len(s) == 0 {
			return
		}
	}
	var walk func(k int, off int32)
	walk = func(k int, off int32) {
		if k < 0 {
			f(off)
			return
		}
		for _, i := range idx[k] {
			walk(k-1, off+(i-1)*stride[k])
		}
	}
	walk(len(idx)-1, 0)
}

// fixedConstant looks for a relation outside any loop that gives the constant.
func (c *compiler) fixedConstant(n *node, env []int32, depth int) ([]float64, bool) {
	if depth > fixedDepth {
		c.fail(n.pos, "A node cannot depend on itself, directly or through others.", "possible directed cycle involving %s", n.arr.name)
	}
	want, ok := c.plainSubscripts(n, env, depth+1)
	if !ok {
		return nil, false
	}
	for _, r := range n.arr.rels {
		if len(r.loops) > 0 || r.expr == nil || r.ast.Link != "" {
			continue
		}
		have, ok := c.plainSubscripts(r.lhs, nil, depth+1)
		if !ok || !equalInts(have, want) {
			continue
		}
		if r.constant == nil { // kept, or a chain of sums would be walked again and again
			x, ok := c.fixedVector(r.expr, nil, depth+1)
			if !ok {
				return nil, false
			}
			r.constant = x
		}
		return r.constant, true
	}
	return nil, false
}

func (c *compiler) plainSubscripts(n *node, env []int32, depth int) ([]int, bool) {
	var s []int
	for _, a := range n.args {
		if a == nil || a.kind == rangeNode {
			return nil, false
		}
		i, ok := c.fixedInt(a, env, depth)
		if !ok {
			return nil, false
		}
		s = append(s, i)
	}
	return s, true
}

func equalInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (c *compiler) fixedCall(n *node, env []int32, depth int) ([]float64, bool) {
	if n.readsShape() {
		a := n.args[0]
		if a.kind != varNode || !a.arr.known {
			return nil, false
		}
		if a.hasIndex {
			x, ok := c.fixedVector(a, env, depth)
			return []float64{float64(len(x))}, ok
		}
		if n.fn.kind == fnLength {
			return []float64{float64(a.arr.size())}, true
		}
		return floatsOf(dimsOrOne(a.arr.dims)), true
	}
	var all []float64
	for _, arg := range n.args {
		x, ok := c.fixedVector(arg, env, depth)
		if !ok {
			return nil, false
		}
		c.spend(n.pos, len(x))
		c.checkItems(n.pos, len(all)+len(x))
		all = append(all, x...)
	}
	switch n.fn.kind {
	case fnReduce, fnInprod, fnBlock:
		if len(all) == 0 {
			return nil, false
		}
		return model.EvalOp(n.fn.op, all, nil), true
	case fnCombine:
		return all, true
	}
	return nil, false
}

func floatsOf(d []int) []float64 {
	x := make([]float64, len(d))
	for i, v := range d {
		x[i] = float64(v)
	}
	return x
}

// size is the number of elements of an array.
func size(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

func dimsOrOne(d []int) []int {
	if len(d) == 0 {
		return []int{1}
	}
	return d
}
