package bugs

import (
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
)

// eachInstance runs a relation's loops over their ranges; false where a range
// leans on what is not known yet.
func (c *compiler) eachInstance(r *relation, f func(env []int32)) bool {
	c.envNames = c.envNames[:0]
	for _, l := range r.loops {
		c.envNames = append(c.envNames, l.name)
	}
	env := make([]int32, len(r.loops))
	step := func(k int, i int32) {
		if c.turns++; c.turns > c.limits.steps {
			c.fail(r.loops[0].rng.pos, enlarge, "the loops run more than %d times", c.limits.steps)
		}
		c.count(r.loops[0].rng.pos, 1)
		env[k] = i
	}
	var run func(k int) bool
	run = func(k int) bool {
		if k == len(r.loops) {
			f(env)
			return true
		}
		rng := r.loops[k].rng
		if rng.kind == rangeNode {
			lo, ok1 := c.fixedInt(rng.args[0], env[:k], 0)
			hi, ok2 := c.fixedInt(rng.args[1], env[:k], 0)
			if !ok1 || !ok2 {
				return false
			}
			if hi >= lo && (hi > math.MaxInt32 || lo < math.MinInt32 || hi-lo >= c.limits.steps) {
				c.fail(rng.pos, enlarge, "the loop over %s runs from %d to %d: more than %d times", r.loops[k].name, lo, hi, c.limits.steps)
			}
			for i := lo; i <= hi; i++ {
				step(k, int32(i))
				if !run(k + 1) {
					return false
				}
			}
			return true
		}
		x, ok := c.fixedVector(rng, env[:k], 0)
		if !ok {
			return false
		}
		for _, v := range x {
			if v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
				c.fail(rng.pos, fractionHint, "the loop over %s meets %v in %s, not a whole number", r.loops[k].name, v, rng.src)
			}
			step(k, int32(v))
			if !run(k + 1) {
				return false
			}
		}
		return true
	}
	return run(0)
}

// scan finds the shape of every array that neither data nor var declare: the
// greatest subscripts on left sides, or the shape of the right side.
func (c *compiler) scan() {
	c.turns = 0
	todo := append([]*relation(nil), c.rels...)
	for len(todo) > 0 {
		var again []*relation
		for _, r := range todo {
			if !c.scanRelation(r) {
				again = append(again, r)
			}
		}
		if !c.fixShapes(again) && len(again) == len(todo) {
			c.stuck(again)
		}
		todo = again
	}
	c.fixShapes(nil)
	read := c.readArrays()
	for _, a := range c.order {
		switch {
		case a.known:
		case read[a]:
			c.undefined(a)
		default: // only loops that do not run mention it
			c.setDims(a, []int{0})
		}
	}
}

// readArrays are those that relations mention whose loops run.
func (c *compiler) readArrays() map[*array]bool {
	read := map[*array]bool{}
	var see func(nodes ...*node)
	see = func(nodes ...*node) {
		for _, n := range nodes {
			if n != nil {
				if n.kind == varNode {
					read[n.arr] = true
				}
				see(n.args...)
			}
		}
	}
	for _, r := range c.rels {
		if r.live {
			see(r.expr, r.lo, r.hi, r.lhs)
			see(r.args...)
		}
	}
	return read
}

// fixShapes fixes the shapes of arrays of which no relation is left to scan.
func (c *compiler) fixShapes(left []*relation) bool {
	open := map[*array]bool{}
	for _, r := range left {
		open[r.lhs.arr] = true
	}
	any := false
	for _, a := range c.order {
		if !a.known && a.grown != nil && !open[a] {
			c.setDims(a, a.grown)
			any = true
		}
	}
	return any
}

func (c *compiler) scanRelation(r *relation) bool {
	a := r.lhs.arr
	if a.known {
		return c.eachInstance(r, func([]int32) { r.live = true })
	}
	if !r.lhs.hasIndex {
		r.live = true
		dims, ok := c.rightShape(r)
		if !ok {
			return false
		}
		c.checkCells(r.lhs.pos, a.name, dims)
		c.setDims(a, dims)
		return true
	}
	good := true
	ok := c.eachInstance(r, func(env []int32) {
		r.live = true
		good = good && c.grow(r, a, env)
	})
	return ok && good
}

