package diag

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// ar1 is a stationary AR(1) process with unit innovations.
func ar1(r *rand.Rand, n int, phi float64) []float64 {
	x := make([]float64, n)
	s := r.NormFloat64() / math.Sqrt(1-phi*phi)
	for i := range x {
		x[i] = s
		s = phi*s + r.NormFloat64()
	}
	return x
}

func arChains(seed uint64, chains, n int, phi float64) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	c := make([][]float64, chains)
	for i := range c {
		c[i] = ar1(r, n, phi)
	}
	return c
}

// naiveESS is the definition without shortcuts: all lags by direct sums.
func naiveESS(chains [][]float64) float64 {
	m, n := len(chains), len(chains[0])
	means := make([]float64, m)
	acov := make([]float64, n)
	for c, x := range chains {
		for _, v := range x {
			means[c] += v / float64(n)
		}
		for t := range acov {
			for i := 0; i+t < n; i++ {
				acov[t] += (x[i] - means[c]) * (x[i+t] - means[c]) / float64(n) / float64(m)
			}
		}
	}
	overall, between := 0.0, 0.0
	for _, v := range means {
		overall += v / float64(m)
	}
	for _, v := range means {
		between += (v - overall) * (v - overall) / float64(m-1)
	}
	within := acov[0] * float64(n) / float64(n-1)
	rho := func(t int) float64 {
		if t == 0 {
			return 1
		}
		return 1 - (within-acov[t])/(acov[0]+between)
	}
	tau, previous := -1.0, math.Inf(1)
	for t := 0; ; t += 2 {
		pair := rho(t) + rho(t+1)
		if t > 0 && pair < 0 {
			tau += max(rho(t), 0)
			break
		}
		if t >= n-5 {
			tau += rho(t)
			break
		}
		previous = min(previous, pair)
		tau += 2 * previous
	}
	return float64(m*n) / tau
}

// TestESSSlowChains crosses from direct sums to the FFT, which the vectors'
// fast chains need not.
func TestESSSlowChains(t *testing.T) {
	for _, phi := range []float64{0, 0.5, 0.9, 0.99, 0.999} {
		for _, n := range []int{12, 64, 77, 500, 1021, 9000} {
			chains := arChains(uint64(n), 3, n, phi)
			check(t, "ESS", ESSBasic(chains), naiveESS(chains), 1e-9)
		}
	}
}

func TestAutocovarianceDirect(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 70; n++ {
		x := ar1(r, n, 0.7)
		m := 0.0
		for _, v := range x {
			m += v / float64(n)
		}
		for lag, got := range Autocovariance(x) {
			want := 0.0
			for i := 0; i+lag < n; i++ {
				want += (x[i] - m) * (x[i+lag] - m) / float64(n)
			}
			check(t, "autocovariance", got, want, 1e-12)
		}
	}
	if got := Autocorrelation([]float64{2, 2, 2}); !math.IsNaN(got[1]) {
		t.Errorf("autocorrelation of a constant = %v, want NaN", got)
	}
	if got := Autocovariance(nil); got != nil {
		t.Errorf("autocovariance of nothing = %v", got)
	}
}

// TestSummaryInvariance: ranks do not see an increasing transformation, and
// nothing but location sees a shift or (by powers of two, exactly) a scale.
func TestSummaryInvariance(t *testing.T) {
	chains := arChains(11, 3, 201, 0.6) // an odd number: no two draws beside the median, whose tie rounding breaks
	s := Summarize(chains, nil)
	moved := mapped(chains, func(x float64) float64 { return 1024*x + 4096 })
	m := Summarize(moved, nil)
	check(t, "mean", m.Mean, 1024*s.Mean+4096, 1e-12)
	check(t, "sd", m.SD, 1024*s.SD, 1e-11)
	check(t, "rhat", m.Rhat, s.Rhat, 1e-11)
	check(t, "bulk", m.ESSBulk, s.ESSBulk, 1e-11)
	check(t, "tail", m.ESSTail, s.ESSTail, 1e-11)
	check(t, "ess sd", m.ESSSD, s.ESSSD, 1e-8)
	check(t, "mcse median", m.MCSEMedian, 1024*s.MCSEMedian, 1e-10)
	e := Summarize(mapped(chains, math.Exp), nil)
	check(t, "bulk of exp", e.ESSBulk, s.ESSBulk, 0)
	check(t, "bulk R-hat of exp", e.RhatBulk, s.RhatBulk, 0)
}

