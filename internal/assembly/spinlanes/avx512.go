package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Predicates of comparisons.
const (
	lt = U8(1)
	le = U8(2)
)

// updater512 is what an update keeps.
type updater512 struct {
	kind
	*arguments
	planes       reg.Register
	accepted     reg.GPVirtual
	s            [4]reg.VecVirtual // the generators
	zero, limit  reg.VecVirtual
	two, minus   reg.VecVirtual
	sum          []reg.VecVirtual
	x            []reg.VecVirtual  // the changes: one vector, or two of 32 bits
	up, turn     reg.OpmaskVirtual // lanes: where the spin is up; which turn
	open         reg.OpmaskVirtual // which are in trials, of the digit at table, whose place in x is shift
	pass, tied   reg.OpmaskVirtual // which have passed the digit's trial; which are tied in it
	shift, table reg.GPVirtual
}

func update512(k kind) {
	u := &updater512{kind: k, arguments: k.begin("AVX512"), accepted: GP64()}
	k.load(u.arguments)
	u.arguments.up, u.planes = Load(Param("up"), GP64()), Load(Param("planes"), GP64())
	XORQ(u.accepted, u.accepted)
	u.prepare()
	to := Load(Param("to"), GP64())
	CMPQ(u.i, to)
	JGE(LabelRef("end"))
	Label("spin")
	u.changes()
	u.trials()
	Label("decided")
	KORTESTD(u.turn, u.turn)
	JEQ(LabelRef("next"))
	u.push()
	Label("next")
	ADDQ(Imm(uint64(k.bytes())), u.here)
	INCQ(u.i)
	CMPQ(u.i, to)
	JLT(LabelRef("spin"))
	Label("end")
	u.finish()
	u.ties()
}

// halves are the vectors of 32 fields.
func (u *updater512) halves() int {
	if u.wide {
		return 2
	}
	return 1
}

// all is a word of the arguments in all lanes.
func (u *updater512) all(name string) reg.VecVirtual {
	r, word := ZMM(), Load(Param(name), GP64()).(reg.GPVirtual).As32()
	if u.wide {
		VPBROADCASTD(word, r)
	} else {
		VPBROADCASTW(word, r)
	}
	return r
}

func (u *updater512) prepare() {
	gen := Load(Param("gen"), GP64())
	for w := range u.s {
		u.s[w] = ZMM()
		VMOVDQU64(Mem{Base: gen, Disp: 64 * w}, u.s[w])
	}
	u.zero, u.two, u.minus, u.limit = ZMM(), ZMM(), ZMM(), u.all("limit")
	VPXORQ(u.zero, u.zero, u.zero)
	VPTERNLOGD(U8(0xff), u.minus, u.minus, u.minus)
	u.add(u.minus, u.minus, u.minus)
	u.subtract(u.minus, u.zero, u.two)
	for range u.halves() {
		r := ZMM()
		VPXORQ(r, r, r)
		u.sum, u.x = append(u.sum, r), append(u.x, ZMM())
	}
	u.up, u.turn, u.open, u.pass, u.tied = K(), K(), K(), K(), K()
	u.shift, u.table = GP64(), GP64()
}

