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
	// mostCostWithLatents is that for nodes with latents of their own: two entries for every row, none of them shared, and their sums. An effective draw takes 0.03 to 0.1 of the
	// processor time even so (bench/discrete.txt).
	mostCostWithLatents = 2*entryCost + 1
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
	if 2*len(p.latents(c, members)) > of {
		return mostCostWithLatents * float64(c.linked)
	}
	if c.linked < manyLinked {
		return mostCostOfFew * float64(c.linked)
	}
	return mostCost * float64(c.linked)
}

// latents are the nodes of few values with normal nodes of their own whose prior is free of them and has a sampled mean or precision: on such a latent rows depend that depend on the discrete node, and none that depend on another.
// An individual of a closed population is there or not, and has a probability of capture, or a covariate that nobody measured. Drawn one given the other, individuals that are not
// there hold the distribution of the latents of those that are. Trajectories among latents within fixed bounds, such as centres of activity, cost more than they gain.
func (p *planner) latents(c *chains, members []int32) map[int32]bool {
	of := map[int32]int32{} // the node that a row depends on; −1 for several
	c.eachLink(func(row, v int32) {
		if o, met := of[row]; met && o != v {
			v = -1
		}
		of[row] = v
	})
	own := map[int32]bool{}
	for _, r := range members {
		t, i := c.m.TemplateOf(r)
		if _, picked := of[r]; picked || t.Stoch.Name != "dnorm" || t.Stoch.Truncated() || len(p.above(t.Operands(i)[0]))+len(p.above(t.Operands(i)[1])) == 0 {
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
		if node >= 0 && !several && c.nodes[node].size <= mostStates {
			own[node] = true
		}
	}
	return own
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
