// Command spinlanes writes the assembly of package spinlanes, one instruction set a run; see the go:generate lines there.
//
// Every loop does what its twin in package spinlanes does: a change of one is a change of the other, and the tests compare their bits.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	set := flag.String("set", "AVX512", "instruction set: AVX512 or AVX2")
	flag.Parse()
	ConstraintExpr("amd64,!noasm")
	for _, k := range []kind{{unit: true}, {}, {wide: true}} {
		switch *set {
		case "AVX512":
			update512(k)
		case "AVX2":
			update256(k)
		default:
			panic("the set is AVX512 or AVX2")
		}
	}
	Generate()
}
