package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// updater256 is what an update keeps. Masks of lanes are bits of words; the generators, the sums and the changes are in memory.
type updater256 struct {
	kind
	*arguments
	x              Mem // the changes
	accepted       Mem
	up, turn, open reg.GPVirtual // lanes: where the spin is up; which turn; which are in trials
	pass, tied     reg.GPVirtual // which have passed the digit's trial; which are tied in it
	shift, table   reg.GPVirtual // of the digit: its place in x, and its thresholds
}

var (
	constants map[string]Mem
	eight     = []uint32{1, 2, 4, 8, 16, 32, 64, 128}
)

// words is memory of a vector of 32-bit words.
func words(name string, of func(i int) uint32) Mem {
	if mem, ok := constants[name]; ok {
		return mem
	}
	if constants == nil {
		constants = map[string]Mem{}
	}
	mem := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i := range 8 {
		DATA(4*i, U32(of(i)))
	}
	constants[name] = mem
	return mem
}

// all is a word in all lanes of fields.
func (k kind) all(v uint32) Mem {
	if !k.wide {
		v |= v << 16
	}
	return words(fmt.Sprintf("all%x", v), func(int) uint32 { return v })
}

func update256(k kind) {
	u := &updater256{kind: k, arguments: k.begin("AVX2")}
	u.x, u.accepted = AllocLocal(k.bytes()), AllocLocal(8)
	u.up, u.turn, u.open, u.pass, u.tied = GP32(), GP32(), GP32(), GP32(), GP32()
	u.shift, u.table = GP64(), GP64()
	zero := GP64()
	XORQ(zero, zero)
	MOVQ(zero, u.accepted)
	u.clear()
	Label("spin")
	to := Load(Param("to"), GP64())
	CMPQ(u.i, to)
	JGE(LabelRef("end"))
	u.changes()
	u.trials()
	Label("decided")
	TESTL(u.turn, u.turn)
	JEQ(LabelRef("next"))
	u.push()
	Label("next")
	ADDQ(U32(k.bytes()), u.here)
	INCQ(u.i)
	JMP(LabelRef("spin"))
	Label("end")
	result := GP64()
	MOVQ(u.accepted, result)
	Store(result, ReturnIndex(0))
	VZEROUPPER()
	RET()
	u.ties()
}

// parts are the vectors of 32 fields.
func (u *updater256) parts() int { return u.bytes() / 32 }

func (u *updater256) clear() {
	sum, zero := Load(Param("sum"), GP64()), YMM()
	VPXOR(zero, zero, zero)
	for p := range u.parts() {
		VMOVDQU(zero, Mem{Base: sum, Disp: 32 * p})
	}
}

// expand makes all bits of a lane those of the mask, for the lanes of a vector.
func (u *updater256) expand(mask reg.GPVirtual, part int) reg.VecVirtual {
	v, word, each := YMM(), GP32(), 16
	if u.wide {
		each = 8
	}
	MOVL(mask, word)
	if part > 0 {
		SHRL(Imm(uint64(each*part)), word)
	}
	VMOVD(word, v.AsX())
	if u.wide {
		bits := words("eight", func(i int) uint32 { return eight[i] })
		VPBROADCASTD(v.AsX(), v)
		VPAND(bits, v, v)
		VPCMPEQD(bits, v, v)
		return v
	}
	bits := words("sixteen", func(i int) uint32 { return 1<<(2*i) | 1<<(2*i+1+16) })
	VPBROADCASTW(v.AsX(), v)
	VPAND(bits, v, v)
	VPCMPEQW(bits, v, v)
	return v
}

// mask is a bit of each of 32 lanes, of two vectors of 16 or four of 8; it uses them up.
func mask(v []reg.VecVirtual, to reg.GPVirtual) {
	if len(v) == 2 {
		VPACKSSWB(v[1], v[0], v[0])
		VPERMQ(U8(0xd8), v[0], v[0])
	} else {
		order := words("order", func(i int) uint32 { return uint32(i>>1 | i&1<<2) })
		VPACKSSDW(v[1], v[0], v[0])
		VPACKSSDW(v[3], v[2], v[2])
		VPACKSSWB(v[2], v[0], v[0])
		VMOVDQU(order, v[1])
		VPERMD(v[0], v[1], v[0])
	}
	VPMOVMSKB(v[0], to)
}

