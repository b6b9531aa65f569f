package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// The constants are those of probit.go in package columns, which explains them.
const (
	invSqrt2Pi = 0.3989422804014327
	farthest   = 1e15
	millsFold  = 5.3
)

var mills = []float64{1.2375562887602014, -0.14024279337529452, 0.0034648538101244375, 0.08241445962200626,
	-0.10887068012106495, 0.09227834755665619, -0.05861145705010624, 0.028276927112255483,
	-0.009689751065343935, 0.0017305001627786532, 0.000299590310368346, -0.00028942267642486144,
	5.0563098082040296e-05, 2.262792459706453e-05, -1.1342258130357198e-05, -1.037239915760753e-06,
	1.7375267807178725e-06, -4.115403691614771e-08, -2.489289430625303e-07, 1.7456324304891427e-08,
	3.210184457933699e-08, -1.841189682856111e-09, -2.6360567164231155e-09}

// horner is c[0] + x·(c[1] + x·(…)).
func (m *machine) horner(x reg.VecVirtual, c []float64) reg.VecVirtual {
	n := len(c) - 1
	p := m.mul(m.f(c[n]), x)
	m.setAdd(m.f(c[n-1]), p, p)
	for i := n - 2; i >= 0; i-- {
		m.setMul(x, p, p)
		m.setAdd(m.f(c[i]), p, p)
	}
	return p
}

// halfErfcx is erfcx(a/√2)/2.
func (m *machine) halfErfcx(a reg.VecVirtual) reg.VecVirtual {
	t := m.div(m.add(m.f(millsFold), a), m.sub(m.f(millsFold), a))
	t2 := m.mul(t, t)
	q := m.mul(t2, t2)
	part := func(first int) reg.VecVirtual {
		var c []float64
		for i := first; i < len(mills); i += 4 {
			c = append(c, mills[i])
		}
		return m.horner(q, c)
	}
	p := m.add(m.mul(part(3), t), part(2))
	m.setMul(t2, p, p)
	low := m.add(m.mul(part(1), t), part(0))
	m.setAdd(low, p, p)
	return m.div(m.add(m.f(2), m.mul(m.f(2*math.Sqrt2), a)), p)
}

// distance is |x| up to the farthest.
func (m *machine) distance(x reg.VecVirtual) reg.VecVirtual {
	return m.min(m.abs(x), m.inReg(m.f(farthest)))
}

// gauss is exp(−x/2).
func (m *machine) gauss(t tables, x reg.VecVirtual) reg.VecVirtual {
	return m.exp(t, m.max(m.mul(m.f(-0.5), x), m.inReg(m.f(leastExp))))
}

// factor is f where it is a positive number, with 1 in the lanes outside the mask.
func (m *machine) factor(f reg.VecVirtual, in *mask) reg.VecVirtual {
	f = m.max(m.f(0x1p-1022), f)
	if in == nil {
		return f
	}
	r := m.vec()
	VMOVUPD(m.inReg(m.f(1)), r)
	m.choose(*in, f, r)
	return r
}

func (m *machine) bernoulliProbit() {
	m.text("bernoulliProbit", "is bernoulliProbitGo.",
		"func(s, product *[16]float64, exponent *[16]int64, d, y, eta *float64, n int, exp *byte)")
	i := counter()
	s, product, exponent := Load(Param("s"), GP64()), Load(Param("product"), GP64()), Load(Param("exponent"), GP64())
	d, y, eta, n := pointer("d", i), pointer("y", i), pointer("eta", i), size("n")
	t := m.tables("exp")
	m.loop(i, n, 1, func(in *mask, _ int) {
		sign := m.load(y, in)
		sign = m.sub(m.f(1), m.add(sign, sign))
		z := m.mul(m.load(eta, in), sign)
		w := m.min(z, m.inReg(m.f(0)))
		m.addTo(inLanes(s, i), m.mul(m.f(-0.5), m.mul(w, w)), in)
		e := m.gauss(t, m.mul(z, z))
		tail := m.halfErfcx(m.distance(z))
		f := m.sub(m.mul(tail, e), m.inReg(m.f(1)))
		low := m.compare(less, m.f(0), z)
		m.choose(low, tail, f)
		m.choose(low, m.f(1), e)
		m.store(m.mul(m.div(f, m.mul(m.f(invSqrt2Pi), e)), sign), d, in)
		m.multiply(product, exponent, i, m.factor(f, in))
	})
	end()
}

func (m *machine) orderedProbit() {
	m.text("orderedProbit", "is orderedProbitGo.",
		"func(s, product *[16]float64, exponent *[16]int64, da, db, a, b *float64, n int, exp *byte)")
	i := counter()
	s, product, exponent := Load(Param("s"), GP64()), Load(Param("product"), GP64()), Load(Param("exponent"), GP64())
	da, db, a, b, n := pointer("da", i), pointer("db", i), pointer("a", i), pointer("b", i), size("n")
	t := m.tables("exp")
	m.loop(i, n, 1, func(in *mask, _ int) {
		lo, hi := m.load(a, in), m.load(b, in)
		above := m.compare(more, m.f(0), m.add(hi, lo))
		mirrored := m.xor(m.u(signBit), hi)
		m.choose(above, m.xor(m.u(signBit), lo), hi)
		m.choose(above, mirrored, lo)
		near, far := m.distance(hi), m.distance(lo)
		ratio := m.gauss(t, m.mul(m.add(near, far), m.max(m.sub(near, far), m.inReg(m.f(0)))))
		e := m.gauss(t, m.mul(near, near))
		tail := m.halfErfcx(near)
		rest := m.mul(m.halfErfcx(far), ratio)
		f := m.sub(m.mul(m.add(rest, tail), e), m.inReg(m.f(1)))
		low := m.compare(less, m.f(0), hi)
		m.choose(low, m.sub(rest, tail), f)
		m.choose(low, m.f(1), e)
		w := m.min(hi, m.inReg(m.f(0)))
		term := m.add(m.u(0xfff<<52), m.mul(m.f(0), f))
		m.choose(m.compare(more, m.f(0), f), m.mul(m.f(-0.5), m.mul(w, w)), term)
		m.addTo(inLanes(s, i), term, in)
		m.multiply(product, exponent, i, m.factor(f, in))
		d := m.div(f, m.mul(m.f(invSqrt2Pi), e))
		r := m.mul(ratio, d)
		other := m.vec()
		VMOVUPD(d, other)
		m.choose(above, r, d)
		m.choose(above, other, r)
		m.store(d, db, in)
		m.store(m.xor(m.u(signBit), r), da, in)
	})
	end()
}
