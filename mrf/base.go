package mrf

import (
	"cmp"
	"slices"
)

// base picks factors whose variables can be eliminated, and so drawn, within limits: those of single variables, and of the larger ones
// those with zeros first, then those of the longest reach, as long as there is room. The rest is left for a [Path].
type base struct {
	f      *Field
	limits limits
	in     []bool // by factor

	order     []int32 // by variable: its turn
	separator [][]int32
	total     float64
	undo      []undoSeparator
}

type undoSeparator struct {
	variable int32
	was      []int32
}

// basePasses is how many times the order of elimination is fitted to what is picked, and the rest tried again.
const basePasses = 3

func newBase(f *Field, lim limits) *base {
	b := &base{f: f, limits: lim, in: make([]bool, len(f.factors)), order: make([]int32, len(f.cards))}
	var larger []int32
	for a := range f.factors {
		if len(f.factors[a].scope) == 1 {
			b.in[a] = true
		} else {
			larger = append(larger, int32(a))
		}
	}
	slices.SortStableFunc(larger, func(x, y int32) int {
		g, h := &f.factors[x], &f.factors[y]
		if g.zeros != h.zeros {
			if g.zeros {
				return -1
			}
			return 1
		}
		return cmp.Compare(h.reach, g.reach)
	})
	b.arrange(larger)
	for range basePasses {
		left := larger[:0:0]
		for _, a := range larger {
			if !b.in[a] && !b.add(f.factors[a].scope) {
				left = append(left, a)
			} else {
				b.in[a] = true
			}
		}
		if len(left) == 0 {
			break
		}
		b.arrange(b.factors())
	}
	return b
}

// factors are those that are picked.
func (b *base) factors() []int32 {
	var all []int32
	for a, in := range b.in {
		if in {
			all = append(all, int32(a))
		}
	}
	return all
}

// arrange finds an order of elimination for some factors, and puts those that are picked in it, if they fit there; a new order in which
// they do not is dropped.
func (b *base) arrange(factors []int32) {
	e := newElimination(b.f.interactions(factors), minWeight, limits{separator: 64}, nil)
	e.run(busiest(-1, make([]bool, len(b.f.cards))))
	was := *b
	b.order, b.separator, b.total = make([]int32, len(b.f.cards)), make([][]int32, len(b.f.cards)), 0
	for t, u := range e.turns {
		b.order[u.variable] = int32(t)
	}
	for t, i := range e.cut {
		b.order[i] = int32(len(e.turns) + t)
	}
	for _, i := range b.f.free {
		b.total += float64(b.f.cards[i])
	}
	for a, in := range b.in {
		if in && !b.add(b.f.factors[a].scope) {
			*b = was
			return
		}
	}
}

// add joins variables, and tells whether tables then keep to the limits; where not, nothing has changed.
func (b *base) add(scope []int32) bool {
	b.undo = b.undo[:0]
	before := b.total
	group := slices.Clone(scope)
	for len(group) > 1 {
		first := slices.MinFunc(group, func(i, j int32) int { return int(b.order[i]) - int(b.order[j]) })
		old := b.separator[first]
		slices.Sort(group)
		now := appendUnion(nil, old, group, first, first)
		if len(now) == len(old) {
			break
		}
		b.total += b.entries(first, now) - b.entries(first, old)
		b.undo = append(b.undo, undoSeparator{first, old})
		b.separator[first] = now
		if !b.limits.allow(b.entries(first, now), len(now)) || b.limits.total > 0 && b.total > b.limits.total {
			for n := len(b.undo) - 1; n >= 0; n-- {
				b.separator[b.undo[n].variable] = b.undo[n].was
			}
			b.total = before
			return false
		}
		group = slices.Clone(now)
	}
	return true
}

func (b *base) entries(i int32, separator []int32) float64 {
	n := float64(b.f.cards[i])
	for _, j := range separator {
		n *= float64(b.f.cards[j])
	}
	return n
}

// plan is that of all variables under the factors that are picked.
func (b *base) plan() (*blockPlan, error) {
	turns := make([]turn, 0, len(b.f.free))
	for _, i := range b.f.free {
		turns = append(turns, turn{i, b.separator[i]})
	}
	slices.SortFunc(turns, func(x, y turn) int { return int(b.order[x.variable]) - int(b.order[y.variable]) })
	return newBlockPlan(b.f, turns, b.factors())
}
