package lda

import (
	"math"
	"testing"
)

// lnΓ(a+n) − lnΓ(a) is a sum of n logarithms.
func TestRising(t *testing.T) {
	for _, a := range []float64{1e-9, 0.01, 3, 999_999, 1e6, 1e9, 1e16, 1e300} {
		for _, n := range []int{0, 1, 2, 100, 5000} {
			want := 0.0
			for i := range n {
				want += math.Log(a + float64(i))
			}
			if got := rising(a, n); math.Abs(got-want) > 1e-11*(1+math.Abs(want)) && math.Abs(got-want) > 1e-8 {
				t.Errorf("rising(%v, %d) = %v, want %v", a, n, got, want)
			}
		}
	}
}