// grow widens an array to hold the left side at one instance.
func (c *compiler) grow(r *relation, a *array, env []int32) bool {
	n := len(r.lhs.args)
	if a.grown == nil {
		a.grown = make([]int, n)
	}
	if len(a.grown) != n {
		c.fail(r.lhs.pos, "An array has one number of subscripts: write as many everywhere, or give one of the two another name.", "%s is defined with %s here and with %d elsewhere", a.name, plural(n, "subscript"), len(a.grown))
	}
	for k, arg := range r.lhs.args {
		if arg == nil {
			dims, ok := c.rightShape(r)
			if !ok {
				return false
			}
			j := 0
			for i := range k {
				if r.lhs.args[i] == nil || !r.lhs.args[i].single() {
					j++
				}
			}
			if j >= len(dims) {
				c.fail(r.lhs.pos, "Declare its dimensions in var.", "the extent of %s is not known", r.lhs.src)
			}
			a.grown[k] = max(a.grown[k], dims[j])
			continue
		}
		top := 0
		if arg.kind == counterNode {
			top = int(env[arg.slot])
		} else {
			x, ok := c.fixedVector(arg, env, 0)
			if !ok {
				return false
			}
			for _, v := range x {
				if v != math.Trunc(v) {
					c.fail(arg.pos, fractionHint, "subscript %s of %s is %v, not a whole number%s", arg.src, a.name, v, c.where(env))
				}
				top = max(top, int(min(v, math.MaxInt32)))
				if v < 1 {
					c.fail(arg.pos, belowHint, "subscript %s of %s is %v, below 1%s", arg.src, a.name, v, c.where(env))
				}
			}
		}
		if top < 1 && arg.kind == counterNode {
			c.fail(arg.pos, belowHint, "subscript %s of %s is %v, below 1%s", arg.src, a.name, top, c.where(env))
		}
		a.grown[k] = max(a.grown[k], top)
	}
	c.checkCells(r.lhs.pos, a.name, a.grown)
	return true
}

// rightShape is the shape of the right side of a relation whose left side does
// not tell.
func (c *compiler) rightShape(r *relation) ([]int, bool) {
	env := make([]int32, len(r.loops))
	for i := range env {
		env[i] = 1
	}
	if !r.ast.Stochastic {
		return c.shape(r.expr, env)
	}
	if _, ok := dist.Lookup(r.ast.Dist.Name); ok || observables[r.ast.Dist.Name] != "" {
		return nil, true
	}
	m, ok := dist.LookupMulti(r.ast.Dist.Name)
	if !ok {
		return nil, true // reported when the relation is compiled
	}
	pdims := make([][]int, len(r.args))
	for i, a := range r.args {
		d, ok := c.shape(a, env)
		if !ok {
			return nil, false
		}
		pdims[i] = dimsOrOne(d)
	}
	if len(pdims) != len(m.Params) {
		return nil, true
	}
	dims, err := m.Dims(pdims)
	if err != nil {
		c.fail(r.ast.Dist.Pos, multiHint(m), "%s: %v", r.ast.Dist.Name, err)
	}
	return dims, true
}

// shape is the shape of an expression, as far as arrays are known.
func (c *compiler) shape(n *node, env []int32) ([]int, bool) {
	switch n.kind {
	case numNode, counterNode:
		return nil, true
	case rangeNode:
		x, ok := c.fixedVector(n, env, 0)
		return []int{len(x)}, ok
	case varNode:
		return c.varShape(n, env)
	case opNode:
		for _, a := range n.args {
			d, ok := c.shape(a, env)
			if !ok || len(d) > 0 {
				return d, ok
			}
		}
		return nil, true
	case matmulNode:
		l, ok1 := c.shape(n.args[0], env)
		r, ok2 := c.shape(n.args[1], env)
		if !ok1 || !ok2 {
			return nil, false
		}
		rows, _, cols, ok := matmulDims(l, r)
		if !ok {
			c.fail(n.pos, matmulHint, "%s multiplies %s by %s", n.src, timesText(l), timesText(r))
		}
		return matmulShape(l, r, rows, cols), true
	}
	return c.callShape(n, env)
}

