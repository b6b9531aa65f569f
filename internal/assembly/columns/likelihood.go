package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const leastExp = -0x1.61fffffffffffp9 // the next above −708

// inLanes is the lanes that row i belongs to in sums at base: sums of the passes that take long stay in memory.
func inLanes(base reg.Register, i reg.GPVirtual) Mem {
	at := GP64()
	MOVQ(i, at)
	ANDQ(Imm(lanes-1), at)
	return Mem{Base: base, Index: at, Scale: 8}
}

// addTo adds a vector to the lanes of sums.
func (m *machine) addTo(sums Mem, v reg.VecVirtual, in *mask) {
	m.store(m.add(sums, m.keep(v, in)), sums, nil)
}

func (m *machine) likelihoods() {
	m.bernoulliLogit()
	m.poissonLog()
	m.binomialLogit()
	m.negBinLog()
	m.addLogs()
	m.bernoulliProbit()
	m.orderedLogit()
	m.orderedProbit()
}

func (m *machine) bernoulliLogit() {
	m.text("bernoulliLogit", "is bernoulliLogitGo.", "func(s, product *[16]float64, d, y, eta *float64, n int, exp *byte)")
	i := counter()
	s, product := Load(Param("s"), GP64()), Load(Param("product"), GP64())
	d, y, eta, n := pointer("d", i), pointer("y", i), pointer("eta", i), size("n")
	t := m.tables("exp")
	m.loop(i, n, 1, func(in *mask, _ int) {
		sign := m.load(y, in)
		sign = m.sub(m.f(1), m.add(sign, sign))
		slope := m.bernoulliRow(t, inLanes(s, i), inLanes(product, i), m.mul(m.load(eta, in), sign), in)
		m.store(m.mul(slope, sign), d, in)
	})
	end()
}

// bernoulliRow adds min(z, 0) to the terms, multiplies 1+exp(−|z|) into the factors and returns 1 − ilogit(z).
func (m *machine) bernoulliRow(t tables, terms, factors Mem, z reg.VecVirtual, in *mask) reg.VecVirtual {
	m.addTo(terms, m.min(z, m.inReg(m.f(0))), in)
	e := m.exp(t, m.max(m.minusAbs(z), m.inReg(m.f(leastExp))))
	f := m.add(m.f(1), e)
	m.choose(m.compare(less, m.f(0), z), m.f(1), e)
	p := m.load(factors, nil)
	if in == nil {
		m.setMul(f, p, p)
	} else {
		m.choose(*in, m.mul(f, p), p)
	}
	m.store(p, factors, nil)
	return m.div(f, e)
}

func (m *machine) poissonLog() {
	m.text("poissonLog", "is poissonLogGo.", "func(s *[16]float64, d, y, eta *float64, n int, exp *byte)")
	i := counter()
	s := Load(Param("s"), GP64())
	d, y, eta, n := pointer("d", i), pointer("y", i), pointer("eta", i), size("n")
	t := m.tables("exp")
	m.loop(i, n, 1, func(in *mask, _ int) {
		x := m.load(eta, in)
		e := m.exp(t, m.min(m.max(x, m.inReg(m.f(leastExp))), m.inReg(m.f(709))))
		m.choose(m.compare(more, m.f(709), x), m.u(0x7ff<<52), e)
		c := m.load(y, in)
		m.addTo(inLanes(s, i), m.sub(e, m.mul(c, x)), in)
		m.store(m.sub(e, c), d, in)
	})
	end()
}

func (m *machine) binomialLogit() {
	m.text("binomialLogit", "is binomialLogitGo.", "func(s *[16]float64, d, y, trials, eta *float64, n int, exp, log *byte)")
	k := GP64()
	m.softExps(k, "eta", func(t tables) func(x, e reg.VecVirtual, in *mask) {
		s, d, y, trials := Load(Param("s"), GP64()), pointer("d", k), pointer("y", k), pointer("trials", k)
		return func(x, e reg.VecVirtual, in *mask) {
			softplus := m.add(m.log1p(t, e), m.max(x, m.inReg(m.f(0))))
			p := m.ratio(x, e, m.add(m.f(1), e))
			c, size := m.load(y, in), m.load(trials, in)
			m.addTo(inLanes(s, k), m.sub(m.mul(size, softplus), m.mul(c, x)), in)
			m.store(m.sub(m.mul(size, p), c), d, in)
		}
	})
	end()
}

