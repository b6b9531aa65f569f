package lattice

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// enumerated is the 2¹⁶ states of the 4×4 periodic Ising model with what is measured of each.
type enumerated struct {
	e, m, zero, first []float64
	spins             [][16]int8
}

const smallSites, smallSide = 16, 4

func enumerate() *enumerated {
	all := &enumerated{}
	for bits := range 1 << smallSites {
		var s [16]int8
		energy, sum := 0, 0
		for i := range s {
			s[i] = int8(2*(bits>>i&1) - 1)
			sum += int(s[i])
		}
		first := 0.0
		for i := range s {
			x, y := i%smallSide, i/smallSide
			energy -= int(s[i]) * int(s[(x+1)%4+4*y]+s[x+4*((y+1)%4)])
		}
		for _, stride := range []int{1, 4} { // k = 2π/4 along each axis: Σ_x M_x i^x
			var slices [4]float64
			for i := range s {
				slices[i/stride%4] += float64(s[i])
			}
			re, im := slices[0]-slices[2], slices[1]-slices[3]
			first += (re*re + im*im) / smallSites / 2
		}
		all.spins = append(all.spins, s)
		all.e = append(all.e, float64(energy)/smallSites)
		all.m = append(all.m, float64(sum)/smallSites)
		all.zero = append(all.zero, float64(sum*sum)/smallSites)
		all.first = append(all.first, first)
	}
	return all
}

