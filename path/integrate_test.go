package path

import (
	"fmt"
	"math"
	"testing"
)

func TestIntegrate(t *testing.T) {
	g, l, m := newGaussian(4), ising{4, 0.4, 0.1}, newMachine(10, 6, 0.7)
	ladder := must(Uniform(24))
	set := IntegrateSettings{Settings: Settings{Seed: 1}, Draws: 400}
	all := func(name string, r *Integrals, want float64) {
		for _, x := range []*Result{r.TI, r.SteppingStone, r.BAR} {
			within(t, name+", "+x.Method, x, want)
			if len(x.Warnings) > 0 {
				t.Errorf("%s, %s: warnings %q", name, x.Method, x.Warnings)
			}
		}
	}
	all("gaussian", must(Integrate(background, Family[[]float64](exactGaussian{g}), must(Geometric(48, 0.002)), set)), g.logZ(1))
	all("gaussian without derivative", must(Integrate(background, Family[[]float64](g), must(Geometric(48, 0.002)), set)), g.logZ(1))
	all("ising", must(Integrate(background, Family[[]int8](l), ladder, set)), l.logZ(1))
	all("machine", must(Integrate(background, Family[units](m), ladder, set)), m.logZ(1))
}

// Coverage: of 100 intervals of level 95 %, fewer than 19 miss (binomial tail below 1e-6).
func TestIntegrateCoverage(t *testing.T) {
	g := newGaussian(2)
	ladder := must(Geometric(16, 0.004))
	miss := map[string]int{}
	for seed := range uint64(100) {
		r := must(Integrate(background, Family[[]float64](exactGaussian{g}), ladder,
			IntegrateSettings{Settings: Settings{Seed: seed, Runs: 6, Threads: 1}, Draws: 60}))
		for _, x := range []*Result{r.TI, r.SteppingStone, r.BAR} {
			if !(x.CI95[0] <= g.logZ(1) && g.logZ(1) <= x.CI95[1]) {
				miss[x.Method]++
			}
		}
	}
	t.Log("misses of 100:", miss)
	for name, k := range miss {
		if binomialTail(100, k, 0.05) < 1e-6 {
			t.Errorf("%s: %d of 100 intervals miss", name, k)
		}
	}
}

// A ladder too coarse for the integral causes a warning, and the interval covers the error.
func TestCoarseLadder(t *testing.T) {
	g := newGaussian(4)
	r := must(Integrate(background, Family[[]float64](exactGaussian{g}), must(Uniform(6)), IntegrateSettings{Settings: Settings{Seed: 2}, Draws: 2000}))
	if len(r.TI.Warnings) == 0 {
		t.Errorf("log Z = %.3f ± %.3f, exactly %.3f, without a warning", r.TI.LogZ, r.TI.SE, g.logZ(1))
	}
}

// Chains that hardly move lag behind on the way up and down; the difference causes a warning and a wider interval.
func TestHysteresis(t *testing.T) {
	g := newGaussian(4)
	g.rho = 0.99
	f, ladder := Family[[]float64](exactGaussian{g}), must(Geometric(24, 0.002))
	set := IntegrateSettings{Settings: Settings{Seed: 3, Runs: 40}, Draws: 10}
	for _, all := range []*Integrals{must(Integrate(background, f, ladder, set)), must(Replicas(background, f, ladder, set))} {
		for _, r := range []*Result{all.TI, all.SteppingStone, all.BAR} {
			if len(r.Warnings) == 0 || r.CI95[0] > g.logZ(1) || r.CI95[1] < g.logZ(1) {
				t.Errorf("%s: log Z = %.3f ± %.3f in %.3f, exactly %.3f, warnings %q", r.Method, r.LogZ, r.SE, r.CI95, g.logZ(1), r.Warnings)
			}
		}
	}
}

// The rule is exact for cubics on equal steps and nearly so elsewhere: of fourth order. ∫ e^{3x} = (e³ − 1)/3.
func TestQuadrature(t *testing.T) {
	value := func(s Schedule, f func(float64) float64) float64 {
		sum := 0.0
		for k, w := range quadrature(s) {
			sum += w * f(s[k])
		}
		return sum
	}
	if got := value(must(Uniform(7)), func(x float64) float64 { return 3 + x*x }); math.Abs(got-10.0/3) > 1e-12 {
		t.Errorf("a parabola's integral is %v, want 10/3", got)
	}
	exp := func(x float64) float64 { return math.Exp(3 * x) }
	want := (math.Exp(3) - 1) / 3
	for _, shape := range []Schedule{must(Uniform(10)), must(Geometric(10, 0.05))} {
		before := value(must(shape.Resize(40)), exp) - want
		after := value(must(shape.Resize(80)), exp) - want
		if !(math.Abs(after) < math.Abs(before)/6) || math.Abs(before) > 1e-3 {
			t.Errorf("errors %v with 40 steps and %v with 80", before, after)
		}
	}
	for _, n := range []int{1, 2, 3} {
		if got := value(must(Uniform(n)), func(float64) float64 { return 1 }); math.Abs(got-1) > 1e-12 {
			t.Errorf("%d steps have the weight %v", n, got)
		}
	}
}

func TestIntegrateThreads(t *testing.T) {
	f, ladder := Family[[]int8](ising{3, 0.3, 0}), must(Uniform(5))
	set := IntegrateSettings{Settings: Settings{Seed: 3, Threads: 1}, Draws: 20, Thin: 2, Burn: -1}
	one := must(Integrate(background, f, ladder, set))
	set.Threads = 7
	many := must(Integrate(background, f, ladder, set))
	if a, b := fmt.Sprintf("%+v", *one.BAR), fmt.Sprintf("%+v", *many.BAR); a != b {
		t.Errorf("%s with one thread, %s with seven", a, b)
	}
	if moves := int64(8 * 6 * 20 * 2); one.TI.Moves != moves {
		t.Errorf("%d moves, want %d", one.TI.Moves, moves)
	}
}

func TestIntegrateSettings(t *testing.T) {
	f, ladder := Family[[]float64](newGaussian(1)), must(Uniform(2))
	for _, set := range []IntegrateSettings{{Draws: 1}, {Draws: -5}, {Thin: -1}, {Draws: 1 << 40}} {
		if _, err := Integrate(background, f, ladder, set); err == nil {
			t.Errorf("%+v is accepted", set)
		}
	}
}