// greater is a > b, of fields.
func (u *updater256) greater(b Op, a, dst reg.VecVirtual) {
	if u.wide {
		VPCMPGTD(b, a, dst)
	} else {
		VPCMPGTW(b, a, dst)
	}
}

func (u *updater256) subtract(b Op, a, dst reg.VecVirtual) {
	if u.wide {
		VPSUBD(b, a, dst)
	} else {
		VPSUBW(b, a, dst)
	}
}

func (u *updater256) add(b Op, a, dst reg.VecVirtual) {
	if u.wide {
		VPADDD(b, a, dst)
	} else {
		VPADDW(b, a, dst)
	}
}

// changes are x, and which lanes turn or are open.
func (u *updater256) changes() {
	up := Load(Param("up"), GP64())
	MOVL(Mem{Base: up, Index: u.i, Scale: 4}, u.up)
	limit, word := YMM(), GP64()
	Load(Param("limit"), word)
	VMOVQ(word, limit.AsX())
	if u.wide {
		VPBROADCASTD(limit.AsX(), limit)
	} else {
		VPBROADCASTW(limit.AsX(), limit)
	}
	var rises, open []reg.VecVirtual
	for p := range u.parts() {
		minus, x, rise, most := u.expand(u.up, p), YMM(), YMM(), YMM()
		VPXOR(Mem{Base: u.here, Disp: 32 * p}, minus, x)
		u.subtract(minus, x, x)
		VMOVDQU(x, u.x.Offset(32*p))
		VPXOR(rise, rise, rise)
		u.greater(rise, x, rise)
		u.greater(limit, x, most)
		VPANDN(rise, most, most)
		rises, open = append(rises, rise), append(open, most)
	}
	mask(rises, u.turn)
	NOTL(u.turn)
	mask(open, u.open)
}

// random is a step of four of the generators, 16 lanes.
func (u *updater256) random(half int) reg.VecVirtual {
	gen := Load(Param("gen"), GP64())
	var s [4]reg.VecVirtual
	for w := range s {
		s[w] = YMM()
		VMOVDQU(Mem{Base: gen, Disp: 64*w + 32*half}, s[w])
	}
	out, t := YMM(), YMM()
	VPADDQ(s[3], s[0], out)
	rotate(out, 23)
	VPADDQ(s[0], out, out)
	VPSLLQ(U8(17), s[1], t)
	VPXOR(s[0], s[2], s[2])
	VPXOR(s[1], s[3], s[3])
	VPXOR(s[2], s[1], s[1])
	VPXOR(s[3], s[0], s[0])
	VPXOR(t, s[2], s[2])
	rotate(s[3], 45)
	for w := range s {
		VMOVDQU(s[w], Mem{Base: gen, Disp: 64*w + 32*half})
	}
	return out
}

func rotate(v reg.VecVirtual, left int) {
	t := YMM()
	VPSRLQ(U8(64-left), v, t)
	VPSLLQ(U8(left), v, v)
	VPOR(t, v, v)
}

// thresholds are those of 16 lanes in the digit's plane.
func (u *updater256) thresholds(plane256, half int) reg.VecVirtual {
	shift := XMM()
	VMOVQ(u.shift, shift)
	var t [2]reg.VecVirtual
	for q := range t {
		of, every := YMM(), YMM()
		if u.wide {
			VMOVDQU(u.x.Offset(64*half+32*q), of)
			VPSRAD(shift, of, of)
		} else {
			VPMOVZXWD(u.x.Offset(32*half+16*q), of)
			VPSRLD(shift, of, of) // open lanes are positive
		}
		VPAND(words("all3f", func(int) uint32 { return 0x3f }), of, of)
		t[q] = YMM()
		VPXOR(t[q], t[q], t[q])
		VPCMPEQD(every, every, every)
		VPGATHERDD(every, Mem{Base: u.table, Index: of, Scale: 2, Disp: plane256 * plane}, t[q])
		VPAND(words("allffff", func(int) uint32 { return 0xffff }), t[q], t[q])
	}
	VPACKUSDW(t[1], t[0], t[0])
	VPERMQ(U8(0xd8), t[0], t[0])
	return t[0]
}

