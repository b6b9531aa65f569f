package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// The coefficients are those of rational.go in package vec, from the constant on.
var (
	lgammaOne = rational{
		{-0.5772156649015329, -0.8048158943029168, 0.2052688988106393, 0.7516903227887293, 0.3652758286765223, 0.0576309823036264, 0.002165526599809166},
		{1.0, 2.819193980129815, 2.967243753822062, 1.4374871912833687, 0.31792672589833954, 0.027111348799831687, 0.0005225678725538668},
	}
	lgammaTwo = rational{
		{0.42278433509846713, 0.9480067876881235, 0.7588996356750448, 0.2781842697268787, 0.04785238906134353, 0.0034112224337486457, 6.592004121668464e-05},
		{1.0, 1.4795717398524737, 0.8258083331269758, 0.21514529191316645, 0.02608891595046021, 0.0012537756994497478, 1.4166305007605586e-05},
	}
	digammaMid = rational{
		{0.9510558760318328, 1.1663702567214969, 0.5137384479970142, 0.0998201733015596, 0.008297484863617567, 0.00022636249078624788, 4.22009395907132e-07},
		{1.0, 1.6718236205395554, 1.0319333676352624, 0.2978119036558111, 0.041378314480827155, 0.0025031842360786877, 4.664959078686044e-05},
	}
)

// rational is the coefficients above and below the line.
type rational [2][]float64

// of is p(x)/q(x), even and odd powers summed apart.
func (c rational) of(m *machine, x reg.VecVirtual) reg.VecVirtual {
	x2 := m.mul(x, x)
	part := func(c []float64) reg.VecVirtual {
		var even, odd []float64
		for i, v := range c {
			if i%2 == 0 {
				even = append(even, v)
			} else {
				odd = append(odd, v)
			}
		}
		p := m.mul(m.horner(x2, odd), x)
		return m.setAdd(p, m.horner(x2, even), p)
	}
	p := part(c[0])
	return m.div(part(c[1]), p)
}

// lgamma writes log Γ of numbers in [2⁻¹⁰²², 1e300]. What only some ranges of numbers need is left out where a vector has none.
func (m *machine) lgamma() {
	m.function("lgamma", 1, "log", func(t tables, x reg.VecVirtual, stop string) reg.VecVirtual {
		m.unlessAll(m.both(m.compare(atLeast, m.f(0x1p-1022), x), m.compare(atMost, m.f(1e300), x)), stop)
		ofLog, rest := m.vec(), m.vec()
		VMOVUPD(x, ofLog)
		VMOVUPD(x, rest)
		large := m.label("large")
		m.ifNone(m.compare(less, m.f(8), x), large)
		m.lgammaSmall(x, ofLog, rest)
		Label(large)
		l := m.log(t, ofLog)
		y := m.xor(m.u(signBit), l)
		m.choose(m.compare(atLeast, m.f(1.5), x), l, y)
		m.setAdd(rest, y, y)
		done := m.label("done")
		big := m.compare(atLeast, m.f(8), x)
		m.ifNone(big, done)
		inverse := m.div(x, m.inReg(m.f(1)))
		tail := m.mul(inverse, m.horner(m.mul(inverse, inverse),
			[]float64{1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400}))
		m.setAdd(m.f(0.9189385332046728), tail, tail)
		stirling := m.sub(x, m.mul(l, m.sub(m.f(0.5), x)))
		m.setAdd(tail, stirling, stirling)
		m.choose(m.compare(atLeast, m.f(8), x), stirling, y)
		Label(done)
		return y
	})
}

// lgammaSmall sets, for numbers below 8, what the logarithm is taken of and what is added to it, or to minus it below 1.5.
func (m *machine) lgammaSmall(x, ofLog, rest reg.VecVirtual) {
	low, product, one := m.vec(), m.vec(), m.inReg(m.f(1))
	VMOVUPD(x, low)
	VMOVUPD(one, product)
	m.choose(m.compare(atLeast, m.f(8), x), m.f(2), low)
	for range 6 {
		down := m.compare(atLeast, m.f(2.5), low)
		next := m.sub(one, low)
		m.choose(down, next, low)
		step := m.vec()
		VMOVUPD(one, step)
		m.choose(down, next, step)
		m.setMul(step, product, product)
	}
	m.choose(m.both(m.compare(atLeast, m.f(1.5), x), m.compare(less, m.f(8), x)), product, ofLog)
	u := m.sub(m.f(2), low)
	m.choose(m.compare(less, m.f(1.5), x), m.sub(one, x), u)
	VMOVUPD(m.mul(lgammaTwo.of(m, u), u), rest)
	// In (0, ½) and in [1, 1½) the other function is at hand.
	apart := m.label("apart")
	v := m.sub(m.inReg(m.f(1)), x)
	m.choose(m.compare(less, m.f(0.5), x), x, v)
	near := m.both(m.compare(atLeast, m.f(0), v), m.compare(less, m.f(0.5), v))
	m.ifNone(near, apart)
	m.choose(m.both(m.compare(atLeast, m.f(0), v), m.compare(less, m.f(0.5), v)), m.mul(lgammaOne.of(m, v), v), rest)
	m.choose(m.both(m.compare(atLeast, m.f(1), x), m.compare(less, m.f(1.5), x)), m.f(1), ofLog)
	Label(apart)
}

// digamma writes the derivative of log Γ for positive numbers.
func (m *machine) digamma() {
	m.function("digamma", 1, "log", func(t tables, x reg.VecVirtual, stop string) reg.VecVirtual {
		m.unlessAll(m.both(m.compare(more, m.f(0), x), m.compare(atMost, m.f(math.MaxFloat64), x)), stop)
		y := m.vec()
		VMOVUPD(x, y)
		large := m.label("large")
		m.ifNone(m.compare(less, m.f(10), x), large)
		m.digammaSmall(x, y)
		Label(large)
		done := m.label("done")
		m.ifNone(m.compare(atLeast, m.f(10), x), done)
		inverse := m.div(x, m.inReg(m.f(1)))
		z := m.mul(inverse, inverse)
		p := m.mul(m.horner(z, []float64{1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12}), z)
		m.setAdd(m.mul(m.f(0.5), inverse), p, p)
		far := m.sub(p, m.log(t, x))
		m.choose(m.compare(atLeast, m.f(10), x), far, y)
		Label(done)
		return y
	})
}

// digammaSmall sets y for numbers below 10.
func (m *machine) digammaSmall(x, y reg.VecVirtual) {
	low, one := m.vec(), m.inReg(m.f(1))
	VMOVUPD(x, low)
	m.choose(m.compare(atLeast, m.f(10), x), m.f(2), low)
	sum := m.inReg(m.f(0))
	up := m.compare(less, m.f(1), low)
	m.choose(up, m.sub(m.div(low, one), sum), sum)
	m.choose(m.compare(less, m.f(1), low), m.add(one, low), low)
	for range 8 {
		next := m.sub(one, low)
		m.choose(m.compare(more, m.f(2), low), m.add(m.div(next, one), sum), sum)
		m.choose(m.compare(more, m.f(2), low), next, low)
	}
	near := m.sub(m.f(1.4616321449683622), low)
	m.setSub(m.f(9.549995429965697e-17), near, near)
	p := digammaMid.of(m, m.sub(m.f(1.5), low))
	VMOVUPD(m.add(m.mul(p, near), sum), y)
}
