package rbm

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func TestLogWeightsSumTheEnergyOverTheOtherLayer(t *testing.T) {
	m := random(5, 4, 2, 1)
	input := make([]float64, 5)
	v, h := make([]uint8, 5), make([]uint8, 4)
	for k := range 1 << 5 {
		unitsOf(v, k)
		sum := 0.0
		for l := range 1 << 4 {
			sum += math.Exp(-m.Energy(v, unitsOf(h, l)))
		}
		if got := m.LogWeight(v, input[:4]); !near(got, math.Log(sum), 1e-13) {
			t.Errorf("log p*(%v) = %v, want %v", v, got, math.Log(sum))
		}
	}
	for l := range 1 << 4 {
		unitsOf(h, l)
		sum := 0.0
		for k := range 1 << 5 {
			sum += math.Exp(-m.Energy(unitsOf(v, k), h))
		}
		if got := m.HiddenLogWeight(h, input); !near(got, math.Log(sum), 1e-13) {
			t.Errorf("log p*(%v) = %v, want %v", h, got, math.Log(sum))
		}
	}
}

func TestLargeActivationsDoNotOverflow(t *testing.T) {
	m := New(1, 2)
	copy(m.W, []float64{1e4, -1e4})
	if got := m.LogWeight([]uint8{1}, make([]float64, 2)); got != 1e4 {
		t.Errorf("log p* = %v, want 10000", got)
	}
}

// gibbs is block Gibbs sampling as a kernel.
type gibbs struct{ m *Model }

func (g gibbs) Step(s *State, r *rand.Rand) mcmc.Info {
	g.m.Gibbs(s, r)
	return mcmc.Info{}
}

// jointTarget is p(v, h) of a small machine.
func jointTarget(m *Model, k mcmc.Kernel[*State]) kerneltest.Finite[*State] {
	f := kerneltest.Finite[*State]{Kernel: k}
	f.State = func(i int) *State {
		s := m.NewState()
		unitsOf(s.V, i)
		unitsOf(s.H, i>>m.Visible)
		return s
	}
	f.Index = func(s *State) int {
		k := 0
		for i, on := range append(append([]uint8{}, s.V...), s.H...) {
			k |= int(on) << i
		}
		return k
	}
	for i := range 1 << (m.Visible + m.Hidden) {
		s := f.State(i)
		f.LogWeight = append(f.LogWeight, -m.Energy(s.V, s.H))
	}
	return f
}

func TestGibbsLeavesTheMachineInvariant(t *testing.T) {
	m := random(3, 2, 1, 2)
	if err := kerneltest.Exact(jointTarget(m, gibbs{m}), kerneltest.Settings{Seed: 1}); err != nil {
		t.Error(err)
	}
	if err := kerneltest.Reaches(jointTarget(m, gibbs{m}), 0, kerneltest.Settings{Seed: 2, Steps: 50}); err != nil {
		t.Error(err)
	}
}

// A sweep that draws both layers from the states before is no Gibbs sweep.
type together struct{ m *Model }

func (g together) Step(s *State, r *rand.Rand) mcmc.Info {
	old := append([]uint8{}, s.H...)
	g.m.DrawHidden(s, r)
	h := append([]uint8{}, s.H...)
	copy(s.H, old)
	g.m.DrawVisible(s, r)
	copy(s.H, h)
	return mcmc.Info{}
}

func TestTheSuiteCatchesLayersDrawnTogether(t *testing.T) {
	m := random(3, 2, 1, 2)
	if err := kerneltest.Exact(jointTarget(m, together{m}), kerneltest.Settings{Seed: 1}); err == nil {
		t.Error("a wrong sweep passes")
	}
}

func TestSweepsDoNotAllocate(t *testing.T) {
	m := random(30, 20, 1, 3)
	s, r := m.NewState(), newRand(1)
	if n := testing.AllocsPerRun(100, func() { m.Gibbs(s, r) }); n != 0 {
		t.Errorf("%v allocations a sweep", n)
	}
}

// Energies beyond 2⁵⁰ would make log Z a number without meaning.
func TestCheckRefusesHugeWeights(t *testing.T) {
	m := New(2, 2)
	m.W[3] = -1e17
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "1e+17") {
		t.Errorf("weights of 1e17: %v", err)
	}
	m.W[3] = -1e12
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}
