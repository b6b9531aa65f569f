package spinlanes

import (
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// BenchmarkSweep anneals from e^{-r} = 1/2 for the largest change to a frozen state, a sweep an iteration.
func BenchmarkSweep(b *testing.B) {
	for _, c := range []struct {
		name        string
		n           int
		dense       float64
		most, field int
	}{
		{"unit, 20 neighbours", 2000, 0.01, 1, 0},
		{"unit, 5 neighbours", 5000, 0.001, 1, 0},
		{"16 bits, 50 neighbours", 500, 0.1, 100, 100},
		{"32 bits, 6 neighbours", 343, 6. / 343, 100_000, 0},
	} {
		for _, with := range sets() {
			b.Run(c.name+"/"+with.String(), func(b *testing.B) {
				g := randomGraph(rand.New(rand.NewPCG(1, 2)), c.n, c.dense, c.most, c.field)
				s := NewState(g)
				var th Thresholds
				var gen Generator
				gen.Seed(streams.New(1, "bench").Stream(0))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					x := float64(i%1000) / 1000 // of the schedule
					th.Set(1/float64(g.Bound())*(1+x*x*5*float64(g.Bound())/float64(c.most)), g.Bound())
					s.sweep(with, &th, &gen, 0, 0)
				}
				b.ReportMetric(float64(b.N)*float64(c.n)*Lanes/b.Elapsed().Seconds()/1e6, "Mspin/s")
			})
		}
	}
}
