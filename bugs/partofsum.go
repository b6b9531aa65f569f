package bugs

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/model"
)

// A Dirichlet or multinomial vector of which some elements are observed is, by the laws of both, two nodes: what is observed with the sum of
// the rest, which is data too, has the same distribution with the parameters of the rest added up; and the rest, given that sum, has it
// with its own parameters.

// rounding is by how much the observed elements of a Dirichlet vector may pass their sum: data files are rounded.
const rounding = 1e-6

// nothing is what additions of shares leave of a sum that is 1.
const nothing = 1e-12

// shares is a Dirichlet node observed in part.
type shares struct {
	left float64 // what is left for the elements that are not observed
	rest []int   // these
}

// dirichletParts finds the Dirichlet nodes observed in part. Their elements that are not observed are computed: what is left, times a node of
// the compiler's own; a single one is data.
func (c *compiler) dirichletParts() {
	for _, r := range c.rels {
		if !r.ast.Stochastic || r.ast.Dist.Name != "ddirch" && r.ast.Dist.Name != "ddirich" {
			continue
		}
		c.eachDefined(r, func(k int) {
			var cells []int32
			own := true // no element has another definition
			c.lhsCells(r, func(cell int32) {
				cells = append(cells, cell)
				own = own && c.defInst[cell] == 0
			})
			rest, sum := c.missing(cells)
			if !own || len(rest) == 0 || len(rest) == len(cells) {
				return
			}
			left := 1 - sum
			if left < -rounding {
				c.fail(r.lhs.pos, "Correct the data, or divide them by their sum.", "the observed elements of %s add up to %v, above 1%s", r.lhs.src, sum, c.where(c.env))
			}
			if left < nothing {
				left = 0
			}
			if len(rest) == 1 || left == 0 {
				c.settle(cells, rest, left)
				return
			}
			inst := r.first + int32(k)
			for _, j := range rest {
				c.defInst[cells[j]], c.stochInst[cells[j]] = inst+1, 0
				c.b.SetKind(cells[j], model.Undefined)
			}
			if c.parts == nil {
				c.parts = map[int32]shares{}
			}
			c.parts[inst] = shares{left, rest}
		})
	}
}

// partOf is the instance of a Dirichlet node observed in part that has these cells; −1 without one.
func (c *compiler) partOf(cells []int32) int32 {
	for _, cell := range cells {
		if inst := c.defInst[cell] - 1; inst >= 0 {
			if _, ok := c.parts[inst]; ok {
				return inst
			}
		}
	}
	return -1
}

// missing are the elements that are not observed, and the sum of the others.
func (c *compiler) missing(cells []int32) (rest []int, sum float64) {
	for j, cell := range cells {
		if c.b.Kind(cell) == model.Observed {
			sum += c.b.Value(cell)
		} else {
			rest = append(rest, j)
		}
	}
	return rest, sum
}

// settle makes data of elements that are not observed: what is left is the first's.
func (c *compiler) settle(cells []int32, rest []int, left float64) {
	for _, j := range rest {
		c.b.Fix(cells[j], left)
		c.b.SetKind(cells[j], model.Observed)
		left = 0
	}
}

// emitShares is what a Dirichlet node observed in part leaves for each of the elements that are not.
func (c *compiler) emitShares(w *row, r *relation, inst int32) (v val, of []int32) {
	p := c.parts[inst]
	var cells []int32
	c.lhsCells(r, func(cell int32) { cells = append(cells, cell) })
	_, alpha := c.argument(r, 0, r.args[0])
	c.checkParts(r, alpha, cells)
	el := model.Array{Name: r.lhs.arr.name, Dims: r.lhs.arr.dims}
	name := fmt.Sprintf("%s%sshares", el.ElementName(int(cells[p.rest[0]]-r.lhs.arr.base)), hiddenMark)
	own := c.b.AddArray(name, []int{len(p.rest)})
	var items []item
	var in, out []int32
	for k, j := range p.rest {
		cell := own.Base + int32(k)
		c.b.SetKind(cell, model.Unobserved)
		in, out, of = append(in, alpha[j]), append(out, cell), append(of, cells[j])
		items = append(items, c.op(w, model.OpMul, fixedItem(p.left), item{cell: cell, reg: -1}))
	}
	c.addPart(r, "ddirch", [][]int{{len(in)}}, in, out)
	return vectorVal([]int{len(items)}, items), of
}

