package plan

import "github.com/ergodic-mcmc/ergodic/model"

const (
	// manyLinked is the number of rows that depend on discrete nodes from which their densities are what an iteration costs. With fewer, what every iteration costs weighs as much.
	manyLinked = 500
	// What an entry of a row's table costs for its value and its derivatives, and a probability in a sum, in densities of a row (measured on
	// ../shared/bugs/users: bench/chains.txt).
	entryCost, sumCost = 3, 0.25
	// mostCost is that of the sums as a share of the densities of the rows that they replace: where these are many, and where they are few.
	mostCost, mostCostOfFew = 0.5, 1
	// mostCostOfPicks is that for nodes with latents of their own, or that pick more than a spread, and for histories ([planner.histories]): two entries for every row, none of them shared, and their sums. An effective draw
	// takes 0.03 to 0.6 of the processor time even so (bench/discrete.txt).
	mostCostOfPicks = 2*entryCost + 1
)

// summedTogether makes nuts the kernel of continuous nodes on which chains of discrete ones depend, with these summed out, where rows and histories
// are so much alike that a sum over all of them costs less than their density does once; a discrete node by itself is a chain of one. Such nodes mix badly beside the chains: each
// stands still while the others move. It comes before blocks, which would approximate such nodes, and is left where an override names one of the nodes.
func summedTogether(p *planner, rows []int32) {
	all := func(int32) bool { return true }
	c := chainsOf(p.Model, rows, all, true)
	if c == nil {
		return
	}
	members, of := p.movers(c.rows), len(c.nodeRows())
	if len(members) == 0 || len(members) > mostMembers {
		return
	}
	if c = p.summable(members, rows); c != nil && c.cost() <= p.mostCost(c, members, of) {
		p.addNUTS(members, []summedOut{c}, "")
	}
}

// mostCost is that with which sums are taken for the sake of some continuous nodes, over so many discrete nodes as there were before misfits were left out.
func (p *planner) mostCost(c *chains, members []int32, of int) float64 {
	if 2*len(p.gains(c, members)) > of || 2*p.histories(c) > of {
		return mostCostOfPicks * float64(c.linked)
	}
	if c.linked < manyLinked {
		return mostCostOfFew * float64(c.linked)
	}
	return mostCost * float64(c.linked)
}

// gains are the nodes by themselves that are summed out though nothing that depends on them is alike: those with latents ([planner.latents]), and, where they are many, those without
// nodes of their own that a density depends on in more than a detail ([chains.detail]): a structural zero, one of two regressions. Drawn given one another, such nodes and what they
// pick move slowly together, unless most data are of rows without them, as where covariates are missing, or effects of sampled precision know of data through them alone: these are much
// like their prior, whose scale trajectories follow worse than joint moves do.
func (p *planner) gains(c *chains, members []int32) map[int32]bool {
	nodes, others := p.latents(c, members)
	single := map[int32]bool{}
	for _, g := range c.sums.groups {
		if g.to-g.from == 1 {
			single[c.sums.seq[g.from]] = true
		}
	}
	if len(single) < manySingles || !p.heldByData(c, members) {
		return nodes
	}
	c.eachLink(func(row, v int32) {
		if n := c.nodes[v]; single[v] && !nodes[v] && !others[v] && row != n.row && n.size <= mostStates && !p.detail(c, row, v) {
			nodes[v] = true
		}
	})
	return nodes
}

// manyHistories is the least number of chains for which [planner.histories] are summed out.
const manyHistories = 8

// histories is the number of nodes in chains of two or more, such as the states of individuals or sites with covariates of their own, where more of those with data are known by a likelihood than by
// details ([chains.detail]), of which exact kernels draw the parameters. Drawn given the histories, probabilities of survival, movement or detection stand still with them. Few series
// cost trajectories more than they gain (bench/chains.txt).
func (p *planner) histories(c *chains) int {
	chained, held, details := map[int32]bool{}, map[int32]bool{}, map[int32]bool{}
	series := 0
	for _, g := range c.sums.groups {
		if g.to-g.from > 1 {
			series++
			for _, v := range c.sums.seq[g.from:g.to] {
				chained[v] = true
			}
		}
	}
	c.eachLink(func(row, v int32) {
		if t, i := c.m.TemplateOf(row); chained[v] && c.m.Kinds[t.Cells(i)[0]] == model.Observed {
			if p.detail(c, row, v) {
				details[v] = true
			} else {
				held[v] = true
			}
		}
	})
	if series < manyHistories || len(held) <= len(details) {
		return 0
	}
	return len(chained)
}

