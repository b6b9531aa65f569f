package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The constants are those of package vec, which explains them.
const (
	ln2Hi     = 0.6931471805598903
	ln2Lo     = 5.497923018708371e-14
	expInv    = 184.6649652337873
	expHi     = 0.0054152123482253955
	expLo     = -1.0082281460997769e-13
	shifter   = 0x1.8p52
	logOrigin = 0x3fe6100000000000
)

// tables addresses the tables of exp, of rows of 16 bytes, and of log, of 32; spill is room for the offsets of a vector's rows.
type tables struct {
	exp, log reg.Register
	spill    Mem
}

// tables loads the parameter exp or log.
func (m *machine) tables(name string) (t tables) {
	r := Load(Param(name), GP64())
	if name == "exp" {
		t.exp = r
	} else {
		t.log = r
	}
	t.spill = m.aligned(m.n)
	return t
}

// aligned is room for so many numbers, whose vectors lie within one line of the cache each: what is read back from two lines waits for them, and where the stack begins
// goes with the callers.
func (m *machine) aligned(n int) Mem {
	room, base := AllocLocal(8*(n+m.n)), GP64()
	LEAQ(room.Offset(8*m.n), base)
	ANDQ(I8(-8*m.n), base)
	return Mem{Base: base}
}

// rows gives the rows of the lanes at their offsets, which go through memory: it takes fewer instructions than gathers or shuffles.
func (m *machine) rows(base reg.Register, offsets reg.VecVirtual, spill Mem) func(lane int) Mem {
	VMOVUPD(offsets, spill)
	return func(lane int) Mem {
		r := GP64()
		MOVQ(spill.Offset(8*lane), r)
		return Mem{Base: base, Index: r, Scale: 1}
	}
}

// two is the first and the second number of the rows.
func (m *machine) two(row func(lane int) Mem) (first, second reg.VecVirtual) {
	even, odd := m.vec(), m.vec()
	for k, r := range []reg.VecVirtual{even, odd} {
		if m.wide {
			VBROADCASTF32X4(row(k), r)
			for j := 1; j < 4; j++ {
				VINSERTF32X4(Imm(uint64(j)), row(k+2*j), r, r)
			}
		} else {
			VBROADCASTF128(row(k), r)
			VINSERTF128(Imm(1), row(k+2), r, r)
		}
	}
	first, second = m.vec(), m.vec()
	VUNPCKLPD(odd, even, first)
	VUNPCKHPD(odd, even, second)
	return first, second
}

// three is the first three numbers of the rows.
func (m *machine) three(row func(lane int) Mem) (a, b, c reg.VecVirtual) {
	r := make([]reg.VecVirtual, 4)
	for k := range r {
		r[k] = m.vec()
		if m.wide {
			from := []int{0, 1, 4, 5}[k]
			VBROADCASTF64X4(row(from), r[k])
			VINSERTF64X4(Imm(1), row(from+2), r[k], r[k])
		} else {
			VMOVUPD(row(k), r[k])
		}
	}
	a, b, c = m.vec(), m.vec(), m.vec()
	low, high := m.vec(), m.vec()
	VUNPCKLPD(r[1], r[0], low)
	VUNPCKLPD(r[3], r[2], high)
	VUNPCKHPD(r[1], r[0], r[0])
	VUNPCKHPD(r[3], r[2], r[2])
	if m.wide {
		VSHUFF64X2(Imm(0x88), high, low, a)
		VSHUFF64X2(Imm(0x88), r[2], r[0], b)
		VSHUFF64X2(Imm(0xdd), high, low, c)
	} else {
		VPERM2F128(Imm(0x20), high, low, a)
		VPERM2F128(Imm(0x20), r[2], r[0], b)
		VPERM2F128(Imm(0x31), high, low, c)
	}
	return a, b, c
}

// expParts gives s and p with eˣ = s·(1+p), for x in (-708, 709).
func (m *machine) expParts(t tables, x reg.VecVirtual) (s, p reg.VecVirtual) {
	n := m.add(m.f(shifter), m.mul(m.f(expInv), x))
	tail, s := m.two(m.rows(t.exp, m.and(m.u(0x7f0), m.shiftLeft(4, n)), t.spill))
	s = m.addInt(m.shiftLeft(45, n), s)
	z := m.sub(m.f(shifter), n)
	r := m.sub(m.mul(m.f(expHi), z), x)
	m.setSub(m.mul(m.f(expLo), z), r, r)
	r2 := m.mul(r, r)
	p = m.add(r, tail)
	u := m.add(m.f(0.5), m.mul(m.f(1.0/6), r))
	m.setAdd(m.mul(u, r2), p, p)
	u = m.add(m.f(1.0/24), m.mul(m.f(1.0/120), r))
	m.setAdd(m.mul(u, m.mul(r2, r2)), p, p)
	return s, p
}

