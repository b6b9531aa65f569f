package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// strided is row k, up to 4, of rows that are stride apart.
func strided(base, stride, triple reg.GPVirtual, k int) Mem {
	switch k {
	case 0:
		return Mem{Base: base}
	case 3:
		return Mem{Base: base, Index: triple, Scale: 1}
	}
	return Mem{Base: base, Index: stride, Scale: uint8(k)}
}

// denser is what the dense sums keep; strides are in bytes.
type denser struct {
	dst, to, to3, h, from, from3, w, stride reg.GPVirtual // dst and w of the panel
}

// dense sums rows for several lists, which are rows of zeros and ones: panels of four vectors are summed for all lists,
// so that they stay in the cache, in tiles of five lists, whose sums stay in registers. A product with zero or one
// is exact, so fused multiplication does not show.
func (m *machine) dense() {
	m.text("dense", "is denseGo; columns is a multiple of 16, and neither it nor rows is zero.",
		"func(dst *float32, dstStride int, h *float32, hStride, lists int, w *float32, stride, rows, columns int)")
	load := func(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
	d := &denser{to: load("dstStride"), from: load("hStride"), w: load("w"), stride: load("stride")}
	for _, r := range []reg.GPVirtual{d.to, d.from, d.stride} {
		SHLQ(Imm(2), r)
	}
	d.to3, d.from3 = GP64(), GP64()
	LEAQ(Mem{Base: d.to, Index: d.to, Scale: 2}, d.to3)
	LEAQ(Mem{Base: d.from, Index: d.from, Scale: 2}, d.from3)
	left := load("columns")
	SHRQ(Imm(4), left)
	for _, wide := range []int{4, 1} {
		panel := fmt.Sprintf("panel%d", wide)
		Label(panel)
		SUBQ(Imm(uint64(wide)), left)
		JL(LabelRef(panel + "end"))
		d.panel(m, panel, wide, load)
		ADDQ(U32(uint32(64*wide)), d.w)
		JMP(LabelRef(panel))
		Label(panel + "end")
		ADDQ(Imm(uint64(wide)), left)
	}
	VZEROUPPER()
	RET()
}

// panel does so many vectors of columns for all lists.
func (d *denser) panel(m *machine, name string, wide int, load func(string) reg.GPVirtual) {
	d.dst, d.h = load("dst"), load("h")
	ADDQ(d.w, d.dst)
	SUBQ(load("w"), d.dst)
	lists := load("lists")
	for _, n := range []int{5, 1} {
		group := fmt.Sprintf("%slists%d", name, n)
		Label(group)
		SUBQ(Imm(uint64(n)), lists)
		JL(LabelRef(group + "end"))
		d.tile(m, group, n, wide)
		for range n {
			ADDQ(d.from, d.h)
			ADDQ(d.to, d.dst)
		}
		JMP(LabelRef(group))
		Label(group + "end")
		ADDQ(Imm(uint64(n)), lists)
	}
}

// tile sums n lists by so many vectors.
func (d *denser) tile(m *machine, name string, n, wide int) {
	acc := make([][]reg.VecVirtual, n)
	for c := range acc {
		for range wide {
			acc[c] = append(acc[c], m.zero())
		}
	}
	row, h := GP64(), GP64()
	MOVQ(d.w, row)
	MOVQ(d.h, h)
	left := Load(Param("rows"), GP64()).(reg.GPVirtual)
	Label(name + "rows")
	var x []reg.VecVirtual
	for k := range wide {
		x = append(x, m.load(Mem{Base: row, Disp: 64 * k}, nil))
	}
	for c := range acc {
		one := m.vec()
		VBROADCASTSS(strided(h, d.from, d.from3, c), one)
		for k, a := range acc[c] {
			VFMADD231PS(x[k], one, a)
		}
	}
	ADDQ(d.stride, row)
	ADDQ(Imm(4), h)
	DECQ(left)
	JNE(LabelRef(name + "rows"))
	for c := range acc {
		for k, a := range acc[c] {
			to := strided(d.dst, d.to, d.to3, c)
			to.Disp = 64 * k
			m.store(a, to, nil)
		}
	}
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
		VMOVUPS(strided(read, from, from3, k), r[k])
		VMOVUPS(strided(low, from, from3, k), r[k+4])
	}
	r = transposed(r)
	for k := range 4 {
		VMOVUPS(r[k], strided(write, to, to3, k))
		VMOVUPS(r[k+4], strided(high, to, to3, k))
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
