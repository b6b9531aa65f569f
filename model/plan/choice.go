package plan

import (
	"iter"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// trajectories gives nuts the nodes for which it pays: those that kernels without algebra of their own would move one after the other (adaptive, slice,
// elliptical-slice), where two or more of them depend on one another. With them go the nodes that
// their priors depend on, whatever kernel these have: an effect that moves while its scale stands still mixes as badly as one that moves alone.
// Nodes that do not depend on one another given the rest, even through others, go to separate kernels.
//
// Left as they are:
//   - nodes that an override names;
//   - a node by itself, for which an independence proposal costs two evaluations;
//   - nodes that lead to a step, which trajectories do not see coming ([model.Model.Steps]);
//   - nodes beside discrete ones that are sampled, with which scales change from step to step;
//   - nodes with conjugate children that are integrated out, and those beside them;
//   - nodes that share a density with a block, for which there are joint moves;
//   - groups with a random walk, or with truncated normal nodes, of sampled precision ([planner.stuck]), and of more than 1000 nodes.
func trajectories(p *planner, _ []int32) {
	c := newChoice(p)
	for _, rows := range c.groups() {
		p.giveNUTS(rows)
	}
}

// choice looks for nodes that go together.
type choice struct {
	*planner
	kernel map[int32]string // of each row, joint moves aside
	soft   map[int32]bool   // rows that nuts is to have
	with   map[int32]bool   // and those that go with them
	near   func(row int32) iter.Seq[int]
}

// withoutAlgebra are kernels that know nothing of a node but its density.
var withoutAlgebra = []string{"adaptive", "slice", "elliptical-slice"}

const mostNodes = 1000 // for which the metric learns directions ([hmc.LowRank]) and trajectories stay short

// exactAlone are kernels of single nodes that go with others that depend on them.
var exactAlone = []string{"conjugate-normal", "conjugate-gamma", "conjugate-beta", "conjugate-dirichlet", "conjugate-mnormal", "conjugate-wishart"}

func newChoice(p *planner) *choice {
	c := &choice{planner: p, kernel: map[int32]string{}, soft: map[int32]bool{}, with: map[int32]bool{}}
	bare := 0
	for _, it := range p.Items {
		if slices.Contains(withoutAlgebra, it.Kernel) {
			bare++
		}
		for _, r := range it.Rows {
			c.kernel[r] = it.Kernel
		}
	}
	if bare < 2 {
		return c
	}
	steps, mixed := p.Model.Steps(), p.mixed()
	takes := func(r int32) bool {
		return c.takes(r) && !stepped(p.Model, r, steps) && !p.besideDiscrete(r, mixed) && !c.besideCollapsed(r)
	}
	for _, r := range p.rows {
		if slices.Contains(withoutAlgebra, c.kernel[r]) && takes(r) {
			c.soft[r] = true
		}
	}
	for _, r := range p.rows {
		if c.soft[r] {
			c.takeAbove(r, steps)
		}
	}
	return c
}

// besideCollapsed tells whether a density depends on a node and on one that moves with its children integrated out.
func (c *choice) besideCollapsed(row int32) bool {
	t, i := c.Model.TemplateOf(row)
	for k := range rowsOf(c.Model, c.Model.Blanket(t.Cells(i)).Stoch) {
		if c.kernel[k.row()] == "collapsed" {
			return true
		}
	}
	return false
}

// stuck tells whether one of some nodes is normal with a precision that is sampled, and no effect of it in the sense of [hierarchical]: one of a random walk, whose mean is
// another node of its relation, or truncated. Such a precision mixes slowly beside its nodes in any form; joint moves with blocks integrate them out.
func (p *planner) stuck(rows []int32) bool {
	m := p.Model
	for _, r := range rows {
		t, i := m.TemplateOf(r)
		if t.Stoch.Name != "dnorm" || len(p.above(t.Operands(i)[1])) == 0 {
			continue
		}
		if t.Stoch.Truncated() || slices.ContainsFunc(p.above(t.Operands(i)[0]), func(up int32) bool { o, _ := m.TemplateOf(up); return o == t }) {
			return true
		}
	}
	return false
}

// above are the rows of the nodes that a cell depends on, itself or through logical rows.
func (p *planner) above(cell int32) (rows []int32) {
	m := p.Model
	ancestors(m, []int32{cell}, func(c int32) bool {
		if m.Kinds[c] == model.Unobserved {
			rows = append(rows, m.DefRow(c))
		}
		return m.Kinds[c] == model.Logical
	})
	return rows
}

// takes tells whether nuts can have a node.
func (c *choice) takes(row int32) bool { return c.asked[row] == nil && continuous(c.Model, row) }

// mixed tells of each cell whether it is a discrete node that is sampled or a logical function of such; nil where there are none.
func (p *planner) mixed() []bool {
	m := p.Model
	var cells []bool
	for _, r := range p.rows {
		if t, i := m.TemplateOf(r); t.Stoch.Scalar == nil && !continuous(m, r) || t.Stoch.Scalar != nil && t.Stoch.Scalar.Discrete {
			if cells == nil {
				cells = make([]bool, len(m.Init))
			}
			for _, c := range t.Cells(i) {
				cells[c] = true
			}
		}
	}
	if cells == nil {
		return nil
	}
	for _, r := range m.Topological() {
		t, i := m.TemplateOf(r)
		if t.Stoch != nil || !m.Live(r) {
			continue
		}
		any := false
		m.Parents(r, func(c int32) { any = any || cells[c] })
		for _, c := range t.Cells(i) {
			cells[c] = cells[c] || any
		}
	}
	return cells
}

// besideDiscrete tells whether a density depends on a node and on one that is mixed.
func (p *planner) besideDiscrete(row int32, mixed []bool) bool {
	if mixed == nil {
		return false
	}
	m := p.Model
	has := func(c int32) bool { return mixed[c] }
	t, i := m.TemplateOf(row)
	if slices.ContainsFunc(t.Operands(i), has) {
		return true
	}
	for k := range rowsOf(m, m.Blanket(t.Cells(i)).Stoch) {
		if slices.ContainsFunc(k.in, has) || slices.ContainsFunc(k.out, has) {
			return true
		}
	}
	return false
}

func stepped(m *model.Model, row int32, steps []bool) bool {
	t, i := m.TemplateOf(row)
	return slices.ContainsFunc(t.Cells(i), func(c int32) bool { return steps[c] })
}

// takeAbove takes the nodes in that a node's prior depends on.
func (c *choice) takeAbove(row int32, steps []bool) {
	m := c.Model
	ancestors(m, parents(m, row), func(cell int32) bool {
		if m.Kinds[cell] != model.Unobserved {
			return m.Kinds[cell] == model.Logical
		}
		up := m.DefRow(cell)
		if c.soft[up] || !slices.Contains(exactAlone, c.kernel[up]) || !c.takes(up) || stepped(m, up, steps) {
			return false
		}
		c.with[up] = true
		return true
	})
}

// groups are the sets of nodes that depend on one another, with two or more that no exact kernel moves. Rows are in the plan's order.
func (c *choice) groups() (out [][]int32) {
	if len(c.soft) < 2 {
		return nil
	}
	var rows []int32
	for _, r := range c.rows {
		if c.soft[r] || c.with[r] {
			rows = append(rows, r)
		}
	}
	together, softs := map[int][]int32{}, map[int]int{}
	root := c.connected(rows)
	var order []int
	for k, r := range rows {
		g := root(k)
		if together[g] == nil {
			order = append(order, g)
		}
		together[g] = append(together[g], r)
		if c.soft[r] {
			softs[g]++
		}
	}
	for _, g := range order {
		if n := len(together[g]); softs[g] >= 2 && n <= mostNodes && !c.stuck(together[g]) && !c.nearBlock(together[g]) && c.closed(together[g]) {
			out = append(out, together[g])
		}
	}
	return out
}

// closed tells whether no density joins nodes with a sampled one that is not among them. Where one does, trajectories move along a part of a ridge: theta and sigma of an ARMA
// model whose other coefficients are drawn one by one stay in a far part of the posterior, which slices leave at once.
func (c *choice) closed(rows []int32) bool {
	m, own, densities := c.Model, map[int32]bool{}, map[int32]bool{}
	for _, r := range rows {
		own[r] = true
		t, i := m.TemplateOf(r)
		densities[r] = true
		for k := range rowsOf(m, m.Blanket(t.Cells(i)).Stoch) {
			densities[k.row()] = true
		}
	}
	for _, r := range c.rows {
		if own[r] {
			continue
		}
		if densities[r] {
			return false
		}
		t, i := m.TemplateOf(r)
		for k := range rowsOf(m, m.Blanket(t.Cells(i)).Stoch) {
			if densities[k.row()] {
				return false
			}
		}
	}
	return true
}

// nearBlock tells whether nodes share a density with a member of a block that is not among them.
func (c *choice) nearBlock(rows []int32) bool {
	if len(c.blocks) == 0 {
		return false
	}
	if c.near == nil {
		c.near = c.nearBlocks()
	}
	for _, r := range rows {
		t, i := c.Model.TemplateOf(r)
		for k := range rowsOf(c.Model, c.Model.Blanket(t.Cells(i)).Stoch) {
			for b := range c.near(k.row()) {
				if !slices.Contains(rows, c.Items[b].Rows[0]) {
					return true
				}
			}
		}
	}
	return false
}

// connected gives nodes of which some density depends on both, or on others between them, the same number.
func (c *choice) connected(rows []int32) (root func(k int) int) {
	above := make([]int, len(rows))
	for k := range above {
		above[k] = k
	}
	root = func(k int) int {
		for above[k] != k {
			above[k] = above[above[k]]
			k = above[k]
		}
		return k
	}
	first := map[int32]int{} // node that a stochastic row was met with
	meet := func(row int32, k int) {
		if other, ok := first[row]; ok {
			above[root(k)] = root(other)
			return
		}
		first[row] = k
	}
	for k, r := range rows {
		meet(r, k)
		t, i := c.Model.TemplateOf(r)
		for child := range rowsOf(c.Model, c.Model.Blanket(t.Cells(i)).Stoch) {
			meet(child.row(), k)
		}
	}
	return root
}

// giveNUTS moves nodes from their kernels to one of trajectories.
func (p *planner) giveNUTS(rows []int32) {
	taken := map[int32]bool{}
	for _, r := range rows {
		taken[r] = true
	}
	p.Items = slices.DeleteFunc(p.Items, func(it Item) bool { return taken[it.Rows[0]] })
	p.apart = slices.DeleteFunc(p.apart, func(r int32) bool { return taken[r] })
	p.blocks = p.blocks[:0]
	for k, it := range p.Items {
		if it.Kernel == blockNormal || it.Kernel == blockGLM {
			p.blocks = append(p.blocks, k)
		}
	}
	block := newNUTSBlock(p.Model, rows, nil)
	p.add(Item{Kernel: nutsName, Rows: rows, Why: whyNUTS, make: func([]kernel) kernel { return block.forChain() }})
}

const whyNUTS = "they depend on one another, and no exact kernel moves all of them"
