package lattice

import (
	"errors"
	"math"
	"math/big"
	"sort"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// exactStates is the exact density of states of the L × L periodic Ising model, from ../shared/lattice/exact (Beale 1996).
type exactStates struct {
	sites   float64
	e, logG []float64
}

func readStates(t *testing.T, side string) *exactStates {
	t.Helper()
	x := &exactStates{}
	for line := range strings.Lines(shared(t, "dos"+side+".txt")) {
		f := strings.Fields(line)
		if len(f) != 2 || f[0] == "#" {
			continue
		}
		e, ok := new(big.Float).SetString(f[0])
		g, ok2 := new(big.Float).SetPrec(64).SetString(f[1])
		if !ok || !ok2 {
			t.Fatalf("%q", line)
		}
		if g.Sign() == 0 {
			continue
		}
		mantissa := new(big.Float)
		exponent := g.MantExp(mantissa)
		m, _ := mantissa.Float64()
		energy, _ := e.Float64()
		x.e = append(x.e, energy)
		x.logG = append(x.logG, math.Log(m)+float64(exponent)*math.Ln2)
	}
	x.sites = -x.e[0] / 2
	for i := range x.e {
		x.e[i] /= x.sites
	}
	return x
}

func (x *exactStates) weights(beta float64) []float64 {
	w := make([]float64, len(x.e))
	top, sum := math.Inf(-1), 0.0
	for i, g := range x.logG {
		top = max(top, g-beta*x.e[i]*x.sites)
	}
	for i, g := range x.logG {
		w[i] = math.Exp(g - beta*x.e[i]*x.sites - top)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// of is the exact energy or specific heat.
func (x *exactStates) of(q Quantity, beta float64) float64 {
	var a moments
	of := system{beta: beta, sites: x.sites}
	for i, p := range x.weights(beta) {
		a.add(of.measurement(x.e[i], 0, 0, 0), p)
	}
	return of.value(q, &a)
}

// draw is independent energies at β, of four chains.
func (x *exactStates) draw(beta float64, n int, seed uint64) *Series {
	w := x.weights(beta)
	for i := 1; i < len(w); i++ {
		w[i] += w[i-1]
	}
	s := &Series{Beta: beta, Sites: int(x.sites)}
	for c := range uint64(4) {
		r := rng.New(seed, "states", c)
		e := make([]float64, n)
		for t := range e {
			e[t] = x.e[min(sort.SearchFloat64s(w, r.Float64()), len(w)-1)]
		}
		s.Energy = append(s.Energy, e)
	}
	return s
}

// One histogram at β = 0.40 told at others, all quantities, against the exact values. Standard errors by 32 groups follow Student's
// law with 31 degrees of freedom, whose tail beyond 8 is 5e-9 on both sides: 2e-7 for 40 comparisons.
func TestReweightingOneHistogram(t *testing.T) {
	all := enumerate()
	w, err := NewReweighting(all.lazy(0.40, 0.5, 4, 50000, 11))
	if err != nil {
		t.Fatal(err)
	}
	for _, beta := range []float64{0.36, 0.40, 0.42, 0.45} {
		r, err := w.At(beta)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range Quantities() {
			exact, _ := all.exact(beta, q)
			if !(math.Abs(r.Value[q]-exact) < 8*r.SE[q]) || r.SE[q] > 0.1*math.Abs(exact)+0.05 {
				t.Errorf("β = %v: %v is %v ± %v, exact %v", beta, q, r.Value[q], r.SE[q], exact)
			}
		}
	}
	a, err := Analyse(w.series[0])
	if err != nil {
		t.Fatal(err)
	}
	at, err := w.At(0.40)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range Quantities() { // at the β of the measurements it is their own mean
		if math.Abs(at.Value[q]-a.Of(q).Value) > 1e-9 {
			t.Errorf("%v is %v and %v", q, at.Value[q], a.Of(q).Value)
		}
	}
	if n := at.Effective / 200000 * 3; math.Abs(n-1) > 0.1 { // τ = 3
		t.Errorf("%v independent measurements of 200000 with τ = 3", at.Effective)
	}
}

// Standard errors are right: over 200 sets of measurements the squared error is on average its square. The mean of 200 has a
// standard deviation of some 11 %: 60 % is beyond 5 of it.
func TestReweightingErrorsCover(t *testing.T) {
	all := enumerate()
	var mean, exact [quantities]float64
	const trials, beta = 200, 0.43
	for _, q := range Quantities() {
		exact[q], _ = all.exact(beta, q)
	}
	for k := range trials {
		w, err := NewReweighting(all.lazy(0.40, 0, 2, 2000, uint64(100+k)), all.lazy(0.46, 0.3, 2, 2000, uint64(900+k)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.At(beta)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range Quantities() {
			z := (r.Value[q] - exact[q]) / r.SE[q]
			mean[q] += z * z / trials
		}
	}
	for q, m := range mean {
		if math.Abs(m-1) > 0.6 {
			t.Errorf("%v: mean squared error is %.3f times the squared standard error", Quantity(q), m)
		}
	}
}

// Several histograms give ln g(E) of the 16 × 16 lattice over 29 orders of magnitude, and the energy and the specific heat between.
// Of a level with n measurements ln g has the error 1/√n and that of the constants, 1/√n of the whole is small beside: 6 standard errors and
// 0.02 are 1e-7 for 50 levels.
func TestMultipleHistograms(t *testing.T) {
	x := readStates(t, "16")
	var series []*Series
	for k := range 8 {
		series = append(series, x.draw(0.30+0.03*float64(k), 5000, uint64(k+1)))
	}
	w, err := NewReweighting(series...)
	if err != nil {
		t.Fatal(err)
	}
	energy, logG := w.LogDensity()
	shift, weight := 0.0, 0.0
	index := map[int]int{}
	for i, e := range x.e {
		index[int(math.Round(e*x.sites))] = i
	}
	exact := make([]float64, len(energy))
	for k, e := range energy {
		exact[k] = x.logG[index[int(math.Round(e*x.sites))]]
		shift += (logG[k] - exact[k]) * w.all.count[k]
		weight += w.all.count[k]
	}
	checked, lo, hi := 0, math.Inf(1), math.Inf(-1)
	for k := range energy {
		if n := w.all.count[k]; n >= 100 {
			checked++
			lo, hi = min(lo, exact[k]), max(hi, exact[k])
			if d := logG[k] - exact[k] - shift/weight; math.Abs(d) > 6/math.Sqrt(n)+0.02 {
				t.Errorf("ln g(%v) is off by %v with %.0f measurements", energy[k], d, n)
			}
		}
	}
	if checked < 50 || hi-lo < 60 {
		t.Errorf("%d levels over %v", checked, hi-lo)
	}
	for _, beta := range []float64{0.29, 0.345, 0.4, 0.44, 0.5, 0.52} {
		r, err := w.At(beta)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []Quantity{Energy, SpecificHeat} {
			if want := x.of(q, beta); math.Abs(r.Value[q]-want) > 8*r.SE[q] || r.SE[q] > 0.03*math.Abs(want) {
				t.Errorf("β = %v: %v is %v ± %v, exact %v", beta, q, r.Value[q], r.SE[q], want)
			}
		}
		if !math.IsNaN(r.Value[Binder]) || !math.IsNaN(r.SE[CorrelationLength]) {
			t.Error("a quantity without measurements has a value")
		}
	}

	// The peak of the specific heat by the exact density on a fine grid.
	best, at := 0.0, 0.0
	for k := range 20000 {
		beta := 0.40 + 1e-5*float64(k)/2
		if c := x.of(SpecificHeat, beta); c > best {
			best, at = c, beta
		}
	}
	p, err := w.Peak(SpecificHeat)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p.Beta-at) > 8*p.BetaSE+5e-6 || math.Abs(p.Value-best) > 8*p.SE || p.BetaSE > 2e-3 || p.SE > 0.03 || math.Abs(p.Temperature*p.Beta-1) > 1e-12 {
		t.Errorf("peak %+v, exact %v at %v", p, best, at)
	}
	if _, err := w.Peak(Energy); err == nil || !strings.Contains(err.Error(), "end of the range") {
		t.Errorf("the energy has a peak: %v", err)
	}
}

// The specific heats of 8 × 8 and 16 × 16 lattices are equal at one β on the hot side, found by bisection of the exact ones.
func TestCrossing(t *testing.T) {
	small, large := readStates(t, "8"), readStates(t, "16")
	lo, hi := 0.36, 0.44
	for range 60 {
		b := (lo + hi) / 2
		if small.of(SpecificHeat, b) > large.of(SpecificHeat, b) {
			lo = b
		} else {
			hi = b
		}
	}
	a, err := NewReweighting(small.draw(0.41, 50000, 1))
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewReweighting(large.draw(0.41, 50000, 2))
	if err != nil {
		t.Fatal(err)
	}
	beta, se, err := Crossing(a, b, SpecificHeat)
	if err != nil || math.Abs(beta-lo) > 8*se || se > 2e-3 {
		t.Errorf("crossing at %v ± %v, exact %v: %v", beta, se, lo, err)
	}
	if _, _, err := Crossing(a, a, SpecificHeat); err == nil {
		t.Error("a lattice crosses itself")
	}
	if _, _, err := Crossing(a, b, Binder); err == nil {
		t.Error("Binder's cumulant was not measured")
	}
}

// What measurements at one β do not reach is refused: their range covers less than what moves the mean energy by 4 standard deviations, and
// the ground state, seen or not, is not taken for all there is.
func TestReweightingRefuses(t *testing.T) {
	x := readStates(t, "16")
	w, err := NewReweighting(x.draw(0.40, 20000, 3))
	if err != nil {
		t.Fatal(err)
	}
	lo, hi := w.Range()
	sd := math.Sqrt(x.of(SpecificHeat, 0.40)*x.sites) / 0.40
	if lo > 0.40-1.5/sd || lo < 0.40-5/sd || hi < 0.40+1.5/sd || hi > 0.40+5/sd {
		t.Errorf("range %v to %v, and the energy has standard deviation %v", lo, hi, sd)
	}
	for _, beta := range []float64{0.2, lo - 0.01, hi + 0.01, 0.6, 3} {
		if r, err := w.At(beta); !errors.Is(err, ErrSupport) {
			t.Errorf("β = %v: %v ± %v, %v", beta, r.Value[Energy], r.SE[Energy], err)
		}
	}
	// At infinite temperature the 4 × 4 lattice sees a level at −24, and hardly ever one at −32.
	small := readStates(t, "4").draw(0, 2000, 4)
	if w, err = NewReweighting(small); err != nil {
		t.Fatal(err)
	}
	if r, err := w.At(2); !errors.Is(err, ErrSupport) {
		t.Errorf("infinite temperature says at β = 2: %v, %v", r.Value[Energy], err)
	}
	other := readStates(t, "8").draw(0.1, 2000, 4)
	still := &Series{Beta: 1, Sites: 16, Energy: [][]float64{make([]float64, 100)}}
	for want, list := range map[string][]*Series{
		"nothing":             nil,
		"different systems":   {small, other},
		"two series":          {small, small},
		"β = +Inf":            {{Beta: math.Inf(1), Sites: 16, Energy: still.Energy}},
		"5 measurements":      {{Beta: 1, Sites: 16, Energy: [][]float64{{1, 2, 3, 4, 5}}}},
		"hardly overlap":      {x.draw(0.01, 100, 1), x.draw(1.5, 100, 1)},
		"a series takes an i": {{Beta: 1, Energy: still.Energy}},
	} {
		if _, err := NewReweighting(list...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	if w, err = NewReweighting(still); err != nil {
		t.Fatal(err)
	}
	if _, err := w.At(1.01); !errors.Is(err, ErrSupport) {
		t.Errorf("what never moved says something: %v", err)
	}
}

// More energies than levels are taken together in bins, to the same effect; energies that differ by rounding are one.
func TestLevels(t *testing.T) {
	r := rng.New(5, "levels")
	s := &Series{Beta: 0.5, Sites: 100, Energy: [][]float64{nil, nil}}
	for c := range s.Energy {
		for range 20000 {
			s.Energy[c] = append(s.Energy[c], -1+0.05*r.NormFloat64())
		}
	}
	h := EnergyHistogram(s, 50)
	n := 0.0
	for _, v := range h.Count {
		n += v
	}
	if len(h.Energy) > 50 || len(h.Energy) < 40 || n != 40000 {
		t.Errorf("%d bins, %v measurements", len(h.Energy), n)
	}
	// A Gaussian of standard deviation σ of the whole energy moves by −Δβ σ²: 25 at Δβ = 0.05, within 8 standard errors.
	w, err := NewReweighting(s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.At(0.55)
	if want := -1 - 0.05*25/100; err != nil || math.Abs(got.Value[Energy]-want) > 8*got.SE[Energy] || len(w.energy) != reweightLevels {
		t.Errorf("%v ± %v, want %v: %v", got.Value[Energy], got.SE[Energy], want, err)
	}
	if h := EnergyHistogram(&Series{Energy: [][]float64{{0.1 + 0.2, 0.3, 1}}}, 10); len(h.Energy) != 2 || h.Count[0] != 2 {
		t.Errorf("%+v", h)
	}
}
