package mrf

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/rng"
)

const (
	defaultEntries = 64
	mostBlocks     = 256
)

// cover is blocks in which each free variable is as often as the settings ask. A block leaves out the variables of the largest tables,
// those first that are in a block already.
func (f *Field) cover(set BlockSettings) ([]*blockPlan, error) {
	lim := limits{entries: float64(cmp.Or(set.Entries, defaultEntries)), total: float64(set.total)}
	if set.Trees {
		lim = limits{entries: 1 << 24, separator: 1}
	}
	for _, i := range f.free {
		if float64(f.cards[i]) > lim.entries {
			return nil, fmt.Errorf("mrf: a table of a block has %.0f entries at most, and variable %s has %d values", lim.entries, f.model.VariableName(int(i)), f.cards[i])
		}
	}
	r := rng.New(set.Seed, "mrf blocks")
	factors := f.hosts()
	g := f.interactions(factors)
	var plans []*blockPlan
	for range max(set.Covers, 1) {
		todo := make([]bool, len(f.cards)) // by variable: not yet in a block of this cover
		for _, i := range f.free {
			todo[i] = true
		}
		for _, n := range r.Perm(len(f.free)) {
			if i := f.free[n]; todo[i] {
				p, whole, err := f.around(i, todo, factors, g, lim, r.Rand)
				if err != nil {
					return nil, err
				}
				if plans = append(plans, p); whole {
					return plans[len(plans)-1:], nil
				}
				if len(plans) > mostBlocks*max(set.Covers, 1) {
					return nil, fmt.Errorf("mrf: more than %d blocks for a cover", mostBlocks)
				}
			}
		}
	}
	return plans, nil
}

// hosts are the factors that have no host.
func (f *Field) hosts() []int32 {
	var all []int32
	for a, g := range f.host {
		if g < 0 {
			all = append(all, int32(a))
		}
	}
	return all
}

// around plans a block with variable i in it and takes its variables from todo.
func (f *Field) around(i int32, todo []bool, factors []int32, g interactions, lim limits, r *rand.Rand) (p *blockPlan, whole bool, err error) {
	spare := make([]bool, len(todo))
	for j := range spare {
		spare[j] = !todo[j]
	}
	e := newElimination(g, minWeight, lim, r)
	e.run(busiest(i, spare))
	for _, t := range e.turns {
		todo[t.variable] = false
	}
	p, err = newBlockPlan(f, e.turns, factors)
	return p, len(e.cut) == 0, err
}

// wholePlan is a block of all free variables, if its tables are of moderate size.
func (f *Field) wholePlan() (p *blockPlan, ok bool) {
	factors := f.hosts()
	e := newElimination(f.interactions(factors), minWeight, limits{entries: 1 << 18, total: 1 << 22}, nil)
	if !e.run(nil) {
		return nil, false
	}
	p, err := newBlockPlan(f, e.turns, factors)
	return p, err == nil
}