func (c *compiler) varShape(n *node, env []int32) ([]int, bool) {
	if !n.arr.known {
		return nil, false
	}
	if !n.hasIndex {
		return n.arr.dims, true
	}
	var dims []int
	for k, a := range n.args {
		switch {
		case a == nil && k < len(n.arr.dims):
			dims = append(dims, n.arr.dims[k])
		case a == nil:
		default:
			d, ok := c.shape(a, env)
			if !ok {
				return nil, false
			}
			dims = append(dims, d...)
		}
	}
	return dims, true
}

func (c *compiler) callShape(n *node, env []int32) ([]int, bool) {
	switch n.fn.kind {
	case fnBlock:
		d, ok := c.shape(n.args[0], env)
		if len(d) > 1 && !n.fn.ofMatrix() {
			return []int{size(d)}, ok
		}
		return d, ok
	case fnDensity:
		if !n.fn.byElement() {
			return nil, true
		}
		for _, a := range n.args {
			if d, ok := c.shape(a, env); !ok || size(d) > 1 {
				return d, ok
			}
		}
		return nil, true
	case fnTranspose:
		d, ok := c.shape(n.args[0], env)
		if len(d) == 1 {
			return []int{1, d[0]}, ok
		}
		if len(d) == 2 {
			return []int{d[1], d[0]}, ok
		}
		c.matrix(n, d)
		return d, ok
	case fnDim:
		d, ok := c.shape(n.args[0], env)
		return []int{max(1, len(d))}, ok
	case fnCombine:
		total := 0
		for _, a := range n.args {
			d, ok := c.shape(a, env)
			if !ok {
				return nil, false
			}
			total += size(d)
		}
		return []int{total}, true
	case fnRep:
		d, ok1 := c.shape(n.args[0], env)
		if d, ok := c.shape(n.args[1], env); ok && len(d) > 0 {
			return c.repEachShape(n, env)
		}
		times, ok2 := c.fixedInt(n.args[1], env, 0)
		k := 1
		for _, x := range d {
			k *= x
		}
		if ok2 {
			c.checkTimes(n, float64(times), env)
		}
		if ok1 && ok2 && k > 0 && times > c.limits.items/k {
			c.fail(n.args[1].pos, "Take it apart, or loop.", "%s repeats %d times; at most %d numbers fit into an expression", n.src, times, c.limits.items)
		}
		return []int{k * times}, ok1 && ok2
	case fnCAR:
		if n.fn.name == "car.eigenvalues" {
			return c.shape(n.args[2], env)
		}
	}
	return nil, true
}

// repEachShape is that of rep with a number of times for each element.
func (c *compiler) repEachShape(n *node, env []int32) ([]int, bool) {
	times, ok := c.fixedVector(n.args[1], env, 0)
	total := 0.0
	for _, t := range times {
		c.checkTimes(n, t, env)
		total += t
	}
	if total > float64(c.limits.items) {
		c.fail(n.args[1].pos, "Take it apart, or loop.", "%s repeats %v times; at most %d numbers fit into an expression", n.src, total, c.limits.items)
	}
	return []int{int(total)}, ok
}

// stuck reports relations whose ranges or shapes never became known.
func (c *compiler) stuck(rels []*relation) {
	for _, r := range rels {
		for _, l := range r.loops {
			if l.cond != nil {
				c.undecided(l)
			}
			if a := naIn(l.rng); a != nil {
				c.fail(l.rng.pos, "Give it a value.", "cannot evaluate the range %s of counter %s: %s is NA in %s", l.rng.src, l.name, firstNA(a), a.data.File)
			}
			if a := c.unknownIn(l.rng); a != nil {
				if len(a.rels) == 0 {
					c.undefined(a)
				}
				c.fail(l.rng.pos, "Give "+a.name+" in the data, or define it outside loops from data alone.", "cannot evaluate the range %s of counter %s: %s has no fixed value", l.rng.src, l.name, a.name)
			}
		}
	}
	c.shapeCycle(rels)
	r := rels[0]
	for _, k := range r.lhs.args {
		if a := c.unknownIn(k); a != nil && a != r.lhs.arr {
			if len(a.rels) == 0 {
				c.undefined(a)
			}
			c.fail(r.lhs.pos, "Subscripts on the left of a relation must be fixed.", "cannot evaluate the subscripts of %s: %s has no fixed value", r.lhs.src, a.name)
		}
	}
	for _, a := range r.args {
		if u := c.unknownIn(a); u != nil && len(u.rels) == 0 && !u.known {
			c.undefined(u)
		}
	}
	if r.expr != nil {
		if u := c.unknownIn(r.expr); u != nil && len(u.rels) == 0 && !u.known {
			c.undefined(u)
		}
	}
	c.fail(r.lhs.pos, "Declare its dimensions: var "+r.lhs.arr.name+"[…].", "the dimensions of %s are not known", r.lhs.arr.name)
}

