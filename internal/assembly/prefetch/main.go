// Command prefetch writes the assembly of package prefetch; see the go:generate line there.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	flag.Parse()
	ConstraintExpr("amd64,!noasm")
	elements()
	slice()
	Generate()
}

// elements asks for lines in the second cache: the first may not hold all that is asked for.
func elements() {
	TEXT("elements", NOSPLIT, "func(x *byte, size int, at *uint32, n int)")
	Doc("elements prefetches the n elements of x at these indices, which have this size.")
	Pragma("noescape")
	x, size, at, n := Load(Param("x"), GP64()), Load(Param("size"), GP64()), Load(Param("at"), GP64()), Load(Param("n"), GP64())
	i, offset := GP64(), GP64()
	XORQ(i, i)
	JMP(LabelRef("check"))
	Label("next")
	MOVL(Mem{Base: at, Index: i, Scale: 4}, offset.As32())
	IMULQ(size, offset)
	PREFETCHT1(Mem{Base: x, Index: offset, Scale: 1})
	INCQ(i)
	Label("check")
	CMPQ(i, n)
	JL(LabelRef("next"))
	RET()
}

// slice asks for lines of 64 bytes in the first cache.
func slice() {
	TEXT("slice", NOSPLIT, "func(x *byte, bytes int)")
	Doc("slice prefetches the lines of these bytes, one at least.")
	Pragma("noescape")
	x, end := Load(Param("x"), GP64()), Load(Param("bytes"), GP64())
	ADDQ(x, end)
	ANDQ(I8(-64), x)
	Label("next")
	PREFETCHT0(Mem{Base: x})
	ADDQ(Imm(64), x)
	CMPQ(x, end)
	JB(LabelRef("next"))
	RET()
}
