package bugs

import (
	"fmt"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/model"
)

// cellBytes is what an element of an array takes, with what the model's index
// keeps of it.
const cellBytes = 64

// allocate gives arrays their cells and writes the data into them: first those with relations, by whose cells defInst and stochInst go.
func (c *compiler) allocate() {
	total := 0
	for _, a := range c.order {
		c.room(a.pos, cellBytes*float64(total+a.size()), a.name)
		if total += a.size(); total > c.limits.cells {
			c.fail(a.pos, enlarge, "with %s the arrays have %d elements; at most %d fit", a.name, total, c.limits.cells)
		}
	}
	c.b.Reserve(total + total/16) // and for intermediate values
	for _, data := range []bool{false, true} {
		defined := 0
		for _, a := range c.order {
			if (len(a.rels) == 0) != data {
				continue
			}
			cells := c.b.AddArray(a.name, a.dims)
			cells.Prior = strings.Contains(a.name, priorMark)
			a.base = cells.Base
			defined = int(a.base) + a.size()
			if a.data != nil {
				c.fixData(a)
			}
		}
		if !data {
			c.defInst, c.stochInst = make([]int32, defined), make([]int32, defined)
		}
	}
}

func (c *compiler) fixData(a *array) {
	notNumbers := 0
	for i, x := range a.data.Data {
		switch {
		case a.data.Missing(i):
		case math.IsNaN(x):
			notNumbers++
		default:
			c.b.Fix(a.base+int32(i), x)
		}
	}
	if notNumbers > 0 {
		c.warnings = append(c.warnings, fmt.Sprintf("%s: NaN in %s is taken as NA, a missing value (%s)", a.data.File, a.name, plural(notNumbers, "element")))
	}
}

// define walks all instances, notes which defines which cell, and tells
// observed from unobserved nodes.
func (c *compiler) define() {
	c.turns = 0
	for k, r := range c.rels {
		r.first, c.begun = c.nInst, k+1
		ok := c.eachInstance(r, func(env []int32) {
			r.counters = append(r.counters, env...)
			r.n++
			c.env = env
			c.defineAt(r, c.nInst)
			c.nInst++
		})
		if !ok {
			c.stuck([]*relation{r})
		}
		if int(c.nInst) > c.limits.cells {
			c.fail(r.ast.Pos, enlarge, "the model has more than %d nodes", c.limits.cells)
		}
	}
	c.state = make([]uint8, c.nInst)
	c.checkTransformed()
	c.eliminate()
	c.dirichletParts()
}

func (c *compiler) defineAt(r *relation, inst int32) {
	logical := !r.ast.Stochastic
	c.lhsCells(r, func(cell int32) {
		by, other := c.defInst, c.stochInst
		if !logical {
			by, other = other, by
		}
		if by[cell] != 0 {
			c.redefined(r, cell, by[cell]-1, onceHint)
		}
		by[cell] = inst + 1
		if other[cell] != 0 {
			o, _ := c.instance(other[cell] - 1)
			if o.ast.Stochastic == r.ast.Stochastic { // a dinterval without data
				c.redefined(r, cell, other[cell]-1, onceHint)
			}
			r.transformed, o.transformed = true, true
		}
		c.b.SetKind(cell, c.kindOf(cell))
	})
	if logical || observables[r.ast.Dist.Name] == "" {
		return
	}
	// An observable function without data is a logical node, compiled as one
	// by whoever reads it first.
	c.lhsCells(r, func(cell int32) {
		if c.b.Kind(cell) == model.Unobserved {
			c.defInst[cell], c.stochInst[cell] = inst+1, 0
			c.b.SetKind(cell, model.Undefined)
		}
	})
}

// kindOf is what a cell is before the relations that define it are compiled: a
// hole where <- still has to give its value.
func (c *compiler) kindOf(cell int32) model.Kind {
	hasData := !math.IsNaN(c.b.Value(cell))
	switch {
	case hasData && c.stochInst[cell] != 0:
		return model.Observed
	case hasData:
		return model.Constant
	case c.defInst[cell] != 0:
		return model.Undefined
	}
	return model.Unobserved
}

