package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// unroll is how many vectors a loop of one or two operations handles at once.
const unroll = 4

// arithmetic writes the loops of one operation.
func (m *machine) arithmetic() {
	for _, o := range []struct {
		name string
		of   func(a Op, b reg.VecVirtual) reg.VecVirtual // b op a
	}{{"add", m.add}, {"sub", m.sub}, {"mul", m.mul}, {"div", m.div}} {
		m.text(o.name, "is "+o.name+"Go.", "func(d, a, b *float64, n int)")
		i := counter()
		d, a, b, n := pointer("d", i), pointer("a", i), pointer("b", i), size("n")
		m.loop(i, n, unroll, func(in *mask, at int) {
			x := m.load(a.Offset(at), in)
			if in == nil {
				m.store(o.of(b.Offset(at), x), d.Offset(at), in)
			} else {
				m.store(o.of(m.load(b.Offset(at), in), x), d.Offset(at), in)
			}
		})
		end()
	}
	m.times()
	m.text("addMul", "is addMulGo.", "func(d, a, b *float64, n int)")
	i := counter()
	d, a, b, n := pointer("d", i), pointer("a", i), pointer("b", i), size("n")
	m.loop(i, n, unroll, func(in *mask, at int) {
		x := m.mul(m.load(b.Offset(at), in), m.load(a.Offset(at), in))
		m.store(m.add(x, m.load(d.Offset(at), in)), d.Offset(at), in)
	})
	end()
	m.text("affine", "is affineGo.", "func(d, a *float64, s, c float64, n int)")
	i = counter()
	d, a, n = pointer("d", i), pointer("a", i), size("n")
	s, c := m.broadcast("s"), m.broadcast("c")
	m.loop(i, n, unroll, func(in *mask, at int) {
		m.store(m.add(c, m.mul(s, m.load(a.Offset(at), in))), d.Offset(at), in)
	})
	end()
	m.text("moments", "is momentsGo.", "func(mean, sum, x *float64, w float64, n int)")
	i = counter()
	mean, sum, x, n, w := pointer("mean", i), pointer("sum", i), pointer("x", i), size("n"), m.broadcast("w")
	m.loop(i, n, 2, func(in *mask, at int) {
		v, was := m.load(x.Offset(at), in), m.load(mean.Offset(at), in)
		d := m.sub(was, v)
		now := m.add(m.mul(w, d), was)
		m.store(now, mean.Offset(at), in)
		m.store(m.add(m.mul(m.sub(now, v), d), m.load(sum.Offset(at), in)), sum.Offset(at), in)
	})
	end()
	m.text("addScaledMul", "is addScaledMulGo.", "func(d, a, b *float64, s float64, n int)")
	i = counter()
	d, a, b, n = pointer("d", i), pointer("a", i), pointer("b", i), size("n")
	s = m.broadcast("s")
	m.loop(i, n, unroll, func(in *mask, at int) {
		x := m.mul(s, m.mul(m.load(b.Offset(at), in), m.load(a.Offset(at), in)))
		m.store(m.add(x, m.load(d.Offset(at), in)), d.Offset(at), in)
	})
	end()
	m.text("drift", "is driftGo.", "func(x, r, h, scale *float64, half, eps float64, n int)")
	i = counter()
	x, r, h, scale := pointer("x", i), pointer("r", i), pointer("h", i), pointer("scale", i)
	half, eps := m.broadcast("half"), m.broadcast("eps")
	n = size("n")
	m.loop(i, n, unroll, func(in *mask, at int) {
		v := m.add(m.mul(half, m.load(h.Offset(at), in)), m.load(r.Offset(at), in))
		m.store(v, r.Offset(at), in)
		m.store(m.add(m.mul(eps, m.mul(v, m.load(scale.Offset(at), in))), m.load(x.Offset(at), in)), x.Offset(at), in)
	})
	end()
	m.withScalar()
	m.rotate()
	m.text("sqrt", "is sqrtGo.", "func(d, a *float64, n int)")
	i = counter()
	d, a, n = pointer("d", i), pointer("a", i), size("n")
	m.loop(i, n, 1, func(in *mask, at int) { m.store(m.sqrt(m.load(a, in)), d, in) })
	end()
}

