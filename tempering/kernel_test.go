package tempering

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

// On an Ising ring, enumerated: replicas drawn exactly and moved stay exact, the cold one
// (state by state) and the hot one, in both orders of swaps.
func TestExactIsing(t *testing.T) {
	betas := []float64{0.1, 0.4, 0.9}
	for _, reversible := range []bool{false, true} {
		k, err := New(ising{}, flips, Settings{Betas: betas, Reversible: reversible})
		if err != nil {
			t.Fatal(err)
		}
		var draw []func(r *rand.Rand) uint
		for _, beta := range betas {
			draw = append(draw, boltzmann(beta))
		}
		for rung, beta := range betas {
			r := newRand(1)
			weights := make([]float64, 1<<ring)
			for i := range weights {
				weights[i] = ising{}.LogDensity(&spins{uint(i)}, beta)
			}
			err = kerneltest.Exact(kerneltest.Finite[*State[*spins]]{
				LogWeight: weights,
				State: func(i int) *State[*spins] {
					replicas := make([]*spins, len(betas))
					for j := range betas {
						replicas[j] = &spins{draw[j](r)}
					}
					replicas[rung].bits = uint(i)
					return NewState(replicas)
				},
				Index:  func(s *State[*spins]) int { return int(s.Replicas[rung].bits) },
				Kernel: k,
			}, kerneltest.Settings{Steps: 5, Replicates: 10_000})
			if err != nil {
				t.Errorf("reversible %v, rung %d: %v", reversible, rung, err)
			}
		}
	}
}

// capped is not the family that the replicas are moved by: it knows no β above 0.4.
type capped struct{}

func (capped) LogDensity(s *spins, beta float64) float64 {
	return ising{}.LogDensity(s, min(beta, 0.4))
}

// The suite sees swaps by another density than the one replicas are moved by.
func TestWrongSwapsAreSeen(t *testing.T) {
	betas := []float64{0.1, 0.4, 0.9}
	k, _ := New[*spins](capped{}, flips, Settings{Betas: betas})
	r, hot, middle := newRand(1), boltzmann(0.1), boltzmann(0.4)
	weights := make([]float64, 1<<ring)
	for i := range weights {
		weights[i] = ising{}.LogDensity(&spins{uint(i)}, 0.9)
	}
	err := kerneltest.Exact(kerneltest.Finite[*State[*spins]]{
		LogWeight: weights,
		State: func(i int) *State[*spins] {
			return NewState([]*spins{{hot(r)}, {middle(r)}, {uint(i)}})
		},
		Index:  func(s *State[*spins]) int { return int(s.Cold().bits) },
		Kernel: k,
	}, kerneltest.Settings{Steps: 5, Replicates: 5000})
	if err == nil {
		t.Error("swaps by a wrong density pass")
	}
}

// The Ising ring's partition function by the transfer matrix, log tr Tⁿ, is what log Z
// estimates: within five of its own standard errors, which are small.
func TestIsingLogZ(t *testing.T) {
	logZ := func(beta float64) float64 {
		// T(a, b) = exp(β [a = b] + 0.15 β (a + b)).
		a, d, b := math.Exp(beta), math.Exp(1.3*beta), math.Exp(0.15*beta)
		root := math.Sqrt((a-d)*(a-d)/4 + b*b)
		return math.Log(math.Pow((a+d)/2+root, ring) + math.Pow((a+d)/2-root, ring))
	}
	k, err := New(ising{}, flips, Settings{Betas: []float64{0, 0.2, 0.5, 1, 1.5, 2}})
	if err != nil {
		t.Fatal(err)
	}
	s := NewState([]*spins{{}, {}, {}, {}, {}, {}})
	r := newRand(2)
	warm(k, s, 2000, r)
	for range 100_000 {
		k.Step(s, r)
	}
	rep := k.Report()
	want := logZ(2) - logZ(0)
	if !(rep.LogZError < 0.03) || math.Abs(rep.LogZ-want) > 5*rep.LogZError {
		t.Errorf("log Z %v ± %v, want %v", rep.LogZ, rep.LogZError, want)
	}
}

func warm[S any](k *Kernel[S], s *State[S], n int, r *rand.Rand) {
	for i := range n {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: n})
	}
	k.Freeze()
}