// checkParts holds the first parameter to the length of the node.
func (c *compiler) checkParts(r *relation, first, cells []int32) {
	_, mu, _ := c.distribution(r)
	pdims := [][]int{{len(first)}, {1}}
	c.checkShape(r, mu, pdims[:len(mu.Params)], len(cells))
}

// dirichletInPart compiles an instance observed in part.
func (c *compiler) dirichletInPart(r *relation, inst int32, cells []int32) {
	c.logical(inst)
	p := c.parts[inst]
	_, alpha := c.argument(r, 0, r.args[0])
	in, values := c.observedParts(r, alpha, cells, p.rest)
	c.addPart(r, "ddirch", [][]int{{len(in)}}, in, c.asData(append(values, p.left)))
}

// multinomialInPart compiles an instance observed in part.
func (c *compiler) multinomialInPart(r *relation, cells []int32) (whole bool) {
	_, pi := c.argument(r, 0, r.args[0])
	_, k := c.argument(r, 1, r.args[1])
	c.checkParts(r, pi, cells)
	if kind := c.b.Kind(k[0]); len(k) != 1 || kind != model.Constant && kind != model.Observed {
		c.fail(r.args[1].pos, "Give it in the data; where it is sampled, write the counts as dbin or dpois nodes.",
			"%s is observed in part, and its number of trials %s is not data%s", r.lhs.src, r.args[1].src, c.where(c.env))
	}
	rest, sum := c.missing(cells)
	left := c.b.Value(k[0]) - sum
	if left < 0 {
		c.fail(r.lhs.pos, "Correct the data.", "the observed elements of %s add up to %v, above the number of trials %v%s", r.lhs.src, sum, c.b.Value(k[0]), c.where(c.env))
	}
	if len(rest) == 1 || left == 0 {
		c.settle(cells, rest, left)
		return true
	}
	var in, out []int32
	for _, j := range rest {
		in, out = append(in, pi[j]), append(out, cells[j])
	}
	c.addPart(r, "dmulti", [][]int{{len(in)}, {1}}, append(in, c.b.Const(left)), out)
	in, values := c.observedParts(r, pi, cells, rest)
	c.addPart(r, "dmulti", [][]int{{len(in)}, {1}}, append(in, k[0]), c.asData(append(values, left)))
	return false
}

// observedParts are the parameters of what is observed, and the sum of those of the rest; and the data, which count in the node that these are for.
func (c *compiler) observedParts(r *relation, param, cells []int32, rest []int) (in []int32, values []float64) {
	w := c.newRow()
	defer c.release(w)
	var others []item
	for j, cell := range cells {
		if len(rest) > 0 && rest[0] == j {
			others, rest = append(others, c.itemOf(param[j])), rest[1:]
			continue
		}
		in, values = append(in, param[j]), append(values, c.b.Value(cell))
		c.b.SetKind(cell, model.Constant)
	}
	sum := c.nary(w, model.OpSum, others, nil)[0]
	if sum.reg == -1 {
		return append(in, c.cellOf(sum)), values
	}
	made := []int32{c.b.NewCell()}
	c.addLogical(&r.arg[0], w, []item{sum}, made, c.place(r))
	return append(in, c.canonical(made[0])), values
}

// itemOf is the number in a cell.
func (c *compiler) itemOf(cell int32) item {
	if k := c.b.Kind(cell); k == model.Constant || k == model.Observed {
		return item{fixed: true, x: c.b.Value(cell), cell: cell, reg: -1}
	}
	return item{cell: cell, reg: -1}
}

// asData gives cells to observed values.
func (c *compiler) asData(values []float64) (cells []int32) {
	for _, x := range values {
		cell := c.b.NewCell()
		c.b.Fix(cell, x)
		c.b.SetKind(cell, model.Observed)
		cells = append(cells, cell)
	}
	return cells
}

// addPart adds a node of a part of a relation's.
func (c *compiler) addPart(r *relation, name string, pdims [][]int, in, out []int32) {
	for k := len(r.part) - 1; k >= 0; k-- {
		if t := c.b.Template(r.part[k].tmpl); t.NIn == len(in) && t.NOut == len(out) && sameShapes(t.Stoch.PDims, pdims) {
			c.b.AddRow(r.part[k].tmpl, in, nil, out)
			return
		}
	}
	ti := c.b.AddTemplate(&model.Template{Place: c.place(r), NIn: len(in), NOut: len(out), Stoch: model.NewStoch(name, pdims, false, false)})
	r.part = append(r.part, entry{tmpl: ti})
	c.b.AddRow(ti, in, nil, out)
}
