// Command gen writes the assembly of package qap; see the go:generate line there. It does what its twin productsGo does.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	ConstraintExpr("amd64,!noasm")
	TEXT("productsAVX2", attr.NOSPLIT, "func(ai, aj, bi, bj *int16, n int) int32")
	Doc("productsAVX2 is productsGo for n entries, a multiple of 16 and not 0, whose sums fit into 32 bits.")
	Pragma("noescape")
	ai, aj, bi, bj := Load(Param("ai"), GP64()), Load(Param("aj"), GP64()), Load(Param("bi"), GP64()), Load(Param("bj"), GP64())
	n := Load(Param("n"), GP64())
	at, sum, x, y := GP64(), YMM(), YMM(), YMM()
	SHLQ(U8(1), n)
	XORQ(at, at)
	VPXOR(sum, sum, sum)
	Label("more")
	VMOVDQU(Mem{Base: ai, Index: at, Scale: 1}, x)
	VMOVDQU(Mem{Base: bj, Index: at, Scale: 1}, y)
	VPSUBW(Mem{Base: aj, Index: at, Scale: 1}, x, x)
	VPSUBW(Mem{Base: bi, Index: at, Scale: 1}, y, y)
	VPMADDWD(y, x, x)
	VPADDD(x, sum, sum)
	ADDQ(U8(32), at)
	CMPQ(at, n)
	JLT(LabelRef("more"))
	half, low := XMM(), sum.AsX()
	VEXTRACTI128(U8(1), sum, half)
	VPADDD(half, low, low)
	VPSHUFD(U8(0x4e), low, half)
	VPADDD(half, low, low)
	VPSHUFD(U8(0xb1), low, half)
	VPADDD(half, low, low)
	total := GP32()
	VMOVD(low, total)
	VZEROUPPER()
	Store(total, ReturnIndex(0))
	RET()
	Generate()
}
