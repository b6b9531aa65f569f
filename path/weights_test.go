package path

import (
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Intervals of 20 log-normal weights, whose mean is 1, cover log 1 in 95 % of cases or more; 200 cases of a coverage of
// 95 % have less than 87.4 % once in 10⁶. If one weight in 20 is twice the others, the interval is only sure to cover where
// one of the 20 runs has it, which has the probability 64 %: intervals do not allow for what no run has visited.
func TestIntervalsCover(t *testing.T) {
	const n, cases = 20, 200
	r := rng.New(7, "test coverage")
	for name, c := range map[string]struct {
		weight func() float64
		least  float64
	}{
		"σ = 0.1": {func() float64 { return 0.1*r.NormFloat64() - 0.005 }, 0.874},
		"σ = 1":   {func() float64 { return r.NormFloat64() - 0.5 }, 0.874},
		"σ = 3":   {func() float64 { return 3*r.NormFloat64() - 4.5 }, 0.874},
		"mixture": {func() float64 {
			w := 0.1*r.NormFloat64() - 0.005 - math.Log(1.05)
			if r.Float64() < 0.05 {
				w += math.Ln2
			}
			return w
		}, 0.64 - 4.9*math.Sqrt(0.64*0.36/cases)},
	} {
		covered := 0.0
		for k := range cases {
			logw := make([]float64, n)
			for i := range logw {
				logw[i] = c.weight()
			}
			res := newResult("test", &outcome{rows: make([][]float64, n)})
			res.weighted(logw, 0, uint64(k))
			if res.CI95[0] <= 0 && res.CI95[1] >= 0 {
				covered++
			}
		}
		if covered < c.least*cases {
			t.Errorf("%s: %v of %d intervals cover", name, covered, cases)
		}
	}
}

// The interval of log-normal weights of a large variance ends no further above the largest weight than that is above the smallest.
func TestIntervalsEnd(t *testing.T) {
	r := rng.New(8, "test ends")
	logw := make([]float64, 8)
	for i := range logw {
		logw[i] = 40 * r.NormFloat64()
	}
	low, high := lognormal(logw)
	if most := 2*slices.Max(logw) - slices.Min(logw); high != most || !(low <= high) {
		t.Errorf("from %v to %v of %v", low, high, logw)
	}
}