func (u *updater512) finish() {
	gen, sum := Load(Param("gen"), GP64()), Load(Param("sum"), GP64())
	for w := range u.s {
		VMOVDQU64(u.s[w], Mem{Base: gen, Disp: 64 * w})
	}
	for h, r := range u.sum {
		VMOVDQU64(r, Mem{Base: sum, Disp: 64 * h})
	}
	Store(u.accepted, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// add is a + b, and subtract b − a, of fields.
func (u *updater512) add(a Op, b, dst reg.VecVirtual) {
	if u.wide {
		VPADDD(a, b, dst)
	} else {
		VPADDW(a, b, dst)
	}
}

func (u *updater512) subtract(a Op, b, dst reg.VecVirtual) {
	if u.wide {
		VPSUBD(a, b, dst)
	} else {
		VPSUBW(a, b, dst)
	}
}

// half is the lanes of a mask for one of the vectors.
func (u *updater512) half(k reg.OpmaskVirtual, h int) reg.OpmaskVirtual {
	if h == 0 {
		return k
	}
	high := K()
	KSHIFTRD(Imm(16), k, high)
	return high
}

// most is where the changes are at most the limits.
func (u *updater512) most(limit, dst reg.OpmaskVirtual, limits reg.VecVirtual) {
	if !u.wide {
		VPCMPW(le, limits, u.x[0], dst)
		return
	}
	high := K()
	VPCMPD(le, limits, u.x[0], dst)
	VPCMPD(le, limits, u.x[1], high)
	KUNPCKWD(dst, high, dst)
}

// changes are x, and which lanes turn or are open.
func (u *updater512) changes() {
	KMOVD(Mem{Base: u.arguments.up, Index: u.i, Scale: 4}, u.up)
	for h, x := range u.x {
		VMOVDQU64(Mem{Base: u.here, Disp: 64 * h}, x)
		up := u.half(u.up, h)
		if u.wide {
			VPSUBD(x, u.zero, up, x)
		} else {
			VPSUBW(x, u.zero, up, x)
		}
	}
	u.most(u.turn, u.turn, u.zero)
	u.most(u.open, u.open, u.limit)
	KANDND(u.open, u.turn, u.open)
}

// random is a step of the generators.
func (u *updater512) random() reg.VecVirtual {
	out, t, s := ZMM(), ZMM(), u.s
	VPADDQ(s[3], s[0], out)
	VPROLQ(U8(23), out, out)
	VPADDQ(s[0], out, out)
	VPSLLQ(U8(17), s[1], t)
	VPXORQ(s[0], s[2], s[2])
	VPXORQ(s[1], s[3], s[3])
	VPXORQ(s[2], s[1], s[1])
	VPXORQ(s[3], s[0], s[0])
	VPXORQ(t, s[2], s[2])
	VPROLQ(U8(45), s[3], s[3])
	return out
}

// thresholds are those of the digit's plane.
func (u *updater512) thresholds(p int) reg.VecVirtual {
	of, low, shift := ZMM(), ZMM(), XMM()
	VMOVQ(u.shift, shift)
	if u.wide {
		high := ZMM()
		VPSRAD(shift, u.x[0], of)
		VPSRAD(shift, u.x[1], high)
		VPMOVDW(of, of.AsY())
		VPMOVDW(high, high.AsY())
		VINSERTI64X4(Imm(1), high.AsY(), of, of)
	} else {
		VPSRAW(shift, u.x[0], of)
	}
	VMOVDQU64(Mem{Base: u.table, Disp: p * plane}, low)
	VPERMI2W(Mem{Base: u.table, Disp: p*plane + plane/2}, low, of)
	return of
}

// trials are those of the open lanes, the highest digit first.
func (u *updater512) trials() {
	KORTESTD(u.open, u.open)
	JEQ(LabelRef("decided"))
	Load(Param("digits"), u.shift)
	DECQ(u.shift)
	MOVQ(u.shift, u.table)
	SHLQ(Imm(9), u.table)
	ADDQ(u.planes, u.table)
	IMUL3Q(Imm(6), u.shift, u.shift)
	Label("trial")
	r := u.random()
	t := u.thresholds(0)
	VPCMPUW(lt, t, r, u.open, u.pass)
	VPCMPEQW(t, r, u.open, u.tied)
	KORTESTD(u.tied, u.tied)
	JNE(LabelRef("tie"))
	Label("tried")
	KMOVD(u.pass, u.open)
	SUBQ(U32(digit), u.table)
	SUBQ(Imm(6), u.shift)
	JLT(LabelRef("succeeded"))
	KORTESTD(u.open, u.open)
	JNE(LabelRef("trial"))
	Label("succeeded")
	KORD(u.open, u.turn, u.turn)
}

// ties draws more bits where the first were equal.
func (u *updater512) ties() {
	Label("tie")
	for p := 1; p < planes; p++ {
		r := u.random()
		t := u.thresholds(p)
		below := K()
		VPCMPUW(lt, t, r, u.tied, below)
		KORD(below, u.pass, u.pass)
		VPCMPEQW(t, r, u.tied, u.tied)
		KORTESTD(u.tied, u.tied)
		JEQ(LabelRef("tried"))
	}
	KORD(u.tied, u.pass, u.pass)
	JMP(LabelRef("tried"))
}

// push changes the spin, and adds to the fields of its neighbours.
func (u *updater512) push() {
	count, turned := GP32(), K()
	KMOVD(u.turn, count)
	POPCNTL(count, count)
	ADDQ(count.As64(), u.accepted)
	KXORD(u.up, u.turn, turned)
	KMOVD(turned, Mem{Base: u.arguments.up, Index: u.i, Scale: 4})
	var step []reg.VecVirtual
	for h := range u.x {
		turn, up, v := u.half(u.turn, h), u.half(u.up, h), ZMM()
		if u.wide {
			VPADDD(u.x[h], u.sum[h], turn, u.sum[h])
			VPBLENDMD(u.minus, u.two, up, v)
			VMOVDQU32_Z(v, turn, v)
		} else {
			VPADDW(u.x[h], u.sum[h], turn, u.sum[h])
			VPBLENDMW(u.minus, u.two, up, v)
			VMOVDQU16_Z(v, turn, v)
		}
		step = append(step, v)
	}
	if !u.unit {
		u.neighbours("neighbour", 0, 2, func(to func(int) Mem, weight Mem) { u.weighted(step, to, weight) })
		return
	}
	unit := func(to func(int) Mem, _ Mem) {
		t := ZMM()
		VPADDW(to(0), step[0], t)
		VMOVDQU64(t, to(0))
	}
	u.neighbours("plus", 0, 1, unit)
	VPSUBW(step[0], u.zero, step[0])
	u.neighbours("minus", 1, 2, unit)
}

func (u *updater512) weighted(step []reg.VecVirtual, to func(int) Mem, weight Mem) {
	w := ZMM()
	if u.wide {
		VPBROADCASTD(weight, w)
	} else {
		VPBROADCASTW(weight, w)
	}
	for h, v := range step {
		t := ZMM()
		if u.wide {
			VPMULLD(v, w, t)
		} else {
			VPMULLW(v, w, t)
		}
		u.add(to(64*h), t, t)
		VMOVDQU64(t, to(64*h))
	}
}
