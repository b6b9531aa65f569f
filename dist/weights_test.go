package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// drawer is a table of weights.
type drawer interface {
	Len() int
	Draw(r *rand.Rand) int
}

// tableFits holds draws to weights, and weights of zero to no draws.
func tableFits(t *testing.T, name string, d drawer, r *rand.Rand, w []float64, n int) {
	t.Helper()
	counts, probs := make([]int, len(w)), make([]float64, len(w))
	total := weightSum(w)
	for i, v := range w {
		probs[i] = v / total
	}
	for range n {
		counts[d.Draw(r)]++
	}
	for i, c := range counts {
		if w[i] == 0 && c > 0 {
			t.Errorf("%s: drew %d, which has weight 0", name, i)
		}
	}
	chiSquareFits(t, name, counts, probs, n)
}

func TestCumulative(t *testing.T) {
	r := testRand(60)
	var c Cumulative
	for _, n := range []int{3, countAll, countAll + 1, countAll + 2, 500, 511, 512, 513} { // one by one, and by halving
		w := make([]float64, n)
		for i := range w {
			w[i] = float64(i % 4)
		}
		if err := c.Build(w); err != nil || c.Len() != n {
			t.Fatal(err)
		}
		tableFits(t, fmt.Sprintf("Cumulative of %d", n), &c, r, w, 200_000)
	}
	if _, err := NewCumulative([]float64{1, -2}); err == nil || !strings.Contains(err.Error(), "weight 2 of a cumulative table is -2") {
		t.Error(err)
	}
	// The end of a table with zeros is not drawn by a uniform that rounds to the sum.
	most := rand.New(&words{first: []uint64{math.MaxUint64, math.MaxUint64}})
	for _, tail := range []int{2, 100} {
		c, err := NewCumulative(append([]float64{1e-300, 5e-324}, make([]float64, tail)...))
		if err != nil {
			t.Fatal(err)
		}
		if k := c.Draw(most); k > 1 {
			t.Errorf("drew %d, which has weight 0", k)
		}
	}
}

// Weights of all sizes, changed again and again, with draws between the changes.
func TestChangingWeights(t *testing.T) {
	r := testRand(61)
	w := []float64{1, 0, 3, 1e-3, 1000, 5, 5, 5, 0.5, 0, 2, 7}
	dynamic, err := NewDynamic(w)
	if err != nil {
		t.Fatal(err)
	}
	alias, err := NewAlias(w)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 20 {
		for range r.IntN(30) {
			i := r.IntN(len(w))
			v := math.Ldexp(r.Float64(), r.IntN(12)-4)
			if r.IntN(4) == 0 && i > 0 {
				v = 0
			}
			w[i] = v
			for name, set := range map[string]func(int, float64) error{"Dynamic": dynamic.Set, "Alias": alias.Set} {
				if err := set(i, v); err != nil {
					t.Fatal(name, err)
				}
			}
			if r.IntN(3) == 0 {
				dynamic.Draw(r)
				alias.Draw(r)
			}
		}
		for name, d := range map[string]drawer{"Dynamic": dynamic, "Alias": alias} {
			tableFits(t, fmt.Sprintf("%s, round %d", name, round), d, r, w, 20_000)
		}
		for i, v := range w {
			if dynamic.Weight(i) != v {
				t.Fatalf("weight %d is %v, want %v", i, dynamic.Weight(i), v)
			}
		}
	}
}

