package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes is the number of partial sums.
const lanes = 16

const constant = attr.RODATA | attr.NOPTR

// machine hides what differs between the instruction sets: vectors of 8 and of 4 numbers, masks in registers of their own and in vectors,
// constants of one number that an instruction spreads and of a vector.
type machine struct {
	set    string
	wide   bool // AVX-512
	n      int  // numbers in a vector
	data   map[string]Mem
	held   map[uint64]reg.VecVirtual // constants in registers, in this function
	labels int
}

func newMachine(set string) *machine {
	m := &machine{set: set, data: map[string]Mem{}}
	switch set {
	case "AVX512":
		m.wide, m.n = true, 8
	case "AVX2":
		m.n = 4
	default:
		panic("the set is AVX512 or AVX2")
	}
	return m
}

func (m *machine) text(name, doc, signature string) {
	TEXT(name+m.set, attr.NOSPLIT, signature)
	Doc(name + m.set + " " + doc)
	Pragma("noescape")
	m.held = map[uint64]reg.VecVirtual{}
}

func (m *machine) label(name string) string {
	m.labels++
	return fmt.Sprintf("%s%d", name, m.labels)
}

func (m *machine) vec() reg.VecVirtual {
	if m.wide {
		return ZMM()
	}
	return YMM()
}

// konst is a constant in all lanes: under AVX-512 one number in memory, which instructions spread.
type konst struct{ Mem }

// u is a constant in all lanes, by its bits.
func (m *machine) u(c uint64) Op {
	if r, ok := m.held[c]; ok {
		return r
	}
	if m.wide {
		return konst{m.table(fmt.Sprintf("c%016x", c), []uint64{c})}
	}
	return konst{m.table(fmt.Sprintf("c%016x", c), slices.Repeat([]uint64{c}, m.n))}
}

func (m *machine) f(c float64) Op { return m.u(math.Float64bits(c)) }

// hold keeps constants in registers from here on, under AVX-512, which has enough of them.
func (m *machine) hold(c ...float64) {
	for _, v := range c {
		m.holdBits(math.Float64bits(v))
	}
}

func (m *machine) holdBits(c ...uint64) {
	for _, v := range c {
		if m.wide && m.held[v] == nil {
			m.held[v] = m.inReg(m.u(v))
		}
	}
}

// table is read-only memory, written once under each name.
func (m *machine) table(name string, words []uint64) Mem {
	mem, ok := m.data[name]
	if !ok {
		mem = GLOBL(name+m.set, constant)
		for i, w := range words {
			DATA(8*i, U64(w))
		}
		m.data[name] = mem
	}
	return mem
}

// inReg is the operand in a register that may be the left one of an instruction.
func (m *machine) inReg(c Op) reg.VecVirtual {
	switch c := c.(type) {
	case reg.VecVirtual:
		return c
	case konst:
		r := m.vec()
		if m.wide {
			VBROADCASTSD(c.Mem, r)
		} else {
			VMOVUPD(c.Mem, r)
		}
		return r
	}
	r := m.vec()
	VMOVUPD(c, r)
	return r
}

// broadcast is a parameter in all lanes.
func (m *machine) broadcast(name string) reg.VecVirtual {
	r := m.vec()
	mem, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(mem.Addr, r)
	return r
}

// apply emits dst = b op a, spreading a constant a.
func (m *machine) apply(full, spread func(...Op), a Op, b, dst reg.VecVirtual) reg.VecVirtual {
	k, isConst := a.(konst)
	switch {
	case isConst && m.wide:
		spread(k.Mem, b, dst)
	case isConst:
		full(k.Mem, b, dst)
	default:
		full(a, b, dst)
	}
	return dst
}

// The arithmetic returns b op a in a new register; setAdd and its like put it into the one they are given.

func (m *machine) add(a Op, b reg.VecVirtual) reg.VecVirtual { return m.setAdd(a, b, m.vec()) }
func (m *machine) sub(a Op, b reg.VecVirtual) reg.VecVirtual { return m.setSub(a, b, m.vec()) }
func (m *machine) mul(a Op, b reg.VecVirtual) reg.VecVirtual { return m.setMul(a, b, m.vec()) }
func (m *machine) div(a Op, b reg.VecVirtual) reg.VecVirtual {
	return m.apply(VDIVPD, VDIVPD_BCST, a, b, m.vec())
}

func (m *machine) setAdd(a Op, b, dst reg.VecVirtual) reg.VecVirtual {
	return m.apply(VADDPD, VADDPD_BCST, a, b, dst)
}

func (m *machine) setSub(a Op, b, dst reg.VecVirtual) reg.VecVirtual {
	return m.apply(VSUBPD, VSUBPD_BCST, a, b, dst)
}