// A random walk stays in the mode it starts in; tempered, the same walk finds both, and
// leaves exact draws exact.
func TestBimodal(t *testing.T) {
	k, err := New(bimodal, walks(bimodal, 1), Settings{Betas: Even(6)})
	if err != nil {
		t.Fatal(err)
	}
	r := newRand(3)
	start := func(*rand.Rand) *State[*mcmc.Point] {
		return points(bimodal, k.betas, func(float64) []float64 { return []float64{away} })
	}
	warm(k, start(r), 4000, r)
	cold := func(s *State[*mcmc.Point]) []float64 {
		x := s.Cold().X[0]
		return []float64{x, math.Abs(x), s.Cold().LogP}
	}
	// Compared is the cold replica; where the others are drawn does not matter.
	target := kerneltest.Sampled[*State[*mcmc.Point]]{
		Draw: func(r *rand.Rand) *State[*mcmc.Point] {
			return points(bimodal, k.betas, func(float64) []float64 { return []float64{drawModes(r)} })
		},
		Kernel: k, Stats: cold, Check: upToDate(bimodal, k),
	}
	if err := kerneltest.Converges(target, start, kerneltest.Settings{Steps: 500, Replicates: 1000}); err != nil {
		t.Errorf("tempered: %v", err)
	}

	walk, _ := mh.NewRandomWalk(modes, []float64{1})
	single := kerneltest.Sampled[*mcmc.Point]{
		Draw:   func(r *rand.Rand) *mcmc.Point { return mcmc.NewPoint(modes, []float64{drawModes(r)}) },
		Kernel: walk,
		Stats:  func(p *mcmc.Point) []float64 { return []float64{p.X[0]} },
	}
	from := func(*rand.Rand) *mcmc.Point { return mcmc.NewPoint(modes, []float64{away}) }
	if kerneltest.Converges(single, from, kerneltest.Settings{Steps: 3000, Replicates: 300}) == nil {
		t.Error("a random walk alone is found to visit both modes: the test shows nothing")
	}
}

// Replicas drawn exactly along a normal path stay exact at every rung.
func TestInvariantNormal(t *testing.T) {
	const mu = 3
	path := shift(mu)
	for _, reversible := range []bool{false, true} {
		k, err := New(path, walks(path, 1), Settings{Betas: Even(4), Reversible: reversible})
		if err != nil {
			t.Fatal(err)
		}
		r := newRand(4)
		draw := func(r *rand.Rand) *State[*mcmc.Point] {
			return points(path, k.betas, func(b float64) []float64 { return []float64{b*mu + r.NormFloat64()} })
		}
		warm(k, draw(r), 500, r)
		err = kerneltest.Invariant(kerneltest.Sampled[*State[*mcmc.Point]]{
			Draw: draw, Kernel: k, Check: upToDate(path, k),
			Stats: func(s *State[*mcmc.Point]) (stats []float64) {
				for i, p := range s.Replicas {
					stats = append(stats, p.X[0], p.X[0]*s.Replicas[(i+1)%4].X[0])
				}
				return stats
			},
		}, kerneltest.Settings{Steps: 4, Replicates: 10_000})
		if err != nil {
			t.Errorf("reversible %v: %v", reversible, err)
		}
	}
}

// Draws are the same for every number of threads.
func TestThreads(t *testing.T) {
	var want *State[*mcmc.Point]
	var report Report
	for _, threads := range []int{0, 2, 7} {
		k, err := New(bimodal, walks(bimodal, 1), Settings{Betas: Even(5), Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		s := points(bimodal, k.betas, func(float64) []float64 { return []float64{1} })
		r := newRand(5)
		warm(k, s, 300, r)
		for range 300 {
			k.Step(s, r)
		}
		if want == nil {
			want, report = s, k.Report()
		}
		if !reflect.DeepEqual(s, want) || !reflect.DeepEqual(k.Report(), report) {
			t.Errorf("%d threads come to another state or report", threads)
		}
	}
}

// A step allocates nothing, nor does a step of the warm-up that moves no rung.
func TestAllocations(t *testing.T) {
	for _, threads := range []int{1, 3} {
		k, _ := New(bimodal, walks(bimodal, 1), Settings{Betas: Even(5), Threads: threads})
		s := points(bimodal, k.betas, func(float64) []float64 { return []float64{1} })
		r, i := newRand(6), 150
		warm(k, s, 150, r)
		if n := testing.AllocsPerRun(200, func() { k.Step(s, r) }); n != 0 {
			t.Errorf("%d threads: %v allocations a step", threads, n)
		}
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 1 << 20})
		if n := testing.AllocsPerRun(10, func() {
			i++
			k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 1 << 20})
		}); n != 0 {
			t.Errorf("%d threads: %v allocations in warm-up", threads, n)
		}
	}
}

