package plan

import (
	"math"
	"slices"
	"testing"
)

func TestSpans(t *testing.T) {
	cells := []int32{7, 3, 4, 5, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 2, 1}
	a := spansOf(cells)
	if want := (spans{{7, 8}, {3, 6}, {20, 31}, {2, 3}, {1, 2}}); !slices.Equal(a, want) {
		t.Fatalf("spans %v, not %v", a, want)
	}
	v := make([]float64, 40)
	for i := range v {
		v[i] = float64(i * i)
	}
	got := make([]float64, len(cells))
	a.gather(got, v)
	for j, c := range cells {
		if got[j] != v[c] {
			t.Errorf("cell %d: %v", c, got[j])
		}
	}
	w := make([]float64, 40)
	a.scatter(w, got)
	for c := range w {
		if want := v[c]; slices.Contains(cells, int32(c)) && w[c] != want || !slices.Contains(cells, int32(c)) && w[c] != 0 {
			t.Errorf("cell %d is %v", c, w[c])
		}
	}
	if !a.same(v, got) {
		t.Error("the same values are not the same")
	}
	v[30], got[14] = math.Inf(1), math.Inf(1)
	v[29], got[13] = math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64
	if !a.same(v, got) {
		t.Error("infinities are not the same")
	}
	for j := range got { // also a NaN is another value
		for _, x := range []float64{-1, math.NaN(), math.Inf(1), math.Nextafter(got[j], 1e9)} {
			other := slices.Clone(got)
			if other[j] = x; x != got[j] && a.same(v, other) {
				t.Errorf("another value of cell %d is the same", cells[j])
			}
		}
	}
}
