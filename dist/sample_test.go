package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// normCDF is Φ from the standard library, independent of the package's own.
func normCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

func draw(n int, f func() float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = f()
	}
	return x
}

// The area of a layer and the right edge of the lowest are constants; that they close the ziggurat at the mode is the
// condition of Marsaglia and Tsang (2000).
func TestZigguratCloses(t *testing.T) {
	for name, tab := range map[string]*zigTable{"normal": normalTable, "exponential": expTable} {
		v := tab.x[0] * tab.f[1]
		for i := 1; i < zigLayers; i++ {
			area := tab.x[i] * (tab.f[i+1] - tab.f[i])
			if i == zigLayers-1 {
				area = tab.x[i] * (1 - tab.f[i])
			}
			if math.Abs(area/v-1) > 1e-11 {
				t.Errorf("%s: layer %d has area %v, the lowest %v", name, i, area, v)
			}
		}
	}
	tail := math.Sqrt(math.Pi/2) * math.Erfc(normalR/math.Sqrt2)
	if got := normalR*math.Exp(-normalR*normalR/2) + tail; math.Abs(got/normalV-1) > 1e-13 {
		t.Errorf("normal: layer 0 has area %v, not %v", got, normalV)
	}
	if got := (expR + 1) * math.Exp(-expR); math.Abs(got/expV-1) > 1e-13 {
		t.Errorf("exponential: layer 0 has area %v, not %v", got, expV)
	}
}

func TestStdNormal(t *testing.T) {
	r := testRand(1)
	x := draw(1_000_000, func() float64 { return StdNormal(r) })
	beyond := 0
	for _, v := range x {
		if math.Abs(v) > 4 {
			beyond++
		}
	}
	ksFits(t, "StdNormal", x, normCDF)
	p := math.Erfc(4 / math.Sqrt2)
	meanFits(t, "|StdNormal| > 4", float64(beyond), len(x), p, math.Sqrt(p))
	tail := draw(200_000, func() float64 { return normalTail(r) })
	ksFits(t, "normalTail", tail, func(x float64) float64 {
		return 1 - math.Erfc(x/math.Sqrt2)/math.Erfc(normalR/math.Sqrt2)
	})
}

func TestStdExp(t *testing.T) {
	r := testRand(2)
	x := draw(1_000_000, func() float64 { return StdExp(r) })
	beyond := 0
	for _, v := range x {
		if v > 8 {
			beyond++
		}
	}
	ksFits(t, "StdExp", x, func(x float64) float64 { return -math.Expm1(-x) })
	p := math.Exp(-8)
	meanFits(t, "StdExp > 8", float64(beyond), len(x), p, math.Sqrt(p))
}

func TestGamma(t *testing.T) {
	r := testRand(3)
	for _, shape := range []float64{0.3, 0.999, 1, 1.5, 7, 300} {
		const rate = 2.5
		x := draw(200_000, func() float64 { return Gamma(r, shape, rate) })
		ksFits(t, fmt.Sprintf("Gamma(%v)", shape), x, func(x float64) float64 { return mathext.GammaIncReg(shape, rate*x) })
	}
	// At shape 1e8 the law is normal but for a skewness of 2/√shape: 0.4·skew/6 ≈ 1e-5 in distribution.
	x := draw(100_000, func() float64 { return (Gamma(r, 1e8, 1) - 1e8) / 1e4 })
	ksFits(t, "Gamma(1e8)", x, normCDF)
}

func TestLogGamma1(t *testing.T) {
	r := testRand(4)
	for _, shape := range []float64{1e-300, 1e-10, 1e-3, 0.05, 0.7, 3} {
		// shape·log G has the distribution function e^y/Γ(1+shape) where G is tiny.
		x := draw(200_000, func() float64 { return shape * LogGamma1(r, shape) })
		ksFits(t, fmt.Sprintf("LogGamma1(%v)", shape), x, func(y float64) float64 {
			if y/shape < -40 {
				return math.Exp(y - lgamma(1+shape))
			}
			return mathext.GammaIncReg(shape, math.Exp(y/shape))
		})
	}
}

