package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vector is the number of bytes of the words that advance together.
const vector = 64

// machine hides what differs between the instruction sets: AVX-512 has any function of three operands in one instruction, and
// vectors twice as long.
type machine struct {
	set    string
	wide   bool // AVX-512
	labels int
	words  map[uint64]Mem
	tables map[string]Mem
}

func newMachine(set string) *machine {
	m := &machine{set: set, words: map[uint64]Mem{}, tables: map[string]Mem{}}
	switch set {
	case "AVX512":
		m.wide = true
	case "AVX2":
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

// halves is how many registers a vector takes.
func (m *machine) halves() int {
	if m.wide {
		return 1
	}
	return 2
}

func (m *machine) vec() reg.VecVirtual {
	if m.wide {
		return ZMM()
	}
	return YMM()
}

// label is a name that no other has.
func (m *machine) label(name string) string {
	m.labels++
	return fmt.Sprintf("%s%d", name, m.labels)
}

func (m *machine) load(from Op) reg.VecVirtual {
	r := m.vec()
	m.loadTo(from, r)
	return r
}

func (m *machine) loadTo(from Op, r reg.VecVirtual) {
	if m.wide {
		VMOVDQU64(from, r)
	} else {
		VMOVDQU(from, r)
	}
}

func (m *machine) store(r reg.VecVirtual, to Op) {
	if m.wide {
		VMOVDQU64(r, to)
	} else {
		VMOVDQU(r, to)
	}
}

// broadcast is a word in all lanes.
func (m *machine) broadcast(from Op) reg.VecVirtual {
	r := m.vec()
	VPBROADCASTQ(from, r)
	return r
}

// constant is memory of a word, eight times.
func (m *machine) constant(word uint64) Mem {
	mem, ok := m.words[word]
	if !ok {
		mem = GLOBL(fmt.Sprintf("w%x%s", word, m.set), attr.RODATA|attr.NOPTR)
		for i := range 8 {
			DATA(8*i, U64(word))
		}
		m.words[word] = mem
	}
	return mem
}

func (m *machine) zero() reg.VecVirtual { return m.load(m.constant(0)) }

// The operations below write to dst, which may be an operand.

func (m *machine) xorTo(a Op, b, dst reg.VecVirtual) {
	if m.wide {
		VPXORQ(a, b, dst)
	} else {
		VPXOR(a, b, dst)
	}
}

func (m *machine) andTo(a Op, b, dst reg.VecVirtual) {
	if m.wide {
		VPANDQ(a, b, dst)
	} else {
		VPAND(a, b, dst)
	}
}

func (m *machine) orTo(a Op, b, dst reg.VecVirtual) {
	if m.wide {
		VPORQ(a, b, dst)
	} else {
		VPOR(a, b, dst)
	}
}

// clearTo is b without a.
func (m *machine) clearTo(a, b, dst reg.VecVirtual) {
	if m.wide {
		VPANDNQ(b, a, dst)
	} else {
		VPANDN(b, a, dst)
	}
}

func (m *machine) xor(a Op, b reg.VecVirtual) reg.VecVirtual {
	r := m.vec()
	m.xorTo(a, b, r)
	return r
}

func (m *machine) and(a Op, b reg.VecVirtual) reg.VecVirtual {
	r := m.vec()
	m.andTo(a, b, r)
	return r
}

func (m *machine) or(a Op, b reg.VecVirtual) reg.VecVirtual {
	r := m.vec()
	m.orTo(a, b, r)
	return r
}

func (m *machine) without(b, a reg.VecVirtual) reg.VecVirtual {
	r := m.vec()
	m.clearTo(a, b, r)
	return r
}

// not complements r in place.
func (m *machine) not(r reg.VecVirtual) {
	if m.wide {
		VPTERNLOGQ(U8(0x55), r, r, r)
	} else {
		VPXOR(m.constant(^uint64(0)), r, r)
	}
}

// function is a Boolean function of three operands.
type function struct {
	of     func(a, b, c bool) bool
	narrow func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual // by those of two
}

// code is the table of the function, which AVX-512 takes: bit 4a + 2b + c.
func (f function) code() U8 {
	t := U8(0)
	for i := range 8 {
		if f.of(i&4 != 0, i&2 != 0, i&1 != 0) {
			t |= 1 << i
		}
	}
	return t
}

var (
	xor3 = function{
		func(a, b, c bool) bool { return a != b != c },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.xor(c, m.xor(b, a)) }}
	and3 = function{
		func(a, b, c bool) bool { return a && b && c },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.and(c, m.and(b, a)) }}
	or3 = function{
		func(a, b, c bool) bool { return a || b || c },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.or(c, m.or(b, a)) }}
	nor3 = function{
		func(a, b, c bool) bool { return !(a || b || c) },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { r := m.or(c, m.or(b, a)); m.not(r); return r }}
	majority = function{
		func(a, b, c bool) bool { return a && b || a && c || b && c },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual {
			return m.or(m.and(a, b), m.and(c, m.xor(a, b)))
		}}
	choose = function{ // a where b is one, else c
		func(a, b, c bool) bool { return b && a || !b && c },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.xor(c, m.and(b, m.xor(a, c))) }}
	xorAnd = function{
		func(a, b, c bool) bool { return a != (b && c) },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.xor(a, m.and(b, c)) }}
	orAnd = function{
		func(a, b, c bool) bool { return a || b && c },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.or(a, m.and(b, c)) }}
	whereEqual = function{ // a where b and c are equal
		func(a, b, c bool) bool { return a && b == c },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.without(a, m.xor(b, c)) }}
	withoutBoth = function{ // a where b and c are zero
		func(a, b, c bool) bool { return a && !b && !c },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.without(a, m.or(b, c)) }}
	withoutAnd = function{ // a where not both b and c are one
		func(a, b, c bool) bool { return a && !(b && c) },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.without(a, m.and(b, c)) }}
	unlessOnly = function{ // a where b is zero or c is one
		func(a, b, c bool) bool { return a && (!b || c) },
		func(m *machine, a, b, c reg.VecVirtual) reg.VecVirtual { return m.without(a, m.without(b, c)) }}
)

// apply returns f of three operands, of which none changes.
func (m *machine) apply(f function, a, b, c reg.VecVirtual) reg.VecVirtual {
	if !m.wide {
		return f.narrow(m, a, b, c)
	}
	r := ZMM()
	VMOVDQA64(a, r)
	VPTERNLOGQ(f.code(), c, b, r)
	return r
}

// applyTo writes f to its first operand, under AVX-512; c may be a word of memory for all lanes.
func (m *machine) applyTo(f function, a, b reg.VecVirtual, c Op) {
	if _, memory := c.(Mem); memory {
		VPTERNLOGQ_BCST(f.code(), c, b, a)
		return
	}
	VPTERNLOGQ(f.code(), c, b, a)
}
