package plan_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// The square of a derivative is (τ + I) times a χ² variable with one degree of freedom. Under scales of half-Cauchy law, whose 1/τ has no mean, 150 of them, as a usual warm-up has, tell I within a factor of four.
// The seeds are fixed.
func TestInformationUnderHeavyScales(t *testing.T) {
	for _, want := range []float64{0.01, 1, 100} {
		r := rand.New(rand.NewPCG(1, uint64(1000*want)))
		for run := range 20 {
			var squares, precisions []float64
			for range 150 {
				scale := math.Tan(math.Pi / 2 * r.Float64())
				tau, z := 1/(scale*scale*max(1, 1/want)), r.NormFloat64()
				squares, precisions = append(squares, (tau+want)*z*z), append(precisions, tau)
			}
			if got := plan.InformationOn(squares, precisions); !(got > want/4 && got < 4*want) {
				t.Errorf("run %d: %.3g; want %g", run, got, want)
			}
		}
	}
}
