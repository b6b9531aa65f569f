package dist

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Every row of the table from its distribution function alone, and from its quantile function: the elementary way to
// draw from any of them.
func TestInversionOfTable(t *testing.T) {
	r := testRand(50)
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		if d.CDF == nil {
			t.Skip("no distribution function")
		}
		const n = 600
		lo, hi := d.Support(p)
		solved := func() float64 {
			x, err := InvertCDF(r, lo, hi, func(x float64) float64 { return d.CDF(x, p) })
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		formula := func() float64 {
			x := InverseCDF(r, func(u float64) float64 { return d.Quantile(u, p) })
			if lo == 0 && !d.Discrete {
				return max(x, smallest) // as the samplers do: the beta and gamma of shape 0.001 underflow
			}
			return x
		}
		for name, f := range map[string]func() float64{"InvertCDF": solved, "InverseCDF": formula} {
			if d.Discrete {
				fitsDiscrete(t, d, p, math.Inf(-1), math.Inf(1), n, f)
				continue
			}
			ksFits(t, name, draw(n, f), func(x float64) float64 { return d.CDF(x, p) })
		}
	})
}

// The least double with cdf(x) ≥ q, by looking at its neighbour; the calls are bounded.
func TestSolveQuantile(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		lo, hi float64
		cdf    func(x float64) float64
		calls  int
	}{
		"normal":      {-inf, inf, normCDF, 70},
		"logistic":    {-inf, inf, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, 70},
		"uniform":     {2, 5, func(x float64) float64 { return (x - 2) / 3 }, 66},
		"Pareto":      {1, inf, func(x float64) float64 { return 1 - math.Pow(x, -0.1) }, 200},
		"tiny":        {0, inf, func(x float64) float64 { return -math.Expm1(-x / 1e-300) }, 70},
		"huge":        {-inf, inf, func(x float64) float64 { return 1 / (1 + math.Exp(-x/1e300)) }, 420},
		"whole":       {0, inf, func(x float64) float64 { return 1 - math.Pow(0.5, math.Floor(x)+1) }, 80},
		"two atoms":   {-1, 1, func(x float64) float64 { return 0.25 + 0.75*math.Floor(max(x, 0)) }, 70},
		"mixed":       {0, 10, func(x float64) float64 { return min(0.5+x/20, 1) }, 70},
		"steep":       {-inf, inf, func(x float64) float64 { return normCDF((x - 3) * 1e12) }, 70},
		"wide finite": {-math.MaxFloat64, math.MaxFloat64, normCDF, 70},
	} {
		for _, q := range []float64{1e-12, 0.01, 0.25, 0.3, 0.5, 0.75, 0.99, 1 - 1e-12} {
			calls := 0
			x, err := SolveQuantile(q, c.lo, c.hi, func(x float64) float64 {
				if math.IsInf(x, 0) {
					t.Fatalf("%s: asked at %v", name, x)
				}
				calls++
				return c.cdf(x)
			})
			if err != nil {
				t.Errorf("%s, q = %v: %v", name, q, err)
				continue
			}
			if before := math.Nextafter(x, -inf); c.cdf(x) < q || before >= c.lo && c.cdf(before) >= q {
				t.Errorf("%s: quantile of %v is %v, where the distribution function is %v, and %v before", name, q, x, c.cdf(x), c.cdf(before))
			}
			if calls > c.calls {
				t.Errorf("%s, q = %v: %d calls", name, q, calls)
			}
		}
	}
}

func TestSolveQuantileErrors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for want, c := range map[string]struct {
		q, lo, hi float64
		cdf       func(x float64) float64
	}{
		"q = 1.5":                     {1.5, 0, 1, normCDF},
		"q = NaN":                     {nan, 0, 1, normCDF},
		"law on [2, 1]":               {0.5, 2, 1, normCDF},
		"law on [NaN":                 {0.5, nan, 1, normCDF},
		"[+Inf, +Inf] has no finite":  {0.5, inf, inf, normCDF},
		"is NaN at x = 0":             {0.5, -inf, inf, func(float64) float64 { return nan }},
		"is 2 at x = 1":               {0.5, 0, 1, func(x float64) float64 { return 2 * x }},
		"is -1 at x = 0":              {0.5, 0, 1, func(x float64) float64 { return x - 1 }},
		"is 0.75 at the upper end, 1": {0.9, 0, 1, func(x float64) float64 { return 0.75 * x }},
		"still 0.5 at x = 1.79":       {0.9, 0, inf, func(x float64) float64 { return min(x, 0.5) }},
		"still 0.5 at x = -1.79":      {0.25, -inf, 0, func(x float64) float64 { return 0.5 }},
		"it must not fall":            {0.7, 0, 1, func(x float64) float64 { return x - 2*x*math.Floor(2*x)*(1-x) }},
	} {
		if x, err := SolveQuantile(c.q, c.lo, c.hi, c.cdf); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("quantile %v, error %v, want one with %q", x, err, want)
		}
	}
	if x, err := SolveQuantile(0, -inf, inf, normCDF); err != nil || x != -inf {
		t.Errorf("quantile 0 of the normal is %v, %v", x, err)
	}
	if x, err := SolveQuantile(0.5, 3, 3, func(float64) float64 { return 1 }); err != nil || x != 3 {
		t.Errorf("quantile of a point is %v, %v", x, err)
	}
}

func BenchmarkInvertCDF(b *testing.B) {
	r := testRand(51)
	calls := 0
	cdf := func(x float64) float64 { calls++; return normCDF(x) }
	for b.Loop() {
		x, err := InvertCDF(r, math.Inf(-1), math.Inf(1), cdf)
		if err != nil {
			b.Fatal(err)
		}
		sink = x
	}
	b.ReportMetric(float64(calls)/float64(b.N), "calls")
}

func FuzzSolveQuantile(f *testing.F) {
	f.Add(0.3, 1.0, uint64(1))
	f.Fuzz(func(t *testing.T, q, scale float64, seed uint64) {
		if !(q > 0 && q < 1) || !positive(scale) {
			return
		}
		// A law with three atoms and a continuous part.
		r := rand.New(rand.NewPCG(seed, 1))
		a, b, c := r.NormFloat64()*scale, r.NormFloat64()*scale, r.NormFloat64()*scale
		cdf := func(x float64) float64 {
			s := 0.1 * normCDF(x/scale)
			for _, v := range []float64{a, b, c} {
				if x >= v {
					s += 0.3
				}
			}
			return min(s, 1)
		}
		x, err := SolveQuantile(q, math.Inf(-1), math.Inf(1), cdf)
		if err != nil || cdf(x) < q || cdf(math.Nextafter(x, math.Inf(-1))) >= q {
			t.Errorf("q = %v, scale %v: %v, %v", q, scale, x, err)
		}
	})
}
