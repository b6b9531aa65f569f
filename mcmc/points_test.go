package mcmc_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
	"github.com/ergodic-mcmc/ergodic/slice"
)

// half is the exponential density exp(−x) on x > 0.
type half struct{}

func (half) LogDensity(x []float64) float64 {
	if x[0] <= 0 {
		return math.Inf(-1)
	}
	return -x[0]
}

func ExamplePoints() {
	set := mcmc.Settings{Seed: 1, Draws: 20_000}
	job, err := mcmc.NewPoints(mcmc.Points{
		Target: half{},
		Dim:    1,
		Named:  []draws.Variable{{Name: "wait"}},
		Init:   func(_ int, r *rand.Rand, x []float64) { x[0] = r.Float64() },
		Move: func(int) (mcmc.Kernel[*mcmc.Point], error) {
			return mh.NewRandomWalk(half{}, []float64{1})
		},
	}, set)
	if err != nil {
		fmt.Println(err)
		return
	}
	rec, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := mcmc.Run(context.Background(), job, set, rec, nil); err != nil {
		fmt.Println(err)
		return
	}
	sum, n := 0.0, 0
	for _, chain := range rec.Draws().Element(0) {
		for _, x := range chain {
			sum, n = sum+x, n+1
		}
	}
	fmt.Printf("mean %.1f\n", sum/float64(n))
	// Output: mean 1.0
}

func TestPointsRefuses(t *testing.T) {
	walk := func(int) (mcmc.Kernel[*mcmc.Point], error) { return mh.NewRandomWalk(half{}, []float64{1}) }
	zero := func(_ int, _ *rand.Rand, x []float64) { clear(x) }
	for _, c := range []struct {
		job  mcmc.Points
		want string
	}{
		{mcmc.Points{}, "needs Target"},
		{mcmc.Points{Target: half{}, Init: zero, Move: walk}, "length 0"},
		{mcmc.Points{Target: half{}, Init: zero, Move: walk, Dim: 1, Named: []draws.Variable{{Name: "a", Dims: []int{2}}}}, "2 elements"},
		{mcmc.Points{Target: half{}, Init: zero, Dim: 1, Move: func(int) (mcmc.Kernel[*mcmc.Point], error) { return nil, nil }}, "no kernel"},
		{mcmc.Points{Target: half{}, Init: zero, Dim: 1, Move: func(int) (mcmc.Kernel[*mcmc.Point], error) {
			return mh.NewRandomWalk(half{}, []float64{-1})
		}}, "chain 1"},
	} {
		if _, err := mcmc.NewPoints(c.job, mcmc.Settings{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
	job, err := mcmc.NewPoints(mcmc.Points{Target: half{}, Init: zero, Move: walk, Dim: 1}, mcmc.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Start(context.Background(), 0, nil); err == nil || !strings.Contains(err.Error(), "-Inf") {
		t.Errorf("a start of zero density: %v", err)
	}
}

// Kernels for vectors of another length are refused when the job is made, wherever they are.
func TestPointsLength(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	walk := func() mcmc.Kernel[*mcmc.Point] {
		k, err := mh.NewRandomWalk(half{}, []float64{1, 1})
		must(err)
		return k
	}
	move := func() *mh.Walk {
		k, err := mh.NewWalk(2, []float64{1, 0, 0, 1}, mh.WalkSettings{})
		must(err)
		return k
	}
	moved := func() mcmc.Kernel[*mcmc.Point] {
		k, err := mh.New[[]float64](half{}, move(), mh.MetropolisHastings)
		must(err)
		return k
	}
	prior := func() mcmc.Kernel[*mcmc.Point] {
		k, err := mh.NewPrior(half{}, func([]float64, *rand.Rand) {}, 2)
		must(err)
		return k
	}
	for i, make := range []func() mcmc.Kernel[*mcmc.Point]{
		walk, moved, prior,
		func() mcmc.Kernel[*mcmc.Point] {
			k, err := slice.NewCoordinates(half{}, 2, slice.Univariate{})
			must(err)
			return k
		},
		func() mcmc.Kernel[*mcmc.Point] {
			k, err := slice.NewHyperrectangle(half{}, []float64{1, 1}, nil, nil)
			must(err)
			return k
		},
		func() mcmc.Kernel[*mcmc.Point] {
			k, err := slice.NewElliptical(half{}, []float64{0, 0}, []float64{1, 0, 0, 1})
			must(err)
			return k
		},
		func() mcmc.Kernel[*mcmc.Point] {
			k, err := mcmc.Mixture([]float64{1}, walk())
			must(err)
			return k
		},
		func() mcmc.Kernel[*mcmc.Point] {
			pick, err := mh.NewMixture([]float64{1}, mh.Move[[]float64](move()))
			must(err)
			k, err := mh.NewMultipleTry[[]float64](half{}, pick, 2)
			must(err)
			return k
		},
		func() mcmc.Kernel[*mcmc.Point] { return mcmc.Cycle(prior()) },
		func() mcmc.Kernel[*mcmc.Point] { return mcmc.Repeat(3, moved()) },
	} {
		for dim := 1; dim <= 3; dim++ {
			_, err := mcmc.NewPoints(mcmc.Points{
				Target: half{}, Dim: dim, Init: func(int, *rand.Rand, []float64) {},
				Move: func(int) (mcmc.Kernel[*mcmc.Point], error) { return make(), nil },
			}, mcmc.Settings{})
			want := fmt.Sprintf("for vectors of length 2, and Dim is %d", dim)
			if right := dim == 2; (err == nil) != right || !right && !strings.Contains(err.Error(), want) {
				t.Errorf("kernel %d, Dim %d: %v", i, dim, err)
			}
		}
	}
}
