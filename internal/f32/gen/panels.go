package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const together = 4 // lists that are summed side by side

// panels writes the loop over the rows of a panel, sixteen columns wide, for several lists at once: a list has one sum a
// column, each of which waits for the one before. The lists are equally long and name rows that exist.
func (m *machine) panels() {
	m.text("sumPanel", "is sumPanelGo.", fmt.Sprintf("func(acc *[%d][]float32, lists *[%d][]int32, panel *float32, at, count int)", together, together))
	panel, count := Load(Param("panel"), GP64()).(reg.GPVirtual), Load(Param("count"), GP64()).(reg.GPVirtual)
	at := Load(Param("at"), GP64()).(reg.GPVirtual)
	pointers := func(name string) (p [together]reg.GPVirtual) {
		all := Load(Param(name), GP64()).(reg.GPVirtual)
		for k := range p {
			p[k] = GP64()
			MOVQ(Mem{Base: all, Disp: 24 * k}, p[k])
		}
		return p
	}
	dst := pointers("acc")
	var acc [together][]reg.VecVirtual
	for k := range acc {
		for i := range block / m.n {
			r := m.vec()
			VMOVUPS(Mem{Base: dst[k], Index: at, Scale: 4, Disp: 4 * m.n * i}, r)
			acc[k] = append(acc[k], r)
		}
	}
	lists := pointers("lists")
	next := GP64()
	XORQ(next, next)
	JMP(LabelRef("check"))
	Label("loop")
	for k, list := range lists {
		row := GP64()
		MOVL(Mem{Base: list, Index: next, Scale: 4}, row.As32())
		SHLQ(Imm(6), row)
		ADDQ(panel, row) // an index in the address would take the sum apart
		for i, a := range acc[k] {
			VADDPS(Mem{Base: row, Disp: 4 * m.n * i}, a, a)
		}
	}
	INCQ(next)
	Label("check")
	CMPQ(next, count)
	JLT(LabelRef("loop"))
	dst = pointers("acc")
	at = Load(Param("at"), GP64()).(reg.GPVirtual)
	for k := range acc {
		for i, a := range acc[k] {
			VMOVUPS(a, Mem{Base: dst[k], Index: at, Scale: 4, Disp: 4 * m.n * i})
		}
	}
	VZEROUPPER()
	RET()
}
