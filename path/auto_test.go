package path

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func TestAuto(t *testing.T) {
	g, l, m := newGaussian(4), ising{4, 0.4, 0.1}, newMachine(10, 6, 0.7)
	set := AutoSettings{Settings: Settings{Seed: 1}, Moves: 100_000}
	check := func(name string, r *AutoResult, want float64) {
		within(t, name, r.Result, want)
		if r.Moves > 101_000 || r.Moves < 80_000 {
			t.Errorf("%s: %d moves of 100000", name, r.Moves)
		}
		if len(r.Warnings) > 0 {
			t.Errorf("%s: %q", name, r.Warnings)
		}
	}
	check("gaussian", must(Auto(background, Family[[]float64](exactGaussian{g}), set)), g.logZ(1))
	check("ising", must(Auto(background, Family[[]int8](l), set)), l.logZ(1))
	check("machine", must(Auto(background, Family[units](m), set)), m.logZ(1))
}

// Coverage: of 100 intervals of level 95 %, fewer than 19 miss (binomial tail 5e-7). And they are shorter than those of AIS
// with as many moves on a uniform schedule.
func TestAutoCoverage(t *testing.T) {
	g := newGaussian(4)
	g.rho = 0.8
	f := Family[[]float64](exactGaussian{g})
	miss, se, plain := 0, 0.0, 0.0
	for seed := range uint64(100) {
		r := must(Auto(background, f, AutoSettings{Settings: Settings{Seed: seed, Threads: 1}, Moves: 20_000}))
		if !(r.CI95[0] <= g.logZ(1) && g.logZ(1) <= r.CI95[1]) {
			miss++
		}
		se += r.SE / 100
		plain += must(AIS(background, f, must(Uniform(200)), Settings{Seed: seed, Threads: 1})).SE / 100
	}
	t.Logf("%d of 100 intervals miss; standard errors %.3f, and %.3f of AIS", miss, se, plain)
	if binomialTail(100, miss, 0.05) < 1e-6 {
		t.Errorf("%d of 100 intervals miss", miss)
	}
	if se > plain {
		t.Errorf("standard errors %.3f, and %.3f of AIS", se, plain)
	}
}

// trap is a target with two wells, with the base in one of them and moves that do not cross: annealed runs miss the other well,
// and then fall into it as they are moved at the target. A warning says that forward and reverse AIS contradict each other.
type trap struct{ *gaussian }

func (trap) Move(x []float64, beta float64, r *rand.Rand) {
	x[0] += 0.05 * r.NormFloat64()
	if beta == 1 {
		x[0] = 8 + 0.4*r.NormFloat64()
	}
}

func TestAutoContradiction(t *testing.T) {
	r := must(Auto(background, Family[[]float64](trap{newGaussian(1)}), AutoSettings{Moves: 20_000}))
	if len(r.Warnings) == 0 || r.CI95[1]-r.CI95[0] < 10 {
		t.Errorf("%v in %v, warnings %q", r.LogZ, r.CI95, r.Warnings)
	}
}

func TestAutoErrors(t *testing.T) {
	f := Family[[]float64](newGaussian(1))
	if _, err := Auto(background, f, AutoSettings{Moves: 10}); err == nil {
		t.Error("10 moves are accepted")
	}
	if _, err := Auto(background, Family[[]float64](broken{newGaussian(1), math.NaN()}), AutoSettings{Moves: 1000}); !errors.Is(err, errNaN) {
		t.Errorf("NaN: %v", err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := Auto(ctx, f, AutoSettings{}); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}
