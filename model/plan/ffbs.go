package plan

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const ffbsName = "ffbs"

// ffbsTakes says which nodes it can move.
const ffbsTakes = "discrete nodes whose values are few and known beforehand"

// ffbs draws groups of discrete nodes that depend on one another, such as the states of hidden Markov chains, jointly from their full conditional:
// forward filtering, backward sampling (Carter and Kohn 1994; Frühwirth-Schnatter 1994; Chib 1996). Here the filter runs from the last node to the
// first and the draws from the first to the last, so that histories with the same end share sums; the law is the same. Groups need not be chains:
// nodes are summed out in an order that keeps tables small.
type ffbs struct {
	c     *chains
	f     *filter
	plain *filter // without tables shared by data, for states whose data are not the model's
}

// manySingles is how many nodes of a relation that depend on no other are drawn together: a pass over columns of their densities takes less time than
// each by itself.
const manySingles = 16

// ffbsTogether makes one kernel for all groups of two nodes or more, and of one where it is asked for or there are many; where something is cut, one on each side.
func ffbsTogether(p *planner, rows []int32) {
	for _, side := range p.sidesOfCuts(rows) {
		p.chainsTogether(side)
	}
}

func (p *planner) chainsTogether(rows []int32) {
	nodes := map[*model.Template]int{}
	for _, r := range rows {
		t, _ := p.Model.TemplateOf(r)
		nodes[t]++
	}
	single := func(row int32) bool {
		t, _ := p.Model.TemplateOf(row)
		return p.asked[row] != nil || nodes[t] >= manySingles
	}
	c := chainsOf(p.Model, rows, single, true)
	if c != nil {
		p.addFFBS(c)
	}
}

func (p *planner) addFFBS(c *chains) {
	p.add(Item{Kernel: ffbsName, Rows: c.nodeRows(), make: func([]kernel) kernel { return &ffbs{c: c, f: newFilter(c)} }})
}

// Step draws all groups.
func (k *ffbs) Step(s *model.State, r *rand.Rand) mcmc.Info {
	f := k.filterFor(s)
	f.save(s)
	f.fill(s, &f.c.all)
	f.sum(&f.c.all)
	f.draw(s, r)
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: 1}
}

// filterFor is the filter for the data of a state.
func (k *ffbs) filterFor(s *model.State) *filter {
	if k.c.hasData(s) {
		return k.f
	}
	if k.plain == nil {
		k.plain = newFilter(k.c.unshared())
	}
	return k.plain
}

// hasData tells whether a state has the data by which tables are shared.
func (c *chains) hasData(s *model.State) bool {
	for _, d := range c.data {
		if s.V[d] != c.m.Init[d] {
			return false
		}
	}
	return true
}

// unshared are the same groups without tables shared by data.
func (c *chains) unshared() *chains {
	return chainsOf(c.m, c.nodeRows(), func(int32) bool { return true }, false)
}