func lgamma(x float64) float64 { l, _ := math.Lgamma(x); return l }

func TestBeta(t *testing.T) {
	r := testRand(5)
	for _, p := range [][2]float64{{1, 1}, {2, 5}, {0.5, 0.5}, {0.01, 0.02}, {1e-3, 1e-3}, {1e-3, 40}, {300, 0.4}, {2e4, 3e4}} {
		a, b := p[0], p[1]
		name := fmt.Sprintf("Beta(%v, %v)", a, b)
		// The logit keeps both ends apart from 0 and 1.
		x := draw(200_000, func() float64 { x, y := betaPair(r, a, b); return math.Log(x) - math.Log(y) })
		ksFits(t, name, x, func(s float64) float64 {
			switch {
			case s <= math.Log(smallest):
				return mathext.RegIncBeta(a, b, smallest)
			case s >= -math.Log(smallest):
				return 1
			case s < 0:
				return mathext.RegIncBeta(a, b, math.Exp(s)/(1+math.Exp(s)))
			}
			return 1 - mathext.RegIncBeta(b, a, math.Exp(-s)/(1+math.Exp(-s)))
		})
		for range 10_000 {
			if v := Beta(r, a, b); !(v > 0 && v < 1) {
				t.Fatalf("%s drew %v", name, v)
			}
		}
	}
}

func TestTruncNormal(t *testing.T) {
	r := testRand(6)
	inf := math.Inf(1)
	for _, c := range []struct{ mu, sd, lo, hi float64 }{
		{0, 1, -inf, inf}, {1, 2, 0, inf}, {0, 1, -inf, 0.3}, {0, 1, -0.5, 0.2}, {0, 1, -2, 3}, {0, 1, 0.1, 5}, {0, 1, 0.1, 0.4},
		{0, 1, 2, inf}, {0, 1, 2, 2.2}, {0, 1, 2, 4}, {-1, 3, -100, -20}, {5, 0.1, 6, 8}, {0, 1, 6, inf}, {0, 1, -inf, -6}, {0, 1, 0, inf},
		{0, 1, 0.2, inf}, {0, 1, 0.3, 1.8}, {0, 1, -1e-3, 2.4}, {0, 1, -1e-3, 2.6},
	} {
		name := fmt.Sprintf("TruncNormal%v", c)
		x := draw(100_000, func() float64 { return TruncNormal(r, c.mu, c.sd, c.lo, c.hi) })
		a, b, sign := (c.lo-c.mu)/c.sd, (c.hi-c.mu)/c.sd, 1.0
		if a > 0 { // use the accurate tail of erfc
			a, b, sign = -b, -a, -1
		}
		whole := normCDF(b) - normCDF(a)
		ksFits(t, name, x, func(x float64) float64 {
			f := (normCDF(sign*(x-c.mu)/c.sd) - normCDF(a)) / whole
			if sign < 0 {
				return 1 - f
			}
			return f
		})
	}
	// Far out the offset beyond the bound a is exponential of rate a: P(a(Z−a) > y) = e^(−y) (1 − O(y²/a²)).
	for _, a := range []float64{1e3, 1e5, 1e9, 1e155} {
		x := draw(100_000, func() float64 { return a * tailOffset(r, a, inf) })
		if a > 1e6 {
			ksFits(t, fmt.Sprintf("tailOffset(%v)", a), x, func(y float64) float64 { return -math.Expm1(-y) })
			continue
		}
		ksFits(t, fmt.Sprintf("tailOffset(%v)", a), x, func(y float64) float64 {
			return -math.Expm1(-y - y*y/(2*a*a)) // corrections of the Mills ratio are of the order of a⁻²: 1e-6
		})
	}
	for _, c := range []struct{ mu, sd, lo, hi float64 }{{0, 1, 40, inf}, {0, 1, 40, 41}, {0, 1, -41, -40}, {3, 1e-3, 1e3, 1e3 + 1}, {0, 1, 1e300, inf}} {
		for range 1000 {
			if x := TruncNormal(r, c.mu, c.sd, c.lo, c.hi); !(x >= c.lo && x <= c.hi) || math.IsInf(x, 0) {
				t.Fatalf("TruncNormal%v drew %v", c, x)
			}
		}
	}
}

