package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (m *machine) blend() {
	m.text("blend", "is blendGo.", "func(dst *float32, a float32, x *float32, b float32, n int)")
	index := GP64()
	XORQ(index, index)
	dst, x := pointer("dst", index), pointer("x", index)
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	a, b := m.broadcast("a"), m.broadcast("b")
	m.loop(index, n, func(in *mask) {
		v, d := m.load(x, in), m.load(dst, in)
		VMULPS(b, v, v)
		VMULPS(a, d, d)
		VADDPS(v, d, d)
		m.store(d, dst, in)
	})
	VZEROUPPER()
	RET()
}

// transpose moves squares of eight by eight, which both sets do with vectors of eight.
func (m *machine) transpose() {
	m.text("transpose", "moves whole squares of 8 by 8; rows and columns are multiples of 8, not zero, strides count elements.",
		"func(dst *float32, dstStride int, x *float32, stride, rows, columns int)")
	load := func(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
	dst, to, x, from, rows, columns := load("dst"), load("dstStride"), load("x"), load("stride"), load("rows"), load("columns")
	SHLQ(Imm(2), to)
	SHLQ(Imm(2), from)
	to3, from3 := GP64(), GP64()
	LEAQ(Mem{Base: to, Index: to, Scale: 2}, to3)
	LEAQ(Mem{Base: from, Index: from, Scale: 2}, from3)
	at := func(base, stride, triple reg.GPVirtual, k int) Mem {
		switch k {
		case 0:
			return Mem{Base: base}
		case 3:
			return Mem{Base: base, Index: triple, Scale: 1}
		}
		return Mem{Base: base, Index: stride, Scale: uint8(k)}
	}
	Label("row")
	read, write, left := GP64(), GP64(), GP64()
	MOVQ(x, read)
	MOVQ(dst, write)
	MOVQ(columns, left)
	Label("square")
	low, high := GP64(), GP64() // rows 4 to 7 of the square, and of its transpose
	LEAQ(Mem{Base: read, Index: from, Scale: 4}, low)
	LEAQ(Mem{Base: write, Index: to, Scale: 4}, high)
	var r [8]reg.VecVirtual
	for k := range 4 {
		r[k], r[k+4] = YMM(), YMM()
		VMOVUPS(at(read, from, from3, k), r[k])
		VMOVUPS(at(low, from, from3, k), r[k+4])
	}
	r = transposed(r)
	for k := range 4 {
		VMOVUPS(r[k], at(write, to, to3, k))
		VMOVUPS(r[k+4], at(high, to, to3, k))
	}
	ADDQ(Imm(32), read)
	LEAQ(Mem{Base: write, Index: to, Scale: 8}, write)
	SUBQ(Imm(8), left)
	JNE(LabelRef("square"))
	LEAQ(Mem{Base: x, Index: from, Scale: 8}, x)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(8), rows)
	JNE(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// transposed exchanges rows and columns: of pairs, of fours, of halves.
func transposed(r [8]reg.VecVirtual) [8]reg.VecVirtual {
	var s, t, u [8]reg.VecVirtual
	for k := 0; k < 8; k += 2 {
		s[k], s[k+1] = YMM(), YMM()
		VUNPCKLPS(r[k+1], r[k], s[k])
		VUNPCKHPS(r[k+1], r[k], s[k+1])
	}
	for k := 0; k < 8; k += 4 {
		for i := range 2 {
			t[k+2*i], t[k+2*i+1] = YMM(), YMM()
			VSHUFPS(U8(0x44), s[k+2+i], s[k+i], t[k+2*i])
			VSHUFPS(U8(0xee), s[k+2+i], s[k+i], t[k+2*i+1])
		}
	}
	for k := range 4 {
		u[k], u[k+4] = YMM(), YMM()
		VPERM2F128(U8(0x20), t[k+4], t[k], u[k])
		VPERM2F128(U8(0x31), t[k+4], t[k], u[k+4])
	}
	return u
}
