package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// labels is chains of 0 and 1, 1 with probability rate[c].
func labels(r *rand.Rand, n int, rate ...float64) [][]float64 {
	chains := make([][]float64, len(rate))
	for c, p := range rate {
		chains[c] = make([]float64, n)
		for i := range chains[c] {
			if r.Float64() < p {
				chains[c][i] = 1
			}
		}
	}
	return chains
}

// sticky is chains of 0 and 1 that stay as they are with probability keep, and else are 1 with probability p.
func sticky(r *rand.Rand, chains, n int, p, keep float64) [][]float64 {
	all := labels(r, n, slices.Repeat([]float64{p}, chains)...)
	for _, chain := range all {
		for i := 1; i < n; i++ {
			if r.Float64() < keep {
				chain[i] = chain[i-1]
			}
		}
	}
	return all
}

// Labels that rarely change leave some chains with one value: of 4000 such quantities taken together one is called
// stuck with probability stillLevel at most where draws are independent, and as good as never where they follow one another.
func TestRareValuesAreNotStuck(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, keep := range []float64{0, 0.9} {
		const many = 4000
		still := 0
		for range many {
			p := math.Exp(-3 - 6*r.Float64())
			o := inspect(sticky(r, 4, 400, p, keep), false)
			if o.constant || len(o.still) == 0 {
				continue
			}
			still++
			if o.chance*many < stillLevel {
				t.Errorf("keep %v: chains %v are called stuck, with probability %.2g", keep, o.still, o.chance)
			}
		}
		if still < many/10 {
			t.Errorf("keep %v: only %d quantities have chains that keep one value", keep, still)
		}
	}
}

func TestStuckChains(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	walk := labels(r, 500, 0, 0, 0, 0)
	for c, chain := range walk[:3] {
		for i := range chain {
			chain[i] = float64(c) + r.Float64()
		}
	}
	late := labels(r, 500, 0, 0, 0, 0)
	for i := 200; i < 500; i++ { // one visit, however long
		late[2][i] = 1
	}
	half := labels(r, 500, 0, 0, 0, 0) // a continuous quantity that two chains leave their start of
	for i := 250; i < 500; i++ {
		half[0][i], half[1][i] = r.Float64(), r.Float64()
	}
	slab := labels(r, 500, 0.3, 0.3, 0.3, 0) // 0, or anything: an effect that a model may leave out
	for _, chain := range slab {
		for i := range chain {
			chain[i] *= r.Float64()
		}
	}
	rare := labels(r, 500, 0.004, 0.004, 0.004, 0)
	for _, chain := range rare {
		for i := range chain {
			chain[i] *= r.Float64()
		}
	}
	for _, c := range []struct {
		name   string
		chains [][]float64
		stuck  bool
	}{
		{"one of four keeps 0 where the others have 1 in a tenth", labels(r, 1000, 0.1, 0.1, 0.1, 0), true},
		{"three of four keep 0", labels(r, 500, 0.1, 0, 0, 0), true},
		{"chains keep different values", labels(r, 500, 0, 1, 0, 1), true},
		{"a chain keeps a value that two others never have and one keeps another", labels(r, 500, 0.2, 0.3, 1, 0), true},
		{"a continuous quantity", walk, true},
		{"a continuous quantity late to leave", half, true},
		{"chains of 4 draws", labels(r, 4, 0, 1, 0, 0), false},
		{"one visit", late, false},
		{"an effect that is often not 0", slab, true},
		{"an effect that is rarely not 0", rare, false},
	} {
		o := inspect(c.chains, false)
		if o.constant || len(o.still) == 0 {
			t.Fatalf("%s: %+v", c.name, o)
		}
		if got := o.chance < stillLevel; got != c.stuck {
			t.Errorf("%s: chance %.3g", c.name, o.chance)
		}
	}
}
