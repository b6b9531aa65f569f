package columns

import (
	"math"
	"testing"
)

func TestEqual(t *testing.T) {
	if !Equal(nil, []float64{}) || Equal([]float64{1}, nil) {
		t.Error("lengths are not told apart")
	}
	for _, n := range []int{1, 7, 8, 33, 300} {
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i] = float64(i * i)
		}
		a[0] = math.NaN()
		copy(b, a)
		if !Equal(a, b) {
			t.Errorf("%d numbers are not the same", n)
		}
		for i := range a {
			b[i] = math.Nextafter(a[i], 1e9)
			if math.IsNaN(a[i]) {
				b[i] = 0
			}
			if Equal(a, b) {
				t.Errorf("%d numbers are the same, and number %d is not", n, i)
			}
			b[i] = a[i]
		}
	}
}
