package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// turn writes the loop of a Turn.
func (m *machine) turn() {
	m.text("turn", "is turnGo for n bytes, a multiple of 32.", "func(dst, src *uint64, n int, up, down, mask uint64)")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	count := func(name string) reg.VecVirtual {
		x := XMM()
		VMOVQ(Load(Param(name), GP64()), x)
		return x
	}
	up, down := count("up"), count("down")
	mem, err := Param("mask").Resolve()
	if err != nil {
		panic(err)
	}
	mask, at := m.broadcast(mem.Addr), GP64()
	XORQ(at, at)
	JMP(LabelRef("check"))
	Label("next")
	a := m.load(Mem{Base: src, Index: at, Scale: 1})
	b := YMM()
	VPSRLQ(down, a, b)
	VPSLLQ(up, a, a)
	m.orTo(a, b, b)
	m.andTo(mask, b, b)
	m.store(b, Mem{Base: dst, Index: at, Scale: 1})
	ADDQ(Imm(32), at)
	Label("check")
	CMPQ(at, n)
	JL(LabelRef("next"))
	VZEROUPPER()
	RET()
}