func mapped(chains [][]float64, f func(float64) float64) [][]float64 {
	out := make([][]float64, len(chains))
	for c, x := range chains {
		for _, v := range x {
			out[c] = append(out[c], f(v))
		}
	}
	return out
}

func TestSummaryCorners(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		chains [][]float64
		want   func(Summary) bool
	}{
		"none":       {nil, func(s Summary) bool { return math.IsNaN(s.Mean) && math.IsNaN(s.Rhat) }},
		"no draws":   {[][]float64{{}, {}}, func(s Summary) bool { return math.IsNaN(s.Median) && math.IsNaN(s.ESSBulk) }},
		"one empty":  {[][]float64{{1, 2}, {}}, func(s Summary) bool { return math.IsNaN(s.Median) }},
		"one draw":   {[][]float64{{3}}, func(s Summary) bool { return s.Mean == 3 && s.Median == 3 && math.IsNaN(s.SD) && math.IsNaN(s.Rhat) }},
		"two draws":  {[][]float64{{1, 2}}, func(s Summary) bool { return s.Median == 1.5 && math.IsNaN(s.ESSBulk) }},
		"constant":   {[][]float64{{2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2}}, func(s Summary) bool { return s.SD == 0 && s.MAD == 0 && math.IsNaN(s.Rhat) }},
		"NaN":        {[][]float64{{1, nan, 2, 3, 4, 5, 6, 7}}, func(s Summary) bool { return math.IsNaN(s.Mean) && math.IsNaN(s.Median) && math.IsNaN(s.Rhat) }},
		"all Inf":    {[][]float64{{inf, inf, inf, inf, inf, inf, inf, inf}}, func(s Summary) bool { return s.Mean == inf && s.Median == inf && math.IsNaN(s.Rhat) }},
		"both Inf":   {[][]float64{{-inf, inf, -inf, inf, -inf, inf, -inf, inf}}, func(s Summary) bool { return math.IsNaN(s.Mean) && s.Q5 == -inf && !math.IsNaN(s.RhatBulk) }},
		"ragged":     {[][]float64{{1, 2, 3, 4}, {1, 2, 3, 4, 1000}}, func(s Summary) bool { return s.Mean == 2.5 }},
		"stuck":      {[][]float64{{1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}}, func(s Summary) bool { return s.Rhat == inf }},
		"fair coin":  {[][]float64{{0, 1, 1, 0, 0, 1, 0, 1}, {1, 0, 0, 1, 0, 1, 1, 0}}, func(s Summary) bool { return s.Rhat == s.RhatBulk && !math.IsNaN(s.Rhat) && math.IsNaN(s.RhatFolded) }},
		"enormous":   {[][]float64{{-1e308, 1e308, 0, 5, 1e308, -1e308}}, func(s Summary) bool { return s.Median == 2.5 }},
		"subnormals": {[][]float64{{5e-324, 0, 1e-323, 0, 5e-324, 0}}, func(s Summary) bool { return math.IsNaN(s.ESSMean) && !math.IsNaN(s.ESSBulk) }},
	} {
		if s := Summarize(c.chains, nil); !c.want(s) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestQuantile(t *testing.T) {
	// By hand: position (n-1)p between order statistics.
	x := [][]float64{{4, 1}, {3, 2}}
	for p, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 2.5, 1: 4, 1.0 / 3: 2} {
		check(t, "quantile", Quantile(x, p), want, 1e-15)
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if q := Quantile(x, p); !math.IsNaN(q) {
			t.Errorf("quantile at %g = %g, want NaN", p, q)
		}
	}
	if q := QuantileSorted([]float64{math.Inf(-1), 1, 2, math.Inf(1), math.Inf(1)}, 0.9); q != math.Inf(1) {
		t.Errorf("quantile between infinities = %g", q)
	}
}

