package bugs

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/model"
)

// A cycle through observed nodes leaves no trace in the model's index, where
// data are numbers: relations are asked instead, those of arrays that lean on
// themselves.

// checkCycles fails where an instance depends on itself through cells that have
// values. It runs when all relations have been compiled.
func (c *compiler) checkCycles() {
	g := arrayGraph{met: map[*array]*arrayMark{}}
	for _, a := range c.order {
		if g.met[a] == nil {
			g.visit(a)
		}
	}
	if g.knots == 0 {
		return
	}
	w := cycleWalk{c: c, state: make([]uint8, c.nInst), noted: map[*relation]bool{}}
	for _, r := range c.rels {
		if r.lhs.arr.knot == 0 {
			continue
		}
		for k := range r.n {
			w.from(r.first + int32(k))
		}
	}
}

// arrayGraph finds knots, the groups of arrays that lean on one another in a
// circle (Tarjan 1972).
type arrayGraph struct {
	met   map[*array]*arrayMark
	stack []*array
	knots int
}

type arrayMark struct {
	number, low int
	open        bool
}

func (g *arrayGraph) visit(a *array) *arrayMark {
	m := &arrayMark{number: len(g.met), low: len(g.met), open: true}
	g.met[a] = m
	at := len(g.stack)
	g.stack = append(g.stack, a)
	circle := false
	a.eachSource(func(b *array) {
		circle = circle || a == b
		if o := g.met[b]; o == nil {
			m.low = min(m.low, g.visit(b).low)
		} else if o.open {
			m.low = min(m.low, o.number)
		}
	})
	if m.low < m.number {
		return m
	}
	knot, valued := g.stack[at:], false
	g.stack = g.stack[:at]
	for _, b := range knot {
		g.met[b].open = false
		valued = valued || b.valued()
	}
	if valued && (circle || len(knot) > 1) {
		g.knots++
		for _, b := range knot {
			b.knot = g.knots
		}
	}
	return m
}

// valued tells whether some of the array's elements may be data that a
// relation explains.
func (a *array) valued() bool {
	for _, r := range a.rels {
		if a.data != nil || r.transformed {
			return true
		}
	}
	return false
}

// eachSource visits the arrays whose values an array's relations read.
func (a *array) eachSource(f func(*array)) {
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil || n.readsShape() {
			return
		}
		if n.kind == varNode {
			f(n.arr)
		}
		for _, x := range n.args {
			walk(x)
		}
	}
	for _, r := range a.rels {
		for _, n := range r.sources() {
			walk(n)
		}
	}
}

// readsShape tells calls that read the shape of an array and none of its values.
func (n *node) readsShape() bool {
	return n.kind == callNode && (n.fn.kind == fnLength || n.fn.kind == fnDim)
}

// sources are the expressions on a relation's right side.
func (r *relation) sources() []*node {
	return append(r.args[:len(r.args):len(r.args)], r.expr, r.lo, r.hi)
}

// cycleWalk goes from instances to those that define what they read, deepest
// first.
type cycleWalk struct {
	c     *compiler
	state []uint8 // by instance: 0 not met, 1 on the way, 2 done
	path  []cycleStep
	todo  []int32 // instances still to follow of all steps of the path
	noted map[*relation]bool
}

type cycleStep struct {
	inst int32
	from int // of its instances in todo
}

func (w *cycleWalk) from(inst int32) {
	w.enter(inst)
	for len(w.path) > 0 {
		top := w.path[len(w.path)-1]
		if len(w.todo) == top.from {
			w.state[top.inst] = 2
			w.path = w.path[:len(w.path)-1]
			continue
		}
		next := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if w.state[next] == 1 {
			if w.c.prog.openBUGS && w.throughConstant(next) {
				continue
			}
			w.fail(next)
		}
		w.enter(next)
	}
}

// throughConstant tells whether the circle that an instance on the way closes goes through what <- has made from data alone. OpenBUGS takes that as the data.
func (w *cycleWalk) throughConstant(inst int32) bool {
	for k := len(w.path) - 1; k >= 0; k-- {
		r, i := w.c.instance(w.path[k].inst)
		if !r.ast.Stochastic && w.isConstant(r, i) {
			if w.c.at = r; !w.noted[r] {
				w.noted[r] = true
				w.c.warnings = append(w.c.warnings, fmt.Sprintf("%s in line %d is made from data whose distribution depends on it: it is taken as data, as OpenBUGS does", r.lhs.src, r.lhs.pos.Line))
			}
			return true
		}
		if w.path[k].inst == inst {
			break
		}
	}
	return false
}

