package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// indices is a register of 32-bit integers, one for each lane.
func (m *machine) indices() reg.VecVirtual {
	if m.wide {
		return YMM()
	}
	return XMM()
}

// gather writes the reading of elements by index: an index above last reads last's element and is told of.
func (m *machine) gather() {
	m.text("gather", "is gatherGo for indices up to last; an element of bad is not 0 where an index was above it.",
		"func(d, v *float64, idx *int32, n int, last uint32, bad *[8]uint32)")
	i := counter()
	d, n := pointer("d", i), size("n")
	idx := Mem{Base: Load(Param("idx"), GP64()), Index: i, Scale: 4}
	v := Load(Param("v"), GP64())
	to := Load(Param("bad"), GP64())
	last, bad := m.indices(), m.indices()
	number := XMM()
	VMOVD(Load(Param("last"), GP32()), number)
	VPBROADCASTD(number, last)
	VMOVUPD(Mem{Base: to}, bad)
	m.loop(i, n, 1, func(in *mask, _ int) {
		r, at, over := m.vec(), m.indices(), m.indices()
		switch {
		case in == nil:
			VMOVUPD(idx, at)
		case m.wide:
			VMOVDQU32_Z(idx, in.k, at)
		default:
			low, high := XMM(), XMM()
			VEXTRACTF128(Imm(0), in.v, low)
			VEXTRACTF128(Imm(1), in.v, high)
			VSHUFPS(Imm(0x88), high, low, low)
			VPMASKMOVD(idx, low, at)
		}
		VPMINUD(at, last, over)
		if m.wide {
			VPXORD(over, at, at)
			VPORD(at, bad, bad)
		} else {
			VPXOR(over, at, at)
			VPOR(at, bad, bad)
		}
		from := Mem{Base: v, Index: over, Scale: 8}
		if m.wide {
			k := K()
			KXNORW(k, k, k)
			VGATHERDPD(from, k, r)
		} else {
			all := YMM()
			VPCMPEQD(all, all, all)
			VGATHERDPD(all, from, r)
		}
		m.store(r, d, in)
	})
	VMOVUPD(bad, Mem{Base: to})
	end()
}
