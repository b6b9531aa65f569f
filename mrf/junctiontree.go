package mrf

import (
	"slices"
)

// JunctionTree computes exactly (Lauritzen and Spiegelhalter, 1988). Its cliques are those of an elimination order without those that are part of
// the one before.
type JunctionTree struct {
	model   *Model
	cliques []clique // a clique's children come before it
	width   int
	entries float64 // of all cliques
	largest float64
	sent    float64 // entries of all messages
}

// clique is a set of variables, in the order in which they are eliminated, the last first.
type clique struct {
	scope    []int32
	shared   int // how many of the first are in the parent, too
	parent   int // −1 for a root
	children []int
	factors  []int // of the model
}

// newTree makes the tree of an elimination of all variables.
func newTree(m *Model, e *elimination) *JunctionTree {
	n := len(m.Cards)
	at := make([]int32, n) // when a variable is eliminated
	for k, u := range e.turns {
		at[u.variable] = int32(k)
	}
	next := func(k int) int { // the step of the neighbour that is eliminated first, −1 where there is none
		first := int32(-1)
		for _, i := range e.turns[k].separator {
			if first < 0 || at[i] < first {
				first = at[i]
			}
		}
		return int(first)
	}
	var heads [][]int // the steps of each clique
	group := slices.Repeat([]int{-1}, n)
	for k := range n {
		if group[k] >= 0 {
			continue
		}
		steps := []int{k}
		group[k] = len(heads)
		for p := next(k); p >= 0 && group[p] < 0 && len(e.turns[p].separator) == len(e.turns[k].separator)-len(steps); p = next(p) {
			group[p] = len(heads)
			steps = append(steps, p)
		}
		heads = append(heads, steps)
	}
	t := &JunctionTree{model: m, width: e.width}
	all := make([]clique, len(heads))
	for g, steps := range heads {
		c := &all[g]
		c.scope = append(c.scope, e.turns[steps[0]].separator...)
		c.scope = append(c.scope, e.turns[steps[0]].variable)
		slices.SortFunc(c.scope, func(a, b int32) int { return int(at[b] - at[a]) })
		c.shared, c.parent = len(c.scope)-len(steps), -1
		if p := next(steps[len(steps)-1]); p >= 0 {
			c.parent = group[p]
		}
	}
	for a, f := range m.Factors {
		first := n
		for _, i := range f.Scope {
			first = min(first, int(at[i]))
		}
		if first < n {
			all[group[first]].factors = append(all[group[first]].factors, a)
		}
	}
	t.sorted(all)
	for _, c := range t.cliques {
		size := m.product(c.scope)
		t.entries, t.largest, t.sent = t.entries+size, max(t.largest, size), t.sent+m.product(c.scope[:c.shared])
	}
	return t
}

func (m *Model) product(scope []int32) float64 {
	n := 1.0
	for _, i := range scope {
		n *= float64(m.Cards[i])
	}
	return n
}

// sorted puts children before parents.
func (t *JunctionTree) sorted(all []clique) {
	children := make([][]int, len(all))
	var stack []int
	for g, c := range all {
		if c.parent >= 0 {
			children[c.parent] = append(children[c.parent], g)
		} else {
			stack = append(stack, g)
		}
	}
	var down []int // parents first
	for len(stack) > 0 {
		g := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], children[g]...)
		down = append(down, g)
	}
	slices.Reverse(down)
	number := make([]int, len(all))
	for k, g := range down {
		number[g] = k
	}
	t.cliques = make([]clique, len(all))
	for k, g := range down {
		c := all[g]
		if c.parent >= 0 {
			c.parent = number[c.parent]
			t.cliques[c.parent].children = append(t.cliques[c.parent].children, k)
		}
		c.children = t.cliques[k].children
		t.cliques[k] = c
	}
}
