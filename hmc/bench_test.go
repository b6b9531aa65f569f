package hmc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// BenchmarkNUTS tells what a leapfrog step costs beside a gradient that costs next to nothing.
func BenchmarkNUTS(b *testing.B) {
	for _, dim := range []int{10, 100} {
		target := TargetFunc(func(x, g []float64) float64 {
			sum := 0.0
			for i, v := range x {
				sum += v * v
				if g != nil {
					g[i] = -v
				}
			}
			return -sum / 2
		})
		for m, metric := range metrics(dim) {
			k, err := NewNUTS(target, dim, Settings{StepSize: 0.1})
			if err != nil {
				b.Fatal(err)
			}
			k.tuning.Scaling = metric
			k.renew()
			b.Run(fmt.Sprintf("%d/%s", dim, []string{"unit", "diagonal", "dense", "low rank"}[m]), func(b *testing.B) {
				s := mcmc.NewPoint(target, make([]float64, dim))
				r := rand.New(rand.NewPCG(1, 2))
				b.ReportAllocs()
				evals := 0
				for b.Loop() {
					evals += k.Step(s, r).Evals
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(evals), "ns/gradient")
			})
		}
	}
}
