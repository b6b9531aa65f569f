package diag

import (
	"math"
	"slices"
	"testing"
)

// Excesses of counts can put a point of the grid on θ = 0, or within rounding of it, where the tail is exponential
// and -θ/k the reciprocal of the mean: 410 excesses make a grid of 50, whose 13th point is 1/max - 1/(3 quartile).
func TestGPDFitAtTheExponential(t *testing.T) {
	for _, unit := range []float64{1, 0.1, 0.7, 1e-3, 1e6} {
		x := make([]float64, 410)
		for i := range x {
			x[i] = unit * []float64{1, 1, 2, 3}[i*4/len(x)]
		}
		near := slices.Clone(x)
		for i := range near {
			near[i] *= 1 + 1e-9*float64(i%7) // a tenth and less of the difference allowed; its θ is not lost in rounding
		}
		slices.Sort(near)
		k, sigma := FitGPD(x)
		kNear, sigmaNear := FitGPD(near)
		if !(math.Abs(k-kNear) < 2e-6) || !(math.Abs(sigma/sigmaNear-1) < 2e-6) {
			t.Errorf("in units of %v: k = %v, σ = %v; of excesses nearby %v, %v", unit, k, sigma, kNear, sigmaNear)
		}
	}
}
