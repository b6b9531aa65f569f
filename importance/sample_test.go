package importance_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/importance"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// wider proposes a normal of standard deviation s for the unnormalised standard normal exp(−x²/2).
func wider(t *testing.T, seed uint64, n int, s float64) *importance.Sample[float64] {
	t.Helper()
	sample, err := importance.Draw(rng.New(seed, "wider").Rand, n,
		func(r *rand.Rand) float64 { return s * dist.StdNormal(r) },
		func(x float64) float64 { return -x*x/2 - dist.NormLogProb(x, 0, 1/(s*s)) })
	if err != nil {
		t.Fatal(err)
	}
	return sample
}

// The mean of x² under the normal, 1, from a wider normal; the mass of exp(−x²/2) is √(2π).
func TestMean(t *testing.T) {
	const n, s = 400_000, 1.5
	sample := wider(t, 43, n, s)
	got, err := sample.Mean(func(x float64) float64 { return x * x })
	if err != nil {
		t.Fatal(err)
	}
	// With normalised f, w = f/g and a = 1 − 1/(2s²): w² g is s/√(2a) times the normal density of variance v = 1/(2a),
	// so E w² = s/√(2a) and E w²(x²−1)² = s/√(2a) (3v² − 2v + 1). 5 standard errors: 6e-7.
	a := 1 - 1/(2*s*s)
	second, v := s/math.Sqrt(2*a), 1/(2*a)
	se := math.Sqrt(second * (3*v*v - 2*v + 1) / n)
	if math.Abs(got.Value-1) > 5*se {
		t.Errorf("mean %v, want 1 ± %v", got.Value, se)
	}
	if math.Abs(got.SE/se-1) > 0.02 { // the weights are bounded: 400 000 of them give their moments to 1 %
		t.Errorf("standard error %v, want %v", got.SE, se)
	}
	if math.Abs(sample.ESS()*second/n-1) > 0.02 {
		t.Errorf("effective sample size %v, want %v", sample.ESS(), n/second)
	}
	mass, massSE := sample.LogMass(), math.Sqrt((second-1)/n)
	if math.Abs(mass.Value-0.5*math.Log(2*math.Pi)) > 5*massSE || math.Abs(mass.SE/massSE-1) > 0.02 {
		t.Errorf("log mass %+v, want %v ± %v", mass, 0.5*math.Log(2*math.Pi), massSE)
	}
}

// A standard error means what it says: over replicates the errors divided by it have variance 1, but for the delta
// method's 1/n. The chi-square on 2000 degrees of freedom is within 2000 ± 330 but for 5e-7.
func TestStandardErrors(t *testing.T) {
	mean, mass := 0.0, 0.0
	const replicates = 2000
	for seed := range uint64(replicates) {
		sample := wider(t, 1000+seed, 1000, 1.5)
		e, err := sample.Mean(func(x float64) float64 { return x })
		if err != nil {
			t.Fatal(err)
		}
		l := sample.LogMass()
		mean += math.Pow(e.Value/e.SE, 2)
		mass += math.Pow((l.Value-0.5*math.Log(2*math.Pi))/l.SE, 2)
	}
	for name, x := range map[string]float64{"mean": mean, "log mass": mass} {
		if math.Abs(x-replicates) > 330 {
			t.Errorf("squared errors of the %s over their standard errors sum to %.0f, want %d", name, x, replicates)
		}
	}
}

// A unit of the weights changes nothing but the mass; weights of zero are not asked about.
func TestUnits(t *testing.T) {
	r := rng.New(6, "units")
	const n = 500
	x, logw, moved := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], logw[i] = r.NormFloat64(), r.NormFloat64()
		if i%50 == 7 {
			x[i], logw[i] = math.NaN(), math.Inf(-1)
		}
		moved[i] = logw[i] + 5000
	}
	a, err := importance.New(x, logw)
	if err != nil {
		t.Fatal(err)
	}
	b, err := importance.New(x, moved)
	if err != nil {
		t.Fatal(err)
	}
	smoothA, kA := a.Smooth()
	smoothB, kB := b.Smooth()
	if math.Abs(kA-kB) > 1e-9 {
		t.Errorf("k̂ %v and %v", kA, kB)
	}
	for _, pair := range [][2]*importance.Sample[float64]{{a, b}, {smoothA, smoothB}} {
		one, err1 := pair[0].Mean(math.Abs)
		two, err2 := pair[1].Mean(math.Abs)
		if err1 != nil || err2 != nil || math.Abs(one.Value-two.Value) > 1e-11 || math.Abs(one.SE-two.SE) > 1e-11 {
			t.Errorf("%v (%v) and %v (%v)", one, err1, two, err2)
		}
		if d := pair[1].LogMass().Value - pair[0].LogMass().Value; math.Abs(d-5000) > 1e-9 {
			t.Errorf("log masses differ by %v, want 5000", d)
		}
	}
}

