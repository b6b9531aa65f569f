package bugs

import (
	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
)

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