func (m *machine) setMul(a Op, b, dst reg.VecVirtual) reg.VecVirtual {
	return m.apply(VMULPD, VMULPD_BCST, a, b, dst)
}

// max and min return a where one is NaN.
func (m *machine) max(a Op, b reg.VecVirtual) reg.VecVirtual {
	return m.apply(VMAXPD, VMAXPD_BCST, a, b, m.vec())
}

func (m *machine) min(a Op, b reg.VecVirtual) reg.VecVirtual {
	return m.apply(VMINPD, VMINPD_BCST, a, b, m.vec())
}

func three(f func(a, b, dst Op)) func(...Op) { return func(o ...Op) { f(o[0], o[1], o[2]) } }

func (m *machine) and(a Op, b reg.VecVirtual) reg.VecVirtual {
	if m.wide {
		return m.apply(VPANDQ, VPANDQ_BCST, a, b, m.vec())
	}
	return m.apply(three(VPAND), nil, a, b, m.vec())
}

// andNot is b without the bits of a.
func (m *machine) andNot(a, b reg.VecVirtual) reg.VecVirtual {
	if m.wide {
		return m.apply(VPANDNQ, nil, b, a, m.vec())
	}
	return m.apply(three(VPANDN), nil, b, a, m.vec())
}

func (m *machine) or(a Op, b reg.VecVirtual) reg.VecVirtual {
	if m.wide {
		return m.apply(VPORQ, VPORQ_BCST, a, b, m.vec())
	}
	return m.apply(three(VPOR), nil, a, b, m.vec())
}

func (m *machine) xor(a Op, b reg.VecVirtual) reg.VecVirtual {
	if m.wide {
		return m.apply(VPXORQ, VPXORQ_BCST, a, b, m.vec())
	}
	return m.apply(three(VPXOR), nil, a, b, m.vec())
}

// addInt and subInt are b ± a over 64-bit integers.
func (m *machine) addInt(a Op, b reg.VecVirtual) reg.VecVirtual {
	return m.apply(VPADDQ, VPADDQ_BCST, a, b, m.vec())
}

func (m *machine) subInt(a Op, b reg.VecVirtual) reg.VecVirtual {
	return m.apply(VPSUBQ, VPSUBQ_BCST, a, b, m.vec())
}

func (m *machine) shiftLeft(by uint8, a reg.VecVirtual) reg.VecVirtual {
	r := m.vec()
	VPSLLQ(Imm(uint64(by)), a, r)
	return r
}

func (m *machine) shiftRight(by uint8, a reg.VecVirtual) reg.VecVirtual {
	r := m.vec()
	VPSRLQ(Imm(uint64(by)), a, r)
	return r
}

func (m *machine) sqrt(a Op) reg.VecVirtual {
	r := m.vec()
	VSQRTPD(a, r)
	return r
}

// The predicates of comparisons: with NaN all are false but notLess and notAtMost.
const (
	ordered   = 0x07
	less      = 0x11
	atMost    = 0x12
	notLess   = 0x15
	notAtMost = 0x16
	atLeast   = 0x1d
	more      = 0x1e
)

const (
	signBit = 1 << 63
	lowBits = 1<<52 - 1
)

// mask is a set of lanes: an opmask register, or a vector.
type mask struct {
	k reg.OpmaskVirtual
	v reg.VecVirtual
}

// compare is the lanes where b op a.
func (m *machine) compare(op uint8, a Op, b reg.VecVirtual) mask {
	if m.wide {
		k := K()
		if c, ok := a.(konst); ok {
			VCMPPD_BCST(U8(op), c.Mem, b, k)
		} else {
			VCMPPD(U8(op), a, b, k)
		}
		return mask{k: k}
	}
	v := YMM()
	if c, ok := a.(konst); ok {
		a = c.Mem
	}
	VCMPPD(U8(op), a, b, v)
	return mask{v: v}
}

// both is the lanes in a and in b.
func (m *machine) both(a, b mask) mask {
	if m.wide {
		KANDW(a.k, b.k, b.k)
		return b
	}
	VANDPD(a.v, b.v, b.v)
	return b
}

// unlessAll jumps if a lane is not in the mask.
func (m *machine) unlessAll(in mask, label string) {
	bits := GP32()
	if m.wide {
		KMOVW(in.k, bits)
	} else {
		VMOVMSKPD(in.v, bits)
	}
	CMPL(bits, Imm(uint64(1<<m.n-1)))
	JNE(LabelRef(label))
}