// TestGewekeDistribution: z is near standard normal for stationary chains.
// Σz² of 500 chains is near χ²(500), so outside 500 ± 5√1000 with
// probability below 1e-6; the variance estimate adds a bias of a few per cent,
// well inside.
func TestGewekeDistribution(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	sum := 0.0
	const chains = 500
	for range chains {
		z := Geweke(ar1(r, 3000, 0.5))
		sum += z * z
	}
	if math.Abs(sum-chains) > 5*math.Sqrt(2*chains) {
		t.Errorf("Σz² = %g of %d chains", sum, chains)
	}
	drifting := ar1(r, 3000, 0.5)
	for i := range drifting {
		drifting[i] += 10 * float64(i) / float64(len(drifting))
	}
	if z := Geweke(drifting); z > -5 {
		t.Errorf("z = %g of a chain that drifts by ten", z)
	}
	for _, short := range [][]float64{nil, {1}, make([]float64, 59), make([]float64, 600)} {
		if z := Geweke(short); !math.IsNaN(z) {
			t.Errorf("z = %g of %d equal draws, want NaN", z, len(short))
		}
	}
	if z := GewekeSegments(drifting, 0.6, 0.5); !math.IsNaN(z) {
		t.Errorf("z = %g of overlapping segments, want NaN", z)
	}
}

func TestBFMI(t *testing.T) {
	// By hand: steps 1, 4, 1; mean 1; spread 1, 0, 4, 1 about it for the first.
	got := BFMI([][]float64{{0, 1, 3, 2}, {5, 5}, {1}})
	check(t, "BFMI", got[0], (1+4+1)/5.0, 1e-15)
	if !math.IsNaN(got[1]) || !math.IsNaN(got[2]) {
		t.Errorf("BFMI of constants = %v, want NaN", got[1:])
	}
	// Independent energies: E(E_i - E_{i-1})² = 2 var. The ratio of 10⁴ draws has
	// an sd near 0.02: 0.1 is five of them.
	r := rand.New(rand.NewPCG(1, 2))
	check(t, "BFMI of independent energies", BFMI([][]float64{ar1(r, 10000, 0)})[0], 2, 0.05)
}

func TestDIC(t *testing.T) {
	deviance := [][]float64{{10, 12}, {14, 12}} // mean 12, variance 8/3
	v := DICByVariance(deviance)
	check(t, "pV", v.Penalty, 4.0/3, 1e-15)
	check(t, "DIC", v.Value, 12+4.0/3, 1e-15)
	d := DICByPlugIn(deviance, 9.5)
	check(t, "pD", d.Penalty, 2.5, 1e-15)
	check(t, "DIC", d.Value, 14.5, 1e-15)
	if v.PenaltyName != "pV" || d.PenaltyName != "pD" {
		t.Errorf("penalties are called %q and %q", v.PenaltyName, d.PenaltyName)
	}
}

// TestPSISExact: in a normal model y_i ~ N(μ, 1) with a flat prior the
// leave-one-out predictive density of y_i is N(ȳ₋ᵢ, 1 + 1/(n-1)) exactly.
func TestPSISExact(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	y := []float64{-1.2, 0.3, 0.8, 1.9, -0.4, 0.1, 2.2, -0.9, 0.5, 0.7}
	n, mean := float64(len(y)), 0.0
	for _, v := range y {
		mean += v / n
	}
	const draws = 4000
	logLik := make([][][]float64, len(y))
	for i := range logLik {
		logLik[i] = [][]float64{make([]float64, draws)}
	}
	for t := range draws {
		mu := mean + r.NormFloat64()/math.Sqrt(n)
		for i, v := range y {
			logLik[i][0][t] = -(v-mu)*(v-mu)/2 - math.Log(2*math.Pi)/2
		}
	}
	loo, err := LeaveOneOut(logLik)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range y {
		others := (n*mean - v) / (n - 1)
		variance := 1 + 1/(n-1)
		want := -(v-others)*(v-others)/2/variance - math.Log(2*math.Pi*variance)/2
		// Six Monte Carlo standard errors: 2e-9 a point.
		if p := loo.Points[i]; math.Abs(p.ELPD-want) > 6*p.MCSE {
			t.Errorf("observation %d: elpd %g ± %g, exactly %g", i+1, p.ELPD, p.MCSE, want)
		}
	}
}