func TestBinomial(t *testing.T) {
	r := testRand(7)
	for _, c := range []struct{ p, n float64 }{
		{0.3, 10}, {0.5, 1}, {0.02, 400}, {0.5, 19}, {0.5, 20}, {0.1, 100}, {0.101, 100}, {0.4, 60}, {0.99, 1500}, {0.37, 5000}, {0.001, 20000},
	} {
		mean, sd := c.n*c.p, math.Sqrt(c.n*c.p*(1-c.p))
		lo, hi := max(0, math.Floor(mean-8*sd-5)), min(c.n, math.Ceil(mean+8*sd+5))
		discreteFits(t, fmt.Sprintf("Binomial(%v, %v)", c.p, c.n), 300_000, lo, hi,
			func() float64 { return Binomial(r, c.p, c.n) },
			func(x float64) float64 { return BinLogProb(x, c.p, c.n) })
	}
	// Normal but for a skewness of 3e-5 and a lattice of 7e-5 standard deviations.
	sd := math.Sqrt(1e9 * 0.3 * 0.7)
	x := draw(200_000, func() float64 { return (Binomial(r, 0.3, 1e9) - 3e8) / sd })
	ksFits(t, "Binomial(0.3, 1e9)", x, normCDF)
}

func TestPoisson(t *testing.T) {
	r := testRand(8)
	for _, lambda := range []float64{0.01, 1, 9.99, 10, 10.5, 13, 40, 1000} {
		sd := math.Sqrt(lambda)
		lo, hi := max(0, math.Floor(lambda-8*sd-5)), math.Ceil(lambda+8*sd+10)
		discreteFits(t, fmt.Sprintf("Poisson(%v)", lambda), 300_000, lo, hi,
			func() float64 { return Poisson(r, lambda) },
			func(x float64) float64 { return PoisLogProb(x, lambda) })
	}
	x := draw(200_000, func() float64 { return (Poisson(r, 1e8) - 1e8) / 1e4 })
	ksFits(t, "Poisson(1e8)", x, normCDF)
}

func TestCategorical(t *testing.T) {
	r := testRand(9)
	w := []float64{0, 3, 0, 1e-300, 5, 0.5, 0}
	lp := func(x float64) float64 { return math.Log(w[int(x)] / 8.5) }
	discreteFits(t, "Categorical", 300_000, 0, 6, func() float64 { return float64(Categorical(r, w)) }, lp)
	logw := make([]float64, len(w))
	discreteFits(t, "CategoricalLog", 300_000, 0, 6, func() float64 {
		for i, v := range w {
			logw[i] = math.Log(v) - 5000
		}
		return float64(CategoricalLog(r, logw))
	}, lp)
	table, err := NewAlias(w)
	if err != nil {
		t.Fatal(err)
	}
	discreteFits(t, "Alias", 300_000, 0, 6, func() float64 { return float64(table.Draw(r)) }, lp)
	for range 100_000 {
		if k := table.Draw(r); w[k] == 0 {
			t.Fatalf("Alias drew %d, which has weight 0", k)
		}
	}
}

// Alias against its weights exactly: the kept and the passed-on shares of every cell add up to the weight.
func TestAliasShares(t *testing.T) {
	r := testRand(10)
	for _, n := range []int{1, 2, 3, 17, 1000} {
		w := make([]float64, n)
		total := 0.0
		for i := range w {
			w[i] = math.Floor(10*uniform(r)) * Gamma(r, 0.1, 1)
			total += w[i]
		}
		if total == 0 {
			w[0], total = 1, 1
		}
		a, err := NewAlias(w)
		if err != nil {
			t.Fatal(err)
		}
		share := make([]float64, n)
		for i := range n {
			keep := float64(a.cells[i].keep) / 0x1p64 / float64(n)
			share[i] += keep
			share[a.cells[i].alias] += 1/float64(n) - keep
		}
		for i := range w {
			if math.Abs(share[i]-w[i]/total) > 1e-13 {
				t.Errorf("n = %d: index %d has share %v, want %v", n, i, share[i], w[i]/total)
			}
		}
	}
}