// checkTransformed holds relations whose elements are defined by <- and by ~ to
// the transformation of data that OpenBUGS has: what <- makes from data is
// observed. A constant for a part of what ~ defines is no observation but a
// corner that its loop should have left out.
func (c *compiler) checkTransformed() {
	for _, r := range c.rels {
		if !r.ast.Stochastic || !r.transformed {
			continue
		}
		sampled, constant := false, int32(-1)
		c.eachDefined(r, func(int) {
			c.lhsCells(r, func(cell int32) {
				switch by := c.defInst[cell]; {
				case by == 0:
					sampled = sampled || c.b.Kind(cell) == model.Unobserved
				case constant < 0:
					if o, _ := c.instance(by - 1); !readsData(o.expr, map[*array]bool{}) {
						constant = cell
					}
				}
			})
		})
		if sampled && constant >= 0 {
			c.eachDefined(r, func(int) {
				c.lhsCells(r, func(cell int32) {
					if cell == constant {
						c.redefined(r, cell, c.defInst[cell]-1, leaveOutHint)
					}
				})
			})
		}
	}
}

// readsData tells whether an expression leans on data, directly or through
// other relations.
func readsData(n *node, seen map[*array]bool) bool {
	if n == nil {
		return false
	}
	if a := n.arr; n.kind == varNode && !seen[a] {
		seen[a] = true
		if a.data != nil {
			return true
		}
		for _, r := range a.rels {
			if readsData(r.expr, seen) {
				return true
			}
		}
	}
	for _, a := range n.args {
		if readsData(a, seen) {
			return true
		}
	}
	return false
}

// What an element with two definitions may be told.
const (
	onceHint      = "Every element is defined once."
	fromDataHint  = "A node may have <- beside ~ only where <- makes it from data alone: ~ then takes it as observed."
	leaveOutHint  = "A constant is no observation beside elements that are sampled: let the loop around ~ leave it out."
	otherLineText = " The other definition is in line %d."
)

// redefined reports an element that two relations define, at the second of them.
func (c *compiler) redefined(r *relation, cell, other int32, hint string) {
	o, _ := c.instance(other)
	at := c.where(c.env)
	if o != r && o.ast.Pos.Line > r.ast.Pos.Line {
		o, r, at = r, o, ""
	}
	if o == r && hint == onceHint {
		hint = onceHintOf(r)
	}
	if o != r {
		hint += fmt.Sprintf(otherLineText, o.ast.Pos.Line)
	}
	c.fail(r.lhs.pos, hint, "attempt to redefine node %s%s", c.elementName(r.lhs.arr, cell), at)
}

func (c *compiler) elementName(a *array, cell int32) string {
	el := model.Array{Name: a.name, Dims: a.dims}
	return el.ElementName(int(cell - a.base))
}

// lhsCells visits the cells a relation defines in the current environment.
func (c *compiler) lhsCells(r *relation, f func(cell int32)) {
	a := r.lhs.arr
	if !r.lhs.hasIndex {
		for i := range a.size() {
			f(a.base + int32(i))
		}
		return
	}
	if cell, ok := c.lhsCell(r); ok {
		f(cell)
		return
	}
	idx, ok := c.fixedSubscripts(r.lhs, c.env, 0)
	if !ok {
		c.stuck([]*relation{r})
	}
	eachCell(idx, a.stride, func(o int32) { f(a.base + o) })
}

// lhsCell is the cell that a relation of one element defines in the current environment.
func (c *compiler) lhsCell(r *relation) (cell int32, ok bool) {
	a := r.lhs.arr
	if !r.lhs.hasIndex {
		return a.base, a.size() == 1
	}
	c.checkRank(r.lhs)
	cell = a.base
	for k, arg := range r.lhs.args {
		if arg == nil || arg.kind == varNode || !arg.single() {
			return 0, false
		}
		i, ok := c.fixedInt(arg, c.env, 0)
		if !ok {
			return 0, false
		}
		if i < 1 || i > a.dims[k] {
			c.subscript(r.lhs, arg, k, float64(i), c.env)
		}
		cell += int32(i-1) * a.stride[k]
	}
	return cell, true
}

// appendLHS adds the cells that a relation defines to a list.
func (c *compiler) appendLHS(cells []int32, r *relation) []int32 {
	if cell, ok := c.lhsCell(r); ok {
		return append(cells, cell)
	}
	all := cells
	c.lhsCells(r, func(cell int32) { all = append(all, cell) })
	return all
}

// eachDefined goes through a relation's instances once more.
func (c *compiler) eachDefined(r *relation, f func(k int)) {
	c.envNames = c.envNames[:0]
	for _, l := range r.loops {
		c.envNames = append(c.envNames, l.name)
	}
	n := len(r.loops)
	for k := range r.n {
		c.env = r.counters[k*n : (k+1)*n]
		f(k)
	}
}
