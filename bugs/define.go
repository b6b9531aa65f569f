package bugs

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/model"
)

// allocate gives arrays their cells and writes the data into them.
func (c *compiler) allocate() {
	total := 0
	for _, a := range c.order {
		if total += a.size(); total > c.limits.cells {
			c.fail(a.pos, "", "with %s the arrays have %d elements; at most %d fit", a.name, total, c.limits.cells)
		}
		a.base = c.b.AddArray(a.name, a.dims).Base
		if a.data != nil {
			c.fixData(a)
		}
	}
	c.defInst = make([]int32, c.cells())
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

func (c *compiler) cells() int {
	n := 0
	for _, a := range c.order {
		n = max(n, int(a.base)+a.size())
	}
	return n
}

// define walks all instances, notes which defines which cell, and tells
// observed from unobserved nodes.
func (c *compiler) define() {
	for _, r := range c.rels {
		r.first = c.nInst
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
			c.fail(r.ast.Pos, "", "the model has more than %d nodes", c.limits.cells)
		}
	}
	c.state = make([]uint8, c.nInst)
}

func (c *compiler) defineAt(r *relation, inst int32) {
	seen, missing := 0, 0
	c.lhsCells(r, func(cell int32) {
		k := c.b.Kind(cell)
		if r.ast.Stochastic {
			c.defineStochastic(r, cell, k)
			if c.b.Kind(cell) == model.Observed {
				seen++
			} else {
				missing++
			}
			return
		}
		if c.defInst[cell] != 0 {
			c.redefined(r, cell)
		}
		if k == model.Unobserved {
			c.b.SetKind(cell, model.Hole)
		}
		c.defInst[cell] = inst + 1
	})
	if seen > 0 && missing > 0 {
		c.fail(r.lhs.pos, "Observe all elements of a multivariate node or none; or split it.", "%s is partly observed and partly missing%s", r.lhs.src, c.where(c.env))
	}
}

func (c *compiler) defineStochastic(r *relation, cell int32, k model.Kind) {
	switch k {
	case model.Fixed:
		c.b.SetKind(cell, model.Observed)
	case model.Hole:
		if c.defInst[cell] != 0 {
			// OpenBUGS's second definition: a logical node of data alone
			// is the observation of a stochastic one.
			return
		}
		c.b.SetKind(cell, model.Unobserved)
	default:
		c.redefined(r, cell)
	}
}

func (c *compiler) redefined(r *relation, cell int32) {
	a := r.lhs.arr
	el := model.Array{Name: a.name, Dims: a.dims}
	other := ""
	for _, o := range a.rels {
		if o != r {
			other = " The other definition is in line " + itoa(o.ast.Pos.Line) + "."
			break
		}
	}
	c.fail(r.lhs.pos, "Every element is defined once."+other, "attempt to redefine node %s%s", el.ElementName(int(cell-a.base)), c.where(c.env))
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
	c.checkRank(r.lhs)
	off, simple := a.base, true
	for k, arg := range r.lhs.args {
		if arg == nil || arg.kind == rangeNode || arg.kind == varNode {
			simple = false
			break
		}
		i, ok := c.fixedInt(arg, c.env, 0)
		if !ok {
			simple = false
			break
		}
		if i < 1 || i > a.dims[k] {
			c.subscript(r.lhs, arg, k, float64(i), c.env)
		}
		off += int32(i-1) * a.stride[k]
	}
	if simple {
		f(off)
		return
	}
	idx, ok := c.fixedSubscripts(r.lhs, c.env, 0)
	if !ok {
		c.stuck([]*relation{r})
	}
	eachCell(idx, a.stride, func(o int32) { f(a.base + o) })
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