func TestAliasErrors(t *testing.T) {
	for _, w := range [][]float64{nil, {0, 0}, {1, -1}, {math.NaN()}, {math.Inf(1)}, {1e308, 1e308}} {
		if _, err := NewAlias(w); err == nil {
			t.Errorf("NewAlias(%v) succeeded", w)
		}
	}
}

func TestDirichletDraws(t *testing.T) {
	r := testRand(11)
	for _, alpha := range [][]float64{{2, 3, 5}, {0.4, 0, 7}, {1e-3, 1e-3, 2e-3, 0}} {
		x := make([]float64, len(alpha))
		total := alpha[0]
		for _, a := range alpha[1:] {
			total += a
		}
		var first []float64
		for range 100_000 {
			Dirichlet(x, r, alpha)
			sum := 0.0
			for i, v := range x {
				if !(v >= 0) || (v == 0) != (alpha[i] == 0) {
					t.Fatalf("Dirichlet(%v) drew %v", alpha, x)
				}
				sum += v
			}
			if math.Abs(sum-1) > 1e-14 {
				t.Fatalf("Dirichlet(%v) drew %v, which sums to 1 + %v", alpha, x, sum-1)
			}
			first = append(first, min(math.Log(x[0])-math.Log1p(-x[0]), 30))
		}
		// The first coordinate is Beta(α₁, Σα − α₁); its logit is cut at 30, where 1 − x rounds.
		ksFits(t, fmt.Sprintf("Dirichlet(%v)", alpha), first, func(s float64) float64 {
			if s >= 30 {
				return 1
			}
			return mathext.RegIncBeta(alpha[0], total-alpha[0], 1/(1+math.Exp(-s)))
		})
	}
}

func TestSamplersRefuse(t *testing.T) {
	r := testRand(12)
	nan, inf := math.NaN(), math.Inf(1)
	for name, x := range map[string]float64{
		"Gamma(-1, 1)": Gamma(r, -1, 1), "Gamma(NaN, 1)": Gamma(r, nan, 1), "Gamma(1, 0)": Gamma(r, 1, 0), "Gamma(inf, 1)": Gamma(r, inf, 1),
		"Gamma(2, NaN)": Gamma(r, 2, nan), "Gamma(2, inf)": Gamma(r, 2, inf), "LogGamma1(0)": LogGamma1(r, 0),
		"Beta(0, 1)": Beta(r, 0, 1), "Beta(1, NaN)": Beta(r, 1, nan), "Beta(inf, inf)": Beta(r, inf, inf),
		"Binomial(1.1, 3)": Binomial(r, 1.1, 3), "Binomial(.5, 2.5)": Binomial(r, .5, 2.5), "Binomial(NaN, 3)": Binomial(r, nan, 3), "Binomial(.5, inf)": Binomial(r, .5, inf),
		"Poisson(-1)": Poisson(r, -1), "Poisson(inf)": Poisson(r, inf), "Poisson(NaN)": Poisson(r, nan), "Bernoulli(2)": Bernoulli(r, 2),
		"TruncNormal(0, 1, 2, 1)": TruncNormal(r, 0, 1, 2, 1), "TruncNormal(0, -1)": TruncNormal(r, 0, -1, 0, 1), "TruncNormal(NaN)": TruncNormal(r, nan, 1, 0, 1),
		"TruncNormal(0, 1, inf, inf)": TruncNormal(r, 0, 1, inf, inf), "NegBinomial(0, 1)": NegBinomial(r, 0, 1),
	} {
		if !math.IsNaN(x) {
			t.Errorf("%s drew %v, want NaN", name, x)
		}
	}
	for _, w := range [][]float64{nil, {0}, {-1, 2}, {nan, 1}, {inf}} {
		if k := Categorical(r, w); k != -1 {
			t.Errorf("Categorical(%v) drew %d, want -1", w, k)
		}
	}
	if k := CategoricalLog(r, []float64{-inf}); k != -1 {
		t.Errorf("CategoricalLog(-Inf) drew %d, want -1", k)
	}
}

