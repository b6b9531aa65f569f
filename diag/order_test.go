package diag

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sortCases are numbers of every kind of crowding that the sort must stand.
func sortCases() map[string][]float64 {
	r := rand.New(rand.NewPCG(5, 6))
	fill := func(n int, draw func(i int) float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = draw(i)
		}
		return x
	}
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, 1, -1}
	cases := map[string][]float64{
		"none": {}, "one": {3}, "constant": {2, 2, 2},
		"normal":     fill(5000, func(int) float64 { return r.NormFloat64() }),
		"far":        fill(5000, func(int) float64 { return 1e9 + r.NormFloat64() }),
		"long tails": fill(5000, func(int) float64 { return math.Exp(20 * r.NormFloat64()) }),
		"both tails": fill(5000, func(int) float64 { return r.NormFloat64() * math.Exp(20*r.NormFloat64()) }),
		"discrete":   fill(5000, func(int) float64 { return float64(r.IntN(7)) }),
		"rejections": fill(5000, func(i int) float64 { return math.Sin(float64(i / 3)) }),
		"descending": fill(5000, func(i int) float64 { return -float64(i) }),
		"subnormal":  fill(5000, func(int) float64 { return 5e-324 * float64(r.IntN(1000)) }),
		// The next two leave the rough keys equal, so that comparison has to do it.
		"last bits":     fill(5000, func(i int) float64 { return 1 + 0x1p-52*float64(r.IntN(4000)) + 1e300*float64(i/4999) }),
		"last bits low": fill(5000, func(i int) float64 { return 1 + 0x1p-52*float64(r.IntN(4000)) - 1e300*float64(i/4999) }),
	}
	for n := range 100 {
		cases["special "+string(rune('0'+n))] = fill(n, func(int) float64 {
			if r.IntN(3) == 0 {
				return special[r.IntN(len(special))]
			}
			return r.NormFloat64() * math.Exp(20*r.NormFloat64())
		})
	}
	return cases
}

func TestSort(t *testing.T) {
	var s sorter // one for all: nothing may be left over
	for name, x := range sortCases() {
		want := make([]int32, len(x))
		lo, hi := math.Inf(1), math.Inf(-1)
		for i, v := range x {
			want[i] = int32(i)
			lo, hi = min(lo, v), max(hi, v)
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
		s.sort(x, lo, hi)
		if !slices.Equal(s.order, want) {
			t.Errorf("%s: wrong order", name)
		}
		for i, pos := range s.order {
			if s.sorted[i] != x[pos] {
				t.Fatalf("%s: sorted number %d is %g, not %g", name, i, s.sorted[i], x[pos])
			}
		}
	}
}

// TestFold against a sort of the distances. Ties may come in any order.
func TestFold(t *testing.T) {
	for name, x := range sortCases() {
		if len(x) == 0 {
			continue
		}
		w := loaded([][]float64{x})
		w.sort()
		for _, centre := range []float64{quantile(w.sorted, 0.5), w.sorted[0], w.sorted[len(x)-1], 0, 0.3} {
			if math.IsInf(centre, 0) || math.IsNaN(centre) {
				continue
			}
			want := make([]float64, len(x))
			for i, v := range x {
				want[i] = math.Abs(v - centre)
			}
			byPosition := slices.Clone(want)
			slices.Sort(want)
			w.fold(w.sorted, w.order, centre)
			if !slices.Equal(w.centred[:len(x)], want) {
				t.Errorf("%s from %g: wrong distances", name, centre)
			}
			seen := make([]bool, len(x))
			for k, pos := range w.foldOrder {
				if byPosition[pos] != want[k] || seen[pos] {
					t.Fatalf("%s from %g: position %d stands for distance %g", name, centre, pos, want[k])
				}
				seen[pos] = true
			}
		}
	}
}
