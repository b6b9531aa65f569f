package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementwise writes the loops dst[i] = f(x[i]).
func (m *machine) elementwise(names ...string) {
	for _, name := range names {
		m.text(name, "is "+name+"Go.", "func(dst, x *float32, n int)")
		index := GP64()
		XORQ(index, index)
		dst, x := pointer("dst", index), pointer("x", index)
		n := Load(Param("n"), GP64()).(reg.GPVirtual)
		f := m.function(name)
		m.loop(index, n, func(in *mask) { m.store(f(m.load(x, in)), dst, in) })
		VZEROUPPER()
		RET()
	}
}

// function loads the constants of a function and returns what computes it.
func (m *machine) function(name string) func(x reg.VecVirtual) reg.VecVirtual {
	e := m.exper()
	sign := m.bits(1 << 31)
	if name == "softplus" {
		two, coefs := m.f(2), m.fs(logCoefs...)
		return func(x reg.VecVirtual) reg.VecVirtual { return m.softplus(x, e, sign, two, coefs) }
	}
	return func(x reg.VecVirtual) reg.VecVirtual {
		if m.wide {
			VPXORD(sign, x, x)
		} else {
			VPXOR(sign, x, x)
		}
		p := e.of(m, x)
		VADDPS(e.one, p, p)
		VDIVPS(p, m.inReg(e.one), p)
		return p
	}
}

var sumSignature = map[string]string{
	"sumSoftplus": "func(s *[16]float64, x *float32, n int, scale float32)",
	"sumStep":     "func(s *[16]float64, x *float32, n int, neg, d float32) int",
	"dot":         "func(s *[16]float64, x, y *float32, n int)",
}

// sums writes the loops that add terms to sixteen sums.
func (m *machine) sums(names ...string) {
	for _, name := range names {
		doc := "adds the terms to the partial sums."
		if name == "sumStep" {
			doc = "adds the terms to the partial sums and returns the number of elements done, all or those before the first block with a large step."
		}
		m.text(name, doc, sumSignature[name])
		index := GP64()
		XORQ(index, index)
		s := Mem{Base: Load(Param("s"), GP64())}
		x := pointer("x", index)
		n := Load(Param("n"), GP64()).(reg.GPVirtual)
		var term func(in *mask, offset int) reg.VecVirtual
		switch name {
		case "sumSoftplus":
			f, scale := m.function("softplus"), m.broadcast("scale")
			term = func(in *mask, offset int) reg.VecVirtual {
				v := m.load(x.Offset(offset), in)
				VMULPS(scale, v, v)
				return f(v)
			}
		case "sumStep":
			term = m.step(x)
		case "dot":
			y := pointer("y", index)
			term = func(in *mask, offset int) reg.VecVirtual {
				v := m.load(x.Offset(offset), in)
				VMULPS(m.load(y.Offset(offset), in), v, v)
				return v
			}
		}
		m.accumulate(s, index, n, term)
		VZEROUPPER()
		if name == "sumStep" {
			Store(index, ReturnIndex(0))
		}
		RET()
	}
}

// step returns what computes softplus's steps, and leaves the loop at a large one.
func (m *machine) step(x Mem) func(in *mask, offset int) reg.VecVirtual {
	neg, d := m.broadcast("neg"), m.broadcast("d")
	e, expm1, log := m.exper(), m.spare(expm1Coefs...), m.fs(logCoefs...)
	e.hi = m.f(sigmaLeast)
	abs, limit := m.bits(1<<31-1), m.f(0.5)
	return func(in *mask, offset int) reg.VecVirtual {
		v, delta, size := m.load(x.Offset(offset), in), m.vec(), m.vec()
		VMULPS(d, v, delta)
		m.and(abs, delta, size)
		if m.wide {
			k := K()
			VCMPPS(U8(18), limit, size, k) // size ≤ limit
			KORTESTW(k, k)
			JCC(LabelRef("leave"))
		} else {
			bits := GP32()
			VCMPPS(U8(18), limit, size, size)
			VMOVMSKPS(size, bits)
			CMPL(bits, Imm(255))
			JNE(LabelRef("leave"))
		}
		VMULPS(neg, v, v)
		p := e.of(m, v)
		VADDPS(e.one, p, p)
		VADDPS(p, p, p)
		z := m.expm1(delta, expm1)
		VADDPS(z, p, p)
		VDIVPS(p, z, z)
		return m.logRatio(z, log)
	}
}

