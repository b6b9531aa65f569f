package path_test

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/path"
)

// Draws given with their number are the same as one by one; and where histograms are exactly in proportion to the densities
// w_k of a space of three points, log Z_k is log Σ w_k exactly: Z = 6 and 12.
func TestMultistate(t *testing.T) {
	weights := [2][3]float64{{1, 2, 3}, {6, 4, 2}}
	whole, single := path.NewMultistate(2), path.NewMultistate(2)
	for k, w := range weights {
		for i := range w {
			u := []float64{math.Log(weights[0][i]), math.Log(weights[1][i])}
			whole.Add(u, k, 12*w[i]/(6*float64(k+1)))
			for range int(12 * w[i] / (6 * float64(k+1))) {
				single.Add(u, k, 1)
			}
		}
	}
	a, err := whole.Solve(nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := single.Solve([]float64{0, 3})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(a[1]-a[0]-math.Log(2)) > 1e-9 || math.Abs(b[1]-b[0]-math.Log(2)) > 1e-9 {
		t.Errorf("log Z are %v and %v, want a difference of %v", a, b, math.Log(2))
	}
	bad := path.NewMultistate(2)
	bad.Add([]float64{0, math.NaN()}, 0, 1)
	if _, err := bad.Solve(nil); err == nil {
		t.Error("a density that is not a number")
	}
}