// withScalar writes the loops of one operation with a number that all rows share.
func (m *machine) withScalar() {
	for _, o := range []struct {
		name string
		of   func(s, a reg.VecVirtual, d func() reg.VecVirtual) reg.VecVirtual
	}{
		{"addScalar", func(s, a reg.VecVirtual, _ func() reg.VecVirtual) reg.VecVirtual { return m.add(s, a) }},
		{"subFrom", func(s, a reg.VecVirtual, _ func() reg.VecVirtual) reg.VecVirtual { return m.sub(a, s) }},
		{"mulScalar", func(s, a reg.VecVirtual, _ func() reg.VecVirtual) reg.VecVirtual { return m.mul(s, a) }},
		{"divInto", func(s, a reg.VecVirtual, _ func() reg.VecVirtual) reg.VecVirtual { return m.div(a, s) }},
		{"addScaled", func(s, a reg.VecVirtual, d func() reg.VecVirtual) reg.VecVirtual { return m.add(m.mul(s, a), d()) }},
	} {
		m.text(o.name, "is "+o.name+"Go.", "func(d, a *float64, s float64, n int)")
		i := counter()
		d, a, n, s := pointer("d", i), pointer("a", i), size("n"), m.broadcast("s")
		m.loop(i, n, unroll, func(in *mask, at int) {
			x := m.load(a.Offset(at), in)
			m.store(o.of(s, x, func() reg.VecVirtual { return m.load(d.Offset(at), in) }), d.Offset(at), in)
		})
		end()
	}
	m.text("neg", "is negGo.", "func(d, a *float64, n int)")
	i := counter()
	d, a, n := pointer("d", i), pointer("a", i), size("n")
	sign := m.inReg(m.u(signBit))
	m.loop(i, n, unroll, func(in *mask, at int) { m.store(m.xor(sign, m.load(a.Offset(at), in)), d.Offset(at), in) })
	end()
	m.text("fill", "is fillGo.", "func(d *float64, s float64, n int)")
	i = counter()
	d, n, s := pointer("d", i), size("n"), m.broadcast("s")
	m.loop(i, n, unroll, func(in *mask, at int) { m.store(s, d.Offset(at), in) })
	end()
}

// rotate writes the loop that turns two columns.
func (m *machine) rotate() {
	m.text("rotate", "is rotateGo.", "func(x, y *float64, c, s float64, n int)")
	i := counter()
	x, y, n := pointer("x", i), pointer("y", i), size("n")
	c, s := m.broadcast("c"), m.broadcast("s")
	m.loop(i, n, 2, func(in *mask, at int) {
		u, v := m.load(x.Offset(at), in), m.load(y.Offset(at), in)
		m.store(m.add(m.mul(c, v), m.mul(s, u)), y.Offset(at), in)
		m.store(m.sub(m.mul(s, v), m.mul(c, u)), x.Offset(at), in)
	})
	end()
}

// times writes the product that leaves off at the first vector with NaN in it.
func (m *machine) times() {
	m.text("times", "is timesGo up to the first vector with a product that is NaN; it returns the number of rows done.", "func(d, a, b *float64, n int) int")
	i := counter()
	d, a, b, n := pointer("d", i), pointer("a", i), pointer("b", i), size("n")
	stop := m.label("stop")
	m.loop(i, n, 1, func(in *mask, _ int) {
		x := m.mul(m.load(b, in), m.load(a, in))
		m.unlessAll(m.compare(ordered, x, x), stop)
		m.store(x, d, in)
	})
	Label(stop)
	Store(i, ReturnIndex(0))
	end()
}
