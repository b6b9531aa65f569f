package tempering

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

func warm[S any](k *Kernel[S], s *State[S], n int, r *rand.Rand) {
	for i := range n {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: n})
	}
	k.Freeze()
}

// A random walk stays in the mode where it starts; with parallel tempering, the same walk visits both,
// and leaves the target invariant.
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
	// The cold replica is compared; the distribution of the others does not matter.
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

// The distribution of the replica at every rung of a normal path is invariant.
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

// A step allocates nothing, nor does a step of the warm-up that does not adapt the ladder.
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

// A replica of density zero is swapped to where both densities are positive, and never the other way.
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
