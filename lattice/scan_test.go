package lattice

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

type maker struct {
	name string
	make func(m *Model, beta float64, set ScanSettings) (*SingleSite, error)
}

var singleSite = []maker{{"Metropolis", NewMetropolis}, {"heat bath", NewHeatBath}}

// Each rule and scan leaves each small model's distribution invariant, on which it is judged state by state.
func TestSingleSiteExact(t *testing.T) {
	for _, m := range smallModels() {
		for _, kernel := range singleSite {
			for scan := Systematic; scan <= Checkerboard; scan++ {
				k := must(kernel.make(m.model, m.beta, ScanSettings{Scan: scan, Threads: 2}))
				f := finite(m.model, m.beta, k)
				if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
					t.Errorf("%s, %s, %v: %v", m.name, kernel.name, scan, err)
				}
			}
		}
	}
}

// The random scan is reversible.
func TestRandomScanBalances(t *testing.T) {
	for _, m := range smallModels() {
		if math.IsInf(m.beta, 1) || m.model.Graph.Sites() > 6 || m.model.States() > 3 {
			continue
		}
		for _, kernel := range singleSite {
			k := must(kernel.make(m.model, m.beta, ScanSettings{Scan: Random}))
			if err := kerneltest.DetailedBalance(finite(m.model, m.beta, k), kerneltest.Settings{}); err != nil {
				t.Errorf("%s, %s: %v", m.name, kernel.name, err)
			}
		}
	}
}

// From the state of all spins 0 kernels come to all others.
func TestSingleSiteReaches(t *testing.T) {
	for _, m := range smallModels() {
		if m.beta == 0 || m.beta > 2 {
			continue
		}
		for _, kernel := range singleSite {
			for scan := Systematic; scan <= Checkerboard; scan++ {
				if m.stuck && kernel.name == "Metropolis" && scan != Random {
					continue
				}
				k := must(kernel.make(m.model, m.beta, ScanSettings{Scan: scan}))
				if err := kerneltest.Reaches(finite(m.model, m.beta, k), 0, kerneltest.Settings{Steps: 80, Replicates: 1500}); err != nil {
					t.Errorf("%s, %s, %v: %v", m.name, kernel.name, scan, err)
				}
			}
		}
	}
}

// Rules that look up and rules that compute give the same spins for the same random bits, but where a probability falls on either side of
// them by its last bit: never, in so few.
func TestTablesFollowTheGeneralRule(t *testing.T) {
	r := rng.New(1, "test").Rand
	g := must(must(Geometry{Cubic, []int{6, 5, 4}, Periodic}.Graph(1)).PlusMinus(0.75, 0.5, 1))
	uniform := must(Geometry{Triangular, []int{9, 7}, Open}.Graph(-0.7))
	for _, pair := range []struct {
		model      *Model
		fast, slow func(m *Model) rule
	}{
		{&Model{Graph: g}, metropolis, func(m *Model) rule { return &isingGeneral{m: m, flip: metropolisFlip} }},
		{&Model{Graph: uniform, Field: UniformField(63, 0.2)}, heatBath, func(m *Model) rule { return &isingGeneral{m: m, flip: heatBathFlip} }},
		{&Model{Graph: uniform, Q: 7}, metropolis, func(m *Model) rule { return &pottsMetropolisGeneral{m: m} }},
		{&Model{Graph: uniform, Q: 7}, heatBath, func(m *Model) rule { return &pottsHeatBathGeneral{m: m} }},
	} {
		for _, beta := range []float64{0, 0.3, 2, math.Inf(1)} {
			a := pair.model.Random(r)
			b := &State{append([]uint8(nil), a.Spins...)}
			sites := make([]int32, len(a.Spins))
			for i := range sites {
				sites[i] = int32(i)
			}
			fast, slow := pair.fast(pair.model), pair.slow(pair.model)
			fast.at(beta)
			slow.at(beta)
			for k := range uint64(200) {
				s := streams.New(1, "test").Stream(k)
				if fast.draw(a.Spins, sites, s) != slow.draw(b.Spins, sites, s) || string(a.Spins) != string(b.Spins) {
					t.Fatalf("%T and %T part at β = %v in sweep %d", fast, slow, beta, k)
				}
			}
		}
	}
}

// Draws do not depend on the number of threads; the lattice has several blocks of each colour, and a triangular one more than two colours.
func TestThreadsDoNotChangeDraws(t *testing.T) {
	for _, kind := range []Kind{Cubic, Triangular} {
		m := &Model{Graph: must(Geometry{kind, []int{90, 70}, Periodic}.Graph(1))}
		var first string
		for threads := 1; threads <= 3; threads++ {
			k := must(NewHeatBath(m, 0.4, ScanSettings{Scan: Checkerboard, Threads: threads}))
			s := after(m, k, 10)
			if first == "" {
				first = s
			}
			if s != first {
				t.Errorf("%v: other draws with %d threads", kind, threads)
			}
		}
	}
}

// after is the spins after some steps from a random state, as a string.
func after(m *Model, k mcmc.Kernel[*State], steps int) string {
	r := rng.New(1, "test").Rand
	s := m.Random(r)
	for range steps {
		k.Step(s, r)
	}
	return string(s.Spins)
}

// A step allocates nothing, on one thread or two.
func TestSingleSiteAllocatesNothing(t *testing.T) {
	for _, m := range smallModels() {
		for _, kernel := range singleSite {
			for scan := Systematic; scan <= Checkerboard; scan++ {
				noAllocation(t, m.model, must(kernel.make(m.model, m.beta, ScanSettings{Scan: scan, Threads: 2})))
			}
		}
	}
	m := &Model{Graph: must(Geometry{Cubic, []int{100, 100}, Periodic}.Graph(1))}
	noAllocation(t, m, must(NewMetropolis(m, 0.4, ScanSettings{Scan: Checkerboard, Threads: 2})))
}

func noAllocation(t *testing.T, m *Model, k mcmc.Kernel[*State]) {
	t.Helper()
	r := rng.New(1, "test").Rand
	s := m.Random(r)
	k.Step(s, r)
	if n := testing.AllocsPerRun(20, func() { k.Step(s, r) }); n != 0 {
		t.Errorf("%T: %v allocations a step", k, n)
	}
}

func TestBadSettings(t *testing.T) {
	m := &Model{Graph: must(Geometry{Size: []int{4, 4}}.Graph(1))}
	for _, bad := range []struct {
		model *Model
		beta  float64
		set   ScanSettings
	}{
		{m, -0.1, ScanSettings{}},
		{m, math.NaN(), ScanSettings{}},
		{m, 1, ScanSettings{Scan: 3}},
		{m, 1, ScanSettings{Threads: -1}},
		{&Model{}, 1, ScanSettings{}},
		{&Model{Graph: m.Graph, Q: 1}, 1, ScanSettings{}},
		{&Model{Graph: m.Graph, Field: []float64{1}}, 1, ScanSettings{}},
		{&Model{Graph: must(Geometry{Size: []int{4, 4}}.Graph(1e308))}, 1, ScanSettings{}},
	} {
		for _, kernel := range singleSite {
			if k, err := kernel.make(bad.model, bad.beta, bad.set); err == nil || k != nil {
				t.Errorf("%+v gave %v, %v", bad, k, err)
			}
		}
	}
}