// ifNone jumps if no lane is in the mask.
func (m *machine) ifNone(in mask, label string) {
	bits := GP32()
	if m.wide {
		KMOVW(in.k, bits)
	} else {
		VMOVMSKPD(in.v, bits)
	}
	TESTL(bits, bits)
	JEQ(LabelRef(label))
}

// choose is a in the lanes of the mask and b in the others; b's register is overwritten.
func (m *machine) choose(in mask, a Op, b reg.VecVirtual) {
	k, isConst := a.(konst)
	switch {
	case m.wide && isConst:
		VBLENDMPD_BCST(k.Mem, b, in.k, b)
	case m.wide:
		VBLENDMPD(a, b, in.k, b)
	case isConst:
		VBLENDVPD(in.v, k.Mem, b, b)
	default:
		VBLENDVPD(in.v, a, b, b)
	}
}

// first is the mask of the first rem lanes; rem, a 64-bit register, is not above the number of lanes.
func (m *machine) first(rem reg.GPVirtual) mask {
	count := GP64()
	MOVQ(U32(m.n), count)
	SUBQ(rem, count)
	if m.wide {
		bits := GP64()
		MOVQ(U32(uint32(1)<<m.n-1), bits)
		MOVQ(count, reg.RCX) // shift counts are in CL
		SHRQ(reg.CL, bits)
		k := K()
		KMOVW(bits.As32(), k)
		return mask{k: k}
	}
	prefix := m.table("prefix", append(slices.Repeat([]uint64{math.MaxUint64}, m.n), make([]uint64, m.n)...))
	base := GP64()
	LEAQ(prefix, base)
	v := YMM()
	VMOVUPD(Mem{Base: base, Index: count, Scale: 8}, v)
	return mask{v: v}
}

// load reads a vector, or its lanes within the mask and zeros.
func (m *machine) load(from Mem, in *mask) reg.VecVirtual {
	r := m.vec()
	switch {
	case in == nil:
		VMOVUPD(from, r)
	case m.wide:
		VMOVUPD_Z(from, in.k, r)
	default:
		VMASKMOVPD(from, in.v, r)
	}
	return r
}

// loadOr is load with a constant in the lanes outside the mask.
func (m *machine) loadOr(from Mem, in *mask, c Op) reg.VecVirtual {
	r := m.load(from, in)
	if in == nil {
		return r
	}
	rest := m.vec()
	VMOVUPD(m.inReg(c), rest)
	m.choose(*in, r, rest)
	return rest
}

func (m *machine) store(r reg.VecVirtual, to Mem, in *mask) {
	switch {
	case in == nil:
		VMOVUPD(r, to)
	case m.wide:
		VMOVUPD(r, in.k, to)
	default:
		VMASKMOVPD(r, in.v, to)
	}
}

// keep zeroes the lanes outside the mask.
func (m *machine) keep(r reg.VecVirtual, in *mask) reg.VecVirtual {
	switch {
	case in == nil:
		return r
	case m.wide:
		VMOVUPD_Z(r, in.k, r)
		return r
	}
	return m.and(in.v, r)
}

// pointer loads the parameter and returns what addresses the element that index names.
func pointer(name string, index reg.GPVirtual) Mem {
	return Mem{Base: Load(Param(name), GP64()), Index: index, Scale: 8}
}

func counter() reg.GPVirtual {
	r := GP64()
	XORQ(r, r)
	return r
}

func size(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// loop runs body for so many full vectors at once, for single ones, and once for what is left over, index counting the elements done. Body gets the
// offset of its vector in bytes.
func (m *machine) loop(index, n reg.GPVirtual, unrolled int, body func(in *mask, offset int)) {
	one, done := m.label("one"), m.label("done")
	if unrolled > 1 {
		m.full(index, n, unrolled, body)
	}
	m.full(index, n, 1, body)
	Label(one)
	rest := GP64()
	MOVQ(n, rest)
	SUBQ(index, rest)
	JEQ(LabelRef(done))
	in := m.first(rest)
	body(&in, 0)
	MOVQ(n, index)
	Label(done)
}

// full runs body while there are so many full vectors.
func (m *machine) full(index, n reg.GPVirtual, vectors int, body func(in *mask, offset int)) {
	full, check := m.label("full"), m.label("check")
	end := GP64()
	LEAQ(Mem{Base: n, Disp: -m.n * vectors}, end)
	JMP(LabelRef(check))
	Label(full)
	for v := range vectors {
		body(nil, 8*m.n*v)
	}
	ADDQ(Imm(uint64(m.n*vectors)), index)
	Label(check)
	CMPQ(index, end)
	JLE(LabelRef(full))
}

func end() {
	VZEROUPPER()
	RET()
}
