package importance_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/importance"
	"github.com/ergodic-mcmc/ergodic/rng"
)

var schemes = map[string]importance.Resampler{
	"multinomial": importance.Multinomial,
	"systematic":  importance.Systematic,
	"stratified":  importance.Stratified,
	"residual":    importance.Residual,
}

// The mean number of offspring is the share, and it varies no more than under multinomial resampling, whose variance
// m p (1−p) bounds that of all schemes here. 6 standard errors are exceeded with probability 2e-9, in 4·3·9 comparisons
// with 2e-7.
func TestOffspringUnbiased(t *testing.T) {
	for name, scheme := range schemes {
		for _, m := range []int{1, 7, 40} {
			w := []float64{0, 3, 0.5, 0, 1e-3, 2.25, 7, 0.25, 0}
			total := 13.001
			r := rng.New(1, name, uint64(m))
			const rounds = 40_000
			parent, count := make([]int, m), make([]float64, len(w))
			for range rounds {
				if err := scheme(parent, w, r.Rand); err != nil {
					t.Fatal(err)
				}
				for _, p := range parent {
					count[p]++
				}
			}
			for i, c := range count {
				p := w[i] / total
				sd := math.Sqrt(float64(m) * p * (1 - p) / rounds)
				if math.Abs(c/rounds-float64(m)*p) > 6*sd+12.0/rounds { // the second term is Bernstein's, for the rare one
					t.Errorf("%s, %d parents: weight %d has %.5f offspring, want %.5f ± %.5f", name, m, i, c/rounds, float64(m)*p, sd)
				}
			}
		}
	}
}

// In one round: the parents of a comb are sorted, systematic counts are a share rounded down or up, residual ones at
// least rounded down, stratified ones within 1 of the rounded.
func TestOffspringBounds(t *testing.T) {
	r := rng.New(2, "bounds")
	for range 2000 {
		n, m := 1+r.IntN(30), r.IntN(50)
		w := make([]float64, n)
		total := 0.0
		for i := range w {
			if w[i] = r.ExpFloat64(); r.IntN(4) == 0 {
				w[i] = 0
			}
			total += w[i]
		}
		if total == 0 {
			continue
		}
		for name, scheme := range schemes {
			parent := slices.Repeat([]int{-1}, m)
			if err := scheme(parent, w, r.Rand); err != nil {
				t.Fatal(err)
			}
			if name != "residual" && !slices.IsSorted(parent) {
				t.Fatalf("%s: parents are not sorted: %v", name, parent)
			}
			count := make([]float64, n)
			for _, p := range parent {
				count[p]++ // an index outside panics
			}
			for i, c := range count {
				share := w[i] / total * float64(m)
				lo, hi := 0.0, math.Inf(1)
				switch name {
				case "systematic":
					lo, hi = math.Floor(share), math.Ceil(share)
				case "stratified":
					lo, hi = math.Floor(share)-1, math.Ceil(share)+1
				case "residual":
					lo = math.Floor(share)
				}
				if c < lo || c > hi || w[i] == 0 && c > 0 {
					t.Fatalf("%s: weight %v of %v has %v of %d offspring", name, w[i], total, c, m)
				}
			}
		}
	}
}

// The joint law of three multinomial parents of two: binomial counts. Chi-square on 3 degrees of freedom exceeds 30.7
// with probability 1e-6.
func TestMultinomialLaw(t *testing.T) {
	r := rng.New(3, "law")
	var count [4]float64
	const rounds = 100_000
	parent := make([]int, 3)
	for range rounds {
		if err := importance.Multinomial(parent, []float64{0.3, 0.7}, r.Rand); err != nil {
			t.Fatal(err)
		}
		count[parent[0]+parent[1]+parent[2]]++
	}
	stat := 0.0
	for k, p := range []float64{0.027, 0.189, 0.441, 0.343} {
		d := count[k] - rounds*p
		stat += d * d / (rounds * p)
	}
	if stat > 30.7 {
		t.Errorf("chi-square %.1f on 3 degrees of freedom: %v", stat, count)
	}
}

// Equal weights leave no choice to any scheme but the multinomial, whatever rounding makes of the shares.
func TestEqualWeights(t *testing.T) {
	r := rng.New(4, "equal")
	for n := 1; n < 300; n++ {
		w, parent := slices.Repeat([]float64{1 / float64(n)}, n), make([]int, n)
		if err := importance.Residual(parent, w, r.Rand); err != nil {
			t.Fatal(err)
		}
		for i, p := range parent {
			if p != i {
				t.Fatalf("%d equal weights: parent %d is %d", n, i, p)
			}
		}
	}
}

func TestResampleEdges(t *testing.T) {
	r := rng.New(5, "edges")
	for name, scheme := range schemes {
		for _, w := range [][]float64{{5e-324, 0, 5e-324}, {1e308, 1}, {0, 0, 1e-300, 0}, {1}} {
			parent := make([]int, 100)
			if err := scheme(parent, w, r.Rand); err != nil {
				t.Errorf("%s of %v: %v", name, w, err)
			}
			for _, p := range parent {
				if w[p] == 0 {
					t.Fatalf("%s of %v drew %d", name, w, p)
				}
			}
			if err := scheme(nil, w, r.Rand); err != nil {
				t.Errorf("%s of no parents: %v", name, err)
			}
		}
		for want, w := range map[string][]float64{
			"no weights":     {},
			"all 2 weights":  {0, 0},
			"weight 2 is -1": {1, -1},
			"weight 1 is Na": {math.NaN()},
			"weight 3 is +I": {1, 2, math.Inf(1)},
			"overflows":      {1e308, 1e308},
		} {
			if err := scheme(make([]int, 3), w, r.Rand); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %v: error %v, want one with %q", name, w, err, want)
			}
		}
	}
}

func TestResampleAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	w, parent := []float64{1, 2, 0, 4}, make([]int, 50)
	for name, scheme := range schemes {
		if n := testing.AllocsPerRun(100, func() {
			if err := scheme(parent, w, r); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func ExampleResampler() {
	r := rng.New(1, "resample")
	w := []float64{0.5, 0.3, 0.15, 0.05}
	parent := make([]int, 10)
	for _, scheme := range []importance.Resampler{importance.Multinomial, importance.Systematic, importance.Stratified, importance.Residual} {
		if err := scheme(parent, w, r.Rand); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(parent)
	}
	// Output:
	// [0 0 1 1 1 1 2 3 3 3]
	// [0 0 0 0 0 1 1 1 2 2]
	// [0 0 0 0 0 1 1 1 2 3]
	// [0 0 0 0 0 1 1 1 2 2]
}

func BenchmarkResample(b *testing.B) {
	const n = 10_000
	w, parent := make([]float64, n), make([]int, n)
	r := rng.New(1, "bench")
	for i := range w {
		w[i] = r.ExpFloat64()
	}
	for _, name := range []string{"multinomial", "systematic", "stratified", "residual"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := schemes[name](parent, w, r.Rand); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/parent")
		})
	}
}