func (w *cycleWalk) isConstant(r *relation, k int) bool {
	c := w.c
	c.envNames, c.env = loopNames(r), r.counters[k*len(r.loops):(k+1)*len(r.loops)]
	constant := true
	c.lhsCells(r, func(cell int32) { constant = constant && c.b.Kind(cell) == model.Constant })
	return constant
}

func (w *cycleWalk) enter(inst int32) {
	if w.state[inst] != 0 {
		return
	}
	w.state[inst] = 1
	w.path = append(w.path, cycleStep{inst, len(w.todo)})
	r, k := w.c.instance(inst)
	w.c.at, w.c.envNames = r, loopNames(r)
	env := r.counters[k*len(r.loops) : (k+1)*len(r.loops)]
	for _, n := range r.sources() {
		w.reads(n, env, r.lhs.arr.knot)
	}
}

// reads notes the instances that define what an expression reads within a knot.
func (w *cycleWalk) reads(n *node, env []int32, knot int) {
	if n == nil || n.readsShape() {
		return
	}
	for _, a := range n.args {
		w.reads(a, env, knot)
	}
	if n.kind != varNode || n.arr.knot != knot {
		return
	}
	a := n.arr
	if len(a.rels) == 0 {
		return
	}
	see := func(off int32) {
		for _, by := range [2]int32{w.c.defInst[a.base+off], w.c.stochInst[a.base+off]} {
			if by != 0 && w.state[by-1] != 2 {
				w.todo = append(w.todo, by-1)
			}
		}
	}
	if !n.hasIndex {
		for off := range int32(a.size()) {
			see(off)
		}
		return
	}
	idx, off := make([][]int32, len(n.args)), int32(0)
	single := true
	for k, arg := range n.args {
		x, ok := w.c.valueNow(arg, env)
		if single = single && ok; single {
			off += (int32(x) - 1) * a.stride[k]
		}
	}
	if single {
		see(off)
		return
	}
	for k, arg := range n.args {
		idx[k] = w.c.subscriptsNow(arg, env, a.dims[k])
	}
	eachCell(idx, a.stride, see)
}

// subscriptsNow are the values of a subscript as far as they are fixed, else
// all of its range.
func (c *compiler) subscriptsNow(n *node, env []int32, extent int) []int32 {
	if n == nil {
		return c.sequence(extent)
	}
	if x, ok := c.valueNow(n, env); ok {
		return []int32{int32(x)}
	}
	if n.kind == numNode || n.kind == counterNode || n.kind == opNode {
		return c.sequence(extent)
	}
	x, ok := c.fixedVector(n, env, 0)
	if !ok {
		return c.sequence(extent)
	}
	out := make([]int32, len(x))
	for i, v := range x {
		out[i] = int32(v)
	}
	return out
}

// valueNow is the fixed value of a scalar expression, when relations have been
// compiled and what they make from data is known.
func (c *compiler) valueNow(n *node, env []int32) (x float64, ok bool) {
	switch {
	case n == nil:
	case n.kind == numNode:
		return n.num, true
	case n.kind == counterNode:
		return float64(env[n.slot]), true
	case n.kind == opNode:
		var a [3]float64
		for i, arg := range n.args {
			if a[i], ok = c.valueNow(arg, env); !ok {
				return 0, false
			}
		}
		return model.Apply(n.op, a[0], a[1], a[2]), true
	case n.kind == varNode:
		off := n.arr.base
		if !n.hasIndex && n.arr.size() > 1 {
			return 0, false
		}
		for k, arg := range n.args {
			i, ok := c.valueNow(arg, env)
			if !ok || i < 1 || i > float64(n.arr.dims[k]) {
				return 0, false
			}
			off += (int32(i) - 1) * n.arr.stride[k]
		}
		if k := c.b.Kind(off); k == model.Constant || k == model.Observed {
			return c.b.Value(off), true
		}
	}
	return 0, false
}

func (w *cycleWalk) fail(inst int32) {
	c := w.c
	r, k := c.instance(inst)
	c.envNames = loopNames(r)
	c.env = r.counters[k*len(r.loops) : (k+1)*len(r.loops)]
	name := r.lhs.src.String()
	var first int32 = -1
	c.lhsCells(r, func(cell int32) {
		if first < 0 {
			first = cell
		}
	})
	if first >= 0 {
		name = c.elementName(r.lhs.arr, first)
	}
	c.fail(r.lhs.pos, "A node cannot depend on itself, even through data: what data alone give (a total, a mean) is computed in a data { } block, or here where the dialect is openbugs.", "possible directed cycle involving %s", name)
}
