package gibbs

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// field is a job over spins on a grid of several blocks, drawn in parallel and then in the
// order of the scan; around may change what a draw does.
func field(set mcmc.Settings, threads int, scan Settings, around func(Conditional[[]int8]) Conditional[[]int8]) *Vectors[int8] {
	const side = 50
	b := must(Undirected(side*side, grid(side, side)))
	c := Conditional[[]int8](ising{b, 0.3})
	if around != nil {
		c = around(c)
	}
	scan.Nodes = side * side
	return must(NewVectors(Vectors[int8]{
		Nodes: side * side,
		Init: func(_ int, r *rand.Rand, s []int8) {
			for i := range s {
				s[i] = int8(2*r.IntN(2) - 1)
			}
		},
		Move: func(int) (mcmc.Kernel[[]int8], error) {
			k, err := NewParallel(c, ParallelSettings{Blankets: b, Threads: threads})
			if err != nil {
				return nil, err
			}
			l, err := NewSampler(c, scan)
			return mcmc.Cycle[[]int8](k, l), err
		},
	}, set))
}

// A run that is interrupted and resumed, with other numbers of threads for chains and for
// nodes, has the draws of one that is not.
func TestRun(t *testing.T) {
	for _, scan := range []Settings{{Scan: Permutation}, {Scan: Random}} {
		set := mcmc.Settings{Seed: 3, Chains: 2, Warmup: 10, Draws: 60, Threads: 1}
		job := field(set, 1, scan, nil)
		want := must(mcmc.NewMemory(job.Variables(), set))
		must(mcmc.Run(context.Background(), job, set, want, nil))

		set.Dir = t.TempDir()
		got := must(mcmc.NewMemory(job.Variables(), set))
		ctx, cancel := context.WithCancel(context.Background())
		left := 45 // draws of node 0, on one thread
		stopping := field(set, 1, scan, func(c Conditional[[]int8]) Conditional[[]int8] {
			return Func[[]int8](func(s []int8, i int, r *rand.Rand) {
				if i == 0 {
					if left--; left == 0 {
						cancel()
					}
				}
				c.Draw(s, i, r)
			})
		})
		if _, err := mcmc.Run(ctx, stopping, set, got, nil); !errors.Is(err, mcmc.ErrInterrupted) {
			t.Fatal(err)
		}
		set.Resume, set.Threads = true, 2
		must(mcmc.Run(context.Background(), field(set, 3, scan, nil), set, got, nil))
		for c := range set.Chains {
			for e := range want.Draws().Names() {
				if !reflect.DeepEqual(got.Draws().Chain(c, e), want.Draws().Chain(c, e)) {
					t.Fatalf("%v: draws of node %d in chain %d differ", scan.Scan, e, c)
				}
			}
		}
	}
}

// A panic in a conditional, in whatever goroutine, is an error of the run.
func TestRunPanic(t *testing.T) {
	set := mcmc.Settings{Chains: 1, Draws: 2, Warmup: -1}
	job := field(set, 2, Settings{}, func(c Conditional[[]int8]) Conditional[[]int8] {
		return Func[[]int8](func([]int8, int, *rand.Rand) { panic("no such law") })
	})
	rec := must(mcmc.NewMemory(job.Variables(), set))
	if _, err := mcmc.Run(context.Background(), job, set, rec, nil); err == nil || !strings.Contains(err.Error(), "no such law") {
		t.Error(err)
	}
}

type level int16

func TestVectorsMarshal(t *testing.T) {
	j := &Vectors[level]{Nodes: 3}
	s := []level{1, -2, 300}
	b := must(j.MarshalState(s))
	if got := must(j.UnmarshalState(0, b)); !reflect.DeepEqual(got, s) {
		t.Errorf("%v became %v", s, got)
	}
	for n := range b {
		if _, err := j.UnmarshalState(0, b[:n]); err == nil {
			t.Errorf("%d of %d bytes are accepted", n, len(b))
		}
	}
	dst := make([]float64, 3)
	if j.Record(s, nil, dst); !reflect.DeepEqual(dst, []float64{1, -2, 300}) {
		t.Error(dst)
	}
}

func TestVectorsRefuses(t *testing.T) {
	start := func(int, *rand.Rand, []float64) {}
	move := func(int) (mcmc.Kernel[[]float64], error) {
		return NewSampler(Func[[]float64](normals), Settings{Nodes: 2})
	}
	for _, bad := range []struct {
		job  Vectors[float64]
		want string
	}{
		{Vectors[float64]{}, "Init and Move"},
		{Vectors[float64]{Init: start, Move: move}, "0 nodes"},
		{Vectors[float64]{Init: start, Move: move, Nodes: 2, Named: []draws.Variable{{Name: "a"}}}, "1 elements, the vectors 2"},
		{Vectors[float64]{Init: start, Nodes: 2, Move: func(int) (mcmc.Kernel[[]float64], error) { return nil, nil }}, "no kernel"},
		{Vectors[float64]{Init: start, Nodes: 2, Move: func(int) (mcmc.Kernel[[]float64], error) { return nil, errors.New("out of stock") }}, "chain 1: out of stock"},
	} {
		if _, err := NewVectors(bad.job, mcmc.Settings{}); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("got %v, want an error with %q", err, bad.want)
		}
	}
	if v := must(NewVectors(Vectors[float64]{Init: start, Move: move, Nodes: 2}, mcmc.Settings{})).Variables(); len(v) != 1 || v[0].Size() != 2 {
		t.Error(v)
	}
}
