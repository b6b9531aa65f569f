package dist

import (
	"math"
	"testing"
)

// A normal density truncated far above its bound is the hazard there, |β| + 1/|β| + …; where its logarithms have no digits in
// common left it is no number that a chain may follow (modeltest's seed 2004480: a node at 1e82 was accepted for rounding).
func TestTruncatedFarOut(t *testing.T) {
	d, _ := Lookup("dnorm")
	for _, mu := range []float64{10, 1e3, 4e4, 1e6} {
		want := math.Log(mu + 1/mu - 2/math.Pow(mu, 3))
		if got := d.LogProbT(0, []float64{mu, 1}, math.Inf(-1), 0); math.Abs(got-want) > 1e-4 {
			t.Errorf("mean %v: %v, want %v", mu, got, want)
		}
	}
	for _, mu := range []float64{1e7, 1e8, 1e82, 1e150} {
		if got := d.LogProbT(0, []float64{mu, 1}, math.Inf(-1), 0); !math.IsInf(got, -1) {
			t.Errorf("mean %v: %v", mu, got)
		}
	}
}
