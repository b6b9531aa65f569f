package model

import "slices"

// PickRow finds the logical row that computes the given cells in order, each
// by nothing but a gather; nil if there is none.
func (m *Model) PickRow(cells []int32) (*Template, int) {
	r := m.DefRow(cells[0])
	if r < 0 {
		return nil, 0
	}
	t, i := m.TemplateOf(r)
	if t.Prog == nil || len(t.out(i)) != len(cells) {
		return nil, 0
	}
	for k, c := range t.out(i) {
		if c != cells[k] || t.Prog.gatherOf(t.Prog.Out[k]) == nil {
			return nil, 0
		}
	}
	return t, i
}

// Alternatives are the cells of which a cell is now one and now another, as an index has it; nil where the cell is computed otherwise.
func (m *Model) Alternatives(cell int32) (cells []int32) {
	t, i := m.PickRow([]int32{cell})
	if t == nil {
		return nil
	}
	g := t.Prog.gatherOf(t.Prog.Out[0])
	walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, func(c int32) { cells = append(cells, c) })
	return cells
}

// gatherOf is the gather that writes a register, or nil.
func (p *Program) gatherOf(reg int32) *Gather {
	for k := range p.Code {
		if in := &p.Code[k]; in.Dst == reg && in.Op == OpGather {
			return &p.Gathers[in.A]
		}
	}
	return nil
}

// PicksWhole tells whether a row found by PickRow reads either exactly the given cells or none
// that touched tells of, whatever its indices.
func (t *Template) PicksWhole(i int, cells []int32, touched func(c int32) bool) bool {
	addr := t.addr(i)
	first := t.Prog.gatherOf(t.Prog.Out[0])
	for k, c := range cells {
		g := t.Prog.gatherOf(t.Prog.Out[k])
		if !t.sameIndex(i, g, first) || addr[g.Slot]-c != addr[first.Slot]-cells[0] {
			return false
		}
		met, whole := false, true
		walkTable(addr[g.Slot], g.Extent, g.Stride, func(x int32) {
			met = met || x == c
			whole = whole && (x == c || !touched(x))
		})
		if !met || !whole {
			return false
		}
	}
	return true
}

// sameIndex tells whether two gathers of a row always read at the same place of their tables.
func (t *Template) sameIndex(i int, a, b *Gather) bool {
	if !slices.Equal(a.Extent, b.Extent) || !slices.Equal(a.Stride, b.Stride) {
		return false
	}
	for k, r := range a.Idx {
		q := b.Idx[k]
		operands := int(r) < t.NIn && int(q) < t.NIn
		if r != q && !(operands && t.in(i)[r] == t.in(i)[q]) {
			return false
		}
	}
	return true
}

// Picks tells whether the gathers of a row found by PickRow now read exactly
// the given cells.
func (s *State) Picks(t *Template, i int, cells []int32) bool {
	p := t.Prog
	reg := s.reg[:p.NReg]
	for k, c := range t.in(i) {
		reg[k] = s.At(c)
	}
	p.run(reg, s.V, t.addr(i), &s.sc)
	for k, c := range cells {
		if p.gatherOf(p.Out[k]).cell(reg, t.addr(i)) != c {
			return false
		}
	}
	return true
}

// Seg is the run of one row.
func (m *Model) Seg(row int32) Seg {
	ti := m.templateIndex(row)
	i := row - m.rowStart[ti]
	return Seg{T: int32(ti), Lo: i, Hi: i + 1}
}

// unaryArg is the cell that a cell is computed from by one operation, or −1.
func (m *Model) unaryArg(cell int32, op Op) int32 {
	r := m.DefRow(cell)
	if r < 0 {
		return -1
	}
	t, i := m.TemplateOf(r)
	if t.Prog == nil || t.NIn != 1 || len(t.Prog.Code) != 1 || t.Prog.Code[0].Op != op {
		return -1
	}
	if k := slices.Index(t.out(i), cell); t.Prog.Out[k] != t.Prog.Code[0].Dst {
		return -1 // the operand itself, beside the result in a vector
	}
	return t.in(i)[0]
}

// IsUnary tells whether a cell is computed by one operation on another cell.
func (m *Model) IsUnary(cell int32, op Op, arg int32) bool { return m.unaryArg(cell, op) == arg }

// PicksNodes tells whether a row takes an element of a table, by an index that changes, that is a node or computed from nodes.
func (m *Model) PicksNodes(t *Template, i int) (found bool) {
	if t.Prog == nil {
		return false
	}
	for k := range t.Prog.Gathers {
		g := &t.Prog.Gathers[k]
		walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, func(c int32) {
			found = found || m.Kinds[c] == Unobserved || m.Kinds[c] == Logical
		})
	}
	return found
}
