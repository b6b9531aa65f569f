package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bernoulli writes the loop that draws from the logits x, or those of a line along with them.
func (m *machine) bernoulli(name string, along bool) {
	line := ""
	if along {
		line = ", line"
	}
	m.text(name, "is "+name+"Go; dst holds n+16 numbers.", fmt.Sprintf("func(dst *int32, x%s *float32, n int, c float32, lanes *uint32) int", line))
	b := &drawer{m: m, along: along}
	b.index, b.count = GP64(), GP64()
	XORQ(b.index, b.index)
	XORQ(b.count, b.count)
	b.dst = Mem{Base: Load(Param("dst"), GP64()), Index: b.count, Scale: 4}
	b.x = pointer("x", b.index)
	if along {
		b.line = pointer("line", b.index)
	}
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	b.c = m.broadcast("c")
	b.exp2, b.one, b.limit, b.abs = m.exp2er(), m.f(1), m.f(1<<31), m.bits(1<<31-1)
	b.lanes = Mem{Base: Load(Param("lanes"), GP64())}
	if m.wide {
		b.loopWide(n)
	} else {
		b.loopNarrow(n)
	}
	VZEROUPPER()
	Store(b.count, ReturnIndex(0))
	RET()
}

// drawer is what a Bernoulli loop keeps.
type drawer struct {
	m               *machine
	along           bool
	index, count    reg.GPVirtual
	dst, x, line    Mem
	c               reg.VecVirtual
	exp2            exp2er
	one, limit, abs Op
	lanes           Mem
	state           [4]reg.VecVirtual
	numbers         reg.VecVirtual // the indices of the block
}

// below computes the logits' 1 + 2ʸ times |k|, k being the lanes' output, which is a one where it is below limit.
func (b *drawer) below(out reg.VecVirtual, in *mask) reg.VecVirtual {
	m := b.m
	var y reg.VecVirtual
	if in == nil {
		y = m.vec()
		VMULPS(b.x, b.c, y)
	} else {
		y = m.load(b.x, in)
		VMULPS(b.c, y, y)
	}
	switch {
	case b.along && in == nil:
		VADDPS(b.line, y, y)
	case b.along:
		VADDPS(m.load(b.line, in), y, y)
	}
	p := b.exp2.of(m, y)
	VADDPS(b.one, p, p)
	VCVTDQ2PS(out, out)
	m.and(b.abs, out, out)
	VMULPS(p, out, p)
	return p
}

func (b *drawer) loopWide(n reg.GPVirtual) {
	for w := range b.state {
		b.state[w] = ZMM()
		VMOVDQU32(b.lanes.Offset(64*w), b.state[w])
	}
	var indices [block]uint32
	for i := range indices {
		indices[i] = uint32(i)
	}
	b.numbers = ZMM()
	VMOVDQU32(b.m.table("indices", indices[:]), b.numbers)
	step := b.m.bits(block)
	b.m.loop(b.index, n, func(in *mask) {
		p := b.below(b.nextWide(), in)
		k := K()
		VCMPPS(U8(17), b.limit, p, k)
		if in != nil {
			KANDW(in.k, k, k)
		}
		ones, bits := ZMM(), GP32()
		VPCOMPRESSD_Z(b.numbers, k, ones)
		VMOVDQU32(ones, b.dst)
		KMOVW(k, bits)
		POPCNTL(bits, bits)
		ADDQ(bits.As64(), b.count)
		VPADDD(step, b.numbers, b.numbers)
	})
	for w := range b.state {
		VMOVDQU32(b.state[w], b.lanes.Offset(64*w))
	}
}

// nextWide steps all lanes; 0x96 is the exclusive or of three.
func (b *drawer) nextWide() reg.VecVirtual {
	s := &b.state
	out, t := ZMM(), ZMM()
	VPADDD(s[3], s[0], out)
	VPROLD(Imm(7), out, out)
	VPADDD(s[0], out, out)
	VPSLLD(Imm(9), s[1], t)
	VPXORD(s[1], s[3], s[3])
	VPTERNLOGD(U8(0x96), s[2], s[0], s[1])
	VPTERNLOGD(U8(0x96), t, s[0], s[2])
	VPXORD(s[3], s[0], s[0])
	VPROLD(Imm(11), s[3], s[3])
	return out
}

// loopNarrow takes the two halves of a block in turn; the state stays in memory.
func (b *drawer) loopNarrow(n reg.GPVirtual) {
	m := b.m
	half, rest := GP64(), GP64() // half is 0 or 32, the offset in a word of the state
	XORQ(half, half)
	MOVQ(n, rest)
	lanes := b.lanes
	lanes.Index, lanes.Scale = half, 1
	ones := GP64()
	LEAQ(m.table("ones", onesOfBytes()), ones)
	b.numbers = m.zero()
	step := m.bits(8)
	body := func(in *mask) {
		p := b.below(b.nextNarrow(lanes), in)
		VCMPPS(U8(17), b.limit, p, p)
		bits, list := GP64(), YMM()
		VMOVMSKPS(p, bits.As32())
		if in != nil {
			ANDQ(in.bits, bits)
		}
		VPMOVZXBD(Mem{Base: ones, Index: bits, Scale: 8}, list)
		VPADDD(b.numbers, list, list)
		VMOVDQU(list, b.dst)
		POPCNTQ(bits, bits)
		ADDQ(bits, b.count)
		VPADDD(step, b.numbers, b.numbers)
		XORQ(Imm(32), half)
	}
	JMP(LabelRef("check"))
	Label("full")
	body(nil)
	ADDQ(Imm(8), b.index)
	SUBQ(Imm(8), rest)
	Label("check")
	CMPQ(rest, Imm(8))
	JGE(LabelRef("full"))
	// What is left over, then the second half of a block begun.
	Label("partial")
	begun := GP64()
	MOVQ(half, begun)
	ORQ(rest, begun)
	JE(LabelRef("done"))
	in := m.first(rest)
	body(&in)
	XORQ(rest, rest)
	JMP(LabelRef("partial"))
	Label("done")
}

// onesOfBytes lists, for every byte, which of its bits are ones: eight bytes each.
func onesOfBytes() []uint32 {
	var words []uint32
	for i := range 256 {
		list, at := uint64(0), 0
		for bit := range uint64(8) {
			if i>>bit&1 == 1 {
				list |= bit << at
				at += 8
			}
		}
		words = append(words, uint32(list), uint32(list>>32))
	}
	return words
}

func (b *drawer) nextNarrow(lanes Mem) reg.VecVirtual {
	var s [4]reg.VecVirtual
	for w := range s {
		s[w] = YMM()
		VMOVDQU(lanes.Offset(64*w), s[w])
	}
	rotate := func(v reg.VecVirtual, by uint64) {
		t := YMM()
		VPSRLD(Imm(32-by), v, t)
		VPSLLD(Imm(by), v, v)
		VPOR(t, v, v)
	}
	out, t := YMM(), YMM()
	VPADDD(s[3], s[0], out)
	rotate(out, 7)
	VPADDD(s[0], out, out)
	VPSLLD(Imm(9), s[1], t)
	VPXOR(s[0], s[2], s[2])
	VPXOR(s[1], s[3], s[3])
	VPXOR(s[2], s[1], s[1])
	VPXOR(s[3], s[0], s[0])
	VPXOR(t, s[2], s[2])
	rotate(s[3], 11)
	for w := range s {
		VMOVDQU(s[w], lanes.Offset(64*w))
	}
	return out
}
