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

// logZ is the integral by the trapezoidal rule, whose error for functions that die away at both ends is far below 1e-9.
func (w wells) logZ() float64 {
	sum := 0.0
	for k := range 20_001 {
		sum += 1e-3 * math.Exp(w.target(float64(k-10_000)*1e-3))
	}
	return math.Log(sum)
}

// silent counts the seeds at which some estimate misses and does not warn, and all estimates that miss.
func silent(seeds int, want float64, estimate func(seed uint64) *Integrals) (silent, missed int) {
	for seed := range uint64(seeds) {
		r, quiet := estimate(seed), false
		for _, x := range []*Result{r.TI, r.SteppingStone, r.Bridge} {
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

// Chains that are stuck or lag do not miss in silence: of 40 seeds, an estimate that is right 95 times in a hundred misses fewer than
// 13 times (binomial tail 3e-7).
func TestSlowChains(t *testing.T) {
	const seeds = 40
	lagging := newGaussian(3)
	lagging.rho = 0.98
	g := Family[[]float64](exactGaussian{lagging})
	stuck, w := Family[[]int8](ising{4, 1, 0.02}), wells{0.15}
	geometric, uniform := must(Geometric(20, 0.003)), must(Uniform(20))
	set := func(seed uint64, draws int) IntegrateSettings {
		return IntegrateSettings{Settings: Settings{Seed: seed, Threads: 1}, Draws: draws}
	}
	for name, c := range map[string]struct {
		want     float64
		estimate func(seed uint64) *Integrals
	}{
		"integrate, lag":   {lagging.logZ(1), func(s uint64) *Integrals { return must(Integrate(background, g, geometric, set(s, 40))) }},
		"integrate, ising": {ising{4, 1, 0.02}.logZ(1), func(s uint64) *Integrals { return must(Integrate(background, stuck, uniform, set(s, 20))) }},
		"integrate, wells": {w.logZ(), func(s uint64) *Integrals {
			return must(Integrate(background, Family[[]float64](w), geometric, set(s, 200)))
		}},
		"replicas, lag":   {lagging.logZ(1), func(s uint64) *Integrals { return must(Replicas(background, g, geometric, set(s, 40))) }},
		"replicas, ising": {ising{4, 1, 0.02}.logZ(1), func(s uint64) *Integrals { return must(Replicas(background, stuck, uniform, set(s, 20))) }},
		"replicas, wells": {w.logZ(), func(s uint64) *Integrals {
			return must(Replicas(background, Family[[]float64](w), geometric, set(s, 100)))
		}},
	} {
		k, missed := silent(seeds, c.want, c.estimate)
		t.Logf("%s: %d of %d intervals miss, without a warning at %d of %d seeds", name, missed, 3*seeds, k, seeds)
		if binomialTail(seeds, k, 0.05) < 1e-6 {
			t.Errorf("%s: misses without a warning at %d of %d seeds", name, k, seeds)
		}
	}
}