// A replica on zero density is swapped to where both can be, and never the other way.
func TestSwapRatio(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ xLow, yHigh, xHigh, yLow, want float64 }{
		{-1, -2, -4, -3, -4}, {-4, -3, -1, -2, 4},
		{-1, -1, -inf, -1, -inf}, {-1, -1, -1, nan, -inf}, {-1, -1, inf, -1, -inf},
		{-inf, -1, -1, -1, inf}, {-1, nan, -1, -1, inf}, {-inf, -1, -inf, -1, -inf},
	} {
		if got := swapRatio(c.xLow, c.yHigh, c.xHigh, c.yLow); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	nan := math.NaN()
	ladder := func(betas ...float64) error { return second(New(bimodal, walks(bimodal, 1), Settings{Betas: betas})) }
	for _, c := range []struct {
		err  error
		want string
	}{
		{ladder(), "a ladder of 0"},
		{ladder(1), "a ladder of 1"},
		{ladder(0, nan, 1), "temperature 2 is NaN"},
		{ladder(0, 0.5, 0.5, 1), "temperature 3 is 0.5, after 0.5"},
		{ladder(1, 0), "must rise"},
		{second(New(nil, walks(bimodal, 1), Settings{Betas: Even(3)})), "a family"},
		{second(New[*mcmc.Point](bimodal, nil, Settings{Betas: Even(3)})), "a function"},
		{second(New(bimodal, walks(bimodal, 0), Settings{Betas: Even(3)})), "inverse temperature 0"},
		{second(New(bimodal, func(float64) (mcmc.Kernel[*mcmc.Point], error) { return nil, nil }, Settings{Betas: Even(3)})), "no kernel"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// ratios is the Ising ring that forms log ratios itself.
type ratios struct{ ising }

func (ratios) LogRatio(s *spins, from, to float64) float64 { return (to - from) * s.energy() }

// A family's own ratios give the swaps that two densities give: the energies are such that
// both are the same to within rounding, and no draw is so near.
func TestRatio(t *testing.T) {
	run := func(f Family[*spins]) (bits []uint, evals int) {
		k, err := New(f, flips, Settings{Betas: []float64{0, 0.5, 1}})
		if err != nil {
			t.Fatal(err)
		}
		s, r := NewState([]*spins{{1}, {2}, {3}}), newRand(10)
		for range 2000 {
			evals += k.Step(s, r).Evals
			bits = append(bits, s.Cold().bits)
		}
		return bits, evals
	}
	a, evalsA := run(ising{})
	b, evalsB := run(ratios{})
	if !reflect.DeepEqual(a, b) {
		t.Error("the chains differ")
	}
	if evalsA-evalsB != 2*2000 {
		t.Errorf("%d and %d evaluations: two a swap should be saved", evalsA, evalsB)
	}
}

// Frozen draws: a change of these bits changes what seeds give, and other processors give the
// same.
func TestGoldenDraws(t *testing.T) {
	k, err := New(ising{}, flips, Settings{Betas: Even(4)})
	if err != nil {
		t.Fatal(err)
	}
	s, r := NewState([]*spins{{1}, {2}, {3}, {4}}), newRand(11)
	warm(k, s, 500, r)
	got := []uint64{math.Float64bits(k.betas[1]), math.Float64bits(k.betas[2])}
	for range 10 {
		for range 50 {
			k.Step(s, r)
		}
		got = append(got, uint64(s.Cold().bits))
	}
	got = append(got, math.Float64bits(k.Report().LogZ))
	if want := []uint64{0x3fd9acd9bb54afd3, 0x3fe7153e4e827778, 0xfb, 0xc3, 0xdf, 0x7e, 0x49, 0xdf, 0xe, 0x0, 0x1c, 0xff, 0x4019b1e21c8ad6fb}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %#x, want %#x", got, want)
	}
}