// Degenerate laws have one value, and draws of positive variables stay positive.
func TestSamplerEdges(t *testing.T) {
	r := testRand(13)
	for range 1000 {
		for name, ok := range map[string]bool{
			"Binomial(0, 5)":          Binomial(r, 0, 5) == 0,
			"Binomial(1, 5)":          Binomial(r, 1, 5) == 5,
			"Binomial(0.5, 0)":        Binomial(r, 0.5, 0) == 0,
			"Binomial(1e-300, 1e9)":   Binomial(r, 1e-300, 1e9) == 0,
			"Poisson(0)":              Poisson(r, 0) == 0,
			"Poisson(1e-300)":         Poisson(r, 1e-300) == 0,
			"Poisson(1e300)":          math.Abs(Poisson(r, 1e300)/1e300-1) < 1e-14,
			"NegBinomial(1, 3)":       NegBinomial(r, 1, 3) == 0,
			"NegBinomial(0.3, 0)":     NegBinomial(r, 0.3, 0) == 0,
			"Gamma(1e-3, 1)":          Gamma(r, 1e-3, 1) > 0,
			"Gamma(1e-300, 1e-300)":   Gamma(r, 1e-300, 1e-300) > 0,
			"LogGamma1(1e-300)":       !math.IsInf(LogGamma1(r, 1e-300), 0),
			"TruncNormal(0, 1, 2, 2)": TruncNormal(r, 0, 1, 2, 2) == 2,
		} {
			if !ok {
				t.Fatalf("%s drew outside its support", name)
			}
		}
	}
}

