package lattice

import (
	"hash/crc32"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// ferromagnets are the small models that coupling from the past takes.
func ferromagnets() (all []small) {
	for _, m := range smallModels() {
		if _, err := NewCouplingFromThePast(m.model, m.beta, 0); err == nil {
			all = append(all, m)
		}
	}
	square := must(Geometry{Size: []int{3, 3}}.Graph(1))
	two := must(Geometry{Size: []int{2, 2}}.Graph(0.5))
	return append(all,
		small{"Ising, fields of one sign", &Model{Graph: square, Field: []float64{0, 0, 0.5, 0, 1, 0, 0, 0.1, 0}}, 0.3, false},
		small{"Ising, fields down", &Model{Graph: two, Field: []float64{-0.5, 0, 0, -0.2}}, 0.6, false},
		small{"Ising, fields of both signs", &Model{Graph: square, Field: []float64{0, -1, 0.5, 0, 1, 0.3, 0, -0.1, 0}}, 0.3, false},
		small{"Ising, fields of both signs, cold", &Model{Graph: two, Field: []float64{0.5, -0.25, 0.25, -0.5}}, 2, false},
		small{"Potts of 3, fields of some sites", &Model{Graph: two, Q: 3, Field: []float64{0.5, 0, 0, 1}}, 0.9, false})
}

// A draw has the distribution of the model from any state: that of all spins 0, and an exact draw.
func TestCouplingFromThePastIsExact(t *testing.T) {
	all := ferromagnets()
	if len(all) < 14 {
		t.Errorf("%d models", len(all))
	}
	for _, m := range all {
		f := finite(m.model, m.beta, must(NewCouplingFromThePast(m.model, m.beta, 0)))
		if err := kerneltest.Reaches(f, 0, kerneltest.Settings{Replicates: 40_000}); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// Draws of a larger lattice at, above and below the critical temperature have the exact energies of ising_exact_finite.csv, to 5 standard errors (6e-7 each, 4 of
// them). Draws are independent, so that the standard error is that of independent numbers.
func TestCouplingFromThePastEnergies(t *testing.T) {
	m := &Model{Graph: must(Geometry{Size: []int{16, 16}}.Graph(1))}
	for _, c := range []struct{ temperature, energy float64 }{
		{1.5, -1.9511165730736817}, {2, -1.7455306689909191}, {2.269185314213022, -1.4530648528134773}, {3, -0.8176893678695544},
	} {
		k := must(NewCouplingFromThePast(m, 1/c.temperature, 0))
		r := rng.New(1, "test").Rand
		s := m.Random(r)
		const draws = 600
		sum, squares := 0.0, 0.0
		for range draws {
			k.Step(s, r)
			e := m.Energy(s) / 256
			sum += e / draws
			squares += e * e / draws
		}
		se := math.Sqrt((squares - sum*sum) / draws)
		if math.Abs(sum-c.energy) > 5*se {
			t.Errorf("T = %v: energy %v ± %v, want %v", c.temperature, sum, se, c.energy)
		}
	}
}

// A limit that is met is an error that says what to do, and leaves the state.
func TestCouplingFromThePastLimit(t *testing.T) {
	m := &Model{Graph: must(Geometry{Size: []int{12, 12}}.Graph(1)), Q: 20}
	k := must(NewCouplingFromThePast(m, 1.69, 4))
	r := rng.New(1, "test").Rand
	s := m.Random(r)
	was := string(s.Spins)
	err := k.Draw(s, r)
	if err == nil || !strings.Contains(err.Error(), "chains from 4 sweeps") || string(s.Spins) != was {
		t.Errorf("%v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a step goes on")
		}
	}()
	k.Step(s, r)
}

func TestCouplingFromThePastSettings(t *testing.T) {
	g := must(Geometry{Size: []int{3, 3}}.Graph(1))
	for _, bad := range []struct {
		model *Model
		beta  float64
		limit int
	}{
		{&Model{}, 1, 0}, {&Model{Graph: g}, -1, 0}, {&Model{Graph: g}, 1, -1}, {&Model{Graph: must(Geometry{Size: []int{3, 3}}.Graph(-1))}, 1, 0},
		{&Model{Graph: g, Q: 3, Field: UniformField(9, -1)}, 1, 0},
		{&Model{Graph: g, Field: []float64{1, -1, 0, 0, 0, 0, 0, 0, 0}}, math.Inf(1), 0},
	} {
		if k, err := NewCouplingFromThePast(bad.model, bad.beta, bad.limit); err == nil {
			t.Errorf("%+v gave %v", bad, k)
		}
	}
}

func TestGoldenCouplingFromThePast(t *testing.T) {
	g := must(Geometry{Size: []int{12, 10}}.Graph(1))
	mixed := make([]float64, 120)
	for i := range mixed {
		mixed[i] = float64(i%3-1) / 2
	}
	for _, c := range []struct {
		name  string
		model *Model
		beta  float64
		want  uint32
	}{
		{"Ising", &Model{Graph: g}, 0.44, 0xcf31024d},
		{"Potts in a field", &Model{Graph: g, Q: 3, Field: UniformField(120, 0.1)}, 0.9, 0xf9e0f8d5},
		{"fields of both signs", &Model{Graph: g, Field: mixed}, 0.35, 0x6032cb08},
	} {
		k := must(NewCouplingFromThePast(c.model, c.beta, 0))
		if got := crc32.ChecksumIEEE([]byte(after(c.model, k, 5))); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
		noAllocation(t, c.model, k)
	}
}
