package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// concave are log densities with their derivative and distribution function, and points to begin with.
var concave = map[string]struct {
	lo, hi float64
	f      func(x float64) (h, dh float64)
	cdf    func(x float64) float64
	starts [][]float64
}{
	"normal": {math.Inf(-1), math.Inf(1), func(x float64) (float64, float64) { return -x * x / 2, -x }, normCDF,
		[][]float64{{0}, {50}, {-1e6}, {-1, 1}, {3, 4, 5}}},
	"narrow": {math.Inf(-1), math.Inf(1), func(x float64) (float64, float64) {
		z := (x - 1) * 1e8
		return -z * z / 2, -z * 1e8
	}, func(x float64) float64 { return normCDF((x - 1) * 1e8) }, [][]float64{{1}, {0.5}}},
	"wide": {math.Inf(-1), math.Inf(1), func(x float64) (float64, float64) {
		z := x / 1e9
		return 1e3 - z*z/2, -z / 1e9
	}, func(x float64) float64 { return normCDF(x / 1e9) }, [][]float64{{0.1}}},
	"tail": {10, math.Inf(1), func(x float64) (float64, float64) { return -x * x / 2, -x },
		func(x float64) float64 { return 1 - normCDF(-x)/normCDF(-10) }, [][]float64{{11}, {10.001, 40}}},
	"gamma": {0, math.Inf(1), func(x float64) (float64, float64) { return 1.5*math.Log(x) - x, 1.5/x - 1 },
		func(x float64) float64 { return math.Exp(gamma().LogCDF(x, []float64{2.5, 1})) }, [][]float64{{1}, {0.001}, {30}}},
	"beta": {0, 1, func(x float64) (float64, float64) { return math.Log(x) + 2*math.Log1p(-x), 1/x - 2/(1-x) },
		func(x float64) float64 { return x * x * (6 - 8*x + 3*x*x) }, [][]float64{{0.5}, {0.99}, {0.1, 0.2, 0.9}}},
	"uniform": {2, 3, func(x float64) (float64, float64) { return 7, 0 }, func(x float64) float64 { return x - 2 }, [][]float64{{2.5}}},
	"exponential": {0, math.Inf(1), func(x float64) (float64, float64) { return -3 * x, -3 },
		func(x float64) float64 { return -math.Expm1(-3 * x) }, [][]float64{{1}}},
	"Laplace": {math.Inf(-1), math.Inf(1), func(x float64) (float64, float64) { return -math.Abs(x), -math.Copysign(1, x) },
		func(x float64) float64 {
			return 0.5 + math.Copysign(0.5, x)*-math.Expm1(-math.Abs(x))
		}, [][]float64{{0.5}, {-3, 2}}},
	"logistic": {math.Inf(-1), math.Inf(1), func(x float64) (float64, float64) {
		return -math.Abs(x) - 2*math.Log1p(math.Exp(-math.Abs(x))), -math.Tanh(x / 2)
	}, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, [][]float64{{0}}},
	// The support is smaller than the interval that is said.
	"hidden support": {math.Inf(-1), 10, func(x float64) (float64, float64) {
		if x < 0 || x > 1 {
			return math.Inf(-1), math.NaN()
		}
		return 0, 0
	}, func(x float64) float64 { return x }, [][]float64{{0.25}}},
}

func TestARS(t *testing.T) {
	for name, c := range concave {
		for _, start := range c.starts {
			for _, free := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s from %v, free %v", name, start, free), func(t *testing.T) {
					a, err := NewARS(c.lo, c.hi, c.f, start...)
					if free {
						a, err = NewARSDerivativeFree(c.lo, c.hi, func(x float64) float64 { h, _ := c.f(x); return h }, start...)
					}
					if err != nil {
						t.Fatal(err)
					}
					r := testRand(70)
					const n = 20_000
					x := draw(n, func() float64 {
						x, err := a.Draw(r)
						if err != nil {
							t.Fatal(err)
						}
						return x
					})
					if a.Evals() > n/40 { // a few steps to the mode, and then few a thousand draws
						t.Errorf("%d evaluations for %d draws", a.Evals(), n)
					}
					ksFits(t, name, x, c.cdf)
				})
			}
		}
	}
}

// A fresh sampler for each draw, as in Gibbs sampling: the first draws are exact too.
func TestARSFirstDraw(t *testing.T) {
	r := testRand(71)
	for _, free := range []bool{false, true} {
		x := draw(20_000, func() float64 {
			a, err := NewARS(math.Inf(-1), math.Inf(1), concave["normal"].f, 1.5)
			if free {
				a, err = NewARSDerivativeFree(math.Inf(-1), math.Inf(1), func(x float64) float64 { return -x * x / 2 }, 1.5)
			}
			if err != nil {
				t.Fatal(err)
			}
			x, err := a.Draw(r)
			if err != nil {
				t.Fatal(err)
			}
			return x
		})
		ksFits(t, fmt.Sprintf("first draws, free %v", free), x, normCDF)
	}
}