func TestLogLikErrors(t *testing.T) {
	inf := math.Inf(1)
	for name, l := range map[string][][][]float64{
		"nothing":    nil,
		"no chains":  {{}},
		"no draws":   {{{}}},
		"ragged":     {{{1, 2}}, {{1}}},
		"other size": {{{1, 2}}, {{1, 2}, {1, 2}}},
		"NaN":        {{{1, math.NaN()}}},
		"Inf":        {{{1, inf}}},
	} {
		if _, err := LeaveOneOut(l); err == nil {
			t.Errorf("LOO of %s gives no error", name)
		}
		if _, err := ComputeWAIC(l); err == nil {
			t.Errorf("WAIC of %s gives no error", name)
		}
	}
	loo, err := LeaveOneOut([][][]float64{{{-1, -inf, -2, -1, -1, -2, -1}}})
	if err != nil || loo.ELPD != -inf {
		t.Errorf("a draw without likelihood: elpd %g, %v; want -Inf", loo.ELPD, err)
	}
	if _, _, err := Difference([]float64{1}, []float64{1, 2}); err == nil {
		t.Error("a difference over different observations gives no error")
	}
	// By hand: differences 1 and 3, sum 4, √(2·2).
	d, se, err := Difference([]float64{2, 5}, []float64{1, 2})
	if d != 4 || se != 2 || err != nil {
		t.Errorf("difference %g ± %g, %v; want 4 ± 2", d, se, err)
	}
}

// TestLive: fast chains count as well mixed, a chain that sits elsewhere
// is found, and so is the slow element.
func TestLive(t *testing.T) {
	const chains, elements, draws = 3, 5, 5000
	l := NewLive(chains, elements)
	if w := l.Worst(); !math.IsNaN(w.Rhat) || w.RhatElement != -1 {
		t.Errorf("without draws: %+v", w)
	}
	var wait sync.WaitGroup
	for c := range chains {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(uint64(c), 1))
			slow := 0.0
			for range draws - 700*c {
				slow = 0.9995*slow + r.NormFloat64()
				l.Add(c, []float64{r.NormFloat64(), 7, float64(10*c) + r.NormFloat64(), slow, r.NormFloat64()})
			}
		})
	}
	wait.Wait()
	w := l.Worst()
	if w.RhatElement != 2 || w.Rhat < 1.5 || w.ESSElement != 2 {
		t.Errorf("worst is %+v, want element 2, where the chains sit apart", w)
	}
	mixed := NewLive(2, 3)
	r := rand.New(rand.NewPCG(4, 1))
	slow := make([]float64, 2)
	for range draws {
		for c := range 2 {
			slow[c] = 0.99*slow[c] + r.NormFloat64()
			mixed.Add(c, []float64{r.NormFloat64(), slow[c], r.NormFloat64()})
		}
	}
	w = mixed.Worst()
	if w.ESSElement != 1 || w.ESS < 10 || w.ESS > 120 || w.Rhat > 1.2 {
		t.Errorf("worst is %+v, want the slow element 1 with an ESS near 50", w)
	}
	mixed.Add(5, nil)
	mixed.Add(0, []float64{1})
	NewLive(-1, -1).Add(0, nil)
	many := NewLive(1, 123456)
	if len(many.watched) != liveElements || many.watched[liveElements-1] >= 123456 {
		t.Errorf("%d of 123456 elements watched, the last %d", len(many.watched), many.watched[len(many.watched)-1])
	}
}

func TestSummarizeAllocations(t *testing.T) {
	chains := arChains(1, 4, 1000, 0.95)
	var w Work
	Summarize(chains, &w)
	if n := testing.AllocsPerRun(5, func() { Summarize(chains, &w) }); n != 0 {
		t.Errorf("%g allocations a summary, want 0", n)
	}
}

