package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The constants are those of exp.go in package f32, which explains them.
const (
	log2e   = float32(math.Log2E)
	ln2Hi   = float32(0x1.62e4p-1)
	ln2Lo   = float32(0x1.7f7d1cp-20)
	shifter = float32(0x1.8p23)

	leastRatio = float32(0x1p-60)
	sigmaLeast = 60
)

var (
	exp2Coefs  = []float32{1, 0x1.62e42ap-1, 0x1.ebf9c2p-3, 0x1.c6b6dap-5, 0x1.3ce8b2p-7, 0x1.5bd97cp-10}
	expCoefs   = []float32{0x1.fffffcp-2, 0x1.555492p-3, 0x1.5558acp-5, 0x1.123976p-7, 0x1.6a5052p-10}
	expm1Coefs = []float32{0x1.000002p-1, 0x1.555558p-3, 0x1.5551bep-5, 0x1.110d08p-7, 0x1.6f4a6ep-10, 0x1.a53e52p-13}
	logCoefs   = []float32{2, 0x1.5555p-1, 0x1.99d296p-2, 0x1.1eb48ap-2, 0x1.1eff64p-2}
)

// exp2er computes 2ʸ.
type exp2er struct {
	lo, hi, shifter Op
	coefs           []Op
}

func (m *machine) exp2er() exp2er {
	return exp2er{m.f(-125), m.f(126), m.f(shifter), m.fs(exp2Coefs...)}
}

// of returns 2ʸ and overwrites y.
func (e exp2er) of(m *machine, y reg.VecVirtual) reg.VecVirtual {
	m.clamp(y, e.lo, e.hi)
	t, n := m.vec(), m.vec()
	VADDPS(e.shifter, y, t)
	VSUBPS(e.shifter, t, n)
	VSUBPS(n, y, y)
	p := m.horner(y, e.coefs)
	VPSLLD(Imm(23), t, t)
	VPADDD(t, p, p)
	return p
}

// exper computes eˣ.
type exper struct {
	lo, hi, shifter, log2e, ln2Hi, ln2Lo, one Op
	coefs                                     []Op
}

func (m *machine) exper() exper {
	return exper{m.f(-86), m.f(86), m.f(shifter), m.f(log2e), m.f(ln2Hi), m.f(ln2Lo), m.f(1), m.fs(expCoefs...)}
}

// of returns eˣ and overwrites x.
func (e exper) of(m *machine, x reg.VecVirtual) reg.VecVirtual {
	m.clamp(x, e.lo, e.hi)
	t, n, s := m.vec(), m.vec(), m.vec()
	VMULPS(e.log2e, x, t)
	VADDPS(e.shifter, t, t)
	VSUBPS(e.shifter, t, n)
	VMULPS(e.ln2Hi, n, s)
	VSUBPS(s, x, x)
	VMULPS(e.ln2Lo, n, n)
	VSUBPS(n, x, x)
	p := m.horner(x, e.coefs)
	VMULPS(x, p, p)
	VMULPS(x, p, p)
	VADDPS(x, p, p)
	VADDPS(e.one, p, p)
	VPSLLD(Imm(23), t, t)
	VPADDD(e.one, t, t)
	VMULPS(t, p, p)
	return p
}

// expm1 returns e^δ − 1 for small δ.
func (m *machine) expm1(d reg.VecVirtual, coefs []Op) reg.VecVirtual {
	p := m.horner(d, coefs)
	VMULPS(d, p, p)
	VMULPS(d, p, p)
	VADDPS(d, p, p)
	return p
}

// logRatio returns log((1+q)/(1−q)).
func (m *machine) logRatio(q reg.VecVirtual, coefs []Op) reg.VecVirtual {
	w := m.vec()
	m.and(m.inMemory(1<<31-1), q, w)
	VMAXPS(m.inMemory(math.Float32bits(leastRatio)), w, w)
	VMULPS(w, w, w)
	p := m.horner(w, coefs)
	VMULPS(q, p, p)
	return p
}

// softplus returns log(1 + eˣ).
func (m *machine) softplus(x reg.VecVirtual, e exper, sign, two Op, coefs []Op) reg.VecVirtual {
	neg, q, zero := m.vec(), m.vec(), m.zero()
	m.or(sign, x, neg)
	p := e.of(m, neg)
	VADDPS(two, p, q)
	VDIVPS(q, p, q)
	y := m.logRatio(q, coefs)
	VMAXPS(x, zero, zero)
	VADDPS(y, zero, y)
	return y
}
