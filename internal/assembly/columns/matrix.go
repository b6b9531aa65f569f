package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// addMatVec writes the product of a panel and a vector: tiles of eight vectors of rows, then of one, over all columns.
func (m *machine) addMatVec() {
	m.text("addMatVec", "is addMatVecGo; ld is in bytes.", "func(d, x *float64, ld int, b *float64, n, columns int)")
	i := counter()
	d, x, n := pointer("d", i), pointer("x", i), size("n")
	ld, b, columns := size("ld"), Load(Param("b"), GP64()), size("columns")
	tile := func(vectors int, in *mask) {
		var sums []reg.VecVirtual
		for v := range vectors {
			sums = append(sums, m.load(d.Offset(8*m.n*v), in))
		}
		at, j := GP64(), counter()
		LEAQ(x, at)
		next := m.label("next")
		Label(next)
		c := m.vec()
		VBROADCASTSD(Mem{Base: b, Index: j, Scale: 8}, c)
		for v, s := range sums {
			from := Mem{Base: at, Disp: 8 * m.n * v}
			if in == nil {
				m.setAdd(m.mul(from, c), s, s)
			} else {
				m.setAdd(m.mul(m.load(from, in), c), s, s)
			}
		}
		ADDQ(ld, at)
		INCQ(j)
		CMPQ(j, columns)
		JLT(LabelRef(next))
		for v, s := range sums {
			m.store(s, d.Offset(8*m.n*v), in)
		}
	}
	for _, vectors := range []int{8, 2, 1} {
		full, check := m.label("full"), m.label("check")
		end := GP64()
		LEAQ(Mem{Base: n, Disp: -m.n * vectors}, end)
		JMP(LabelRef(check))
		Label(full)
		tile(vectors, nil)
		ADDQ(Imm(uint64(m.n*vectors)), i)
		Label(check)
		CMPQ(i, end)
		JLE(LabelRef(full))
	}
	done, rest := m.label("done"), GP64()
	MOVQ(n, rest)
	SUBQ(i, rest)
	JEQ(LabelRef(done))
	in := m.first(rest)
	tile(1, &in)
	Label(done)
	end()
}

// addMatTVec writes the product of a transposed panel and a vector: so many columns at once that their sums stay in registers, then one.
func (m *machine) addMatTVec() {
	m.text("addMatTVec", "is addMatTVecGo; ld is in bytes.", "func(s *[16]float64, x *float64, ld int, r *float64, n, columns int)")
	s, x := Mem{Base: Load(Param("s"), GP64())}, Load(Param("x"), GP64()).(reg.GPVirtual)
	ld, n, columns := size("ld"), size("n"), size("columns")
	i := GP64()
	r := pointer("r", i)
	many := m.n / 2
	for _, c := range []int{many, 1} {
		next, check := m.label("next"), m.label("check")
		JMP(LabelRef(check))
		Label(next)
		XORQ(i, i)
		m.columnSums(s, x, ld, r, i, n, c)
		ADDQ(U32(8*lanes*c), s.Base)
		for range c {
			ADDQ(ld, x)
		}
		SUBQ(Imm(uint64(c)), columns)
		Label(check)
		CMPQ(columns, Imm(uint64(c)))
		JGE(LabelRef(next))
	}
	end()
}

// columnSums adds the products of c columns from x on to the sums at s.
func (m *machine) columnSums(s Mem, x, ld reg.GPVirtual, r Mem, i, n reg.GPVirtual, c int) {
	vectors := lanes / m.n
	columns := make([]Mem, c)
	sums := make([]reg.VecVirtual, c*vectors)
	at := x
	for j := range c {
		columns[j] = Mem{Base: at, Index: i, Scale: 8}
		if j+1 < c {
			next := GP64()
			LEAQ(Mem{Base: at, Index: ld, Scale: 1}, next)
			at = next
		}
	}
	for k := range sums {
		sums[k] = m.load(s.Offset(8*m.n*k), nil)
	}
	m.full(i, n, vectors, func(_ *mask, offset int) {
		v := m.load(r.Offset(offset), nil)
		for j, column := range columns {
			a := sums[j*vectors+offset/(8*m.n)]
			m.setAdd(m.mul(column.Offset(offset), v), a, a)
		}
	})
	m.rest(i, n, func(in *mask, v int) {
		w := m.load(r.Offset(8*m.n*v), in)
		for j, column := range columns {
			a := sums[j*vectors+v]
			m.setAdd(m.keep(m.mul(m.load(column.Offset(8*m.n*v), in), w), in), a, a)
		}
	})
	for k, a := range sums {
		m.store(a, s.Offset(8*m.n*k), nil)
	}
}