// exp is eˣ for x in (-708, 709).
func (m *machine) exp(t tables, x reg.VecVirtual) reg.VecVirtual {
	s, p := m.expParts(t, x)
	m.setMul(s, p, p)
	return m.add(p, s)
}

// logParts is what log and log1p share: inv and w = k·ln 2 − log inv as hi and lo, and the parts of 2⁻ᵏx.
func (m *machine) logParts(t tables, x reg.VecVirtual) (inv, hi, lo, z, scale reg.VecVirtual) {
	bits := m.subInt(m.u(logOrigin), x)
	inv, eHi, eLo := m.three(m.rows(t.log, m.and(m.u(127<<5), m.shiftRight(40, bits)), t.spill))
	scale = m.and(m.u(^uint64(lowBits)), bits)
	z = m.subInt(scale, x)
	// The exponent with 1024 added is positive: in the low bits of 2⁵² it is a number.
	k := m.or(m.u(0x433<<52), m.shiftRight(52, m.addInt(m.u(1024<<52), bits)))
	k = m.sub(m.f(0x1p52+1024), k)
	hi = m.add(eHi, m.mul(m.f(ln2Hi), k))
	lo = m.add(eLo, m.mul(m.f(ln2Lo), k))
	return inv, hi, lo, z, scale
}

// logReduced is z·inv − 1.
func (m *machine) logReduced(z, inv reg.VecVirtual) reg.VecVirtual {
	zh := m.and(m.u(^uint64(1<<13-1)), z)
	r := m.sub(m.f(1), m.mul(inv, zh))
	return m.add(m.mul(inv, m.sub(zh, z)), r)
}

// logSum is hi + lo + log(1+r).
func (m *machine) logSum(w, wLo, r reg.VecVirtual) reg.VecVirtual {
	hi := m.add(r, w)
	lo := m.add(r, m.sub(hi, w))
	m.setAdd(wLo, lo, lo)
	r2 := m.mul(r, r)
	c := m.add(m.f(-1.0/6), m.mul(m.f(1.0/7), r))
	m.setMul(r2, c, c)
	b := m.add(m.f(-0.25), m.mul(m.f(1.0/5), r))
	m.setAdd(c, b, b)
	m.setMul(r2, b, b)
	a := m.add(m.f(-0.5), m.mul(m.f(1.0/3), r))
	m.setAdd(b, a, a)
	m.setMul(r2, a, a)
	m.setAdd(a, lo, lo)
	return m.add(lo, hi)
}

// log is log x for positive normal numbers.
func (m *machine) log(t tables, x reg.VecVirtual) reg.VecVirtual {
	inv, hi, lo, z, _ := m.logParts(t, x)
	return m.logSum(hi, lo, m.logReduced(z, inv))
}

// log1p is log(1+x) for x in (-1, 2⁵³).
func (m *machine) log1p(t tables, x reg.VecVirtual) reg.VecVirtual {
	u := m.add(m.inReg(m.f(1)), x)
	v := m.sub(m.f(1), u)
	d := m.sub(m.sub(v, u), m.inReg(m.f(1)))
	m.setAdd(m.sub(v, x), d, d)
	inv, hi, lo, z, scale := m.logParts(t, u)
	m.setMul(m.subInt(scale, m.inReg(m.f(1))), d, d)
	r := m.logReduced(z, inv)
	m.setAdd(m.mul(inv, d), r, r)
	y := m.logSum(hi, lo, r)
	small := m.compare(less, m.f(0x1p-53), m.abs(x))
	m.choose(small, x, y)
	return y
}

func (m *machine) abs(x reg.VecVirtual) reg.VecVirtual {
	return m.and(m.u(math.MaxInt64), x)
}

// minusAbs is −|x|.
func (m *machine) minusAbs(x reg.VecVirtual) reg.VecVirtual { return m.or(m.u(signBit), x) }

// expm1 is eˣ − 1 for x in [-40, 708].
func (m *machine) expm1(t tables, x reg.VecVirtual) reg.VecVirtual {
	s, p := m.expParts(t, x)
	m.setMul(s, p, p)
	m.setAdd(m.sub(m.f(1), s), p, p)
	return m.or(m.and(m.u(signBit), x), p) // -0 of -0
}

// ratio is e/(1+e), or 1/(1+e) where x is not negative.
func (m *machine) ratio(x, e, f reg.VecVirtual) reg.VecVirtual {
	up := m.vec()
	VMOVUPD(e, up)
	m.choose(m.compare(atLeast, m.f(0), x), m.f(1), up)
	return m.div(f, up)
}

