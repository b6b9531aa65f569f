package plan

import "github.com/ergodic-mcmc/ergodic/model"

const (
	// leastLinked is the number of rows that depend on discrete nodes below which a model is small enough for any kernel.
	leastLinked = 500
	// What an entry of a row's table costs for its value and its derivatives, and a probability in a sum, in densities of a row (measured on
	// ../shared/bugs/users: bench/chains.txt).
	entryCost, sumCost = 3, 0.25
	// mostCost is that of the sums as a share of the densities of the rows that they replace.
	mostCost = 0.5
)

// summedTogether makes nuts the kernel of continuous nodes on which chains of discrete ones depend, with these summed out, where rows and histories
// are so much alike that a sum over all of them costs less than their density does once. Such nodes mix badly beside the chains: each stands still while
// the others move. It is left where an override names one of the nodes, or a block has one.
func summedTogether(p *planner, rows []int32) {
	none := func(int32) bool { return false }
	c := chainsOf(p.Model, rows, none, true)
	if c == nil || c.linked < leastLinked {
		return
	}
	members := p.movers(c)
	if len(members) == 0 || len(members) > mostMembers {
		return
	}
	if c = p.summable(members, rows); c != nil && c.cost() <= mostCost*float64(c.linked) {
		p.addNUTS(members, c)
	}
}

// mostMembers bounds the nodes for which trajectories stay short.
const mostMembers = 1000

// cost is that of the sums with their derivatives.
func (c *chains) cost() float64 {
	entries := 0
	for k := range c.tables {
		entries += c.tables[k].n
	}
	return float64(entryCost*entries) + float64(sumCost*float64(c.sums.probs))
}

// movers are the continuous nodes on which the rows of chains depend, and those on which their priors do; nil where one of the former cannot be had.
func (p *planner) movers(c *chains) []int32 {
	m := p.Model
	has, seen := map[int32]bool{}, map[int32]bool{}
	var stack []int32
	fits := true
	push := func(cell int32) {
		if r := m.DefRow(cell); r >= 0 && !seen[r] {
			seen[r] = true
			stack = append(stack, r)
		}
	}
	walk := func(up bool) {
		for len(stack) > 0 {
			r := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			t, i := m.TemplateOf(r)
			if t.Stoch == nil {
				m.Parents(r, push)
				continue
			}
			if m.Kinds[t.Cells(i)[0]] != model.Unobserved || !continuous(m, r) {
				continue
			}
			if p.covered[r] || p.asked[r] != nil {
				fits = fits && up
				continue
			}
			has[r] = true
		}
	}
	for _, r := range c.rows {
		t, i := m.TemplateOf(r)
		for _, cell := range t.Cells(i) {
			push(cell)
		}
		m.Parents(r, push)
	}
	walk(false)
	if !fits {
		return nil
	}
	for range maxRounds { // priors, and theirs
		before := len(has)
		for _, r := range p.rows {
			if has[r] {
				m.Parents(r, push)
			}
		}
		walk(true)
		if len(has) == before {
			break
		}
	}
	var members []int32
	for _, r := range p.rows {
		if has[r] {
			members = append(members, r)
		}
	}
	return members
}
