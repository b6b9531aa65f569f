package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What panels.go in package f32 says too: lists that are summed side by side, rows that an index word names, and where
// the fields of a batch lie.
const (
	together  = 4
	perWord   = 4
	shift     = 7
	batchSums = 0 // slices
	batchList = 24 * together
	batchLong = 48 * together
	batchSize = 48*together + 8
)

// panels writes the loop over the rows of a panel of so many columns, for several lists at once: a list has one sum a
// column, each of which waits for the one before. The lists of a batch are equally long and name rows that exist, by
// their distance in bytes from the panel, four in a word.
func (m *machine) panels(name string, columns int) {
	m.text(name, "is sumPanelGo for panels of "+fmt.Sprint(columns)+" columns.",
		"func(all *[4][]float32, n, at int, start, panel *float32)")
	all, panel := Load(Param("all"), GP64()).(reg.GPVirtual), Load(Param("panel"), GP64()).(reg.GPVirtual)
	left, err := Param("n").Resolve()
	if err != nil {
		panic(err)
	}
	// Sixteen vectors are all that AVX2 has: there a pass takes as many columns as fit beside the lists.
	width := min(columns, 2*m.n)
	Label("batch")
	for from := 0; from < columns; from += width {
		m.batchSum(all, panel, from, width/m.n)
	}
	ADDQ(Imm(batchSize), all)
	DECQ(left.Addr)
	JNE(LabelRef("batch"))
	VZEROUPPER()
	RET()
}

// batchSum sums the columns from so many on, in some vectors a list.
func (m *machine) batchSum(all, panel reg.GPVirtual, from, vectors int) {
	label := func(s string) string { return fmt.Sprint(s, from) }
	sums := func() (p [together]reg.GPVirtual) {
		for k := range p {
			p[k] = GP64()
			MOVQ(Mem{Base: all, Disp: batchSums + 24*k}, p[k])
		}
		return p
	}
	offset := func(i int) int { return 4 * (from + m.n*i) }
	var acc [together][]reg.VecVirtual
	for k := range acc {
		for range vectors {
			acc[k] = append(acc[k], m.vec())
		}
	}
	at, start := Load(Param("at"), GP64()).(reg.GPVirtual), Load(Param("start"), GP64()).(reg.GPVirtual)
	TESTQ(start, start)
	JE(LabelRef(label("goon")))
	for i := range vectors {
		VMOVUPS(Mem{Base: start, Disp: offset(i)}, acc[0][i])
		for k := 1; k < together; k++ {
			VMOVAPS(acc[0][i], acc[k][i])
		}
	}
	JMP(LabelRef(label("begin")))
	Label(label("goon"))
	for k, p := range sums() {
		for i, a := range acc[k] {
			VMOVUPS(Mem{Base: p, Index: at, Scale: 4, Disp: offset(i)}, a)
		}
	}
	Label(label("begin"))
	var lists [together]reg.GPVirtual
	for k := range lists {
		lists[k] = GP64()
		MOVQ(Mem{Base: all, Disp: batchList + 24*k}, lists[k])
	}
	count, next := GP64(), GP64()
	MOVQ(Mem{Base: all, Disp: batchLong}, count)
	XORQ(next, next)
	JMP(LabelRef(label("check")))
	Label(label("loop"))
	var word [together]reg.GPVirtual
	for k, list := range lists {
		word[k] = GP64()
		MOVQ(Mem{Base: list, Index: next, Scale: 8}, word[k])
	}
	for j := range perWord {
		for k := range lists {
			row := word[k]
			if j < perWord-1 {
				row = GP64()
				MOVWLZX(word[k].As16(), row.As32())
				SHRQ(Imm(16), word[k])
			}
			ADDQ(panel, row) // an index in the address would take the sum apart
			for i, a := range acc[k] {
				VADDPS(Mem{Base: row, Disp: offset(i)}, a, a)
			}
		}
	}
	INCQ(next)
	Label(label("check"))
	CMPQ(next, count)
	JLT(LabelRef(label("loop")))
	at = Load(Param("at"), GP64()).(reg.GPVirtual)
	for k, p := range sums() {
		for i, a := range acc[k] {
			VMOVUPS(a, Mem{Base: p, Index: at, Scale: 4, Disp: offset(i)})
		}
	}
}

// distances writes the loop that makes a list's distances in bytes within a panel: of its rows from base on, size of
// them. It stops at the first row outside and returns how many it has done. What lies behind in dst is overwritten.
func (m *machine) distances() {
	m.text("distances", "is distancesGo; dst has room for 15 numbers more.", "func(dst *uint16, list *int32, n int, base, size uint32) int")
	index, n := GP64(), Load(Param("n"), GP64()).(reg.GPVirtual)
	dst := Mem{Base: Load(Param("dst"), GP64()), Index: index, Scale: 2}
	XORQ(index, index)
	list := pointer("list", index)
	broadcast := func(name string) reg.VecVirtual {
		r, x := ZMM(), GP32()
		Load(Param(name), x)
		VPBROADCASTD(x, r)
		return r
	}
	base, size := broadcast("base"), broadcast("size")
	inside := GP32()
	step := func(in *mask) {
		x, k := m.load(list, in), K()
		VPSUBD(base, x, x)
		VPCMPUD(U8(1), size, x, k)
		VPSLLD(Imm(shift), x, x)
		VPMOVDW(x, dst)
		if in != nil {
			KANDW(in.k, k, k)
		}
		KMOVW(k, inside)
	}
	rest := GP64()
	JMP(LabelRef("check"))
	Label("full")
	step(nil)
	CMPL(inside, U32(1<<block-1))
	JNE(LabelRef("outside"))
	ADDQ(Imm(block), index)
	Label("check")
	MOVQ(n, rest)
	SUBQ(index, rest)
	CMPQ(rest, Imm(block))
	JGE(LabelRef("full"))
	in := m.first(rest)
	step(&in)
	Label("outside")
	NOTL(inside)
	BSFL(inside, inside)
	ADDQ(inside.As64(), index)
	Store(index, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
