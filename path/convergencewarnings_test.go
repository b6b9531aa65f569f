package path

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// wells goes from N(0, 3²) to exp(3 − 3(x²−4)² + x), two wells about ±2 of unequal depth, along the geometric path. A move is a
// step of a random walk so short that it does not cross once β is large.
type wells struct{ step float64 }

func (wells) New() []float64                               { return make([]float64, 1) }
func (wells) Copy(dst, src []float64)                      { copy(dst, src) }
func (wells) Base(s []float64, r *rand.Rand)               { s[0] = 3 * r.NormFloat64() }
func (wells) LogZBase() float64                            { return math.Log(2*math.Pi)/2 + math.Log(3) }
func (wells) target(x float64) float64                     { q := x*x - 4; return 3 - 3*q*q + x }
func (w wells) DLogDensity(s []float64, _ float64) float64 { return w.target(s[0]) + s[0]*s[0]/18 }
func (w wells) LogDensity(s []float64, b float64) float64 {
	return float64((b-1)*(s[0]*s[0]/18)) + float64(b*w.target(s[0]))
}

func (w wells) Move(s []float64, beta float64, r *rand.Rand) {
	now, was := s[0]+w.step*r.NormFloat64(), s[0]
	old := w.LogDensity(s, beta)
	s[0] = now
	if r.Float64() >= vec.Exp(w.LogDensity(s, beta)-old) {
		s[0] = was
	}
}

// logZ is the integral by the trapezoidal rule, whose error for functions that vanish at both ends is far below 1e-9.
func (w wells) logZ() float64 {
	sum := 0.0
	for k := range 20_001 {
		sum += 1e-3 * math.Exp(w.target(float64(k-10_000)*1e-3))
	}
	return math.Log(sum)
}

// turned is a lattice whose base has the spins down and whose target has them up: the field reverses along the path, and
// chains from either side stay there for long (hysteresis as in magnets).
type turned struct {
	ising
	down float64
}

func (g turned) at(beta float64) ising {
	return ising{g.side, beta * g.coupling, float64(beta*g.field) - float64((1-beta)*g.down)}
}

func (g turned) LogZBase() float64                         { return float64(g.n()) * math.Log(2*math.Cosh(g.down)) }
func (g turned) LogDensity(s []int8, beta float64) float64 { return g.at(beta).energy(s) }
func (g turned) Move(s []int8, beta float64, r *rand.Rand) { g.at(beta).Move(s, 1, r) }
func (g turned) DLogDensity(s []int8, _ float64) float64 {
	return g.LogDensity(s, 1) - g.LogDensity(s, 0)
}
func (g turned) Base(s []int8, r *rand.Rand) {
	for i := range s {
		g.at(0).flip(s, i, 1, r) // no couplings: independent spins
	}
}

// silent counts the seeds at which some estimate misses and does not warn, and all estimates that miss.
func silent(seeds int, want float64, estimate func(seed uint64) *Integrals) (silent, missed int) {
	for seed := range uint64(seeds) {
		r, quiet := estimate(seed), false
		for _, x := range []*Result{r.TI, r.SteppingStone, r.BAR} {
			if !(x.CI95[0] <= want && want <= x.CI95[1]) {
				missed++
				quiet = quiet || len(x.Warnings) == 0
			}
		}
		if quiet {
			silent++
		}
	}
	return silent, missed
}

// Chains that are stuck or lag behind equilibrium do not miss without a warning: of 40 seeds, an interval of level 95 % misses
// fewer than 13 times (binomial tail 3e-7). With the spread of the chains alone as the error, the slow ones miss at all 40
// seeds, and the wells at 13.
func TestSlowChains(t *testing.T) {
	const seeds = 40
	slow := newGaussian(3)
	slow.rho = 0.99
	g, w := Family[[]float64](exactGaussian{slow}), Family[[]float64](wells{0.15})
	stuck, field := ising{3, 1, 0.02}, turned{ising{3, 0.9, 0.5}, 0.7}
	geometric, uniform := must(Geometric(20, 0.003)), must(Uniform(20))
	set := func(seed uint64, runs, draws int) IntegrateSettings {
		return IntegrateSettings{Settings: Settings{Seed: seed, Runs: runs, Threads: 1}, Draws: draws}
	}
	for name, c := range map[string]struct {
		want     float64
		estimate func(seed uint64) *Integrals
	}{
		"integrate, slow": {slow.logZ(1), func(s uint64) *Integrals { return must(Integrate(background, g, geometric, set(s, 30, 10))) }},
		"integrate, ising": {stuck.logZ(1), func(s uint64) *Integrals {
			return must(Integrate(background, Family[[]int8](stuck), uniform, set(s, 8, 20)))
		}},
		"integrate, field": {field.at(1).logZ(1), func(s uint64) *Integrals {
			return must(Integrate(background, Family[[]int8](field), uniform, set(s, 16, 10)))
		}},
		"integrate, wells": {wells{}.logZ(), func(s uint64) *Integrals { return must(Integrate(background, w, geometric, set(s, 8, 200))) }},
		"replicas, slow":   {slow.logZ(1), func(s uint64) *Integrals { return must(Replicas(background, g, geometric, set(s, 30, 10))) }},
		"replicas, ising": {stuck.logZ(1), func(s uint64) *Integrals {
			return must(Replicas(background, Family[[]int8](stuck), uniform, set(s, 8, 20)))
		}},
		"replicas, field": {field.at(1).logZ(1), func(s uint64) *Integrals {
			return must(Replicas(background, Family[[]int8](field), uniform, set(s, 16, 10)))
		}},
		"replicas, wells": {wells{}.logZ(), func(s uint64) *Integrals { return must(Replicas(background, w, geometric, set(s, 8, 100))) }},
	} {
		k, missed := silent(seeds, c.want, c.estimate)
		t.Logf("%s: %d of %d intervals miss, without a warning at %d of %d seeds", name, missed, 3*seeds, k, seeds)
		if binomialTail(seeds, k, 0.05) < 1e-6 {
			t.Errorf("%s: misses without a warning at %d of %d seeds", name, k, seeds)
		}
	}
}