// samplers are the draws whose streams are frozen and timed.
func samplers() []struct {
	name string
	draw func(r *rand.Rand) float64
} {
	w := []float64{1, 2, 3, 4}
	table, few, dynamic := must(NewAlias(w)), must(NewCumulative(w)), must(NewDynamic(w))
	many := must(NewCumulative(slices.Repeat(w, 10)))
	logTarget := func(x float64) float64 { return -math.Abs(x) }
	rejection := must(NewRejection(StdNormal, func(x float64) float64 { return -0.75 * x * x }, func(x float64) float64 { return -0.5 * x * x }, 0))
	ars := must(NewARSDerivativeFree(math.Inf(-1), math.Inf(1), logTarget, 1))
	alpha, dst := []float64{0.2, 3, 1e-3}, make([]float64, 4)
	logw := make([]float64, 4)
	hyperPar := []float64{50, 60, 40, 1.5}
	betabinPar := []float64{2, 0.5, 30}
	var work Work
	matrix := make([]float64, 9)
	location, wishart := [][]float64{mu3, omega3, {2.5}}, [][]float64{omega3, {4.5}}
	return []struct {
		name string
		draw func(r *rand.Rand) float64
	}{
		{"dmnorm", func(r *rand.Rand) float64 { mnormSample(matrix[:3], r, location, nil, &work); return matrix[0] }},
		{"dmnorm.vcov", func(r *rand.Rand) float64 { mnormVcovSample(matrix[:3], r, location, nil, &work); return matrix[2] }},
		{"dmt", func(r *rand.Rand) float64 { mtSample(matrix[:3], r, location, nil, &work); return matrix[1] }},
		{"dwish", func(r *rand.Rand) float64 { wishSample(matrix, r, wishart, nil, &work); return matrix[1] }},
		{"StdNormal", StdNormal},
		{"StdExp", StdExp},
		{"Gamma(2.5)", func(r *rand.Rand) float64 { return Gamma(r, 2.5, 2) }},
		{"Gamma(0.1)", func(r *rand.Rand) float64 { return Gamma(r, 0.1, 2) }},
		{"LogGamma1(1e-3)", func(r *rand.Rand) float64 { return LogGamma1(r, 1e-3) }},
		{"Beta(2, 3)", func(r *rand.Rand) float64 { return Beta(r, 2, 3) }},
		{"Beta(0.1, 0.2)", func(r *rand.Rand) float64 { return Beta(r, 0.1, 0.2) }},
		{"Binomial(0.2, 20)", func(r *rand.Rand) float64 { return Binomial(r, 0.2, 20) }},
		{"Binomial(0.3, 1000)", func(r *rand.Rand) float64 { return Binomial(r, 0.3, 1000) }},
		{"Poisson(3)", func(r *rand.Rand) float64 { return Poisson(r, 3) }},
		{"Poisson(300)", func(r *rand.Rand) float64 { return Poisson(r, 300) }},
		{"NegBinomial(0.3, 2)", func(r *rand.Rand) float64 { return NegBinomial(r, 0.3, 2) }},
		{"Bernoulli(0.3)", func(r *rand.Rand) float64 { return Bernoulli(r, 0.3) }},
		{"TruncNormal(0, 1, 1, 2)", func(r *rand.Rand) float64 { return TruncNormal(r, 0, 1, 1, 2) }},
		{"TruncNormal(0, 1, 4, Inf)", func(r *rand.Rand) float64 { return TruncNormal(r, 0, 1, 4, math.Inf(1)) }},
		{"Categorical", func(r *rand.Rand) float64 { return float64(Categorical(r, w)) }},
		{"CategoricalLog", func(r *rand.Rand) float64 {
			for i := range logw {
				logw[i] = -float64(i)
			}
			return float64(CategoricalLog(r, logw))
		}},
		{"Alias", func(r *rand.Rand) float64 { return float64(table.Draw(r)) }},
		{"Dirichlet", func(r *rand.Rand) float64 { Dirichlet(dst[:3], r, alpha); return dst[0] }},
		{"Multinomial", func(r *rand.Rand) float64 { Multinomial(dst, r, w, 100); return dst[1] }},
		{"dhyper", func(r *rand.Rand) float64 { return hyperSample(r, hyperPar) }},
		{"dbetabin", func(r *rand.Rand) float64 { return betabinSample(r, betabinPar) }},
		{"BoxMuller", func(r *rand.Rand) float64 { z, _ := BoxMuller(r); return z }},
		{"BoxMullerPolar", func(r *rand.Rand) float64 { z, _ := BoxMullerPolar(r); return z }},
		{"InvertCDF", func(r *rand.Rand) float64 { return must(InvertCDF(r, math.Inf(-1), math.Inf(1), vec.NormCDF)) }},
		{"Cumulative", func(r *rand.Rand) float64 { return float64(few.Draw(r)) }},
		{"Cumulative(40)", func(r *rand.Rand) float64 { return float64(many.Draw(r)) }},
		{"Dynamic", func(r *rand.Rand) float64 { return float64(dynamic.Draw(r)) }},
		{"Rejection", func(r *rand.Rand) float64 { return must(rejection.Draw(r)) }},
		{"ARS", func(r *rand.Rand) float64 { return must(ars.Draw(r)) }},
	}
}

// must is the value of a sampler that has no reason to fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func TestSamplersAllocateNothing(t *testing.T) {
	r := testRand(14)
	for _, s := range samplers() {
		if n := testing.AllocsPerRun(200, func() { s.draw(r) }); n != 0 {
			t.Errorf("%s: %v allocations a draw", s.name, n)
		}
	}
}

func BenchmarkSample(b *testing.B) {
	for _, s := range samplers() {
		b.Run(s.name, func(b *testing.B) {
			r := testRand(15)
			b.ReportAllocs()
			for b.Loop() {
				s.draw(r)
			}
		})
	}
}