// Weights E^−1/2… of a Pareto law with shape k: k̂ finds it, and the warning follows.
func TestWarning(t *testing.T) {
	const n = 20_000
	for k, want := range map[float64]string{0.2: "", 0.85: "above 0.7", 1.4: "no mean"} {
		r := rng.New(7, "pareto")
		logw := make([]float64, n)
		for i := range logw {
			logw[i] = k * r.ExpFloat64()
		}
		s, err := importance.New(make([]int, n), logw)
		if err != nil {
			t.Fatal(err)
		}
		_, got := s.Smooth()
		// The tail has 3√n = 424 draws, and k̂ from it a standard deviation of (1+k)/√424 < 0.12.
		if math.Abs(got-k) > 5*(1+k)/math.Sqrt(424) {
			t.Errorf("k̂ = %v, want %v", got, k)
		}
		if w := s.Warning(); (w == "") != (want == "") || !strings.Contains(w, want) {
			t.Errorf("k = %v: warning %q, want one with %q", k, w, want)
		}
	}
	few, err := importance.New(make([]int, 30), append(make([]float64, 10), slices.Repeat([]float64{math.Inf(-1)}, 20)...))
	if err != nil {
		t.Fatal(err)
	}
	if w := few.Warning(); !strings.Contains(w, "10 weights") {
		t.Errorf("warning %q of 10 weights", w)
	}
	if s, k := few.Smooth(); !math.IsNaN(k) || s.ESS() != 10 {
		t.Errorf("ten equal weights smoothed: k̂ = %v, ESS %v", k, s.ESS())
	}
}

// Smoothed weights are those of diag.PSIS.
func TestSmooth(t *testing.T) {
	r := rng.New(8, "smooth")
	logw := make([]float64, 1000)
	for i := range logw {
		logw[i] = 3 * r.NormFloat64()
	}
	want, wantK := diag.PSIS(logw, 1)
	s, err := importance.New(make([]bool, len(logw)), logw)
	if err != nil {
		t.Fatal(err)
	}
	smooth, k := s.Smooth()
	if k != wantK {
		t.Errorf("k̂ = %v, want %v", k, wantK)
	}
	for i, w := range smooth.Weights() {
		if math.Abs(w/math.Exp(want[i])-1) > 1e-12 {
			t.Fatalf("weight %d is %v, want %v", i, w, math.Exp(want[i]))
		}
	}
}

func TestResampleStates(t *testing.T) {
	s, err := importance.New([]string{"a", "b", "c"}, []float64{0, math.Inf(-1), math.Log(3)})
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []importance.Resampler{importance.Systematic, nil} {
		got, err := s.Resample(rng.New(9, "states").Rand, 8, scheme)
		if err != nil || strings.Join(got, "") != "aacccccc" {
			t.Errorf("%v, %v; want a twice and c six times", got, err)
		}
	}
}

