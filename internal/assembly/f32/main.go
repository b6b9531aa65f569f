// Command f32 writes the assembly of package f32, one instruction set a run; see the go:generate lines there.
//
// Every loop is written once for both sets, over vectors of AVX-512 or AVX2, and does what its twin in package f32
// does, operation by operation: a change of one is a change of the other, and the tests compare their bits.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	set := flag.String("set", "AVX512", "instruction set: AVX512 or AVX2")
	training := flag.Bool("train", false, "the loops that only training needs")
	flag.Parse()
	ConstraintExpr("amd64,!noasm")
	m := newMachine(*set)
	if *training {
		m.combine("axpy2", true)
		m.transpose()
		if m.wide {
			m.dense()
		}
		Generate()
		return
	}
	m.rows()
	m.panels("sumPanel", 32)
	m.panels("sumHalf", 16)
	if m.wide {
		m.distances()
	}
	m.bernoulli("bernoulli", false)
	m.bernoulli("bernoulliAlong", true)
	m.combine("line", false)
	m.elementwise("sigmoid", "softplus")
	m.sums("sumSoftplus", "sumStep", "dot")
	m.axpy()
	Generate()
}
