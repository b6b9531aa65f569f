package model

import "slices"

// enclosed are columns of cells that nothing but the rows of one group read, straight or through others of them: they are computed in it, once.
type enclosed struct {
	cells  []int32
	visits int32
	taken  bool
	id     int32 // the node, −1 before there is one
}

// mostEnclosed bounds the operations of enclosed columns.
const mostEnclosed = 1024

// enclose finds the enclosed columns of a group that reads the given ones.
func (b *groupBuilder) enclose(operands [][]int32) {
	c := b.c
	all := map[int32][]*enclosed{}
	size := 0
	var visit func(cells []int32)
	visit = func(cells []int32) {
		t := c.m.logicalOf(cells[0])
		if t == nil || !t.compiles() {
			return
		}
		x := enclosedIn(all, cells)
		if x == nil {
			x = &enclosed{cells: cells, id: -1}
			all[cells[0]] = append(all[cells[0]], x)
		}
		if x.visits++; x.taken || !c.encloses(t, x) {
			return
		}
		x.taken = true
		size += len(t.Prog.Code) + t.NIn
		rows := rowsOf(t, c.m, cells)
		for k := range t.NIn {
			visit(operandColumn(t, rows, k))
		}
	}
	for _, cells := range operands {
		visit(cells)
	}
	if size <= mostEnclosed {
		b.enclosed = all
	}
}

func enclosedIn(all map[int32][]*enclosed, cells []int32) *enclosed {
	for _, x := range all[cells[0]] {
		if slices.Equal(x.cells, cells) {
			return x
		}
	}
	return nil
}

// encloses tells whether all readers of a column's cells, which are different ones, have been met.
func (c *blockBuilder) encloses(t *Template, x *enclosed) bool {
	for i, cell := range x.cells {
		if i > 0 && cell <= x.cells[i-1] || c.m.logicalOf(cell) != t || !c.inlinesFor(cell, int(x.visits)) {
			return false
		}
	}
	return true
}

func rowsOf(t *Template, m *Model, cells []int32) []int32 {
	rows := make([]int32, len(cells))
	for i, cell := range cells {
		rows[i] = m.DefRow(cell) - t.First
	}
	return rows
}

// takeEnclosed is the node of an enclosed column, −1 where it is none.
func (b *groupBuilder) takeEnclosed(cells []int32) int32 {
	x := enclosedIn(b.enclosed, cells)
	if x == nil || !x.taken {
		return -1
	}
	if x.id < 0 {
		t := b.c.m.logicalOf(cells[0])
		rows := rowsOf(t, b.c.m, cells)
		for _, r := range rows {
			setBit(b.c.gone, t.First+r)
		}
		x.id = b.program(t, rows)
	}
	return x.id
}
