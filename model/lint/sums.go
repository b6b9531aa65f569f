package lint

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// group is one or more nodes with flat priors that may be moved together: a scalar, the elements of a relation, a mean with its normal children.
type group struct {
	t     *model.Template
	name  string
	prior []int32 // the nodes with flat priors
	moved []int32 // these, and what moves with them
}

// mostGroups bounds the pairs that are looked at.
const mostGroups = 40

// groups finds what may be moved.
func (c *checker) groups() (all []group) {
	for _, t := range c.m.Templates {
		if t.Stoch == nil {
			continue
		}
		var g group
		for i := range t.Rows {
			cell := t.Cells(i)[0]
			if of, _ := c.root(cell); of != nil && unbounded(t) && c.vague(t, i) {
				g.prior = append(g.prior, cell)
			}
		}
		if g.prior == nil {
			continue
		}
		g.t, g.name, g.moved = t, c.m.CellName(g.prior[0]), g.prior
		if len(g.prior) > 1 {
			g.name = arrayOf(g.name)
		}
		all = append(all, g)
		if children := c.children(g.prior); children != nil && len(g.prior) == 1 {
			g.moved = append(slices.Clone(g.prior), children...)
			g.name += " and " + arrayOf(c.m.CellName(children[0]))
			all = append(all, g)
		}
	}
	return all
}

func arrayOf(element string) string {
	for k, b := range []byte(element) {
		if b == '[' {
			return element[:k] + "[]"
		}
	}
	return element
}

// children are the sampled normal nodes whose mean is one of the nodes.
func (c *checker) children(of []int32) (all []int32) {
	for _, cell := range of {
		for _, g := range c.m.Children(cell) {
			t := c.m.Templates[g.T]
			if t.Stoch == nil || t.Stoch.Name != "dnorm" || t.Stoch.Truncated() {
				continue
			}
			for i := int(g.Lo); i < int(g.Hi); i++ {
				if to := t.Cells(i)[0]; t.Operands(i)[0] == cell && c.m.Kinds[to] == model.Unobserved {
					all = append(all, to)
				}
			}
		}
	}
	return all
}

// sums finds two groups of which one may rise as the other falls, and no density but their flat priors changes: data see only their sum.
func (c *checker) sums() {
	all := c.groups()
	if len(all) > mostGroups {
		return
	}
	for k, v := range all {
		for _, u := range all[:k] {
			if u.t == v.t || shared(u.moved, v.moved) {
				continue
			}
			if c.onlySum(u, v) {
				c.add(Unidentified, v.t, v.name, "Leave one of them out, fix it at 0, or give one a prior that says how large it may be; the sum can be recorded instead.",
					"data see only the sum of %s and %s, and both have flat priors: neither is known by itself", u.name, v.name)
			}
		}
	}
}

func shared(a, b []int32) bool {
	in := map[int32]bool{}
	for _, cell := range a {
		in[cell] = true
	}
	return slices.ContainsFunc(b, func(cell int32) bool { return in[cell] })
}

func (c *checker) onlySum(u, v group) bool {
	both := slices.Concat(u.moved, v.moved)
	b := c.m.Blanket(both)
	own := map[int32]bool{}
	for _, cell := range slices.Concat(u.prior, v.prior) {
		own[cell] = true
	}
	var rows []int32
	for _, g := range b.Stoch {
		for i := g.Lo; i < g.Hi; i++ {
			row := c.m.Templates[g.T].First + i
			if !own[c.m.Templates[g.T].Cells(int(i))[0]] {
				rows = append(rows, row)
			}
		}
	}
	if c.work -= 4 * len(rows); c.work < 0 || len(rows) == 0 {
		return false
	}
	was := make([]float64, len(both))
	for k, cell := range both {
		was[k] = c.s.V[cell]
	}
	shift := func(x, y float64) []float64 {
		for k, cell := range both {
			d := x
			if k >= len(u.moved) {
				d = y
			}
			c.s.V[cell] = was[k] + d
		}
		c.s.Run(b.Det)
		return c.densities(rows)
	}
	base, one, opposite, back := shift(0, 0), shift(0.75, 0), shift(0.75, -0.75), shift(-1.5, 1.5)
	shift(0, 0)
	changes := false
	for k := range rows {
		tiny := 1e-8 * (1 + math.Abs(base[k]))
		if !(math.Abs(opposite[k]-base[k]) < tiny && math.Abs(back[k]-base[k]) < tiny) {
			return false
		}
		changes = changes || math.Abs(one[k]-base[k]) > tiny
	}
	return changes
}