// accumulate runs over the blocks and adds their terms to the sums at s.
func (m *machine) accumulate(s Mem, index, n reg.GPVirtual, term func(in *mask, offset int) reg.VecVirtual) {
	var acc []reg.VecVirtual
	half := m.n / 2
	for i := 0; i < block; i += half {
		r := m.vec()
		VMOVUPD(s.Offset(8*i), r)
		acc = append(acc, r)
	}
	add := func(t reg.VecVirtual, acc []reg.VecVirtual) {
		low, high := m.vec(), m.vec()
		if m.wide {
			VCVTPS2PD(t.AsY(), low)
			VEXTRACTF64X4(Imm(1), t, high.AsY())
			VCVTPS2PD(high.AsY(), high)
		} else {
			VCVTPS2PD(t.AsX(), low)
			VEXTRACTF128(Imm(1), t, high.AsX())
			VCVTPS2PD(high.AsX(), high)
		}
		VADDPD(low, acc[0], acc[0])
		VADDPD(high, acc[1], acc[1])
	}
	if m.wide {
		m.loop(index, n, func(in *mask) {
			t := term(in, 0)
			m.keep(t, in)
			add(t, acc)
		})
	} else {
		m.accumulateNarrow(index, n, term, add, acc)
	}
	Label("leave")
	for i, r := range acc {
		VMOVUPD(r, s.Offset(8*half*i))
	}
}

// accumulateNarrow makes both halves of a block before it adds either: a step may leave at the second.
func (m *machine) accumulateNarrow(index, n reg.GPVirtual, term func(in *mask, offset int) reg.VecVirtual, add func(t reg.VecVirtual, acc []reg.VecVirtual), acc []reg.VecVirtual) {
	body := func(low, high *mask) {
		t := term(low, 0)
		u := term(high, 32)
		m.keep(t, low)
		m.keep(u, high)
		add(t, acc[:2])
		add(u, acc[2:])
	}
	rest := GP64()
	MOVQ(n, rest)
	JMP(LabelRef("check"))
	Label("full")
	body(nil, nil)
	ADDQ(Imm(block), index)
	Label("check")
	SUBQ(Imm(block), rest)
	JGE(LabelRef("full"))
	ADDQ(Imm(block), rest)
	JE(LabelRef("leave"))
	few, more, zero, eight := GP64(), GP64(), GP64(), GP64()
	XORQ(zero, zero)
	MOVQ(U32(8), eight)
	MOVQ(rest, few)
	MOVQ(rest, more)
	CMPQ(rest, eight)
	CMOVQGT(eight, few)
	SUBQ(eight, more)
	CMOVQLT(zero, more)
	low, high := m.first(few), m.first(more)
	body(&low, &high)
	MOVQ(n, index)
}

// combine writes the loop a·x + b·y, or dst + a·x + b·y.
func (m *machine) combine(name string, add bool) {
	m.text(name, "is "+name+"Go.", "func(dst *float32, a float32, x *float32, b float32, y *float32, n int)")
	index := GP64()
	XORQ(index, index)
	dst, x, y := pointer("dst", index), pointer("x", index), pointer("y", index)
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	a, b := m.broadcast("a"), m.broadcast("b")
	m.loop(index, n, func(in *mask) {
		u, v := m.load(x, in), m.load(y, in)
		VMULPS(a, u, u)
		if add {
			VADDPS(m.load(dst, in), u, u)
		}
		VMULPS(b, v, v)
		VADDPS(v, u, u)
		m.store(u, dst, in)
	})
	VZEROUPPER()
	RET()
}

func (m *machine) axpy() {
	m.text("axpy", "is axpyGo.", "func(dst *float32, a float32, x *float32, n int)")
	index := GP64()
	XORQ(index, index)
	dst, x := pointer("dst", index), pointer("x", index)
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	a := m.broadcast("a")
	m.loop(index, n, func(in *mask) {
		v := m.load(x, in)
		VMULPS(a, v, v)
		VADDPS(m.load(dst, in), v, v)
		m.store(v, dst, in)
	})
	VZEROUPPER()
	RET()
}
