package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// unequal writes the count of differing pairs: the ones of 256 sums at a time, which are counted by halves of bytes in a table
// (Mula, Kurz & Lemire 2018).
func (m *machine) unequal(cubic bool) {
	name, across := "unequalSquare", 2
	if cubic {
		name, across = "unequalCubic", 4
	}
	args := "self, live, beside"
	for i := range across {
		args += fmt.Sprintf(", a%d", i)
	}
	m.text(name, fmt.Sprintf("is unequalGo for %d neighbours, of n bytes.", across+2),
		fmt.Sprintf("func(%s *uint64, n int, before uint64) int", args))
	u := &updater{machine: m, cubic: cubic}
	u.self, u.live, u.beside = Load(Param("self"), GP64()), Load(Param("live"), GP64()), Load(Param("beside"), GP64())
	for i := range across {
		u.across = append(u.across, Load(Param(fmt.Sprintf("a%d", i)), GP64()))
	}
	at, n := GP64(), Load(Param("n"), GP64())
	XORQ(at, at)
	total, zero, low, table := YMM(), YMM(), YMM(), YMM()
	VPXOR(total, total, total)
	VPXOR(zero, zero, zero)
	VMOVDQU(m.bytes("nibble", func(int) byte { return 0x0f }), low)
	VMOVDQU(m.bytes("ones", func(i int) byte { return byte(bits.OnesCount(uint(i))) }), table)
	ones := func(v reg.VecVirtual) reg.VecVirtual {
		high := YMM()
		VPSRLQ(Imm(4), v, high)
		VPAND(low, v, v)
		VPAND(low, high, high)
		VPSHUFB(v, table, v)
		VPSHUFB(high, table, high)
		VPADDB(high, v, v)
		return v
	}
	JMP(LabelRef("check"))
	Label("next")
	u.spins = m.load(Mem{Base: u.self, Index: at, Scale: 1})
	b0, b1, b2 := u.count(at, 0)
	live := m.load(Mem{Base: u.live, Index: at, Scale: 1})
	for _, b := range []reg.VecVirtual{b0, b1, b2} {
		m.andTo(live, b, b)
	}
	sum := ones(b2)
	VPADDB(sum, sum, sum)
	VPADDB(ones(b1), sum, sum)
	VPADDB(sum, sum, sum)
	VPADDB(ones(b0), sum, sum)
	VPSADBW(zero, sum, sum)
	VPADDQ(sum, total, total)
	ADDQ(Imm(32), at)
	Label("check")
	CMPQ(at, n)
	JL(LabelRef("next"))
	half := XMM()
	VEXTRACTI128(Imm(1), total, half)
	VPADDQ(half, total.AsX(), half)
	upper := XMM()
	VPSHUFD(Imm(0xee), half, upper)
	VPADDQ(upper, half, half)
	count := GP64()
	VMOVQ(half, count)
	VZEROUPPER()
	Store(count, ReturnIndex(0))
	RET()
}

// bytes is read-only memory of 32 bytes, those of i mod 16.
func (m *machine) bytes(name string, of func(i int) byte) Mem {
	if mem, ok := m.tables[name]; ok {
		return mem
	}
	mem := GLOBL(name+m.set, attr.RODATA|attr.NOPTR)
	for i := range 4 {
		w := uint64(0)
		for j := range 8 {
			w |= uint64(of((8*i+j)%16)) << (8 * j)
		}
		DATA(8*i, U64(w))
	}
	m.tables[name] = mem
	return mem
}
