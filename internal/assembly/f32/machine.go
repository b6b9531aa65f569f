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

// block is the number of elements a loop handles at once, and of lanes of the generator.
const block = 16

const constant = attr.RODATA | attr.NOPTR

// machine hides what differs between the instruction sets: vectors of 16 and of 8 numbers, masks in registers of
// their own and in vectors, constants in registers and, where those are scarce, in memory.
type machine struct {
	set  string
	wide bool // AVX-512
	n    int  // numbers in a vector
	data map[string]Mem
}

func newMachine(set string) *machine {
	m := &machine{set: set, data: map[string]Mem{}}
	switch set {
	case "AVX512":
		m.wide, m.n = true, 16
	case "AVX2":
		m.n = 8
	default:
		panic("the set is AVX512 or AVX2")
	}
	return m
}

func (m *machine) text(name, doc, signature string) {
	TEXT(name+m.set, attr.NOSPLIT, signature)
	Doc(name + m.set + " " + doc)
	Pragma("noescape")
}

func (m *machine) vec() reg.VecVirtual {
	if m.wide {
		return ZMM()
	}
	return YMM()
}

// bits is a constant in all lanes: a register, or memory under AVX2.
func (m *machine) bits(c uint32) Op {
	mem := m.inMemory(c)
	if !m.wide {
		return mem
	}
	r := ZMM()
	VBROADCASTSS(mem, r)
	return r
}

// inMemory is a constant in all lanes.
func (m *machine) inMemory(c uint32) Mem {
	return m.table(fmt.Sprintf("c%08x", c), slices.Repeat([]uint32{c}, m.n))
}

// table is read-only memory, written once under each name.
func (m *machine) table(name string, words []uint32) Mem {
	mem, ok := m.data[name]
	if !ok {
		mem = GLOBL(name+m.set, constant)
		for i, w := range words {
			DATA(4*i, U32(w))
		}
		m.data[name] = mem
	}
	return mem
}

func (m *machine) f(c float32) Op { return m.bits(math.Float32bits(c)) }

func (m *machine) fs(c ...float32) []Op {
	ops := make([]Op, len(c))
	for i, v := range c {
		ops[i] = m.f(v)
	}
	return ops
}

// spare is fs in memory, for loops with more constants than registers.
func (m *machine) spare(c ...float32) []Op {
	ops := make([]Op, len(c))
	for i, v := range c {
		ops[i] = m.inMemory(math.Float32bits(v))
	}
	return ops
}

// broadcast is a parameter in all lanes.
func (m *machine) broadcast(name string) reg.VecVirtual {
	r := m.vec()
	mem, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(mem.Addr, r)
	return r
}

func (m *machine) zero() reg.VecVirtual {
	if m.wide {
		return m.bits(0).(reg.VecVirtual) // avo takes an EVEX exclusive or for a use of what was there
	}
	r := YMM()
	VXORPS(r, r, r)
	return r
}

// inReg is the operand in a register that may be the left one of an instruction.
func (m *machine) inReg(c Op) Op {
	if _, memory := c.(Mem); !memory {
		return c
	}
	r := m.vec()
	VMOVUPS(c, r)
	return r
}

// clamp holds y between lo and hi and leaves NaN alone.
func (m *machine) clamp(y reg.VecVirtual, lo, hi Op) {
	VMAXPS(y, m.inReg(lo), y)
	VMINPS(y, m.inReg(hi), y)
}

func (m *machine) and(a Op, b, dst reg.VecVirtual) {
	if m.wide {
		VPANDD(a, b, dst)
	} else {
		VPAND(a, b, dst)
	}
}

func (m *machine) or(a Op, b, dst reg.VecVirtual) {
	if m.wide {
		VPORD(a, b, dst)
	} else {
		VPOR(a, b, dst)
	}
}

// horner returns ((c[n]·x + c[n−1])·x + …) + c[0].
func (m *machine) horner(x reg.VecVirtual, c []Op) reg.VecVirtual {
	p := m.vec()
	n := len(c) - 1
	VMULPS(c[n], x, p)
	VADDPS(c[n-1], p, p)
	for i := n - 2; i >= 0; i-- {
		VMULPS(x, p, p)
		VADDPS(c[i], p, p)
	}
	return p
}

// mask is a set of lanes: an opmask register, or a vector and its bits.
type mask struct {
	k    reg.OpmaskVirtual
	v    reg.VecVirtual
	bits reg.GPVirtual // 64-bit register
}

// first is the mask of the first rem lanes; rem, a 64-bit register, is below the number of lanes or equal to it.
func (m *machine) first(rem reg.GPVirtual) mask {
	bits := GP64()
	MOVQ(U32(uint32(1)<<m.n-1), bits)
	count := GP64()
	MOVQ(U32(m.n), count)
	SUBQ(rem, count)
	// Shift counts are in CL.
	MOVQ(count, reg.RCX)
	SHRQ(reg.CL, bits)
	if m.wide {
		k := K()
		KMOVW(bits.As32(), k)
		return mask{k: k, bits: bits}
	}
	prefix := m.table("prefix", append(slices.Repeat([]uint32{math.MaxUint32}, m.n), make([]uint32, m.n)...))
	base := GP64()
	LEAQ(prefix, base)
	v := YMM()
	VMOVUPS(Mem{Base: base, Index: count, Scale: 4}, v)
	return mask{v: v, bits: bits}
}

// load reads a vector, or its lanes within the mask and zeros.
func (m *machine) load(from Mem, in *mask) reg.VecVirtual {
	r := m.vec()
	switch {
	case in == nil:
		VMOVUPS(from, r)
	case m.wide:
		VMOVUPS_Z(from, in.k, r)
	default:
		VMASKMOVPS(from, in.v, r)
	}
	return r
}

func (m *machine) store(r reg.VecVirtual, to Mem, in *mask) {
	switch {
	case in == nil:
		VMOVUPS(r, to)
	case m.wide:
		VMOVUPS(r, in.k, to)
	default:
		VMASKMOVPS(r, in.v, to)
	}
}

// keep zeroes the lanes outside the mask.
func (m *machine) keep(r reg.VecVirtual, in *mask) {
	switch {
	case in == nil:
	case m.wide:
		VMOVUPS_Z(r, in.k, r)
	default:
		m.and(in.v, r, r)
	}
}

// pointer loads the parameter and returns what addresses the element that index names.
func pointer(name string, index reg.GPVirtual) Mem {
	return Mem{Base: Load(Param(name), GP64()), Index: index, Scale: 4}
}

// loop runs body for full vectors and once for what is left over, index counting the elements done.
func (m *machine) loop(index, n reg.GPVirtual, body func(in *mask)) {
	end := GP64()
	LEAQ(Mem{Base: n, Disp: -m.n}, end)
	JMP(LabelRef("check"))
	Label("full")
	body(nil)
	ADDQ(Imm(uint64(m.n)), index)
	Label("check")
	CMPQ(index, end)
	JLE(LabelRef("full"))
	rest := GP64()
	MOVQ(n, rest)
	SUBQ(index, rest)
	JE(LabelRef("done"))
	in := m.first(rest)
	body(&in)
	MOVQ(n, index)
	Label("done")
}
