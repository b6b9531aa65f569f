package path

import (
	"fmt"
	"math"
	"testing"
)

func TestSelfAdjusted(t *testing.T) {
	g, l, m := newGaussian(4), ising{4, 0.4, 0.1}, newMachine(10, 6, 0.7)
	ladder := must(Uniform(12))
	for _, method := range []struct {
		name string
		scan bool
	}{{"SAMS", true}, {"SAMC", false}} {
		set := SelfAdjustedSettings{Settings: Settings{Seed: 1}, Rounds: 6_000}
		within(t, method.name+", gaussian", selfAdjusted(t, method.scan, must(Ladder(Family[[]float64](g), ladder)), set).LogZ(), g.logZ(1))
		within(t, method.name+", ising", selfAdjusted(t, method.scan, must(Ladder(Family[[]int8](l), ladder)), set).LogZ(), l.logZ(1))
		set.Target = make([]float64, 13)
		for k := range set.Target {
			set.Target[k] = (1 + float64(k)) / (13 * 14 / 2)
		}
		a := selfAdjusted(t, method.scan, must(Ladder(Family[units](m), ladder)), set)
		within(t, method.name+", machine", a.LogZ(), m.logZ(1))
		within(t, method.name+", machine in the middle", a.Relative(6, 0), m.logZ(ladder[6]))
		for k, v := range a.Occupancy {
			if math.Abs(v-set.Target[k]) > 0.04 {
				t.Errorf("%s: label %d has the share %.3f, want %.3f", method.name, k, v, set.Target[k])
			}
		}
	}
}

func selfAdjusted[S any](t *testing.T, sams bool, l Labels[S], set SelfAdjustedSettings) *SelfAdjustedResult {
	t.Helper()
	method := SAMC[S]
	if sams {
		method = SAMS[S]
	}
	return must(method(background, l, set))
}

// Four models at once, relative to the first and each to its own base.
func TestModels(t *testing.T) {
	var fs []Family[units]
	var ms []*machine
	for _, scale := range []float64{0.3, 0.6, 0.9} {
		m := newMachine(8, 5, scale)
		fs, ms = append(fs, m), append(ms, m)
	}
	ladder := must(Uniform(8))
	l := must(Models(fs, ladder))
	for _, sams := range []bool{true, false} {
		a := selfAdjusted(t, sams, l, SelfAdjustedSettings{Settings: Settings{Seed: 2}, Rounds: 6_000})
		for i, m := range ms {
			end := i*9 + 8
			within(t, fmt.Sprint(a.Method, ", model ", i, " from its base"), a.Relative(end, i*9), m.logZ(1))
			within(t, fmt.Sprint(a.Method, ", model ", i, " from the first's base"), a.Relative(end, 0), m.logZ(1))
			if i > 0 {
				within(t, fmt.Sprint(a.Method, ", model ", i, " relative to the first"), a.Relative(end, 8), m.logZ(1)-ms[0].logZ(1))
			}
		}
	}
}

// Coverage: of 100 intervals of level 95 %, fewer than 19 miss (binomial tail 5e-7).
func TestSelfAdjustedCoverage(t *testing.T) {
	g := newGaussian(1)
	l := must(Ladder(Family[[]float64](exactGaussian{g}), must(Uniform(5))))
	for _, sams := range []bool{true, false} {
		miss := 0
		for seed := range uint64(100) {
			r := selfAdjusted(t, sams, l, SelfAdjustedSettings{Settings: Settings{Seed: seed, Runs: 5, Threads: 1}, Rounds: 2000}).LogZ()
			if !(r.CI95[0] <= g.logZ(1) && g.logZ(1) <= r.CI95[1]) {
				miss++
			}
		}
		t.Logf("SAMS %v: %d of 100 intervals miss", sams, miss)
		if binomialTail(100, miss, 0.05) < 1e-6 {
			t.Errorf("SAMS %v: %d of 100 intervals miss", sams, miss)
		}
	}
}

func TestSelfAdjustedWarnings(t *testing.T) {
	g := newGaussian(10)
	l := must(Ladder(Family[[]float64](g), must(Uniform(40))))
	a := must(SAMS(background, l, SelfAdjustedSettings{Rounds: 200}))
	if len(a.LogZ().Warnings) == 0 {
		t.Errorf("40 labels in 200 rounds: %v without a warning", a.LogZ())
	}
	if r := a.Relative(100, 0); len(r.Warnings) == 0 || !math.IsNaN(r.LogZ) {
		t.Errorf("a label that does not exist: %+v", r)
	}
}

func TestSelfAdjustedSettings(t *testing.T) {
	l := must(Ladder(Family[[]float64](newGaussian(1)), must(Uniform(2))))
	for name, set := range map[string]SelfAdjustedSettings{
		"rounds": {Rounds: 3}, "moves": {Moves: -1}, "burn": {Burn: -1}, "decay": {Decay: 0.5}, "decay NaN": {Decay: math.NaN()},
		"shares": {Target: []float64{1}}, "share 0": {Target: []float64{0, 0.5, 0.5}}, "sum": {Target: []float64{1, 1, 1}},
	} {
		if _, err := SAMS(background, l, set); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := Models[units](nil, must(Uniform(2))); err == nil {
		t.Error("no models are accepted")
	}
	if _, err := Ladder(Family[[]float64](newGaussian(1)), Schedule{1}); err == nil {
		t.Error("a ladder of one temperature is accepted")
	}
}
