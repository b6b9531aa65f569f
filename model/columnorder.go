package model

import (
	"cmp"
	"slices"
)

// longStep is how many rows, in the mean, have cells that follow one another for that to be of use: a copy of as many numbers is quicker than as many by
// their indices, and so is their sum.
const longStep = 16

// reorder brings rows into an order in which the cells that a column reads follow one another, as the effects of all groups, as often as there are rows of
// each: the first row of every group, then the second.
func (b *groupBuilder) reorder(order []int32) {
	g := b.g
	for _, id := range order {
		n := b.node(id)
		if n.kind != cellsNode || !n.moves || n.even {
			continue
		}
		rows := layers(n.cells)
		if g.n >= longStep*stretches(n.cells, rows) {
			if b.pieces(order, rows) < b.pieces(order, ascending(g.n)) {
				b.permute(rows)
			}
			return
		}
	}
}

// pieces counts the runs of rows, in some order, in which the cells of moving columns follow one another or are one cell, whichever are fewer: what reading
// them costs.
func (b *groupBuilder) pieces(order, rows []int32) int {
	total := 0
	for _, id := range order {
		if n := b.node(id); n.kind == cellsNode && n.moves {
			same := 1
			for k := 1; k < len(rows); k++ {
				if n.cells[rows[k]] != n.cells[rows[k-1]] {
					same++
				}
			}
			total += min(same, stretches(n.cells, rows))
		}
	}
	return total
}

// layers sorts rows by how many rows before have their cell, and by it.
func layers(cells []int32) []int32 {
	seen := map[int32]int32{}
	layer := make([]int32, len(cells))
	rows := make([]int32, len(cells))
	for i, c := range cells {
		rows[i], layer[i] = int32(i), seen[c]
		seen[c]++
	}
	slices.SortFunc(rows, func(i, j int32) int {
		return cmp.Or(cmp.Compare(layer[i], layer[j]), cmp.Compare(cells[i], cells[j]))
	})
	return rows
}

// stretches counts the runs of rows whose cells follow one another.
func stretches(cells, rows []int32) int {
	n := 1
	for k := 1; k < len(rows); k++ {
		if cells[rows[k]] != cells[rows[k-1]]+1 {
			n++
		}
	}
	return n
}

// consecutive tells whether cells follow one another.
func consecutive(cells []int32) bool {
	for i, c := range cells {
		if c != cells[0]+int32(i) {
			return false
		}
	}
	return true
}

// permute changes the order of the group's rows. Densities add up to the same, but for rounding.
func (b *groupBuilder) permute(rows []int32) {
	g := b.g
	for k := range g.nodes {
		n := &g.nodes[k]
		if n.kind == cellsNode {
			n.cells = permuted(n.cells, rows)
			n.even = consecutive(n.cells)
		}
		if n.kind == gatherNode && n.wide {
			n.addr = permuted(n.addr, rows)
		}
		if n.kind == columnNode && k < len(g.full) && g.full[k] != nil {
			g.full[k] = permuted(g.full[k], rows)
		}
	}
	if q := g.den.squeezed; q != nil {
		q.order = rows
	}
	if q := g.den.merged; q != nil {
		q.permute(rows)
	}
}

func permuted[T any](x []T, rows []int32) []T {
	y := make([]T, len(rows))
	for k, i := range rows {
		y[k] = x[i]
	}
	return y
}

func ascending(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// stepsOf finds the runs of rows whose cells follow one another in each block, nil where they are short.
func (g *colGroup) stepsOf(cells []int32) []cellSteps {
	if longStep*stretches(cells, ascending(g.n)) > g.n {
		return nil
	}
	var all []cellSteps
	for lo := 0; lo < g.n; lo += g.block {
		var steps cellSteps
		for i := lo; i < min(lo+g.block, g.n); i++ {
			if k := len(steps) - 1; k >= 0 && cells[i] == cells[i-1]+1 {
				steps[k].n++
				continue
			}
			steps = append(steps, struct{ row, cell, n int32 }{int32(i - lo), cells[i], 1})
		}
		all = append(all, steps)
	}
	return all
}
