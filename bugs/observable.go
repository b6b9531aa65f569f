package bugs

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
)

// observables are the functions that may stand after ~, by the function that each is
// where it is not observed.
var observables = map[string]string{"dinterval": "dinterval", "dround": "dround", "sum": "sum", "dsum": "sum"}

// elimination is an observed sum: one of its summands is what the others leave, and its
// density is a factor of its own.
type elimination struct {
	cell  int32 // the summand
	prior int32 // the instance that defines it
}

// holds tells whether a relation that is for data only, or for what is not data only,
// has this instance.
func (c *compiler) holds(r *relation) bool {
	switch {
	case r.given != nil:
		it := c.observedAt(r.given)
		return it.fixed && c.stochInst[it.cell] != 0
	case r.latent != nil:
		return !c.observedAt(r.latent).fixed
	}
	return true
}

// observedAt is the item of a left side.
func (c *compiler) observedAt(n *node) item {
	w := c.newRow()
	defer c.release(w)
	return c.emitScalar(w, n, "a relation with bounds or rounding")
}

// eliminate picks for each observed sum the summand that the others decide: a node with a
// distribution of its own and without bounds, in as few sums as there is, the last of them.
func (c *compiler) eliminate() {
	in := map[int32]int{}
	c.eachObservedSum(func(r *relation, inst int32) {
		for _, cell := range c.summands(r) {
			in[cell]++
		}
	})
	c.eachObservedSum(func(r *relation, inst int32) {
		best := int32(-1)
		own := map[int32]int{}
		cells := c.summands(r)
		for _, cell := range cells {
			own[cell]++
		}
		for _, cell := range cells {
			if own[cell] == 1 && c.movable(cell) && (best < 0 || in[cell] <= in[best]) {
				best = cell
			}
		}
		if best < 0 {
			c.fail(r.ast.Pos, "One of the summands has to be named by itself and have a distribution of one number after ~, without bounds and without data.",
				"the observed sum %s has no summand that the others could decide%s", r.lhs.src, c.where(c.env))
		}
		if c.eliminated == nil {
			c.eliminated = map[int32]elimination{}
		}
		c.eliminated[inst] = elimination{best, c.stochInst[best] - 1}
		c.defInst[best], c.stochInst[best] = inst+1, 0
		c.b.SetKind(best, model.Undefined)
	})
}

func (c *compiler) eachObservedSum(f func(r *relation, inst int32)) {
	for _, r := range c.rels {
		if !r.ast.Stochastic || observables[r.ast.Dist.Name] != "sum" {
			continue
		}
		c.eachDefined(r, func(k int) {
			c.lhsCells(r, func(cell int32) {
				if c.b.Kind(cell) == model.Observed {
					f(r, r.first+int32(k))
				}
			})
		})
	}
}

// summands are the cells that the arguments of a sum name.
func (c *compiler) summands(r *relation) (cells []int32) {
	for _, n := range r.args {
		if n.kind != varNode {
			continue
		}
		a := n.arr
		if !n.hasIndex {
			for i := range a.size() {
				cells = append(cells, a.base+int32(i))
			}
			continue
		}
		idx, ok := c.fixedSubscripts(n, c.env, 0)
		if !ok {
			continue
		}
		c.spend(n.pos, block(idx))
		eachCell(idx, a.stride, func(off int32) { cells = append(cells, a.base+off) })
	}
	return cells
}

// movable tells whether a cell is an unobserved node of one number, without bounds.
func (c *compiler) movable(cell int32) bool {
	if c.b.Kind(cell) != model.Unobserved || c.stochInst[cell] == 0 {
		return false
	}
	r, _ := c.instance(c.stochInst[cell] - 1)
	d := r.ast.Dist
	return d.Trunc == nil && slices.Contains(dist.Scalars(), scalarOf(d.Name))
}

func scalarOf(name string) *dist.Scalar {
	d, _ := dist.Lookup(name)
	return d
}

// emitRest is what an observed sum leaves for the summand in a cell.
func (c *compiler) emitRest(w *row, r *relation, cell int32) val {
	total := c.observedAt(r.lhs)
	c.b.SetKind(cell, model.Logical) // named in the sum, where it is left out
	var rest []item
	for _, a := range r.args {
		v := c.emit(w, a)
		c.count(a.pos, v.n())
		for j := range v.n() {
			if it := v.at(j); it.fixed || it.cell != cell {
				rest = append(rest, it)
			}
		}
	}
	c.b.SetKind(cell, model.Undefined)
	if len(rest) == 0 {
		return scalarVal(total)
	}
	return scalarVal(c.op(w, model.OpSub, total, c.nary(w, model.OpSum, rest, nil)[0]))
}

// eliminatedDensity is a cell with the log density of the summand that an observed sum
// leaves no choice.
func (c *compiler) eliminatedDensity(r *relation) int32 {
	y := c.observedAt(r.given)
	e := c.eliminated[c.stochInst[y.cell]-1]
	env, names := c.env, c.envNames
	defer func() { c.env, c.envNames = env, names }()
	of, k := c.instance(e.prior)
	n := len(of.loops)
	c.env, c.envNames = of.counters[k*n:(k+1)*n], loopNames(of)
	w := c.newRow()
	defer c.release(w)
	items := []item{c.cellItem(of.lhs, e.cell)}
	sizes := [][]int{{1}}
	sc, _, _ := c.distribution(of)
	for _, a := range of.args {
		v := c.emit(w, a)
		if !v.scalar() && sc.Name != "dcat" {
			c.fail(a.pos, "Scalar distributions are not vectorised: loop over the elements.", "%s wants a number, but %s has %d elements%s", of.ast.Dist.Name, a.src, v.n(), c.where(c.env))
		}
		sizes = append(sizes, dimsOrOne(v.dims))
		for j := range v.n() {
			items = append(items, v.at(j))
		}
	}
	fn := &model.DistFn{Kind: 'l', Name: "logdensity." + sc.Name[1:], PDims: sizes, Scalar: sc}
	it := c.nary(w, model.OpDist, items, fn)[0]
	if it.fixed {
		return c.b.Const(it.x)
	}
	cell := c.b.NewCell()
	c.addLogical(&r.arg[0], w, []item{it}, []int32{cell}, c.place(of))
	return c.canonical(cell)
}