// compare sets the open lanes whose bits in a plane are below the thresholds, and equal to them.
func (u *updater256) compare(plane256 int, open, below, equal reg.GPVirtual) {
	var less, same []reg.VecVirtual
	for half := range 2 {
		t := u.thresholds(plane256, half)
		r := u.random(half)
		e, m := YMM(), YMM()
		VPCMPEQW(t, r, e)
		VPMAXUW(t, r, m)
		VPCMPEQW(t, m, m)
		VPANDN(m, e, m)
		less, same = append(less, m), append(same, e)
	}
	mask(less, below)
	ANDL(open, below)
	word := GP32()
	mask(same, word)
	ANDL(open, word)
	MOVL(word, equal)
}

// trials are those of the open lanes, the highest digit first.
func (u *updater256) trials() {
	TESTL(u.open, u.open)
	JEQ(LabelRef("decided"))
	Load(Param("digits"), u.shift)
	DECQ(u.shift)
	MOVQ(u.shift, u.table)
	SHLQ(Imm(9), u.table)
	planes := Load(Param("planes"), GP64())
	ADDQ(planes, u.table)
	IMUL3Q(Imm(6), u.shift, u.shift)
	Label("trial")
	u.compare(0, u.open, u.pass, u.tied)
	TESTL(u.tied, u.tied)
	JNE(LabelRef("tie"))
	Label("tried")
	MOVL(u.pass, u.open)
	SUBQ(U32(digit), u.table)
	SUBQ(Imm(6), u.shift)
	JLT(LabelRef("succeeded"))
	TESTL(u.open, u.open)
	JNE(LabelRef("trial"))
	Label("succeeded")
	ORL(u.open, u.turn)
}

// ties draws more bits where the first were equal.
func (u *updater256) ties() {
	Label("tie")
	for p := 1; p < planes; p++ {
		below := GP32()
		u.compare(p, u.tied, below, u.tied)
		ORL(below, u.pass)
		TESTL(u.tied, u.tied)
		JEQ(LabelRef("tried"))
	}
	ORL(u.tied, u.pass)
	JMP(LabelRef("tried"))
}

// push changes the spin, and adds to the fields of its neighbours.
func (u *updater256) push() {
	count := GP32()
	POPCNTL(u.turn, count)
	ADDQ(count.As64(), u.accepted)
	turned, up := GP32(), Load(Param("up"), GP64())
	MOVL(u.up, turned)
	XORL(u.turn, turned)
	MOVL(turned, Mem{Base: up, Index: u.i, Scale: 4})
	sum := Load(Param("sum"), GP64())
	var step []reg.VecVirtual
	for p := range u.parts() {
		turn, minus, v, x := u.expand(u.turn, p), u.expand(u.up, p), YMM(), YMM()
		VPAND(u.x.Offset(32*p), turn, x)
		u.add(Mem{Base: sum, Disp: 32 * p}, x, x)
		VMOVDQU(x, Mem{Base: sum, Disp: 32 * p})
		VPXOR(u.all(2), minus, v)
		u.subtract(minus, v, v)
		VPAND(turn, v, v)
		step = append(step, v)
	}
	u.load(u.arguments)
	if !u.unit {
		u.neighbours("neighbour", 0, 2, func(to func(int) Mem, weight Mem) { u.weighted(step, to, weight) })
		return
	}
	unit := func(to func(int) Mem, _ Mem) {
		for p, v := range step {
			t := YMM()
			VPADDW(to(32*p), v, t)
			VMOVDQU(t, to(32*p))
		}
	}
	u.neighbours("plus", 0, 1, unit)
	for _, v := range step {
		zero := YMM()
		VPXOR(zero, zero, zero)
		VPSUBW(v, zero, v)
	}
	u.neighbours("minus", 1, 2, unit)
}

func (u *updater256) weighted(step []reg.VecVirtual, to func(int) Mem, weight Mem) {
	w := YMM()
	if u.wide {
		VPBROADCASTD(weight, w)
	} else {
		VPBROADCASTW(weight, w)
	}
	for p, v := range step {
		t := YMM()
		if u.wide {
			VPMULLD(v, w, t)
		} else {
			VPMULLW(v, w, t)
		}
		u.add(to(32*p), t, t)
		VMOVDQU(t, to(32*p))
	}
}
