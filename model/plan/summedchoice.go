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
	members := p.movers(c.rows)
	if len(members) == 0 || len(members) > mostMembers {
		return
	}
	if c = p.summable(members, rows); c != nil && c.cost() <= c.mostCost() {
		p.addNUTS(members, []summedOut{c}, "")
	}
}

// mostCost is that with which sums are taken.
func (c *chains) mostCost() float64 {
	if c.linked < manyLinked {
		return mostCostOfFew * float64(c.linked)
	}
	return mostCost * float64(c.linked)
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
