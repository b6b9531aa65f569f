package mrf

import (
	"testing"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// BenchmarkGibbs reports millions of draws of a variable a second.
func BenchmarkGibbs(b *testing.B) {
	for _, name := range []string{"Segmentation_12", "Alchemy_11", "Grids_12", "CSP_12"} {
		in := sharedInstance(b, name)
		for kind, table := range map[string]int{"tables": 0, "products": -1} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				f := mustField(b, in.given.Model, FieldSettings{Table: table})
				k, err := NewGibbs(f, gibbs.Systematic)
				if err != nil {
					b.Fatal(err)
				}
				s, r := mustState(b, f, nil), rng.New(1, "benchmark")
				b.ReportAllocs()
				for b.Loop() {
					k.Step(s, r.Rand)
				}
				b.ReportMetric(float64(b.N*len(f.free))/b.Elapsed().Seconds()/1e6, "M/s")
			})
		}
	}
}
