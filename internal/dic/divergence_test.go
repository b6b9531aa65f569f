package dic

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Divergences are the means of log p − log q under p: sums over counts, and by the midpoint rule over quantiles' ends.
func TestDivergences(t *testing.T) {
	for _, c := range []struct {
		name   string
		p, q   []float64
		lo, hi float64
	}{
		{"dnorm", []float64{1, 2}, []float64{0.5, 0.7}, -12, 14},
		{"dlnorm", []float64{0.2, 4}, []float64{0, 1}, 1e-9, 60},
		{"dexp", []float64{2}, []float64{0.5}, 0, 40},
		{"dpois", []float64{3}, []float64{0.8}, 0, 100},
		{"dpois", []float64{0}, []float64{0.8}, 0, 100},
		{"dbern", []float64{0.3}, []float64{0.8}, 0, 1},
		{"dbern", []float64{1}, []float64{0.8}, 0, 1},
		{"dbin", []float64{0.3, 7}, []float64{0.6, 7}, 0, 7},
	} {
		d, _ := dist.Lookup(c.name)
		pdims := make([][]int, len(c.p))
		for k := range pdims {
			pdims[k] = []int{1}
		}
		closed := divergence(&observed{t: &model.Template{Stoch: model.NewStoch(c.name, pdims, false, false)}})
		if closed == nil {
			t.Fatalf("%s has no closed form", c.name)
		}
		want := 0.0
		add := func(x, width float64) {
			if lp := d.LogProb(x, c.p); lp > -700 {
				want += width * math.Exp(lp) * (lp - d.LogProb(x, c.q))
			}
		}
		if d.Discrete {
			for x := c.lo; x <= c.hi; x++ {
				add(x, 1)
			}
		} else {
			const cells = 400000
			width := (c.hi - c.lo) / cells
			for k := range cells {
				add(c.lo+(float64(k)+0.5)*width, width)
			}
		}
		if got := closed(c.p, c.q); !(math.Abs(got-want) < 1e-6*(1+want)) {
			t.Errorf("%s%v from %v: %v, not %v", c.name, c.p, c.q, got, want)
		}
	}
}

// Weighted means do not depend on how the values come together, nor on a factor common to the weights.
func TestWeighted(t *testing.T) {
	var all, one, two Weighted
	sum, weights := 0.0, 0.0
	for k := range 20 {
		x, w := float64(k*k%7), float64(k%5)
		all.Add(x, w-900)
		if k < 8 {
			one.Add(x, w-900)
		} else {
			two.Add(x, w-900)
		}
		sum += x * math.Exp(w)
		weights += math.Exp(w)
	}
	one.join(two)
	for _, w := range []Weighted{all, one} {
		if !(math.Abs(w.Mean()-sum/weights) < 1e-12) {
			t.Errorf("mean %v, not %v", w.Mean(), sum/weights)
		}
	}
	if !(math.Abs(all.effective()-one.effective()) < 1e-9) || !(all.effective() < 20) {
		t.Errorf("%v and %v equal weights", all.effective(), one.effective())
	}
}
