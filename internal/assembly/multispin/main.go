// Command multispin writes the assembly of package multispin, one instruction set a run; see the go:generate lines there.
//
// Every loop is written once for both sets, over vectors of AVX-512 or halves of them of AVX2, and does what its twin in package
// multispin does: a change of one is a change of the other, and the tests compare their bits.
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
	for _, heatBath := range []bool{false, true} {
		for _, cubic := range []bool{false, true} {
			m.update(heatBath, cubic)
		}
	}
	if !m.wide {
		m.unequal(false)
		m.unequal(true)
		m.turn()
	}
	Generate()
}
