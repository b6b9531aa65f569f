package spins

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal/annealtest"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// build is New, which must succeed.
func build(t testing.TB, kind Kind, n int, linear []float64, couplings []Coupling, offset float64) *Model {
	t.Helper()
	m, err := New(kind, n, linear, couplings, offset)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func instance(t testing.TB, m *Model) *Instance {
	t.Helper()
	n, err := NewInstance(m)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// states are all of n spins.
func states(n int) (all [][]float64) {
	for b := range 1 << n {
		s := make([]float64, n)
		for i := range s {
			s[i] = float64(2*(b>>i&1) - 1)
		}
		all = append(all, s)
	}
	return all
}

// small are models to enumerate: fields, frustration, pairs that are there twice, couplings of zero, vertices alone, couplings of
// 16 and 32 bits, of one digit and of several, and such that are rounded.
func small(t testing.TB) map[string]*Model {
	ring := func(n int, w ...float64) (all []Coupling) {
		for i := range n {
			all = append(all, Coupling{i, (i + 1) % n, w[i%len(w)]})
		}
		return all
	}
	r := rand.New(rand.NewPCG(1, 1))
	var dense, normal []Coupling
	field := make([]float64, 5)
	for i := range 5 {
		field[i] = r.NormFloat64()
		for j := range i {
			dense = append(dense, Coupling{i, j, float64(r.IntN(41) - 20)})
			normal = append(normal, Coupling{i, j, r.NormFloat64()})
		}
	}
	return map[string]*Model{
		"a spin":        build(t, Ising, 1, []float64{0.7}, nil, 1),
		"a pair":        build(t, Ising, 2, nil, []Coupling{{0, 1, -0.5}}, 0),
		"ring":          build(t, MaxCut, 5, nil, ring(5, 1), 0),
		"frustrated":    build(t, Ising, 5, []float64{0.5, 0, -0.5, 0, 1}, ring(5, 1, -1, 2), 0),
		"twice":         build(t, Ising, 4, nil, append(ring(4, 1), Coupling{1, 0, 0.5}, Coupling{2, 3, -1}), 0),
		"zeros":         build(t, Ising, 3, []float64{1, 0, 0}, []Coupling{{0, 1, 1}, {0, 2, 0.5}, {1, 2, 0}}, 0),
		"QUBO":          build(t, QUBO, 5, []float64{-3, 2, 5, -7, 1}, dense, 3),
		"normal":        build(t, Ising, 4, field[:4], normal[:6], 0),
		"far apart":     build(t, Ising, 3, []float64{0, 3e5, 1}, []Coupling{{0, 1, 1}, {0, 2, -3e5}, {1, 2, 2e5}}, 0),
		"tenths":        build(t, QUBO, 4, []float64{0.1, -0.3, 0.2, 0.7}, []Coupling{{0, 1, 0.4}, {1, 2, -0.6}, {2, 3, 1.1}}, 0.1),
		"hub":           build(t, Ising, 6, nil, []Coupling{{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, -1}, {0, 5, -1}}, 0),
		"long digits":   build(t, Ising, 3, nil, []Coupling{{0, 1, 100}, {1, 2, -71}, {0, 2, 37}}, 0),
		"longer digits": build(t, Ising, 3, []float64{5000, 1, 0}, []Coupling{{0, 1, 10007}, {1, 2, -9001}, {0, 2, 4999}}, 0),
	}
}

// Sweeps leave the enumerated Boltzmann distribution invariant and come to it, at every replica, at temperatures from hot to cold.
func TestStationary(t *testing.T) {
	for name, m := range small(t) {
		scale := largestField(m.Ising())
		for _, temperature := range []float64{3 * scale, scale, 0.7 * scale} {
			if name == "normal" { // energies are rounded; TestReplicasAreIndependent has it
				continue
			}
			set := kerneltest.Settings{Seed: 5, Replicates: 2000, Steps: 300}
			if err := annealtest.Stationary(instance(t, m), states(m.Variables), temperature, set); err != nil {
				t.Errorf("%s at temperature %v: %v", name, temperature, err)
			}
		}
	}
}

// lanes is two replicas of a walker.
type lanes struct {
	w    *Walker
	a, b int
}

type pairSweep float64

func (k pairSweep) Step(s lanes, r *rand.Rand) mcmc.Info {
	_, accepted := s.w.Sweep(float64(k), r)
	return mcmc.Info{Accepted: accepted > 0}
}

// invariant checks that pairs of replicas keep the product of two enumerated distributions: each has random numbers of its own.
func invariant(t *testing.T, m *Model, temperature float64, steps int) error {
	t.Helper()
	all := states(m.Variables)
	w, err := instance(t, m).NewWalker()
	if err != nil {
		t.Fatal(err)
	}
	w.Start(rand.New(rand.NewPCG(1, 2)))
	n, turn := len(all), 0
	f := kerneltest.Finite[lanes]{Kernel: pairSweep(temperature)}
	for i := range n * n {
		log := 0.0
		for _, s := range [][]float64{all[i/n], all[i%n]} {
			e, err := m.Energy(s)
			if err != nil {
				t.Fatal(err)
			}
			log -= e / temperature
		}
		f.LogWeight = append(f.LogWeight, log)
	}
	f.State = func(i int) lanes {
		turn++
		s := lanes{w, turn % 32, (turn%32 + 1 + turn/32%31) % 32}
		for _, err := range []error{w.Set(s.a, all[i/n]), w.Set(s.b, all[i%n])} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	where := func(s []float64) int {
		return slices.IndexFunc(all, func(x []float64) bool { return slices.Equal(x, s) })
	}
	f.Index = func(s lanes) int { return where(s.w.State(s.a))*n + where(s.w.State(s.b)) }
	return kerneltest.Exact(f, kerneltest.Settings{Seed: 2, Steps: steps, Replicates: 40_000})
}

func TestReplicasAreIndependent(t *testing.T) {
	models := small(t)
	for _, name := range []string{"a spin", "a pair", "zeros", "normal", "far apart", "long digits"} {
		scale := largestField(models[name].Ising())
		for _, temperature := range []float64{2 * scale, 0.7 * scale} {
			if err := invariant(t, models[name], temperature, 2); err != nil {
				t.Errorf("%s at temperature %v: %v", name, temperature, err)
			}
		}
	}
}

// Spins that nothing holds, and all at infinite temperature, come to any value, though proposals to them are never refused.
func TestFreeSpins(t *testing.T) {
	for name, c := range map[string]struct {
		m           *Model
		temperature float64
	}{
		"alone":    {build(t, Ising, 3, nil, []Coupling{{0, 2, 1}}, 0), 0.8},
		"nothing":  {build(t, Ising, 2, nil, nil, 4), 0.8},
		"infinite": {build(t, Ising, 3, []float64{1, 0, 0}, []Coupling{{0, 1, 1}, {1, 2, -2}}, 0), math.Inf(1)},
	} {
		if err := invariant(t, c.m, c.temperature, 20); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		temperature := c.temperature
		if math.IsInf(temperature, 1) {
			temperature = 1e300 // annealtest divides by it
		}
		if err := annealtest.Stationary(instance(t, c.m), states(c.m.Variables), temperature, kerneltest.Settings{Seed: 1, Replicates: 2000, Steps: 1000}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// At temperature 0, and where it is too low for any rise, energies never rise, and what changes nothing is accepted.
func TestCold(t *testing.T) {
	for name, m := range small(t) {
		for _, temperature := range []float64{0, 1e-300, 1e-12} {
			w, err := instance(t, m).NewWalker()
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(3, 4))
			w.Start(r)
			for range 20 {
				before := w.state.Energy
				w.Sweep(temperature, r)
				for k, e := range w.state.Energy {
					if e > before[k] {
						t.Fatalf("%s at temperature %v: the energy rises from %v to %v", name, temperature, before[k], e)
					}
				}
			}
		}
	}
	w, err := instance(t, build(t, Ising, 3, nil, nil, 0)).NewWalker()
	if err != nil {
		t.Fatal(err)
	}
	if proposed, accepted := w.Sweep(0, rand.New(rand.NewPCG(1, 1))); proposed < 64 || accepted != proposed {
		t.Errorf("free spins: %d of %d proposals accepted", accepted, proposed)
	}
}

// The lowest of all energies is found by annealing each small model, and never a lower one.
func TestMinimum(t *testing.T) {
	for name, m := range small(t) {
		n := instance(t, m)
		least := math.Inf(1)
		for _, s := range states(m.Variables) {
			e, err := n.Evaluate(s)
			if err != nil {
				t.Fatal(err)
			}
			least = min(least, e)
		}
		w, err := n.NewWalker()
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(8, 8))
		w.Start(r)
		hot, cold := n.Temperatures()
		if !(hot > cold && cold > 0) {
			t.Errorf("%s: temperatures from %v to %v", name, hot, cold)
		}
		for k := range 200 {
			w.Sweep(hot*math.Pow(cold/hot, float64(k)/199), r)
		}
		found := math.Inf(1)
		for k := range w.Replicas() {
			found = min(found, w.Best(k))
		}
		if math.Abs(found-least) > 1e-8*math.Abs(least) {
			t.Errorf("%s: the lowest is %v, want %v", name, found, least)
		}
	}
}