// weights are the states' probabilities.
func (x *enumerated) weights(beta float64) []float64 {
	w := make([]float64, len(x.e))
	sum := 0.0
	for i, e := range x.e {
		w[i] = math.Exp(-beta * (e + 2) * smallSites)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// exact are the moments, and the variance of the linearised quantity.
func (x *enumerated) exact(beta float64, q Quantity) (value, variance float64) {
	w := x.weights(beta)
	of := system{beta: beta, sites: smallSites, wave: 2 * math.Sin(math.Pi/4)}
	var mean moments
	for i := range x.e {
		mean.add(of.measurement(x.e[i], x.m[i], x.zero[i], x.first[i]), w[i])
	}
	slope := of.slope(q, &mean)
	for i := range x.e {
		y := 0.0
		for k, v := range of.measurement(x.e[i], x.m[i], x.zero[i], x.first[i]) {
			y += slope[k] * (v - mean[k])
		}
		variance += w[i] * y * y
	}
	return of.value(q, &mean), variance
}

// lazy draws states that stay as they are with probability keep and are drawn anew otherwise: every function of them has
// autocorrelations keep^t, and τ = (1 + keep)/(1 − keep).
func (x *enumerated) lazy(beta, keep float64, chains, n int, seed uint64) *Series {
	w := x.weights(beta)
	for i := 1; i < len(w); i++ {
		w[i] += w[i-1]
	}
	s := &Series{Beta: beta, Sites: smallSites, Wave: 2 * math.Sin(math.Pi/4), Symmetric: true}
	for c := range chains {
		r := rng.New(seed, "lazy", uint64(c))
		var e, m, zero, first []float64
		at := -1
		for range n {
			if at < 0 || r.Float64() >= keep {
				at = min(sort.SearchFloat64s(w, r.Float64()), len(w)-1)
			}
			e, m, zero, first = append(e, x.e[at]), append(m, x.m[at]), append(zero, x.zero[at]), append(first, x.first[at])
		}
		s.Energy, s.Magnetisation = append(s.Energy, e), append(s.Magnetisation, m)
		s.Zero, s.First = append(s.Zero, zero), append(s.First, first)
	}
	return s
}

// Every quantity against its exact value, its standard errors against the exact √(τ var/n), its autocorrelation time against the
// exact one. Values are within 5.5 standard errors, 4e-8 for each of 20; errors and times within 15 %, where each scatters by
// 2.2 % or less (1024 blocks; window of some 40 lags of 2¹⁹ measurements).
func TestAnalyseAgainstEnumeration(t *testing.T) {
	all := enumerate()
	const chains, n = 4, 1 << 17
	for k, c := range []struct{ beta, keep float64 }{{0.25, 0}, {0.4406868, 0.8}} {
		a, err := Analyse(all.lazy(c.beta, c.keep, chains, n, uint64(k+1)))
		if err != nil {
			t.Fatal(err)
		}
		tau := (1 + c.keep) / (1 - c.keep)
		for _, q := range Quantities() {
			value, variance := all.exact(c.beta, q)
			se := math.Sqrt(tau * variance / (chains * n))
			got := a.Of(q)
			if math.Abs(got.Value-value) > 5.5*se {
				t.Errorf("β = %v: %v is %v, exact %v ± %v", c.beta, q, got.Value, value, se)
			}
			for name, ratio := range map[string]float64{"binning": got.Binning / se, "autocorrelation": got.Autocorrelation / se, "tau": got.Tau / tau} {
				if !(math.Abs(ratio-1) < 0.15) {
					t.Errorf("β = %v: %s of %v is %.3f times the exact one", c.beta, name, q, ratio)
				}
			}
			if !got.Plateau || got.Blocks < 500 || got.SE() != max(got.Binning, got.Autocorrelation) {
				t.Errorf("β = %v: %v: %+v", c.beta, q, got)
			}
		}
		if len(a.Warnings) > 0 {
			t.Errorf("β = %v: %+v", c.beta, a.Warnings)
		}
	}
}

// The slopes are the derivatives: differences of values are what they say.
func TestSlopes(t *testing.T) {
	of := system{beta: 0.4, sites: 100, wave: 0.3, shift: -1}
	at := moments{0.2, 0.3, 0.1, 0.4, 0.3, 0.2, 9, 2}
	for _, q := range Quantities() {
		slope := of.slope(q, &at)
		for k := range at {
			const h = 1e-5
			up, down := at, at
			up[k] += h
			down[k] -= h
			if d := (of.value(q, &up) - of.value(q, &down)) / (2 * h); math.Abs(d-slope[k]) > 1e-6*(1+math.Abs(d)) {
				t.Errorf("%v by moment %d: %v, differences give %v", q, k, slope[k], d)
			}
		}
	}
}

// chainOf is an autoregressive chain x_t = ρ x_{t−1} + √(1−ρ²) z_t, of which τ = (1+ρ)/(1−ρ).
func chainOf(r *rand.Rand, rho float64, n int) []float64 {
	x := make([]float64, n)
	at := r.NormFloat64()
	for i := range x {
		at = rho*at + math.Sqrt(1-rho*rho)*r.NormFloat64()
		x[i] = at
	}
	return x
}

// Both errors of a mean cover: over 200 series of 4 chains of 1000 draws, the squared error is on average the squared standard
// error. The mean of 200 χ² has a standard deviation of 10 %; errors themselves scatter, which adds a few per cent: 60 % is beyond 5
// of both.
func TestErrorsCover(t *testing.T) {
	for _, rho := range []float64{-0.4, 0, 0.9} {
		binning, auto := 0.0, 0.0
		const trials = 200
		for k := range trials {
			r := rng.New(7, "cover", uint64(k)).Rand
			s := &Series{Beta: 1, Sites: 1}
			for range 4 {
				s.Energy = append(s.Energy, chainOf(r, rho, 1000))
			}
			a, err := Analyse(s)
			if err != nil {
				t.Fatal(err)
			}
			e := a.Of(Energy)
			binning += e.Value * e.Value / (e.Binning * e.Binning) / trials
			auto += e.Value * e.Value / (e.Autocorrelation * e.Autocorrelation) / trials
		}
		if math.Abs(binning-1) > 0.6 || math.Abs(auto-1) > 0.6 {
			t.Errorf("ρ = %v: mean squared errors are %.3f and %.3f times the squared standard errors", rho, binning, auto)
		}
	}
}

// codes are those of the warnings.
func codes(a *Analysis) (list []string) {
	for _, w := range a.Warnings {
		list = append(list, w.Code)
	}
	return list
}

func TestWarnings(t *testing.T) {
	r := rng.New(3, "warnings").Rand
	slow := func(rho, at float64, n int) [][]float64 {
		var all [][]float64
		for range 4 {
			x := chainOf(r, rho, n)
			for i := range x {
				x[i] = at + 0.01*x[i]
			}
			all = append(all, x)
		}
		return all
	}
	good := slow(0.3, 0.5, 4000)
	phases := slow(0.5, -1, 4000)
	for i := range phases { // one passage in each chain
		for k := range phases[i] {
			if k > 900*(i+1) {
				phases[i][k] += 0.5
			}
		}
	}
	apart := slow(0.3, 0.5, 4000)
	for k := range apart[0] {
		apart[0][k] += 0.01
	}
	still := [][]float64{make([]float64, 100), make([]float64, 100)}
	for _, c := range []struct {
		name string
		s    Series
		want []string
	}{
		{"good", Series{Beta: 1, Energy: good, Magnetisation: good}, nil},
		{"phase of one sign", Series{Beta: 1, Energy: good, Magnetisation: good, Symmetric: true}, []string{CodeSign}},
		{"slow", Series{Beta: 1, Energy: slow(0.999, 0, 4000)}, []string{CodeRhat, CodeShort}},
		{"short", Series{Beta: 1, Energy: slow(0.9, 0, 6)}, []string{CodePlateau}},
		{"two phases", Series{Beta: 1, Energy: phases}, []string{CodePhases}},
		{"apart", Series{Beta: 1, Energy: apart}, []string{CodeRhat}},
		{"still", Series{Beta: 1, Energy: still}, []string{CodeConstant}},
		{"still at zero temperature", Series{Beta: math.Inf(1), Energy: still}, nil},
		{"one measurement", Series{Beta: 1, Energy: [][]float64{{1}}}, []string{CodePlateau}},
		{"none", Series{Beta: 1, Energy: [][]float64{{}}}, nil},
	} {
		c.s.Sites = 100
		a, err := Analyse(&c.s)
		if err != nil {
			t.Fatal(c.name, err)
		}
		for _, code := range c.want {
			if !slices.Contains(codes(a), code) {
				t.Errorf("%s: no warning %s in %v", c.name, code, codes(a))
			}
		}
		if len(c.want) == 0 && len(a.Warnings) > 0 {
			t.Errorf("%s: %+v", c.name, a.Warnings)
		}
	}
}

// Of two phases with many passages there is no warning, and the share is right: 0.3 ± 5.5 √(0.21/400).
func TestTwoLevels(t *testing.T) {
	r := rng.New(4, "levels").Rand
	var e []float64
	for range 400 {
		at := -1.0
		if r.Float64() < 0.7 {
			at = -0.5
		}
		for _, x := range chainOf(r, 0.5, 50) {
			e = append(e, at+0.02*x)
		}
	}
	a, err := Analyse(&Series{Beta: 1, Sites: 100, Energy: [][]float64{e}})
	if err != nil {
		t.Fatal(err)
	}
	l := a.Levels
	if l == nil || math.Abs(l.Low+1) > 0.01 || math.Abs(l.High+0.5) > 0.01 || math.Abs(l.Share-0.3) > 0.126 || l.RoundTrips < 30 || slices.Contains(codes(a), CodePhases) {
		t.Errorf("%+v, %v", l, codes(a))
	}
	if one := twoLevels([][]float64{chainOf(r, 0.99, 20000)}); one != nil {
		t.Errorf("a slow chain of one phase has two: %+v", one)
	}
}

func TestAnalyseRefuses(t *testing.T) {
	nan := math.NaN()
	ok := [][]float64{{1, 2}, {3, 4}}
	for want, s := range map[string]Series{
		"β = NaN":                              {Beta: nan, Sites: 1, Energy: ok},
		"0 sites":                              {Beta: 1, Energy: ok},
		"0 chains":                             {Beta: 1, Sites: 1},
		"magnetisation has 1 chains":           {Beta: 1, Sites: 1, Energy: ok, Magnetisation: ok[:1]},
		"chain 1 has 1 measurements":           {Beta: 1, Sites: 1, Energy: [][]float64{{1, 2}, {3}}},
		"chain 1, measurement 0: the S(0) is ": {Beta: 1, Sites: 1, Energy: ok, Zero: [][]float64{{1, 2}, {nan, 4}}},
	} {
		if _, err := Analyse(&s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

// Mean is the same as that of an energy.
func TestMean(t *testing.T) {
	r := rng.New(8, "mean").Rand
	x := [][]float64{chainOf(r, 0.5, 1000), chainOf(r, 0.5, 1000)}
	m, err := Mean(x, 2)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Analyse(&Series{Beta: 1, Sites: 1, Every: 2, Energy: x})
	if err != nil {
		t.Fatal(err)
	}
	if m != a.Of(Energy) {
		t.Errorf("%+v, want %+v", m, a.Of(Energy))
	}
	if m, err := Mean([][]float64{{}}, 1); err != nil || !math.IsNaN(m.Value) {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := Mean([][]float64{{math.NaN()}}, 1); err == nil {
		t.Error("NaN has a mean")
	}
}

func BenchmarkAnalyse(b *testing.B) {
	r := rng.New(8, "bench").Rand
	s := &Series{Beta: 0.4, Sites: 4096}
	for range 4 {
		s.Energy, s.Magnetisation = append(s.Energy, chainOf(r, 0.9, 100000)), append(s.Magnetisation, chainOf(r, 0.95, 100000))
	}
	for b.Loop() {
		if _, err := Analyse(s); err != nil {
			b.Fatal(err)
		}
	}
}
