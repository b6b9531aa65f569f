package plan

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// counts are unobserved Poisson or negative binomial counts, each the number of trials of binomial data and of nothing else: the abundances of
// N-mixtures (Royle 2004), of removals and of distance sampling. Given all other nodes they are independent, and sums over all their values are
// short: see [counting].
type counts struct {
	m     *model.Model
	nodes []latentCount
	cells []int32
	summedRows
	det []model.Seg // logical rows that do
}

// latentCount has the density C(n+r−1, n) pʳ (1−p)ⁿ, or λⁿ e^−λ / n!, and that of its data.
type latentCount struct {
	row, cell int32
	self      []model.Seg // its own row and those of the data
	rate      int32       // λ; −1 where it is negative binomial
	p, r      int32
	data      []thinned
}

// thinned is a binomial row: x successes of probability p.
type thinned struct{ x, p int32 }

// latentCounts finds them among nodes; nil where there are none. Those that not tells of are left out.
func latentCounts(m *model.Model, rows []int32, not func(density int32) bool) *counts {
	c := &counts{m: m}
	for _, row := range rows {
		n, ok := countOf(m, row)
		if !ok || anyDensity(m, []int32{row}, not) {
			continue
		}
		c.nodes, c.cells = append(c.nodes, n), append(c.cells, n.cell)
		c.rows = append(c.rows, rowNumbers(m, n.self)...)
	}
	if len(c.nodes) == 0 {
		return nil
	}
	slices.Sort(c.rows)
	c.det = m.Blanket(c.cells).Det
	return c
}

func countOf(m *model.Model, row int32) (latentCount, bool) {
	t, i := m.TemplateOf(row)
	in := t.Operands(i)
	n := latentCount{row: row, rate: -1}
	switch {
	case t.Stoch.Truncated():
		return n, false
	case t.Stoch.Name == "dpois":
		n.rate = in[0]
	case t.Stoch.Name == "dnegbin":
		n.p, n.r = in[0], in[1]
	default:
		return n, false
	}
	n.cell = t.Cells(i)[0]
	n.self = append(n.self, m.Seg(row))
	around := m.Blanket([]int32{n.cell})
	det := rowSet(m, around.Det)
	moved := func(c int32) bool { return c == n.cell || det[m.DefRow(c)] }
	for k := range rowsOf(m, around.Stoch) {
		if k.t.Stoch.Name != "dbin" || k.t.Stoch.Truncated() || k.in[1] != n.cell || moved(k.in[0]) || m.Kinds[k.out[0]] != model.Observed {
			return n, false
		}
		n.self = append(n.self, m.Seg(k.row()))
		n.data = append(n.data, thinned{k.out[0], k.in[0]})
	}
	return n, len(n.data) > 0
}

func (c *counts) nodeRows() (rows []int32) {
	for _, n := range c.nodes {
		rows = append(rows, n.row)
	}
	return rows
}

func (c *counts) logic() []model.Seg { return c.det }

// along makes what sums over them while other cells move.
func (c *counts) along(cells []int32) func() integral {
	var read []int32
	for _, n := range c.nodes {
		if n.rate >= 0 {
			read = append(read, n.rate)
		} else {
			read = append(read, n.p, n.r)
		}
		for _, d := range n.data {
			read = append(read, d.p)
		}
	}
	u := newUpstream(c.m, cells, c.det, read)
	return func() integral { return newCounting(c, u) }
}

// countedTogether makes nuts the kernel of the continuous nodes on which counts depend, with the counts summed out: one after the other, counts and their expectations and
// detection probabilities would move along a narrow ridge.
func countedTogether(p *planner, rows []int32) {
	c := latentCounts(p.Model, rows, func(int32) bool { return false })
	if c == nil {
		return
	}
	members := p.movers(c.rows)
	if len(members) > 0 && len(members) <= mostMembers {
		p.addNUTS(members, []summedOut{c}, "")
	}
}

// countable are the counts among rows that are summed out of the density of some continuous nodes, beside those of others.
func (p *planner) countable(members, rows []int32, others *chains) *counts {
	in := map[int32]bool{}
	for _, r := range members {
		in[r] = true
		for d := range densitiesOf(p.Model, r) {
			in[d] = true
		}
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r int32) bool { return !anyDensity(p.Model, []int32{r}, func(d int32) bool { return in[d] }) })
	return latentCounts(p.Model, rows, func(d int32) bool { return others != nil && others.has(d) })
}
