package lattice

import (
	"math"
	"slices"
	"testing"
)

// Couplings of a bond are the same seen from both ends, are those of their seed, and have the mean and variance asked for: each within 5
// standard errors, 6e-7 a comparison if the draws are right.
func TestDisorder(t *testing.T) {
	g := must(Geometry{Size: []int{100, 100}}.Graph(1))
	for _, c := range []struct {
		name     string
		make     func(seed uint64) (*Graph, error)
		mean, sd float64
		kurtosis float64 // fourth central moment over the variance squared
	}{
		{"±J", func(seed uint64) (*Graph, error) { return g.PlusMinus(2, 0.5, seed) }, 0, 2, 1},
		{"±J, one in ten negative", func(seed uint64) (*Graph, error) { return g.PlusMinus(1, 0.1, seed) }, 0.8, 0.6, 0.73 / 0.09},
		{"Gaussian", func(seed uint64) (*Graph, error) { return g.Gaussian(0.5, 2, seed) }, 0.5, 2, 3},
	} {
		d, again, other := must(c.make(1)), must(c.make(1)), must(c.make(2))
		if !slices.Equal(d.coupling, again.coupling) || slices.Equal(d.coupling, other.coupling) {
			t.Errorf("%s: couplings are not those of the seed", c.name)
		}
		checkMoments(t, c.name, func(yield func(float64) bool) {
			for b := range d.All() {
				if !yield(b.Coupling) {
					return
				}
			}
		}, c.mean, c.sd, c.kurtosis)
		for i := range d.Sites() {
			for k, j := range d.Of(i) {
				back := slices.Index(d.Of(int(j)), int32(i))
				if d.Coupling(i, k) != d.Coupling(int(j), back) {
					t.Fatalf("%s: the bond of %d and %d has two couplings", c.name, i, j)
				}
			}
		}
	}
	checkMoments(t, "±h", slices.Values(PlusMinusField(20_000, 1.5, 3)), 0, 1.5, 1)
	checkMoments(t, "normal fields", slices.Values(must(GaussianField(20_000, -1, 0.5, 3))), -1, 0.5, 3)
}

func checkMoments(t *testing.T, name string, values func(func(float64) bool), mean, sd, kurtosis float64) {
	t.Helper()
	n, sum, squares := 0.0, 0.0, 0.0
	for x := range values {
		n++
		sum += x - mean
		squares += (x - mean) * (x - mean)
	}
	if z := sum / sd / math.Sqrt(n); math.Abs(z) > 5 {
		t.Errorf("%s: the mean is %v standard errors off", name, z)
	}
	if z := (squares/sd/sd - n) / math.Sqrt(n*(kurtosis-1)+1e-9); math.Abs(z) > 5 {
		t.Errorf("%s: the variance is %v standard errors off", name, z)
	}
}

func TestBadDisorder(t *testing.T) {
	g := must(Geometry{Size: []int{4}}.Graph(1))
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := g.PlusMinus(1, p, 1); err == nil {
			t.Errorf("a probability of %v is taken", p)
		}
	}
	for _, bad := range [][2]float64{{math.NaN(), 1}, {math.Inf(1), 1}, {0, -1}, {0, math.NaN()}, {0, math.Inf(1)}} {
		if _, err := g.Gaussian(bad[0], bad[1], 1); err == nil {
			t.Errorf("couplings %v are taken", bad)
		}
		if _, err := GaussianField(3, bad[0], bad[1], 1); err == nil {
			t.Errorf("fields %v are taken", bad)
		}
	}
	if _, err := g.PlusMinus(math.Inf(1), 0.5, 1); err == nil {
		t.Error("infinite couplings are taken")
	}
}
