package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowSummer is what the loop over rows keeps: it takes panels of columns, whose sums stay in registers over all rows.
type rowSummer struct {
	m                    *machine
	dst, from, w, list   reg.GPVirtual // of the panel
	stride, count, limit reg.GPVirtual // stride in bytes
	left                 reg.GPVirtual // vectors of columns still to do
	tail, last           mask          // of the last vector of the row, and of the panel
}

const narrowest = 16 // wider rows have one sum a column, others four

func (m *machine) rows() {
	m.text("sumRows", "is sumRowsGo, from being nil for zeros; it returns false if an index is not below limit.",
		"func(dst, from *float32, n int, w *float32, stride int, rows *int32, count, limit int) bool")
	load := func(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
	r := &rowSummer{m: m, dst: load("dst"), from: load("from"), w: load("w"), list: load("rows"),
		stride: load("stride"), count: load("count"), limit: load("limit"), left: load("n")}
	SHLQ(Imm(2), r.stride)
	n := GP64()
	MOVQ(r.left, n)
	// The columns of the last vector are (n−1) mod lanes, and one.
	rest := GP64()
	LEAQ(Mem{Base: n, Disp: -1}, rest)
	ANDQ(Imm(uint64(m.n-1)), rest)
	INCQ(rest)
	r.tail = m.first(rest)
	if m.wide {
		r.last.k = K()
	} else {
		r.last.v = YMM()
	}
	ADDQ(Imm(uint64(m.n-1)), r.left)
	SHRQ(Imm(map[int]uint64{16: 4, 8: 3}[m.n]), r.left)
	CMPQ(n, Imm(narrowest))
	JLE(LabelRef("narrow"))
	if m.wide {
		r.panels("wide", 32, 1)
	} else {
		r.panels("wide", 12, 1)
	}
	if m.wide {
		r.panels("narrow", 1, 4)
	} else {
		r.panels("narrow", 2, 4)
	}
	Label("done")
	VZEROUPPER()
	ok := GP8()
	MOVB(Imm(1), ok)
	Store(ok, ReturnIndex(0))
	RET()
	Label("bad")
	VZEROUPPER()
	bad := GP8()
	XORB(bad, bad)
	Store(bad, ReturnIndex(0))
	RET()
}

// panels runs over the panels, of at most so many vectors, the last two of about the same size.
func (r *rowSummer) panels(name string, most, sums int) {
	size := GP64()
	Label(name)
	TESTQ(r.left, r.left)
	JE(LabelRef("done"))
	MOVQ(r.left, size)
	CMPQ(r.left, Imm(uint64(most)))
	JLE(LabelRef(name + "last"))
	MOVQ(U32(uint32(most)), size)
	CMPQ(r.left, Imm(uint64(2*most)))
	JGE(LabelRef(name + "inner"))
	LEAQ(Mem{Base: r.left, Disp: 1}, size)
	SHRQ(Imm(1), size)
	Label(name + "inner")
	if r.m.wide {
		all := GP32()
		MOVL(U32(1<<16-1), all)
		KMOVW(all, r.last.k)
	} else {
		VPCMPEQD(r.last.v, r.last.v, r.last.v)
	}
	JMP(LabelRef(name + "go"))
	Label(name + "last")
	if r.m.wide {
		KMOVW(r.tail.k, r.last.k)
	} else {
		VMOVUPS(r.tail.v, r.last.v)
	}
	Label(name + "go")
	SUBQ(size, r.left)
	for n := most; n > 1; n-- {
		CMPQ(size, Imm(uint64(n)))
		JE(LabelRef(fmt.Sprintf("%s%d", name, n)))
	}
	for n := 1; n <= most; n++ {
		Label(fmt.Sprintf("%s%d", name, n))
		r.panel(fmt.Sprintf("%s%d", name, n), n, sums)
		JMP(LabelRef(name))
	}
}

// panel sums n vectors of columns over the rows, row k in sum k mod sums.
func (r *rowSummer) panel(name string, n, sums int) {
	m := r.m
	acc := make([][]reg.VecVirtual, sums)
	for s := range acc {
		for range n {
			acc[s] = append(acc[s], m.zero())
		}
	}
	mask := func(i int) *mask {
		if i == n-1 {
			return &r.last
		}
		return nil
	}
	TESTQ(r.from, r.from)
	JE(LabelRef(name + "zero"))
	for i, a := range acc[0] {
		from := Mem{Base: r.from, Disp: 4 * m.n * i}
		switch in := mask(i); {
		case in == nil:
			VMOVUPS(from, a)
		case m.wide:
			VMOVUPS(from, in.k, a)
		default:
			VMASKMOVPS(from, in.v, a)
		}
	}
	ADDQ(U32(uint32(4*m.n*n)), r.from)
	Label(name + "zero")

	next, rows := GP64(), GP64()
	MOVQ(r.list, next)
	MOVQ(r.count, rows)
	add := func(s, i int) {
		at := GP64()
		MOVL(Mem{Base: next, Disp: 4 * i}, at.As32())
		CMPQ(at, r.limit)
		JAE(LabelRef("bad"))
		IMULQ(r.stride, at)
		for i, a := range acc[s] {
			from := Mem{Base: r.w, Index: at, Scale: 1, Disp: 4 * m.n * i}
			switch in := mask(i); {
			case in == nil:
				VADDPS(from, a, a)
			case m.wide:
				VADDPS(from, a, in.k, a)
			default:
				VADDPS(m.load(from, in), a, a)
			}
		}
	}
	SUBQ(Imm(uint64(sums)), rows)
	JL(LabelRef(name + "rest"))
	Label(name + "loop")
	for s := range sums {
		add(s, s)
	}
	ADDQ(Imm(uint64(4*sums)), next)
	SUBQ(Imm(uint64(sums)), rows)
	JGE(LabelRef(name + "loop"))
	Label(name + "rest")
	if sums > 1 {
		ADDQ(Imm(uint64(sums)), rows)
		for s := range sums - 1 {
			JE(LabelRef(name + "total"))
			add(s, s)
			DECQ(rows)
		}
		Label(name + "total")
	}
	for i, a := range acc[0] {
		if sums > 1 {
			VADDPS(acc[1][i], a, a)
			VADDPS(acc[3][i], acc[2][i], acc[2][i])
			VADDPS(acc[2][i], a, a)
		}
		m.store(a, Mem{Base: r.dst, Disp: 4 * m.n * i}, mask(i))
	}
	bytes := U32(uint32(4 * m.n * n))
	ADDQ(bytes, r.dst)
	ADDQ(bytes, r.w)
}