func TestARSErrors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	normal := concave["normal"].f
	cauchy := func(x float64) (float64, float64) { return -math.Log1p(x * x), -2 * x / (1 + x*x) }
	two := func(x float64) (float64, float64) { // modes at ±3
		a, b := math.Exp(-(x-3)*(x-3)/2), math.Exp(-(x+3)*(x+3)/2)
		return math.Log(a + b), -((x-3)*a + (x+3)*b) / (a + b)
	}
	for want, c := range map[string]struct {
		lo, hi float64
		f      func(x float64) (h, dh float64)
		start  []float64
	}{
		"on [1, 1]":                       {1, 1, normal, []float64{1}},
		"on [NaN, 1]":                     {nan, 1, normal, []float64{0}},
		"1 to 32 points, not 0":           {0, 1, normal, nil},
		"point 2 of adaptive rejection, ": {0, 1, normal, []float64{0.5, 1}},
		"is -Inf at the point x = 0.5":    {0, 1, func(x float64) (float64, float64) { return -inf, 0 }, []float64{0.5}},
		"is NaN at x = 0.25":              {0, 1, func(x float64) (float64, float64) { return nan, 0 }, []float64{0.25}},
		"is +Inf at x = 0.75":             {0, 1, func(x float64) (float64, float64) { return inf, 0 }, []float64{0.75}},
		"derivative of the log density is NaN at x = 0.125": {0, 1, func(x float64) (float64, float64) { return 0, nan }, []float64{0.125}},
		"does not fall from x = 0 towards -Inf":             {-inf, inf, func(x float64) (float64, float64) { return 0, 0 }, []float64{0}},
		"does not fall from x = 1 towards +Inf":             {0, inf, func(x float64) (float64, float64) { return x, 1 }, []float64{1}},
		"or its derivative there":                           {-inf, inf, func(x float64) (float64, float64) { return -x * x / 2, -x / 3 }, []float64{1}},
		"not concave: at x = ":                              {-inf, inf, two, []float64{-4, 4}},
		"concave: at x":                                     {-20, 20, cauchy, []float64{1}},
		"concave: at":                                       {-1, 1, func(x float64) (float64, float64) { return x * x, 2 * x }, []float64{0.5}},
	} {
		a, err := NewARS(c.lo, c.hi, c.f, c.start...)
		for r, i := testRand(72), 0; err == nil && i < 1000; i++ {
			_, err = a.Draw(r)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if strings.Contains(want, "erivative") {
			continue
		}
		a, err = NewARSDerivativeFree(c.lo, c.hi, func(x float64) float64 { h, _ := c.f(x); return h }, c.start...)
		for r, i := testRand(72), 0; err == nil && i < 1000; i++ {
			_, err = a.Draw(r)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without derivative: error %v, want one with %q", err, want)
		}
	}
	if _, err := NewARS(0, 1, nil, 0.5); err == nil {
		t.Error("no log density gives no error")
	}
	if _, err := NewARSDerivativeFree(0, 1, nil, 0.5); err == nil {
		t.Error("no log density gives no error")
	}
}

func TestARSAllocatesNothing(t *testing.T) {
	r := testRand(73)
	a, err := NewARS(math.Inf(-1), math.Inf(1), concave["normal"].f, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewARSDerivativeFree(0, math.Inf(1), func(x float64) float64 { return math.Log(x) - x }, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1000, func() {
		if _, err := a.Draw(r); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Draw(r); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}

// Normals of any place and scale, from any point: no hang and no false alarm.
func FuzzARS(f *testing.F) {
	f.Add(0.0, 1.0, 3.0, uint64(1))
	f.Add(-685152.0000000001, 7.936507936507937e-05, -10.200000000000003, uint64(80)) // h is some 1e19 where it begins
	f.Fuzz(func(t *testing.T, mu, sd, start float64, seed uint64) {
		if !(math.Abs(mu) < 1e6 && sd > 1e-6 && sd < 1e6 && math.Abs(start) < 1e6) {
			return
		}
		r := rand.New(rand.NewPCG(seed, 1))
		h := func(x float64) (float64, float64) { z := (x - mu) / sd; return -z * z / 2, -z / sd }
		a, err := NewARS(math.Inf(-1), math.Inf(1), h, start)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewARSDerivativeFree(math.Inf(-1), math.Inf(1), func(x float64) float64 { y, _ := h(x); return y }, start)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			for _, s := range []*ARS{a, b} {
				x, err := s.Draw(r)
				if err != nil || !(math.Abs(x-mu) < 9*sd) { // 2e-19
					t.Fatalf("normal (%v, %v) from %v: drew %v, %v", mu, sd, start, x, err)
				}
			}
		}
	})
}

func BenchmarkARS(b *testing.B) {
	r := testRand(74)
	a, err := NewARS(0, math.Inf(1), concave["gamma"].f, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		x, err := a.Draw(r)
		if err != nil {
			b.Fatal(err)
		}
		sink = x
	}
}