func (m *machine) negBinLog() {
	m.text("negBinLog", "is negBinLogGo.", "func(s, l *[16]float64, d, y, w, u *float64, r float64, n int, exp, log *byte)")
	k := GP64()
	m.softExps(k, "u", func(t tables) func(x, e reg.VecVirtual, in *mask) {
		s, l, d, y, w := Load(Param("s"), GP64()), Load(Param("l"), GP64()), pointer("d", k), pointer("y", k), pointer("w", k)
		r := m.broadcast("r")
		return func(x, e reg.VecVirtual, in *mask) {
			softplus := m.add(m.log1p(t, e), m.max(x, m.inReg(m.f(0))))
			p := m.ratio(x, e, m.add(m.f(1), e))
			c, times := m.load(y, in), m.load(w, in)
			size := m.add(m.mul(r, times), c)
			m.addTo(inLanes(l, k), m.mul(times, softplus), in)
			m.addTo(inLanes(s, k), m.sub(m.mul(size, softplus), m.mul(c, x)), in)
			m.store(m.sub(m.mul(size, p), c), d, in)
		}
	})
	end()
}

func (m *machine) orderedLogit() {
	m.text("orderedLogit", "is orderedLogitGo.",
		"func(s, below, product *[16]float64, exponent *[16]int64, da, db, a, b *float64, n int, exp *byte)")
	i := counter()
	s, below := Load(Param("s"), GP64()), Load(Param("below"), GP64())
	product, exponent := Load(Param("product"), GP64()), Load(Param("exponent"), GP64())
	da, db, a, b, n := pointer("da", i), pointer("db", i), pointer("a", i), pointer("b", i), size("n")
	t := m.tables("exp")
	m.loop(i, n, 1, func(in *mask, _ int) {
		lo, hi := m.load(a, in), m.load(b, in)
		minus := m.xor(m.u(signBit), lo)
		soft := func(z reg.VecVirtual) (e, f reg.VecVirtual) {
			e = m.exp(t, m.max(m.minusAbs(z), m.inReg(m.f(leastExp))))
			return e, m.add(m.f(1), e)
		}
		ea, fa := soft(lo)
		eb, fb := soft(hi)
		ratio := m.exp(t, m.min(m.max(m.sub(hi, lo), m.inReg(m.f(leastExp))), m.inReg(m.f(1))))
		f := m.sub(ratio, m.inReg(m.f(1)))
		term := m.add(m.u(0xfff<<52), m.mul(m.f(0), f))
		both := m.add(m.min(minus, m.inReg(m.f(0))), m.min(hi, m.inReg(m.f(0))))
		m.choose(m.compare(more, m.f(0), f), both, term)
		m.addTo(inLanes(s, i), term, in)
		p := m.load(inLanes(below, i), nil)
		if in == nil {
			m.setMul(m.mul(fb, fa), p, p)
		} else {
			m.choose(*in, m.mul(m.mul(fb, fa), p), p)
		}
		m.store(p, inLanes(below, i), nil)
		m.multiply(product, exponent, i, m.factor(f, in))
		apart := m.div(f, ratio)
		m.choose(m.compare(less, m.f(0), hi), m.f(1), eb)
		m.store(m.add(apart, m.div(fb, eb)), db, in)
		m.choose(m.compare(less, m.f(0), minus), m.f(1), ea)
		m.store(m.xor(m.u(signBit), m.add(apart, m.div(fa, ea))), da, in)
	})
	end()
}

// addLogs writes the product of mantissas and the sum of exponents.
func (m *machine) addLogs() {
	m.text("addLogs", "is addLogsGo from row from up to the first vector with a number that is not positive and normal; it returns the row it came to.",
		"func(product *[16]float64, exponent *[16]int64, a *float64, from, n int) int")
	i := size("from")
	product, exponent := Load(Param("product"), GP64()), Load(Param("exponent"), GP64())
	a, n := pointer("a", i), size("n")
	stop := m.label("stop")
	m.loop(i, n, 1, func(in *mask, _ int) {
		x := m.loadOr(a, in, m.f(1))
		m.unlessAll(m.both(m.compare(atLeast, m.f(0x1p-1022), x), m.compare(atMost, m.u(0x7fefffffffffffff), x)), stop)
		m.multiply(product, exponent, i, x)
	})
	Label(stop)
	Store(i, ReturnIndex(0))
	end()
}

// multiply multiplies mantissas into the lanes of a product and adds exponents to theirs.
func (m *machine) multiply(product, exponent reg.Register, i reg.GPVirtual, f reg.VecVirtual) {
	to := inLanes(exponent, i)
	m.store(m.addInt(to, m.subInt(m.u(1023), m.shiftRight(52, f))), to, nil)
	to = inLanes(product, i)
	m.store(m.mul(to, m.or(m.f(1), m.and(m.u(lowBits), f))), to, nil)
}