// heldByData tells whether half of the data that depend on some nodes, or more, depend on discrete nodes, and data depend on each effect.
func (p *planner) heldByData(c *chains, members []int32) bool {
	linked, all := 0, map[int32]bool{}
	for _, r := range members {
		held := false
		for d := range densitiesOf(c.m, r) {
			t, i := c.m.TemplateOf(d)
			if c.m.Kinds[t.Cells(i)[0]] != model.Observed {
				continue
			}
			held = true
			if !all[d] && c.has(d) {
				linked++
			}
			all[d] = true
		}
		if t, i := c.m.TemplateOf(r); !held && t.Stoch.Name == "dnorm" && len(p.above(t.Operands(i)[1])) > 0 {
			return false
		}
	}
	return 2*linked >= len(all)
}

// detail tells whether a row is normal, and a node picks its precision, or a mean that is one number for each of the node's values. A precision, such as that of outliers, is known well
// without the node. Means alone are drawn exactly given the nodes, and are held near data then: trajectories get lost where a component has none.
func (p *planner) detail(c *chains, row, v int32) bool {
	t, i := c.m.TemplateOf(row)
	if t.Stoch.Name != "dnorm" {
		return false
	}
	mean := t.Operands(i)[0]
	return !c.reach(v, t.Cells(i)[0]) && (!c.reach(v, mean) || len(p.above(mean)) <= 1+c.nodes[v].size)
}

// reach tells whether a cell depends on a node, itself or through logical rows.
func (c *chains) reach(node, cell int32) (found bool) {
	ancestors(c.m, []int32{cell}, func(x int32) bool {
		found = found || x == c.nodes[node].cell
		return c.m.Kinds[x] == model.Logical
	})
	return found
}

// latents are the nodes of few values with normal nodes of their own whose prior is free of them and has a sampled mean or precision: on such a latent rows depend that depend on the discrete node, and none that depend on another.
// An individual of a closed population is there or not, and has a probability of capture, or a covariate that nobody measured. Drawn one given the other, individuals that are not
// there hold the distribution of the latents of those that are. Others are nodes with any other members of their own: trajectories among these, such as centres of activity within
// fixed bounds, cost more than they gain.
func (p *planner) latents(c *chains, members []int32) (own, others map[int32]bool) {
	of := map[int32]int32{} // the node that a row depends on; −1 for several
	c.eachLink(func(row, v int32) {
		if o, met := of[row]; met && o != v {
			v = -1
		}
		of[row] = v
	})
	own, others = map[int32]bool{}, map[int32]bool{}
	for _, r := range members {
		if v, picked := of[r]; picked {
			if v >= 0 {
				others[v] = true
			}
			continue
		}
		node, several := int32(-1), false
		for d := range densitiesOf(c.m, r) {
			v, met := of[d]
			if !met {
				continue
			}
			several = several || v < 0 || node >= 0 && v != node
			node = v
		}
		if node < 0 || several || c.nodes[node].size > mostStates {
			continue
		}
		t, i := c.m.TemplateOf(r)
		if t.Stoch.Name == "dnorm" && !t.Stoch.Truncated() && len(p.above(t.Operands(i)[0]))+len(p.above(t.Operands(i)[1])) > 0 {
			own[node] = true
		} else {
			others[node] = true
		}
	}
	return own, others
}

// cost is that of the sums with their derivatives.
func (c *chains) cost() float64 {
	entries := 0
	for k := range c.tables {
		entries += c.tables[k].n
	}
	return float64(entryCost*entries) + float64(sumCost*float64(c.sums.probs))
}

// movers are the continuous nodes on which stochastic rows depend, and those on which their priors do; nil where one of the former cannot be had.
func (p *planner) movers(rows []int32) []int32 {
	m := p.Model
	has := map[int32]bool{}
	fits := true
	var own, direct []int32
	for _, r := range rows {
		t, i := m.TemplateOf(r)
		own = append(own, t.Cells(i)...)
	}
	ancestors(m, append(own, parents(m, rows...)...), func(cell int32) bool {
		r := m.DefRow(cell)
		if m.Kinds[cell] != model.Unobserved || !continuous(m, r) {
			return m.Kinds[cell] == model.Logical
		}
		has[r], direct = true, append(direct, r)
		fits = fits && !p.covered[r] && p.asked[r] == nil
		return false
	})
	if !fits {
		return nil
	}
	ancestors(m, parents(m, direct...), func(cell int32) bool {
		r := m.DefRow(cell)
		if m.Kinds[cell] != model.Unobserved {
			return m.Kinds[cell] == model.Logical
		}
		if !continuous(m, r) || p.covered[r] || p.asked[r] != nil {
			return false
		}
		has[r] = true
		return true
	})
	var members []int32
	for _, r := range p.rows {
		if has[r] {
			members = append(members, r)
		}
	}
	return members
}
