package plan

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSharedForms: siblings of which data tell as much take one form, but for chance of which the estimates have a fifth; others keep their own.
func TestSharedForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		of    func(j int) float64 // the data's information, for a precision of 1
		alike bool
	}{
		{func(int) float64 { return 3 }, true},
		{func(j int) float64 { return 1 + 2*float64(j) }, false},
		{func(j int) float64 { return []float64{0.1, 20}[j%2] }, false},
		{func(int) float64 { return math.NaN() }, false},
	} {
		stats := make([]information, 30)
		for j := range stats {
			stats[j] = information{prior: 100, all: 100 * (1 + c.of(j)) * (1 + 0.2*r.NormFloat64())}
		}
		k, alike := shared(stats)
		if alike != c.alike || alike && math.Abs(k-1/(1+c.of(0))) > 0.05 {
			t.Errorf("%v, %v", k, alike)
		}
	}
}

// The square of a derivative is (τ + I) times a χ² variable with one degree of freedom. Under scales of half-Cauchy law, whose 1/τ has no mean, 150 of them, as a usual warm-up has, tell I within a factor of four.
// The seeds are fixed.
func TestInformationUnderHeavyScales(t *testing.T) {
	for _, want := range []float64{0.01, 1, 100} {
		r := rand.New(rand.NewPCG(1, uint64(1000*want)))
		for run := range 20 {
			var v information
			for range 150 {
				scale := math.Tan(math.Pi / 2 * r.Float64())
				tau, z := 1/(scale*scale*max(1, 1/want)), r.NormFloat64()
				v.follow((tau+want)*z*z, tau)
			}
			if got := v.all; !(got > want/4 && got < 4*want) {
				t.Errorf("run %d: %.3g; want %g", run, got, want)
			}
		}
	}
}
