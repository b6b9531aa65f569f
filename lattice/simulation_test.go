package lattice

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// bath is the heat bath, written as its definition.
type bath struct {
	m    *Model
	beta float64
}

func (k bath) Step(s *State, r *rand.Rand) mcmc.Info {
	for i := range s.Spins {
		sum := 0
		for _, j := range k.m.Graph.Of(i) {
			sum += 2*int(s.Spins[j]) - 1
		}
		s.Spins[i] = 0
		if r.Float64() < vec.Ilogit(float64(2*k.beta)*float64(sum)) {
			s.Spins[i] = 1
		}
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// rings is a simulation of Ising rings of these lengths.
func rings(t *testing.T, tempered bool, threads int, lengths ...int) *Simulation {
	t.Helper()
	s := &Simulation{Betas: []float64{0, 0.3, 0.5, 0.9}, Tempering: tempered, Threads: threads, Seed: 5}
	for _, n := range lengths {
		g, err := Geometry{Size: []int{n}}.Graph(1)
		if err != nil {
			t.Fatal(err)
		}
		m := &Model{Graph: g}
		s.Systems = append(s.Systems, System{Model: m, Kernel: func(beta float64) (mcmc.Kernel[*State], error) { return bath{m, beta}, nil }})
	}
	return s
}

func simulate(t *testing.T, s *Simulation, set mcmc.Settings) *mcmc.Memory {
	t.Helper()
	if err := s.Prepare(set.WithDefaults().Chains); err != nil {
		t.Fatal(err)
	}
	rec, err := mcmc.NewMemory(s.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), s, set, rec, nil); err != nil {
		t.Fatal(err)
	}
	return rec
}

// The energy of a ring of n spins is −(t + t^(n−1))/(1 + tⁿ) a site with t = tanh β (Ising 1925): 16 comparisons, each within 5.5 standard
// errors, which chance exceeds once in 26 million.
func TestSimulationOfRings(t *testing.T) {
	lengths := []int{5, 8}
	for _, tempered := range []bool{false, true} {
		s := rings(t, tempered, 1, lengths...)
		set := mcmc.Settings{Seed: 3, Warmup: 500, Draws: 20_000}
		rec := simulate(t, s, set)
		for k, n := range lengths {
			ladder := s.Ladder(0, k)
			if ladder[0] != 0 || ladder[3] != 0.9 || slices.Equal(ladder, s.Betas) == tempered {
				t.Errorf("tempered %v: ladder %v", tempered, ladder)
			}
			for c := range 4 {
				if other := s.Ladder(c, k); !slices.Equal(other, ladder) {
					t.Errorf("chain %d has the ladder %v, and the first %v", c+1, other, ladder)
				}
			}
			for i, beta := range ladder {
				th := math.Tanh(beta)
				want := -(th + math.Pow(th, float64(n-1))) / (1 + math.Pow(th, float64(n)))
				chains := rec.Draws().Element(k*len(ladder) + i)
				mean := 0.0
				for _, chain := range chains {
					for _, e := range chain {
						mean += e / float64(len(chain)*len(chains))
					}
				}
				if se := diag.MCSEMean(chains); !(math.Abs(mean-want) < 5.5*se) || !(se < 0.01) {
					t.Errorf("tempered %v, %d sites, β = %v: energy %v ± %v, exact %v", tempered, n, beta, mean, se, want)
				}
				for c, chain := range chains[1:] {
					if slices.Equal(chain, chains[0]) {
						t.Errorf("chains 1 and %d are the same", c+2)
					}
				}
			}
			r, ok := s.Swaps(0, k)
			if ok != tempered || tempered && (r.RoundTrips < 100 || len(r.Swaps) != 3) {
				t.Errorf("tempered %v: %+v", tempered, r)
			}
		}
	}
}

// stopped ends a run after so many draws.
type stopped struct {
	mcmc.Recorder
	left int
	end  context.CancelFunc
}

func (s *stopped) Append(chain int, warmup bool, draw []float64, stat mcmc.Stat) error {
	if s.left--; s.left == 0 {
		s.end()
	}
	return s.Recorder.Append(chain, warmup, draw, stat)
}

// learning is rings(4, 6), of which one has a kernel that learns, with correlations.
func learning(t *testing.T, tempered bool, threads int) *Simulation {
	s := rings(t, tempered, threads, 4, 6)
	m := s.Systems[0].Model
	s.Correlation = true
	s.Systems[0].Geometry, s.Systems[1].Geometry = &Geometry{Size: []int{4}}, &Geometry{Size: []int{6}}
	s.Systems[0].Kernel = func(beta float64) (mcmc.Kernel[*State], error) { return NewWolffSweep(m, beta) }
	return s
}

// Threads do not matter, nor that a run is stopped in the warm-up or after it and resumed.
func TestSimulationIsTheSame(t *testing.T) {
	for _, tempered := range []bool{false, true} {
		for _, after := range []int{100, 1500} { // iterations: the warm-up is kept too
			set := mcmc.Settings{Seed: 3, Chains: 1, Warmup: 1000, Draws: 1000}
			whole := simulate(t, learning(t, tempered, 1), set)
			set.Dir = t.TempDir()
			s := learning(t, tempered, 3)
			if err := s.Prepare(1); err != nil {
				t.Fatal(err)
			}
			rec, err := mcmc.NewMemory(s.Variables(), set)
			if err != nil {
				t.Fatal(err)
			}
			ctx, end := context.WithCancel(context.Background())
			set.SaveWarmup = true
			if _, err := mcmc.Run(ctx, s, set, &stopped{rec, after, end}, nil); !errors.Is(err, mcmc.ErrInterrupted) {
				t.Fatal(err)
			}
			set.Resume = true
			s = learning(t, tempered, 1)
			if err := s.Prepare(1); err != nil {
				t.Fatal(err)
			}
			if _, err := mcmc.Run(context.Background(), s, set, rec, nil); err != nil {
				t.Fatal(err)
			}
			// 4 temperatures of 2 rings: energies, magnetisations, two structure factors and correlations at up to 3 distances.
			if n := draws.Width(s.Variables()); n != 8*(2+2+3) {
				t.Fatalf("%d elements", n)
			}
			for k := range draws.Width(s.Variables()) {
				if !slices.EqualFunc(whole.Draws().Chain(0, k), rec.Draws().Chain(0, k), func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
					t.Errorf("tempered %v, stopped after %d: element %d differs", tempered, after, k)
				}
			}
			if last := s.Last(0); last == nil || len(last.Ladders) != 2 || len(last.Ladders[1].Replicas[3].Spins) != 6 {
				t.Errorf("last state %+v", last)
			}
		}
	}
}

func TestSimulationRefuses(t *testing.T) {
	for want, change := range map[string]func(s *Simulation){
		"needs a system":         func(s *Simulation) { s.Systems = nil },
		"needs two temperatures": func(s *Simulation) { s.Tempering, s.Betas = true, []float64{1, math.Inf(1)} },
		"temperature -1":         func(s *Simulation) { s.Betas = []float64{-1} },
		"temperature NaN":        func(s *Simulation) { s.Betas = []float64{math.NaN()} },
		"1 follows 1":            func(s *Simulation) { s.Betas = []float64{1, 1} },
		"broken": func(s *Simulation) {
			s.Systems[0].Kernel = func(float64) (mcmc.Kernel[*State], error) { return nil, errors.New("broken") }
		},
	} {
		s := rings(t, false, 1, 4)
		change(s)
		if err := s.Prepare(1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
	s := rings(t, false, 1, 4)
	if err := s.Prepare(1); err != nil {
		t.Fatal(err)
	}
	x, err := s.Start(context.Background(), 0, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	x.Ladders[0].Replicas[2].Spins[1] = 7
	for name, other := range map[string]*Simulation{"a spin of 7": s, "longer rings": rings(t, false, 1, 6), "more rings": rings(t, false, 1, 4, 4)} {
		b, err := s.MarshalState(x)
		if err != nil {
			t.Fatal(err)
		}
		other.last = make([]*Replicas, 1)
		if _, err := other.UnmarshalState(0, b); err == nil {
			t.Errorf("%s: read", name)
		}
	}
}

// The draws of a seed are frozen, of spins as bytes and as bits, tempered and not.
func TestGoldenSimulation(t *testing.T) {
	want := map[bool]string{false: "2e8b3188c011218c", true: "c1c428d75cbd7d48"}
	for _, tempered := range []bool{false, true} {
		g := Geometry{Size: []int{8, 8}}
		graph, err := g.Graph(1)
		if err != nil {
			t.Fatal(err)
		}
		m := &Model{Graph: graph, Q: 3}
		s := &Simulation{Betas: []float64{0.3, 0.45, 0.6}, Seed: 1, Tempering: tempered, Systems: []System{
			{Model: m, Kernel: func(beta float64) (mcmc.Kernel[*State], error) { return NewHeatBath(m, beta, ScanSettings{Threads: 1}) }},
			{Packed: &Packed{Geometry: g, Coupling: 1, Kernel: func(beta float64) (mcmc.Kernel[*Bits], error) { return NewBitMetropolis(g, 1, beta, 1) }}},
		}}
		rec := simulate(t, s, mcmc.Settings{Seed: 1, Chains: 2, Warmup: 200, Draws: 200})
		h := sha256.New()
		for k := range 12 {
			for c := range 2 {
				for _, x := range rec.Draws().Chain(c, k) {
					binary.Write(h, binary.LittleEndian, x)
				}
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want[tempered] {
			t.Errorf("tempered %v: %s, not %s", tempered, got, want[tempered])
		}
	}
}

// A cold ferromagnet of nine spins in a weak field stays in the phase that it comes to. Chains that begin in both let R-hat of the energy tell, where from
// random spins all may come to the one.
func TestStartsReachBothPhases(t *testing.T) {
	g, err := Geometry{Kind: Triangular, Size: []int{3, 3}}.Graph(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*Model{{Graph: g, Field: UniformField(9, 0.1)}, {Graph: g, Field: UniformField(9, -0.1)}, {Graph: g, Q: 3, Field: UniformField(9, -0.1)}} {
		against, along := m.Energy(m.Starts(1, nil)), m.Energy(m.Starts(0, nil))
		want := 0.9 // of nine spins in the field, or colours in it or not
		if m.Q == 0 {
			want = 1.8
		}
		if math.Abs(against-along-want) > 1e-9 {
			t.Errorf("%d colours, field %v: energies %v against it and %v along it, not %v apart", m.Q, m.Field[0], against, along, want)
		}
	}
}

// Cold, nine spins of the triangular ferromagnet never leave their phase: R-hat of the energy warns in every run of two chains and of four, whatever the seed.
func TestRhatSeesPhasesInAField(t *testing.T) {
	g, err := Geometry{Kind: Triangular, Size: []int{3, 3}}.Graph(1)
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Graph: g, Field: UniformField(9, 0.1)}
	for _, beta := range []float64{0.8, 1.5} {
		for _, chains := range []int{2, 4} {
			for seed := range uint64(8) {
				s := &Simulation{Betas: []float64{beta}, Seed: seed, Systems: []System{{Model: m, Start: m.Starts,
					Kernel: func(beta float64) (mcmc.Kernel[*State], error) {
						return NewMetropolis(m, beta, ScanSettings{Threads: 1})
					}}}}
				rec := simulate(t, s, mcmc.Settings{Seed: seed, Chains: chains, Warmup: 100, Draws: 1000})
				a, err := Analyse(&Series{Beta: beta, Sites: 9, Energy: rec.Draws().Element(0), Magnetisation: rec.Draws().Element(1)})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(a.Warnings, func(w Warning) bool { return w.Code == CodeRhat && w.Quantity == Energy.String() }) {
					t.Errorf("β = %v, %d chains, seed %d: R-hat %v, warnings %v", beta, chains, seed, a.RhatEnergy, a.Warnings)
				}
			}
		}
	}
}