// undecided reports a condition of if that has no fixed value.
func (c *compiler) undecided(l *loopVar) {
	const hint = "Data, loop counters and what is computed from them outside loops decide it; where it changes while sampling, use ifelse(condition, a, b) or an index."
	a := naIn(l.rng)
	if a == nil {
		a = c.unknownIn(l.rng)
	}
	if a == nil {
		return
	}
	if len(a.rels) == 0 && a.data == nil {
		c.undefined(a)
	}
	c.fail(l.cond.Position(), hint, "the condition %s of if is not decided when the model is built: %s has no fixed value", l.cond, a.name)
}

// shapeCycle reports relations whose shapes wait for one another.
func (c *compiler) shapeCycle(rels []*relation) {
	waits := map[*array]*relation{}
	for _, r := range rels {
		if !r.lhs.arr.known {
			waits[r.lhs.arr] = r
		}
	}
	for _, first := range rels {
		var names []string
		seen := map[*array]bool{}
		for r := waits[first.lhs.arr]; r != nil; {
			a := r.lhs.arr
			names = append(names, a.name)
			if seen[a] {
				c.fail(r.lhs.pos, "A node cannot depend on itself, directly or through others. If only the shapes do, declare them: var "+a.name+"[…].",
					"possible directed cycle involving %s", strings.Join(names, " <- "))
			}
			seen[a] = true
			next := (*array)(nil)
			for _, e := range append([]*node{r.expr}, r.args...) {
				if u := unshaped(e); u != nil {
					next = u
					break
				}
			}
			r = waits[next]
		}
	}
}

// unshaped finds a variable whose shape is not known.
func unshaped(n *node) *array {
	if n == nil {
		return nil
	}
	if n.kind == varNode && !n.arr.known {
		return n.arr
	}
	for _, a := range n.args {
		if u := unshaped(a); u != nil {
			return u
		}
	}
	return nil
}

// naIn finds a variable that the data leave without a value.
// firstNA names the first element that is missing.
func firstNA(a *array) string {
	el := model.Array{Name: a.name, Dims: a.dims}
	return el.ElementName(slices.IndexFunc(a.data.Data, math.IsNaN))
}

func naIn(n *node) *array {
	if n == nil {
		return nil
	}
	if n.kind == varNode && n.arr.data != nil && len(n.arr.rels) == 0 && anyNaN(n.arr.data.Data) {
		return n.arr
	}
	for _, a := range n.args {
		if u := naIn(a); u != nil {
			return u
		}
	}
	return nil
}

func (c *compiler) unknownIn(n *node) *array {
	if n == nil {
		return nil
	}
	if n.kind == varNode && (n.arr.data == nil || !n.arr.known) {
		return n.arr
	}
	for _, a := range n.args {
		if u := c.unknownIn(a); u != nil {
			return u
		}
	}
	return nil
}

func (c *compiler) undefined(a *array) {
	if len(a.rels) > 0 {
		c.fail(a.rels[0].lhs.pos, "Look at the ranges of the loops.", "no element of %s is ever defined: the loops around it do not run", a.name)
	}
	var names []string
	for _, o := range c.order {
		if o != a && (o.known || len(o.rels) > 0) {
			names = append(names, o.name)
		}
	}
	for n := range c.values {
		if !Hidden(n) {
			names = append(names, n)
		}
	}
	hint := constantHint(a.name)
	if hint == "" {
		hint = c.counterHint(a.name)
	}
	if hint == "" {
		hint = suggest(a.name, names)
	}
	if hint == "" {
		hint = "Give it in the data, or define it on the left of a relation."
	}
	c.fail(a.pos, hint, "unknown variable %s: neither in the data nor defined in the model", a.name)
}
