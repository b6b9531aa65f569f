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
	if err := trace.Truncate(1, 0, 50, nil); err != nil {
		t.Error(err)
	}
	if trace.Truncate(1, 0, 51, nil) == nil || trace.Truncate(3, 0, 0, nil) == nil {
		t.Error("draws that are not there are promised")
	}
	_, err = mcmc.NewTrace([]draws.Variable{{Name: "x", Dims: []int{1 << 20}}}, mcmc.Settings{Draws: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "32768 GiB") {
		t.Errorf("too much room: %v", err)
	}
}

// A trace made for a shorter run takes the rest one by one, and one of a run that breaks off
// has the draws up to there.
func TestTraceRoom(t *testing.T) {
	set := mcmc.Settings{Seed: 3, Chains: 1, Warmup: 10, Draws: 100, Thin: 3}
	job := hooked{bananaJob: bananaJob{extras: 2}}
	memory, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), job, set, memory, nil); err != nil {
		t.Fatal(err)
	}
	job.kernel = func(_ int, k mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] {
		return hookSteps(k, func(n int) {
			if n == 3*80+2 {
				panic("enough")
			}
		})
	}
	short := set
	short.Draws = 70
	for _, room := range []mcmc.Settings{short, set} {
		trace, err := mcmc.NewTrace(job.Variables(), room)
		if err != nil {
			t.Fatal(err)
		}
		res, err := mcmc.Run(context.Background(), job, set, trace, nil)
		if err == nil || !strings.Contains(err.Error(), "panic at iteration 252: enough") || res.Chains[0].Draws != 80 {
			t.Fatalf("%d draws and %v", res.Chains[0].Draws, err)
		}
		got, err := trace.Draws()
		if err != nil {
			t.Fatal(err)
		}
		for e := range 5 {
			if want := memory.Draws().Element(e)[0][:80]; !reflect.DeepEqual(got.Element(e)[0], want) {
				t.Errorf("room for %d: other draws of element %d", room.Draws, e)
			}
		}
	}
}
