package model

import "slices"

// Steps tells of each cell whether a live logical row, or several, lead from it to an operation that is constant but for steps: a comparison, a
// number that is rounded, a condition, an index. A density that depends on the cell has steps that no derivative shows. Cells that never change
// may be told of too.
func (m *Model) Steps() []bool {
	steps := make([]bool, len(m.Init))
	var leads []bool // of each register of a row's program
	for _, seg := range slices.Backward(m.liveSegs) {
		t := m.Templates[seg.T]
		p := t.Prog
		leads = slices.Grow(leads[:0], p.NReg)[:p.NReg]
		for i := int(seg.Lo); i < int(seg.Hi); i++ {
			clear(leads)
			for k, c := range t.out(i) {
				leads[p.Out[k]] = leads[p.Out[k]] || steps[c]
			}
			p.stepsBack(leads, func(g *Gather) {
				walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, func(c int32) { steps[c] = true })
			})
			for k, c := range t.in(i) {
				steps[c] = steps[c] || leads[k]
			}
		}
	}
	return steps
}

// stepsBack goes from the registers that lead to a step to those that lead to them, and calls table for arrays whose elements do.
func (p *Program) stepsBack(leads []bool, table func(g *Gather)) {
	var three [3]int32
	for k := range slices.Backward(p.Code) {
		in := &p.Code[k]
		row := &operations[in.Op]
		on := leads[in.Dst]
		for r := int32(1); in.Op.Block() && r < in.B; r++ {
			on = on || leads[in.Dst+r]
		}
		if in.Op == OpGather && on {
			table(&p.Gathers[in.A])
		}
		for _, r := range p.reads(in, &three) {
			leads[r] = leads[r] || on || row.constant || in.Op == OpGather
		}
		if in.Op == OpIfElse {
			leads[in.A] = true
		}
	}
}
