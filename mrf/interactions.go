package mrf

import (
	"iter"
	"slices"
)

// interactions is a graph: an edge joins variables that are in a factor together.
type interactions struct {
	cards     []float64 // numbers of values
	variables []int32   // those to eliminate
	near      [][]int32 // those that share an edge with a variable, ascending
}

// interactions are those of all variables.
func (m *Model) interactions() interactions {
	g := interactions{cards: make([]float64, len(m.Cards)), variables: make([]int32, len(m.Cards))}
	for i, k := range m.Cards {
		g.cards[i], g.variables[i] = float64(k), int32(i)
	}
	g.near = neighbours(len(m.Cards), func(yield func([]int) bool) {
		for _, f := range m.Factors {
			if !yield(f.Scope) {
				return
			}
		}
	})
	return g
}

// interactions are those of the free variables in some factors.
func (f *Field) interactions(factors []int32) interactions {
	g := interactions{cards: make([]float64, len(f.cards)), variables: f.free}
	for i, k := range f.cards {
		g.cards[i] = float64(k)
	}
	g.near = neighbours(len(f.cards), func(yield func([]int32) bool) {
		for _, a := range factors {
			if !yield(f.factors[a].scope) {
				return
			}
		}
	})
	return g
}

// neighbours are, of each of n variables, those that are in a scope with it, ascending.
func neighbours[V int | int32](n int, scopes iter.Seq[[]V]) [][]int32 {
	all := make([][]int32, n)
	for scope := range scopes {
		for _, i := range scope {
			for _, j := range scope {
				if i != j {
					all[i] = append(all[i], int32(j))
				}
			}
		}
	}
	for i, list := range all {
		slices.Sort(list)
		all[i] = slices.Compact(list)
	}
	return all
}
