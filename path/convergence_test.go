package path

import (
	"math"
	"testing"
)

// stuckField is a lattice on which most forward runs end on the wrong side of the reversed field and stay there.
var stuckField = turned{ising{3, 1.7, 0.5}, 0.7}

func covers(r *Result, want float64) bool { return r.CI95[0] <= want && want <= r.CI95[1] }

// Runs that are stuck do not miss without a warning: of 40 seeds, an interval of level 95 % misses fewer than 13 times (binomial
// tail 3e-7). Reverse runs that start on the wrong side agree with their forward runs: BAR without weights is too low by more
// than a nat at nearly all seeds.
func TestStuckSandwich(t *testing.T) {
	const seeds = 40
	want, base, s := stuckField.at(1).logZ(1), stuckField.LogZBase(), must(Uniform(60))
	silent, warned, low := 0, 0, 0
	for seed := range uint64(seeds) {
		b := must(Sandwich(background, Family[[]int8](stuckField), s, SandwichSettings{Settings: Settings{Seed: seed, Threads: 1}}))
		r := b.BAR
		switch {
		case len(r.Warnings) > 0:
			warned++
		case !covers(r, want):
			silent++
		}
		if len(r.Warnings) > 0 && !(r.CI95[0] <= b.Lower.CI95[0] && r.CI95[1] >= b.Lower.CI95[1] && covers(r, b.Upper.LogZ)) {
			t.Errorf("seed %d: %v warns and does not reach over the bounds %v and %v", seed, r.CI95, b.Lower.CI95, b.Upper.LogZ)
		}
		if unweightedBAR(b, base) < want-1 {
			low++
		}
	}
	t.Logf("of %d seeds %d warn, %d miss in silence; %d are low without weights", seeds, warned, silent, low)
	if binomialTail(seeds, silent, 0.05) < 1e-6 || warned < seeds/2 || low < seeds/2 {
		t.Errorf("of %d seeds %d warn, %d miss in silence; %d are low without weights", seeds, warned, silent, low)
	}
}

// unweightedBAR gives all reverse runs the same weight.
func unweightedBAR(b *Bounds, base float64) float64 {
	up, down := make([]float64, b.Lower.Runs), make([]float64, b.Lower.Runs)
	for i := range up {
		up[i], down[i] = b.Lower.PerRun[i]-base, base-b.Upper.PerRun[i]
	}
	return base + barRatio(up, down)
}

// The same for self-adjusted chains: by their spread alone, 13 or more of 40 intervals miss.
func TestStuckSelfAdjusted(t *testing.T) {
	const seeds = 40
	want, l := stuckField.at(1).logZ(1), must(Ladder(Family[[]int8](stuckField), must(Uniform(20))))
	for _, sams := range []bool{true, false} {
		silent, warned, plain := 0, 0, 0
		for seed := range uint64(seeds) {
			r := selfAdjusted(t, sams, l, SelfAdjustedSettings{Settings: Settings{Seed: seed, Threads: 1}, Rounds: 300}).LogZ()
			switch {
			case len(r.Warnings) > 0:
				warned++
			case !covers(r, want):
				silent++
			}
			if m, se := meanError(r.PerRun); math.Abs(m-want) > studentT(r.Runs-1)*se {
				plain++
			}
		}
		t.Logf("SAMS %v: of %d seeds %d warn, %d miss in silence; %d miss by the spread alone", sams, seeds, warned, silent, plain)
		if binomialTail(seeds, silent, 0.05) < 1e-6 || warned < seeds/2 || binomialTail(seeds, plain, 0.05) > 1e-6 {
			t.Errorf("SAMS %v: of %d seeds %d warn, %d miss in silence; %d miss by the spread alone", sams, seeds, warned, silent, plain)
		}
	}
}

// Where chains mix fast there are no warnings. Round trips are many, and the bound of the gap is a false alarm once in 500.
func TestFreeRunsDoNotWarn(t *testing.T) {
	f := Family[[]int8](ising{4, 0.4, 0.1})
	warned := 0
	for seed := range uint64(10) {
		set := Settings{Seed: seed, Threads: 1}
		b := must(Sandwich(background, f, must(Uniform(200)), SandwichSettings{Settings: set, Equilibrate: 20}))
		l := must(Ladder(f, must(Uniform(10))))
		for _, r := range []*Result{
			b.BAR,
			selfAdjusted(t, true, l, SelfAdjustedSettings{Settings: set, Rounds: 2000}).LogZ(),
			selfAdjusted(t, false, l, SelfAdjustedSettings{Settings: set, Rounds: 2000}).LogZ(),
		} {
			if len(r.Warnings) > 0 {
				warned++
				t.Logf("seed %d, %s: %q", seed, r.Method, r.Warnings)
			}
		}
	}
	// P(X ≥ 3) of 10 sandwiches at 1/500 is 9.6e-7. Chains are far from both of their bounds.
	if warned > 2 {
		t.Errorf("%d of 30 free results warn", warned)
	}
}

// Weights of zero and a single run give warnings instead of errors.
func TestBidirectionalWithoutWeights(t *testing.T) {
	none := math.Inf(-1)
	o := &outcome{rows: make([][]float64, 2)}
	for name, works := range map[string][2][]float64{
		"no way up":        {{none, none}, {1, 2}},
		"no way down":      {{1, 2}, {none, none}},
		"different halves": {{none, 1}, {1, none}},
		"one run":          {{1, none}, {-1, none}},
	} {
		r := bidirectional(0, works[0], works[1], o, 1)
		if len(r.Warnings) == 0 || len(r.PerRun) != 2 || !math.IsInf(r.CI95[1], 1) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
