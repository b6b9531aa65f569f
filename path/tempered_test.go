package path

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

func TestTempered(t *testing.T) {
	g, l, m := newGaussian(4), ising{4, 0.4, 0.1}, newMachine(10, 6, 0.7)
	ladder := must(Uniform(12))
	set := TemperedSettings{Settings: Settings{Seed: 1}, Rounds: 1500, Moves: 3, MBAR: true}
	all := func(name string, r *TemperedResult, want func(float64) float64) {
		within(t, name+", RTS", r.RTS, want(1))
		within(t, name+", TS", r.TS, want(1))
		within(t, name+", MBAR", r.MBAR, want(1))
		if r.RTS.SE > r.TS.SE {
			t.Errorf("%s: RTS has the standard error %v, TS %v", name, r.RTS.SE, r.TS.SE)
		}
		for k, v := range r.LogZ { // errors are largest at the far end
			if math.Abs(v-want(ladder[k])) > 6*r.RTS.SE {
				t.Errorf("%s: log Z at β = %v is %v, exactly %v", name, ladder[k], v, want(ladder[k]))
			}
		}
		for _, x := range []*Result{r.RTS, r.TS, r.MBAR} {
			if len(x.Warnings) > 0 {
				t.Errorf("%s, %s: warnings %q", name, x.Method, x.Warnings)
			}
		}
	}
	all("gaussian", must(Tempered(background, Family[[]float64](g), ladder, set)), g.logZ)
	all("ising", must(Tempered(background, Family[[]int8](l), ladder, set)), l.logZ)
	prior := append([]float64(nil), set.withDefaults(13).Prior...)
	prior[0], prior[12] = prior[0]*1.5, prior[12]*0.5
	set.Prior = prior
	all("machine, unequal prior", must(Tempered(background, Family[units](m), ladder, set)), m.logZ)
}

// FromPrior draws β from its prior. On the lattice it is biased by many standard errors where RTS is not, and warns.
func TestFromPriorIsBiased(t *testing.T) {
	l := ising{4, 0.6, 0.1}
	set := TemperedSettings{Settings: Settings{Seed: 2}, Rounds: 4000, Moves: 1}
	ladder := must(Uniform(10))
	right := must(Tempered(background, Family[[]int8](l), ladder, set))
	within(t, "RTS", right.RTS, l.logZ(1))
	set.FromPrior = true
	wrong := must(Tempered(background, Family[[]int8](l), ladder, set)).RTS
	if off := (l.logZ(1) - wrong.LogZ) / wrong.SE; off < 8 {
		t.Errorf("β from its prior: %.4f ± %.4f, exactly %.4f, so %.1f standard errors low", wrong.LogZ, wrong.SE, l.logZ(1), off)
	}
	if len(wrong.Warnings) == 0 {
		t.Error("the biased option does not warn")
	}
}

// Coverage: of 200 intervals of level 95 %, fewer than 28 miss (binomial tail below 1e-6).
func TestTemperedCoverage(t *testing.T) {
	g := newGaussian(2)
	ladder := must(Uniform(6))
	miss := map[string]int{}
	sum, sq, ses := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for seed := range uint64(200) {
		r := must(Tempered(background, Family[[]float64](exactGaussian{g}), ladder,
			TemperedSettings{Settings: Settings{Seed: seed, Runs: 5, Threads: 1}, Rounds: 200, Moves: 2, Learn: 50, Passes: 3, MBAR: true}))
		for _, x := range []*Result{r.RTS, r.TS, r.MBAR} {
			d := x.LogZ - g.logZ(1)
			sum[x.Method] += d
			sq[x.Method] += d * d
			ses[x.Method] += x.SE / 200
			if !(x.CI95[0] <= g.logZ(1) && g.logZ(1) <= x.CI95[1]) {
				miss[x.Method]++
			}
		}
	}
	t.Log("misses of 200:", miss)
	for name := range sum {
		t.Logf("%s: mean error %.4f, rms %.4f, mean standard error %.4f", name, sum[name]/200, math.Sqrt(sq[name]/200), ses[name])
	}
	for name, k := range miss {
		if binomialTail(200, k, 0.05) < 1e-6 {
			t.Errorf("%s: %d of 200 intervals miss", name, k)
		}
	}
}

func TestTemperedThreads(t *testing.T) {
	set := TemperedSettings{Settings: Settings{Seed: 3, Threads: 1}, Rounds: 100, Passes: 2, MBAR: true}
	f, ladder := Family[[]int8](ising{3, 0.3, 0}), must(Uniform(5))
	one := must(Tempered(background, f, ladder, set))
	set.Threads = 7
	many := must(Tempered(background, f, ladder, set))
	same(t, one.RTS, many.RTS)
	same(t, one.TS, many.TS)
	same(t, one.MBAR, many.MBAR)
}

// same compares results, of which some fields are NaN.
func same(t *testing.T, one, many *Result) {
	t.Helper()
	if a, b := fmt.Sprintf("%+v", *one), fmt.Sprintf("%+v", *many); a != b {
		t.Errorf("%s with one thread, %s with seven", a, b)
	}
}

func TestTemperedSettings(t *testing.T) {
	f, ladder := Family[[]float64](newGaussian(1)), must(Uniform(2))
	for name, set := range map[string]TemperedSettings{
		"rounds":     {Rounds: -1},
		"moves":      {Moves: -1},
		"prior":      {Prior: []float64{1}},
		"prior zero": {Prior: []float64{0.5, 0.5, 0}},
		"prior sum":  {Prior: []float64{0.5, 0.5, 0.5}},
		"prior NaN":  {Prior: []float64{0.5, 0.5, math.NaN()}},
		"file":       {Settings: Settings{Checkpoint: "x"}},
		"memory":     {MBAR: true, Rounds: 1 << 40},
	} {
		if _, err := Tempered(background, f, ladder, set); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := Tempered(background, Family[[]float64](broken2{newGaussian(1)}), ladder, TemperedSettings{}); !errors.Is(err, errNaN) {
		t.Errorf("NaN densities: %v", err)
	}
}

type broken2 struct{ *gaussian }

func (broken2) LogDensities(dst []float64, _ []float64, _ []float64) { dst[0] = math.NaN() }