// After changes an alias table is bit for bit the one that is built from the weights.
func TestAliasSetIsBuild(t *testing.T) {
	r := testRand(62)
	w := []float64{5, 1, 2, 0, 9}
	changed, err := NewAlias([]float64{0, 0, 1, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range w {
		if err := changed.Set(i, v); err != nil {
			t.Fatal(err)
		}
	}
	built, err := NewAlias(w)
	if err != nil {
		t.Fatal(err)
	}
	r2 := testRand(62)
	for range 1000 {
		if a, b := changed.Draw(r), built.Draw(r2); a != b {
			t.Fatalf("drew %d, the table that is built anew %d", a, b)
		}
	}
}

func TestChangingWeightsErrors(t *testing.T) {
	alias, err := NewAlias([]float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	dynamic, err := NewDynamic([]float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	inf, nan := math.Inf(1), math.NaN()
	for want, err := range map[string]error{
		"an alias table of 2 weights has no weight 3 (index 2)":  alias.Set(2, 1),
		"an alias table of 2 weights has no weight 0 (index -1)": alias.Set(-1, 1),
		"weight 2 of an alias table is set to NaN":               alias.Set(1, nan),
		"weight 1 of an alias table is set to -1":                alias.Set(0, -1),
		"leaves no positive weight":                              alias.Set(0, 0),
		"makes the sum too large":                                alias.Set(1, 1.7e308),
		"a dynamic table of 2 weights has no weight 3 (index 2)": dynamic.Set(2, 1),
		"weight 1 of a dynamic table is -1":                      dynamic.Set(0, -1),
		"weight 1 of a dynamic table is NaN":                     dynamic.Set(0, nan),
		"weight 2 of a dynamic table is +Inf":                    dynamic.Set(1, inf),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	r := testRand(63)
	if alias.Draw(r) != 0 || dynamic.Draw(r) != 0 {
		t.Error("a refused change was made")
	}
	if _, err := NewDynamic([]float64{1, nan}); err == nil {
		t.Error("NewDynamic took a NaN")
	}
	if err := dynamic.Set(0, 0); err != nil || dynamic.Draw(r) != -1 {
		t.Error("a table without weight drew", err)
	}
	if empty, err := NewDynamic(nil); err != nil || empty.Draw(r) != -1 {
		t.Error("a table of nothing drew", err)
	}
}

// The least and the greatest weights a table takes.
func TestDynamicRange(t *testing.T) {
	r := testRand(64)
	for _, unit := range []float64{5e-324, 1, 0x1p897} {
		w := []float64{unit, 2 * unit, 0, 3 * unit}
		d, err := NewDynamic(w)
		if err != nil {
			t.Fatal(err)
		}
		tableFits(t, fmt.Sprintf("Dynamic in units of %v", unit), d, r, []float64{1, 2, 0, 3}, 50_000)
	}
}

func TestChangingWeightsAllocateNothing(t *testing.T) {
	r := testRand(65)
	w := make([]float64, 100)
	for i := range w {
		w[i] = r.Float64()
	}
	dynamic, err := NewDynamic(w)
	if err != nil {
		t.Fatal(err)
	}
	alias, err := NewAlias(w)
	if err != nil {
		t.Fatal(err)
	}
	step := func() {
		i, v := r.IntN(len(w)), float64(1+r.IntN(3))
		if dynamic.Set(i, v) != nil || alias.Set(i, v) != nil {
			t.Fatal("refused")
		}
		dynamic.Draw(r)
		alias.Draw(r)
	}
	for range 10_000 { // the levels grow to what they need
		step()
	}
	if n := testing.AllocsPerRun(200, step); n != 0 {
		t.Errorf("%v allocations a change", n)
	}
}

// The bar: at most three times one word. Uint64 is that word; Dynamic changes a weight before each draw.
func BenchmarkWeights(b *testing.B) {
	r := testRand(66)
	b.Run("Uint64", func(b *testing.B) {
		s := uint64(0)
		for b.Loop() {
			s += r.Uint64()
		}
		sink = float64(s)
	})
	for _, n := range []int{4, 8, 16, 32, 1000, 100_000} {
		w := make([]float64, n)
		for i := range w {
			w[i] = r.ExpFloat64()
		}
		alias, err := NewAlias(w)
		if err != nil {
			b.Fatal(err)
		}
		cumulative, err := NewCumulative(w)
		if err != nil {
			b.Fatal(err)
		}
		dynamic, err := NewDynamic(w)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("Alias/%d", n), func(b *testing.B) {
			s := 0
			for b.Loop() {
				s += alias.Draw(r)
			}
			sink = float64(s)
		})
		b.Run(fmt.Sprintf("Cumulative/%d", n), func(b *testing.B) {
			s := 0
			for b.Loop() {
				s += cumulative.Draw(r)
			}
			sink = float64(s)
		})
		b.Run(fmt.Sprintf("Dynamic/%d", n), func(b *testing.B) {
			s := 0
			for b.Loop() {
				s += dynamic.Draw(r)
			}
			sink = float64(s)
		})
		b.Run(fmt.Sprintf("DynamicSet/%d", n), func(b *testing.B) {
			s := 0
			for b.Loop() {
				i := int(r.Uint64() % uint64(n))
				if err := dynamic.Set(i, w[i]*float64(1+i%3)); err != nil {
					b.Fatal(err)
				}
				s += dynamic.Draw(r)
			}
			sink = float64(s)
		})
	}
}
