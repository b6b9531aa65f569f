package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// accumulate runs over groups of sixteen rows and adds the terms of each vector to its lanes of the sums at s, which stay in registers.
func (m *machine) accumulate(s Mem, i, n reg.GPVirtual, term func(in *mask, at int) reg.VecVirtual) {
	var sums []reg.VecVirtual
	for at := 0; at < 8*lanes; at += 8 * m.n {
		sums = append(sums, m.load(s.Offset(at), nil))
	}
	m.full(i, n, lanes/m.n, func(_ *mask, at int) {
		r := sums[at/(8*m.n)]
		m.setAdd(term(nil, at), r, r)
	})
	m.rest(i, n, func(in *mask, v int) {
		m.setAdd(m.keep(term(in, 8*m.n*v), in), sums[v], sums[v])
	})
	for v, r := range sums {
		m.store(r, s.Offset(8*m.n*v), nil)
	}
}

// rest runs body for the vectors of a last group of less than sixteen rows, all with a mask.
func (m *machine) rest(i, n reg.GPVirtual, body func(in *mask, v int)) {
	done := m.label("done")
	left := GP64()
	MOVQ(n, left)
	SUBQ(i, left)
	JEQ(LabelRef(done))
	if m.wide {
		bits := GP64()
		MOVQ(left, reg.RCX) // shift counts are in CL
		MOVQ(I32(-1), bits)
		SHLQ(reg.CL, bits)
		NOTQ(bits)
		for v := range lanes / m.n {
			if v > 0 {
				SHRQ(Imm(uint64(m.n)), bits)
			}
			k := K()
			KMOVW(bits.As32(), k)
			body(&mask{k: k}, v)
		}
	} else {
		m.restOfFew(left, body)
	}
	MOVQ(n, i)
	Label(done)
}

// restOfFew is rest for vectors whose masks are vectors.
func (m *machine) restOfFew(left reg.GPVirtual, body func(in *mask, v int)) {
	zero, full := counter(), GP64()
	MOVQ(U32(m.n), full)
	for v := range lanes / m.n {
		some := GP64()
		MOVQ(left, some)
		CMPQ(left, full)
		CMOVQGT(full, some)
		in := m.first(some)
		body(&in, v)
		SUBQ(full, left)
		CMOVQLT(zero, left)
	}
}

// sums writes the sums in lanes.
func (m *machine) sums() {
	m.text("sum", "is sumGo.", "func(s *[16]float64, a *float64, n int)")
	i := counter()
	s, a, n := Mem{Base: Load(Param("s"), GP64())}, pointer("a", i), size("n")
	m.accumulate(s, i, n, func(in *mask, at int) reg.VecVirtual { return m.load(a.Offset(at), in) })
	end()
	m.text("dot", "is dotGo.", "func(s *[16]float64, a, b *float64, n int)")
	i = counter()
	s, a, n = Mem{Base: Load(Param("s"), GP64())}, pointer("a", i), size("n")
	b := pointer("b", i)
	m.accumulate(s, i, n, func(in *mask, at int) reg.VecVirtual {
		return m.mul(m.load(a.Offset(at), in), m.load(b.Offset(at), in))
	})
	end()
	m.text("normal", "is normalGo.", "func(s *[16]float64, d, y, mu *float64, tau float64, n int)")
	i = counter()
	s, n = Mem{Base: Load(Param("s"), GP64())}, size("n")
	d, y, mu, tau := pointer("d", i), pointer("y", i), pointer("mu", i), m.broadcast("tau")
	m.accumulate(s, i, n, func(in *mask, at int) reg.VecVirtual {
		r := m.sub(m.load(mu.Offset(at), in), m.load(y.Offset(at), in))
		m.store(m.mul(tau, r), d.Offset(at), in)
		return m.mul(r, r)
	})
	end()
	m.text("normalRows", "is normalRowsGo.", "func(s *[16]float64, d, q, y, mu, tau *float64, n int)")
	i = counter()
	s, n = Mem{Base: Load(Param("s"), GP64())}, size("n")
	d, y, mu = pointer("d", i), pointer("y", i), pointer("mu", i)
	q, each := pointer("q", i), pointer("tau", i)
	m.accumulate(s, i, n, func(in *mask, at int) reg.VecVirtual {
		r := m.sub(m.load(mu.Offset(at), in), m.load(y.Offset(at), in))
		t := m.load(each.Offset(at), in)
		square := m.mul(r, r)
		m.store(square, q.Offset(at), in)
		m.store(m.mul(r, t), d.Offset(at), in)
		return m.mul(square, t)
	})
	end()
	m.text("normalPlane", "is normalPlaneGo.", "func(s *[16]float64, d, e, y, a, x, b, z *float64, tau float64, n int)")
	i = counter()
	s, n = Mem{Base: Load(Param("s"), GP64())}, size("n")
	d, e, y := pointer("d", i), pointer("e", i), pointer("y", i)
	x, z := pointer("x", i), pointer("z", i)
	a, b = pointer("a", i), pointer("b", i)
	tau = m.broadcast("tau")
	m.accumulate(s, i, n, func(in *mask, at int) reg.VecVirtual {
		byX, byZ := m.load(a.Offset(at), in), m.load(b.Offset(at), in)
		mean := m.add(m.mul(byZ, m.load(z.Offset(at), in)), m.mul(byX, m.load(x.Offset(at), in)))
		r := m.sub(mean, m.load(y.Offset(at), in))
		w := m.mul(tau, r)
		m.store(m.add(m.mul(byX, w), m.load(d.Offset(at), in)), d.Offset(at), in)
		m.store(m.add(m.mul(byZ, w), m.load(e.Offset(at), in)), e.Offset(at), in)
		return m.mul(r, r)
	})
	end()
	if m.wide { // the sums of three terms do not find room in sixteen registers
		m.normalLine()
	}
}

func (m *machine) normalLine() {
	m.text("normalLine", "is normalLineGo.", "func(s *[16]float64, d, y, x, tau *float64, c, mu float64, n int) (slope, product float64)")
	i := counter()
	s, n := Mem{Base: Load(Param("s"), GP64())}, size("n")
	d, y, x, each := pointer("d", i), pointer("y", i), pointer("x", i), pointer("tau", i)
	c, mu := m.broadcast("c"), m.broadcast("mu")
	var squares []reg.VecVirtual
	for v := range lanes / m.n {
		squares = append(squares, m.load(s.Offset(8*m.n*v), nil))
	}
	t := m.total(i, n, func(in *mask, at int) []reg.VecVirtual {
		v := m.load(x.Offset(at), in)
		r := m.sub(m.add(mu, m.mul(c, v)), m.load(y.Offset(at), in))
		tau := m.load(each.Offset(at), in)
		w := m.mul(r, tau)
		m.store(m.add(m.mul(c, w), m.load(d.Offset(at), in)), d.Offset(at), in)
		sum := squares[at/(8*m.n)]
		m.setAdd(m.keep(m.mul(m.mul(r, r), tau), in), sum, sum)
		return []reg.VecVirtual{w, m.mul(v, w)}
	}, 2)
	for v, r := range squares {
		m.store(r, s.Offset(8*m.n*v), nil)
	}
	Store(t[0], ReturnIndex(0))
	Store(t[1], ReturnIndex(1))
	end()
}
