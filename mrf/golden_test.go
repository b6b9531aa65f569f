package mrf

import (
	"context"
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/path"
)

// goldenModel has small integers in its tables, the same on every machine.
func goldenModel(i int) *Model {
	r := stream(i).Rand
	m := randomModel(r, 40, 90, 0.2)
	for _, f := range m.Factors {
		for k, x := range f.Table {
			if x > 0 {
				f.Table[k] = float64(1 + r.IntN(20))
			}
		}
	}
	return m
}

// The draws of each kernel for a seed do not change, nor depend on the machine. The values are what the kernels drew when the
// conformance suite had passed them.
func TestGoldenDraws(t *testing.T) {
	m := goldenModel(11)
	want := map[string]string{
		"tables":      "98ca5edf52a78568",
		"products":    "98ca5edf52a78568",
		"random scan": "d61160bb0ab9376e",
		"coloured":    "4628e113c46d3d1a",
		"trees":       "999d8942e4a85cd6",
		"blocks":      "dece8373a854309a",
		"path 0":      "a1f011b9df059de7",
		"path 0.5":    "fa942b68bce77a84",
		"path 1":      "44f1950d16dfa2cb",
	}
	for name, was := range want {
		f, k := goldenKernel(t, name, m)
		x, err := f.Feasible(context.Background(), stream(1).Rand)
		if err != nil {
			t.Fatal(err)
		}
		s, r, hash := mustState(t, f, x), stream(2), fnv.New64a()
		for range 100 {
			k.Step(s, r.Rand)
			fmt.Fprint(hash, s.X)
		}
		if got := fmt.Sprintf("%016x", hash.Sum64()); got != was {
			t.Errorf("%q: %q,", name, got)
		}
	}
}

func goldenKernel(t *testing.T, name string, m *Model) (*Field, mcmc.Kernel[*State]) {
	t.Helper()
	table := 32
	if name == "products" {
		table = -1
	}
	f := mustField(t, m, FieldSettings{Table: table})
	var k mcmc.Kernel[*State]
	var err error
	switch name {
	case "random scan":
		k, err = NewGibbs(f, gibbs.Random)
	case "coloured":
		k, err = NewColoured(f, 2)
	case "trees":
		k, err = NewBlocks(f, BlockSettings{Trees: true})
	case "blocks":
		k, err = NewBlocks(f, BlockSettings{Entries: 100})
	case "path 0", "path 0.5", "path 1":
		var p *Path
		if p, err = NewPath(f, PathSettings{Entries: 100}); err == nil {
			k, err = p.Kernel(map[string]float64{"path 0.5": 0.5, "path 1": 1}[name])
		}
	default:
		k, err = NewGibbs(f, gibbs.Systematic)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f, k
}

// Nor do the results of runs.
func TestGoldenRuns(t *testing.T) {
	m := goldenModel(12)
	set := SampleSettings{Seed: 5, Steps: 512, Path: PathSettings{Entries: 60}}
	s, err := SampleMarginals(context.Background(), m, set)
	if err != nil {
		t.Fatal(err)
	}
	mode, err := Search(context.Background(), m, SearchSettings{Seed: 5, Rounds: 20})
	if err != nil {
		t.Fatal(err)
	}
	z, err := LogZ(context.Background(), m, set.Path, path.AutoSettings{Settings: path.Settings{Seed: 5, Threads: 1}, Moves: 5000})
	if err != nil {
		t.Fatal(err)
	}
	hash := fnv.New64a()
	for _, x := range s.Marginals {
		fmt.Fprint(hash, x.Values)
	}
	got := fmt.Sprintf("%016x %v %v %v", hash.Sum64(), s.LogZ, mode.State, z.LogZ)
	if want := "41255eea2ca290f2 229.98037667707015 [0 0 1 0 2 2 1 0 1 0 0 0 1 1 0 1 0 0 1 1 0 1 0 2 0 1 1 0 0 1 0 0 1 1 0 1 3 0 1 3] 230.04857790748983"; got != want {
		t.Errorf("%q", got)
	}
}
