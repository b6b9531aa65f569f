package bugs

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/model"
)

// partly compiles a multivariate node of which some elements are observed, and tells whether it turns out to be observed as a whole. A density of
// x − μ alone is that of μ − x at 0, which is observed then: the elements that are not
// observed are nodes of their own with flat priors, and what is known of conjugate
// priors of μ and of the precision holds as before.
func (c *compiler) partly(r *relation, cells []int32) (whole bool) {
	_, mu, name := c.distribution(r)
	if name == "dmulti" {
		return c.multinomialInPart(r, cells)
	}
	if name != "dmnorm" && name != "dmnorm.vcov" && name != "dmt" {
		if name == "dwish" {
			x := r.lhs.arr.name
			c.fail(r.lhs.pos, "Give the elements that are missing dflat() priors, those on the diagonal dhalfflat(), set "+x+"[2,1] <- "+x+"[1,2] and so on, and add zero ~ dloglik(logdensity.wish("+x+
				"[,], R[,], k)) with zero <- 0 in the data; plan.Override "+x+"=slice moves them.",
				"%s is partly observed and partly missing, and no kernel keeps what is left of a Wishart matrix positive definite%s", r.lhs.src, c.where(c.env))
		}
		c.fail(r.lhs.pos, "Observe all elements of the node or none, or split it; dmnorm, dmnorm.vcov, dmt, ddirch and dmulti may be observed in part.",
			"%s is partly observed and partly missing%s", r.lhs.src, c.where(c.env))
	}
	w := c.newRow()
	defer c.release(w)
	v := c.emit(w, r.args[0])
	pdims := [][]int{dimsOrOne(v.dims)}
	var rest []int32
	for i, a := range r.args[1:] {
		dims, in := c.argument(r, i+1, a)
		pdims, rest = append(pdims, dims), append(rest, in...)
	}
	c.checkShape(r, mu, pdims, len(cells))
	ins := append(c.residuals(w, r, v, cells), rest...)
	zeros := make([]int32, len(cells))
	for j, cell := range cells {
		zeros[j] = c.b.NewCell()
		c.b.Fix(zeros[j], 0)
		c.b.SetKind(zeros[j], model.Observed)
		if c.b.Kind(cell) == model.Observed {
			c.b.SetKind(cell, model.Constant)
			continue
		}
		c.addFlat(r, cell)
	}
	c.addPart(r, name, pdims, ins, zeros)
	return false
}

// residuals gives cells to the mean less the node.
func (c *compiler) residuals(w *row, r *relation, mean val, cells []int32) []int32 {
	out := make([]int32, len(cells))
	var items []item
	var made []int32
	for j, cell := range cells {
		x := item{cell: cell, reg: -1}
		if c.b.Kind(cell) == model.Observed {
			x.fixed, x.x = true, c.b.Value(cell)
		}
		it := c.op(w, model.OpSub, mean.at(j), x)
		if it.reg == -1 {
			out[j] = c.cellOf(it)
			continue
		}
		out[j] = c.b.NewCell()
		items, made = append(items, it), append(made, out[j])
	}
	if len(items) > 0 {
		c.addLogical(&r.arg[0], w, items, made, c.place(r))
		for j := range out {
			out[j] = c.canonical(out[j])
		}
	}
	return out
}

// addFlat gives an element of a node a flat prior.
func (c *compiler) addFlat(r *relation, cell int32) {
	if r.flat == nil {
		st := model.NewStoch("dflat", [][]int{{1}, {1}}, false, false)
		r.flat = &entry{tmpl: c.b.AddTemplate(&model.Template{Place: c.place(r), NIn: 2, NOut: 1, Stoch: st})}
	}
	c.b.AddRow(r.flat.tmpl, []int32{c.b.Const(math.Inf(-1)), c.b.Const(math.Inf(1))}, nil, []int32{cell})
}

// checkImproper refuses distributions that cannot be normalised where nothing observed
// makes them proper.
func (c *compiler) checkImproper(m *model.Model) {
	for _, t := range m.Templates {
		if t.Stoch == nil || t.Stoch.Name != "dflat" {
			continue
		}
		for i := range t.Rows {
			if cell := t.Cells(i)[0]; !m.Informed(t.First+int32(i)) && m.Kinds[cell] == model.Unobserved {
				c.fail(Pos{t.Place.Line, t.Place.Col}, "Give it a proper prior, such as dnorm(0, 1.0E-6), or leave it out.",
					"%s has a flat prior, and no data lie below it: there is no posterior to draw it from", m.CellName(cell))
			}
		}
	}
}
