package dist

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestInverseCDF(t *testing.T) {
	r := testRand(40)
	x := draw(200_000, func() float64 {
		return InverseCDF(r, func(u float64) float64 { return math.Tan(math.Pi * (u - 0.5)) }) // Cauchy
	})
	ksFits(t, "InverseCDF", x, func(x float64) float64 { return 0.5 + math.Atan(x)/math.Pi })
	p := []float64{3.5}
	discreteFits(t, "InverseCDF of dpois", 50_000, 0, 25,
		func() float64 { return InverseCDF(r, func(u float64) float64 { return poisQuantile(u, p) }) },
		func(x float64) float64 { return PoisLogProb(x, 3.5) })
}

// Both coordinates, and their product's law through the sum: (z₁+z₂)/√2 is normal only if they are independent.
func TestBoxMuller(t *testing.T) {
	r := testRand(41)
	var first, second, sum, square []float64
	for range 200_000 {
		a, b := BoxMuller(r)
		first, second = append(first, a), append(second, b)
		sum, square = append(sum, (a+b)/math.Sqrt2), append(square, a*a+b*b)
	}
	ksFits(t, "first", first, normCDF)
	ksFits(t, "second", second, normCDF)
	ksFits(t, "sum", sum, normCDF)
	ksFits(t, "radius", square, chiSquareCDF(2))
}

// Beta(2, 2) from the uniform: f = 6x(1−x) ≤ 1.5, so 1.5 proposals a draw.
func TestRejection(t *testing.T) {
	r := testRand(42)
	propose := func(r *rand.Rand) float64 { return r.Float64() }
	logRatio := func(x float64) float64 { return math.Log(4 * x * (1 - x)) }
	const n = 200_000
	total := 0
	x := draw(n, func() float64 {
		x, tries, err := Rejection(r, propose, logRatio, 1000)
		if err != nil {
			t.Fatal(err)
		}
		total += tries
		return x
	})
	ksFits(t, "Rejection", x, func(x float64) float64 { return x * x * (3 - 2*x) })
	meanFits(t, "proposals", float64(total), n, 1.5, math.Sqrt(1.0/3)/(2.0/3)) // geometric with success 2/3

	for want, f := range map[string]func(x float64) float64{
		"raise M":   func(float64) float64 { return 0.1 },
		"NaN":       func(float64) float64 { return math.NaN() },
		"rejected;": func(float64) float64 { return math.Inf(-1) },
	} {
		if _, _, err := Rejection(r, propose, f, 50); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// The mean of x² under the normal, 1, from a wider normal; the mass of exp(−x²/2) is √(2π).
func TestImportance(t *testing.T) {
	r := testRand(43)
	const n, s = 400_000, 1.5
	propose := func(r *rand.Rand) float64 { return s * StdNormal(r) }
	logWeight := func(x float64) float64 {
		return -x*x/2 - (-x*x/(2*s*s) - math.Log(s*math.Sqrt(2*math.Pi)))
	}
	got, err := Importance(r, n, propose, logWeight, func(x float64) float64 { return x * x })
	if err != nil {
		t.Fatal(err)
	}
	// With normalised f, w = f/g and a = 1 − 1/(2s²): w² g is s/√(2a) times the normal density of variance v = 1/(2a),
	// so E w² = s/√(2a) and E w²(x²−1)² = s/√(2a) (3v² − 2v + 1).
	a := 1 - 1/(2*s*s)
	second, v := s/math.Sqrt(2*a), 1/(2*a)
	se := math.Sqrt(second * (3*v*v - 2*v + 1) / n)
	meanFits(t, "mean", got.Mean*n, n, 1, se*math.Sqrt(n))
	if math.Abs(got.SE/se-1) > 0.02 {
		t.Errorf("standard error %v, want %v", got.SE, se)
	}
	if math.Abs(got.ESS*second/n-1) > 0.02 {
		t.Errorf("effective sample size %v, want %v", got.ESS, n/second)
	}
	meanFits(t, "mass", math.Exp(got.LogMass)*n, n, math.Sqrt(2*math.Pi), math.Sqrt(2*math.Pi*(second-1)))
	// Weights of any size give the same estimate.
	r1, r2 := testRand(44), testRand(44)
	plain, _ := Importance(r1, 1000, propose, logWeight, math.Abs)
	huge, err := Importance(r2, 1000, propose, func(x float64) float64 { return logWeight(x) + 5000 }, math.Abs)
	if err != nil || math.Abs(huge.Mean-plain.Mean) > 1e-11 || math.Abs(huge.LogMass-plain.LogMass-5000) > 1e-9 || math.Abs(huge.SE/plain.SE-1) > 1e-9 {
		t.Errorf("weights e⁵⁰⁰⁰ larger: %v, want %v", huge, plain)
	}
	for _, f := range []func(float64) float64{
		func(float64) float64 { return math.NaN() },
		func(float64) float64 { return math.Inf(1) },
		func(float64) float64 { return math.Inf(-1) },
	} {
		if _, err := Importance(r, 10, propose, f, math.Abs); err == nil {
			t.Errorf("log weights %v give no error", f(0))
		}
	}
	if _, err := Importance(r, 0, propose, logWeight, math.Abs); err == nil {
		t.Error("no draws give no error")
	}
}

// words is a source that gives fixed words, then those of another.
type words struct {
	first []uint64
	then  rand.Source
}

func (w *words) Uint64() uint64 {
	if len(w.first) == 0 {
		return w.then.Uint64()
	}
	v := w.first[0]
	w.first = w.first[1:]
	return v
}

// Given that its first k words are below 2⁴⁴, uniformFine is 2^(−20k) times a fresh uniform.
func TestUniformFine(t *testing.T) {
	src := rand.NewPCG(45, 1)
	for k := range 4 {
		scale := math.Ldexp(1, 20*k)
		x := draw(50_000, func() float64 {
			r := rand.New(&words{make([]uint64, k), src})
			return scale * uniformFine(r)
		})
		ksFits(t, "uniformFine", x, func(x float64) float64 { return min(x, 1) })
	}
	if x := uniformFine(rand.New(&words{then: &words{first: make([]uint64, 100), then: src}})); !(x > 0) {
		t.Errorf("a hundred zeros give %v", x)
	}
}