func FuzzSummarize(f *testing.F) {
	f.Add(uint8(2), []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 200, 0, 255, 1, 1, 1, 1})
	f.Add(uint8(0), []byte{})
	f.Add(uint8(4), []byte("the values are made of bytes, some of them special"))
	f.Fuzz(func(t *testing.T, m uint8, b []byte) {
		chains := make([][]float64, int(m)%6)
		for i, v := range b {
			if len(chains) == 0 {
				break
			}
			x := float64(v) - 100
			switch {
			case v == 255:
				x = math.NaN()
			case v == 254:
				x = math.Inf(1)
			case v == 253:
				x = math.Inf(-1)
			case v > 240:
				x = math.Ldexp(1, int(v-247)*170)
			}
			c := i % len(chains)
			chains[c] = append(chains[c], x)
		}
		s := Summarize(chains, nil)
		for name, pair := range map[string][2]float64{
			"rhat": {s.Rhat, Rhat(chains)}, "bulk": {s.ESSBulk, ESSBulk(chains)}, "tail": {s.ESSTail, ESSTail(chains)},
			"mcse": {s.MCSEMean, MCSEMean(chains)}, "mcse sd": {s.MCSESD, MCSESD(chains)}, "mcse median": {s.MCSEMedian, MCSEMedian(chains)},
			"median": {s.Median, Median(chains)}, "mad": {s.MAD, MAD(chains)},
		} {
			if !near(pair[0], pair[1], 0) {
				t.Errorf("%s: %g together, %g alone, of %v", name, pair[0], pair[1], chains)
			}
		}
		if s.ESSBulk <= 0 || s.Rhat < 0 {
			t.Errorf("R-hat %g, ESS %g of %v", s.Rhat, s.ESSBulk, chains)
		}
		ParetoK(chains, BothTails)
		RhatSplit(chains)
		RhatNested(chains, make([]int, len(chains)))
		BFMI(chains)
		if len(chains) > 0 {
			Geweke(chains[0])
			PSIS(chains[0], 0.5)
			_, _ = LeaveOneOut([][][]float64{chains})
		}
	})
}

func BenchmarkSummarize(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
		phi  float64
	}{
		{"independent-1k", 1000, 0}, {"slow-1k", 1000, 0.99},
		{"independent-50k", 50000, 0}, {"mixing-50k", 50000, 0.9}, {"slow-50k", 50000, 0.99}, {"slower-50k", 50000, 0.999},
	} {
		b.Run(c.name, func(b *testing.B) {
			chains := arChains(1, 4, c.n, c.phi)
			var w Work
			Summarize(chains, &w)
			b.ReportAllocs()
			for b.Loop() {
				Summarize(chains, &w)
			}
		})
	}
}

func BenchmarkTabulate(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
		phi  float64
	}{
		{"independent-1k", 1000, 0}, {"slow-1k", 1000, 0.99},
		{"independent-50k", 50000, 0}, {"mixing-50k", 50000, 0.9}, {"slow-50k", 50000, 0.99}, {"slower-50k", 50000, 0.999},
	} {
		b.Run(c.name, func(b *testing.B) {
			chains := arChains(1, 4, c.n, c.phi)
			var w Work
			Tabulate(chains, &w)
			b.ReportAllocs()
			for b.Loop() {
				Tabulate(chains, &w)
			}
		})
	}
}

func BenchmarkLiveAdd(b *testing.B) {
	l := NewLive(1, 1000)
	draw := make([]float64, 1000)
	b.ReportAllocs()
	for b.Loop() {
		l.Add(0, draw)
	}
}

func BenchmarkLeaveOneOut(b *testing.B) {
	logLik := exampleLogLik(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := LeaveOneOut(logLik); err != nil {
			b.Fatal(err)
		}
	}
}

// Ratios that differ by rounding alone have no tail.
func TestPSISOfEqualRatios(t *testing.T) {
	ratios := make([]float64, 2000)
	for i := range ratios {
		ratios[i] = -37.5 + 1e-14*float64(i%17)
	}
	if w, k := PSIS(ratios, 1); !math.IsNaN(k) || math.Abs(w[5]+math.Log(2000)) > 1e-9 {
		t.Errorf("k is %v, a log weight %v", k, w[5])
	}
}
