package mcmc_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

// A trace holds the draws that a memory holds.
func TestTrace(t *testing.T) {
	set := mcmc.Settings{Seed: 3, Chains: 3, Warmup: 100, Draws: 200, Thin: 2}
	job, err := mcmc.NewPoints(mcmc.Points{Target: half{}, Dim: 1,
		Init: func(_ int, r *rand.Rand, x []float64) { x[0] = r.Float64() },
		Move: func(int) (mcmc.Kernel[*mcmc.Point], error) { return mh.NewRandomWalk(half{}, []float64{1}) },
	}, set)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := mcmc.NewTrace(job.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range []mcmc.Recorder{memory, trace} {
		if _, err := mcmc.Run(context.Background(), job, set, rec, nil); err != nil {
			t.Fatal(err)
		}
	}
	got, err := trace.Draws()
	if err != nil || !reflect.DeepEqual(got.Element(0), memory.Draws().Element(0)) {
		t.Errorf("other draws: %v", err)
	}
	if err := trace.Truncate(1, 0, 50); err != nil {
		t.Error(err)
	}
	if trace.Truncate(1, 0, 51) == nil || trace.Truncate(3, 0, 0) == nil {
		t.Error("draws that are not there are promised")
	}
	_, err = mcmc.NewTrace([]draws.Variable{{Name: "x", Dims: []int{1 << 20}}}, mcmc.Settings{Draws: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "32768 GiB") {
		t.Errorf("too much room: %v", err)
	}
}
