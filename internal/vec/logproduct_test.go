package vec_test

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Products of pivots that leave the range of numbers, as those of effects with a standard deviation of 10⁹⁵ do, have a logarithm all the same: the sum of those of the factors.
func TestLogProductsOfNumbersFarOut(t *testing.T) {
	for _, factors := range [][]float64{
		{1e-190, 1e-190, 3},
		{2, 1e-190, 5, 1e-190, 1e-190},
		{1e190, 7, 1e190},
		{1e-300, 1e300, 1e-99, 1e-99, 1e-99, 1e-99},
		{1e-99, 1e-99, 1e-99, 1e99, 1e99, 1e99, 1e99},
		{0.5, 3},
		nil,
	} {
		want, p := 0.0, vec.NewLogProduct()
		for _, f := range factors {
			want += math.Log(f)
			p.Times(f)
		}
		if got := p.Log(); !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
			t.Errorf("%v: %v; want %v", factors, got, want)
		}
	}
}
