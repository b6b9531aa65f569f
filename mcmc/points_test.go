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
