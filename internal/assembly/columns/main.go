// Command columns writes the assembly of package columns, one instruction set a run; see the go:generate lines there.
//
// Every loop is written once for both sets, over vectors of AVX-512 or AVX2, and does what its twin in package columns does, operation by operation: a
// change of one is a change of the other, and the tests compare their bits.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	set := flag.String("set", "AVX512", "instruction set: AVX512 or AVX2")
	flag.Parse()
	ConstraintExpr("amd64,!noasm")
	m := newMachine(*set)
	m.arithmetic()
	m.gather()
	m.sums()
	m.totals()
	m.addMatVec()
	m.addMatTVec()
	m.elementary()
	m.likelihoods()
	Generate()
}