// elementary writes the loops of elementary functions, which return at the first vector that has a number out of their range.
func (m *machine) elementary() {
	between := func(x reg.VecVirtual, low uint8, lo float64, high uint8, hi float64) mask {
		return m.both(m.compare(low, m.f(lo), x), m.compare(high, m.f(hi), x))
	}
	m.function("exp", 0, "exp", func(t tables, x reg.VecVirtual, stop string) reg.VecVirtual {
		m.unlessAll(between(x, more, -708, less, 709), stop)
		return m.exp(t, x)
	})
	m.function("log", 1, "log", func(t tables, x reg.VecVirtual, stop string) reg.VecVirtual {
		m.unlessAll(between(x, atLeast, 0x1p-1022, atMost, math.MaxFloat64), stop)
		return m.log(t, x)
	})
	m.log1pExp()
	m.function("ilogit", 0, "exp", func(t tables, x reg.VecVirtual, stop string) reg.VecVirtual {
		y := m.minusAbs(x)
		m.unlessAll(m.compare(more, m.f(-708), y), stop)
		e := m.exp(t, y)
		return m.ratio(x, e, m.add(m.f(1), e))
	})
	m.function("tanh", 0, "exp", func(t tables, x reg.VecVirtual, _ string) reg.VecVirtual {
		y := m.min(m.abs(x), m.inReg(m.f(22)))
		e := m.expm1(t, m.add(y, y))
		return m.or(m.and(m.u(signBit), x), m.div(m.add(m.f(2), e), e))
	})
	m.lgamma()
	m.digamma()
}

// function writes the loop of a function; other is the number that lanes past the end of the columns are given.
func (m *machine) function(name string, other float64, table string, of func(t tables, x reg.VecVirtual, stop string) reg.VecVirtual) {
	m.text(name, "is "+name+"Go up to the first vector with a number that it leaves to the caller; it returns the number of rows done.",
		"func(d, a *float64, n int, "+table+" *byte) int")
	i := counter()
	d, a, n := pointer("d", i), pointer("a", i), size("n")
	t := m.tables(table)
	stop := m.label("stop")
	m.loop(i, n, 1, func(in *mask, _ int) {
		var x reg.VecVirtual
		if other == 0 {
			x = m.load(a, in)
		} else {
			x = m.loadOr(a, in, m.f(other))
		}
		m.store(of(t, x, stop), d, in)
	})
	Label(stop)
	Store(i, ReturnIndex(0))
	end()
}

// chunk is how many rows the loops of long functions do at once: first their exponentials, then the rest, as steps of one function wait for each
// other.
const chunk = 64

// softExps runs over chunks: it leaves exp(−|x|) in memory, x being the column of that name, and then runs body with it, whose other parameters begin
// loads. At its end, or where body leaves it, k is the row it came to.
func (m *machine) softExps(k reg.GPVirtual, column string, begin func(t tables) (body func(x, e reg.VecVirtual, in *mask))) {
	n, start := size("n"), counter()
	XORQ(k, k)
	kept, spill := m.aligned(chunk), m.aligned(m.n)
	at := func() Mem {
		r, to := GP64(), kept
		MOVQ(k, r)
		ANDQ(Imm(chunk-1), r)
		to.Index, to.Scale = r, 8
		return to
	}
	next, done := m.label("next"), m.label("done")
	Label(next)
	CMPQ(start, n)
	JGE(LabelRef(done))
	end := GP64()
	LEAQ(Mem{Base: start, Disp: chunk}, end)
	CMPQ(end, n)
	CMOVQGT(n, end)
	t := tables{exp: Load(Param("exp"), GP64()), spill: spill}
	x := pointer(column, k)
	m.loop(k, end, 1, func(in *mask, _ int) {
		m.store(m.exp(t, m.max(m.minusAbs(m.load(x, in)), m.inReg(m.f(leastExp)))), at(), nil)
	})
	MOVQ(start, k)
	t = tables{log: Load(Param("log"), GP64()), spill: spill}
	x = pointer(column, k)
	body := begin(t)
	m.loop(k, end, 1, func(in *mask, _ int) {
		e := m.load(at(), nil)
		body(m.load(x, in), e, in)
	})
	MOVQ(end, start)
	JMP(LabelRef(next))
	Label(done)
}

func (m *machine) log1pExp() {
	m.text("log1pExp", "is log1pExpGo up to the first vector with a number that it leaves to the caller; it returns the number of rows done.",
		"func(d, a *float64, n int, exp, log *byte) int")
	k, stop := GP64(), m.label("stop")
	m.softExps(k, "a", func(t tables) func(x, e reg.VecVirtual, in *mask) {
		d := pointer("d", k)
		return func(x, e reg.VecVirtual, in *mask) {
			m.unlessAll(m.compare(less, m.f(708), m.abs(x)), stop)
			m.store(m.add(m.log1p(t, e), m.max(x, m.inReg(m.f(0)))), d, in)
		}
	})
	Label(stop)
	Store(k, ReturnIndex(0))
	end()
}
