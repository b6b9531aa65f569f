package report

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// BenchmarkSummarize summarises ten scalars of 4 chains × 50000 draws on disk, of
// autoregressive chains: independent, mixing well (an effective draw in 19)
// and badly (one in 199).
func BenchmarkSummarize(b *testing.B) {
	for _, c := range []struct {
		name string
		phi  float64
	}{{"independent", 0}, {"mixing", 0.9}, {"slow", 0.99}} {
		b.Run(c.name, func(b *testing.B) {
			r := autoregressive(b, 10, 50000, c.phi)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Summarize(r, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func autoregressive(b *testing.B, scalars, n int, phi float64) *draws.Reader {
	l := draws.Layout{Chains: 4}
	for i := range scalars {
		l.Posterior = append(l.Posterior, draws.Variable{Name: string(rune('a' + i))})
	}
	dir := b.TempDir()
	w, err := draws.Create(dir, l)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for c := range l.Chains {
		x := make([]float64, scalars)
		for range n {
			for i := range x {
				x[i] = phi*x[i] + math.Sqrt(1-phi*phi)*rng.NormFloat64()
			}
			if err := w.Append(c, false, x, draws.Stat{LP: math.NaN(), NSteps: 1, AcceptanceRate: 1}); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	r, err := draws.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	return r
}
