package qap

import (
	"fmt"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// BenchmarkExchange is a proposed exchange: where few are accepted, and where all are; without a table and with one.
func BenchmarkExchange(b *testing.B) {
	for _, n := range []int{30, 100} {
		for _, f := range []form{forms[0], forms[3], forms[4]} {
			p := f.problem(b, n, rng.New(1, "qap bench").Rand)
			for _, temperature := range []float64{0, 1e15} {
				for _, tabled := range []bool{false, true} {
					w := forced{p, tabled}.walker()
					r := rng.New(2, "qap bench").Rand
					w.Start(r)
					b.Run(fmt.Sprintf("n=%d/largest=%d/symmetric=%v/T=%v/table=%v", n, f.largest, f.symA, temperature, tabled), func(b *testing.B) {
						b.ReportAllocs()
						for done := 0; done < b.N; done += n {
							w.Sweep(temperature, r)
						}
					})
				}
			}
		}
	}
}