func TestSampleErrors(t *testing.T) {
	r := rng.New(10, "errors").Rand
	nan, inf := math.NaN(), math.Inf(1)
	newErr := func(n int, logw ...float64) error { _, err := importance.New(make([]int, n), logw); return err }
	drawErr := func(n int, l float64) error {
		_, err := importance.Draw(r, n, func(r *rand.Rand) float64 { return 0.25 }, func(float64) float64 { return l })
		return err
	}
	good, err := importance.New([]float64{1, 2}, []float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	_, meanErr := good.Mean(func(x float64) float64 { return math.Log(x - 2) })
	_, countErr := good.Resample(r, 0, importance.Residual)
	_, lengthErr := importance.Normalise(make([]float64, 2), make([]float64, 3))
	for want, err := range map[string]error{
		"2 draws have 1 log":             newErr(2, 0),
		"no weights":                     newErr(0),
		"log weight 2 is NaN":            newErr(2, 0, nan),
		"log weight 1 is +Inf":           newErr(2, inf, 0),
		"all 2 weights are zero":         newErr(2, -inf, -inf),
		"sample of 0 draws":              drawErr(0, 0),
		"of draw 1, 0.25, is NaN":        drawErr(3, nan),
		"of draw 1, 0.25, is +Inf":       drawErr(3, inf),
		"all 3 weights are zero":         drawErr(3, -inf),
		"the function is NaN at draw 1,": meanErr,
		"resampling 0 draws":             countErr,
		"2 weights for 3 log":            lengthErr,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	one, err := importance.New([]float64{3}, []float64{-2})
	if err != nil {
		t.Fatal(err)
	}
	if e, err := one.Mean(math.Abs); err != nil || e.Value != 3 || !math.IsNaN(e.SE) || one.ESS() != 1 {
		t.Errorf("one draw: %v, %v", e, err)
	}
}

func ExampleDraw() {
	// P(Z > 4) for a standard normal Z, and the mean beyond, from an exponential that starts at 4.
	s, err := importance.Draw(rng.New(1, "tail").Rand, 100_000,
		func(r *rand.Rand) float64 { return 4 + dist.StdExp(r)/4 },
		func(x float64) float64 { return dist.NormLogProb(x, 0, 1) - dist.ExpLogProb(x-4, 4) })
	if err != nil {
		fmt.Println(err)
		return
	}
	mass := s.LogMass()
	mean, _ := s.Mean(func(x float64) float64 { return x })
	fmt.Printf("%.3e ± %.2f %%\n", math.Exp(mass.Value), 100*mass.SE)
	fmt.Printf("%.3f, ESS/n %.2f, warning %q\n", mean.Value, s.ESS()/100_000, s.Warning())
	// Output:
	// 3.167e-05 ± 0.03 %
	// 4.226, ESS/n 0.99, warning ""
}

func ExampleSample_Warning() {
	// A normal proposal, a quarter as wide as its target: the weights have no variance.
	s, err := importance.Draw(rng.New(1, "narrow").Rand, 4000,
		func(r *rand.Rand) float64 { return 0.25 * dist.StdNormal(r) },
		func(x float64) float64 { return dist.NormLogProb(x, 0, 1) - dist.NormLogProb(x, 0, 16) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Warning())
	// Output:
	// Pareto k̂ = 0.85 is above 0.7: estimates and standard errors cannot be trusted, and more draws will hardly help; propose closer to the target, with heavier tails
}

func ExampleSample_Smooth() {
	s, err := importance.Draw(rng.New(2, "narrow").Rand, 4000,
		func(r *rand.Rand) float64 { return 0.75 * dist.StdNormal(r) },
		func(x float64) float64 { return dist.NormLogProb(x, 0, 1) - dist.NormLogProb(x, 0, 1/(0.75*0.75)) })
	if err != nil {
		fmt.Println(err)
		return
	}
	smooth, k := s.Smooth()
	square := func(x float64) float64 { return x * x } // whose mean is 1
	raw, _ := s.Mean(square)
	better, _ := smooth.Mean(square)
	fmt.Printf("k̂ %.2f: %.2f ± %.2f, smoothed %.2f ± %.2f\n", k, raw.Value, raw.SE, better.Value, better.SE)
	// Output:
	// k̂ 0.53: 1.04 ± 0.07, smoothed 1.03 ± 0.07
}

func ExampleNormalise() {
	w := make([]float64, 3)
	logMean, err := importance.Normalise(w, []float64{1000, 1000 + math.Log(3), math.Inf(-1)})
	fmt.Printf("%.2f %.4f %v, ESS %.1f\n", w, logMean, err, importance.ESS(w))
	// Output:
	// [0.25 0.75 0.00] 1000.2877 <nil>, ESS 1.6
}
