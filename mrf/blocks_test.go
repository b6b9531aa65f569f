package mrf

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
)

func TestBlocksExact(t *testing.T) {
	for name, m := range models() {
		f, e := mustField(t, m, FieldSettings{}), enumerate(m)
		for kind, set := range map[string]BlockSettings{"trees": {Trees: true, Covers: 2}, "small": {Entries: 6}, "large": {}} {
			k, err := NewBlocks(f, set)
			if err != nil {
				t.Fatal(err)
			}
			if err := kerneltest.Exact(finite(t, f, e, k), kerneltest.Settings{Seed: 1, Replicates: 4000, Alpha: 2e-8 / 3}); err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
}

// Where one block has all variables, a step is an independent draw.
func TestWholeBlockIsIndependent(t *testing.T) {
	for name, m := range models() {
		f, e := mustField(t, m, FieldSettings{}), enumerate(m)
		k, err := NewBlocks(f, BlockSettings{Entries: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(k.blocks); n > 1 {
			t.Fatalf("%s: %d blocks", name, n)
		}
		from := slices.IndexFunc(e.logs, func(l float64) bool { return !math.IsInf(l, -1) })
		if err := kerneltest.Reaches(finite(t, f, e, k), from, kerneltest.Settings{Seed: 1, Replicates: 4000, Alpha: 2e-8}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := mustState(t, f, nil)
		if len(k.blocks) == 1 {
			logZ, ok := k.blocks[0].forward(s, &k.w, false)
			if got := logZ + f.scale; !ok || !(math.Abs(got-e.logZ()) < 1e-9) {
				t.Errorf("%s: log Z is %v, not %v", name, got, e.logZ())
			}
			k.blocks[0].maximise(s, &k.w)
			if got, want := m.LogDensity(s.Values()), slices.Max(e.logs); !(math.Abs(got-want) < 1e-9) {
				t.Errorf("%s: the mode has log density %v, not %v", name, got, want)
			}
		}
	}
}

// Blocks that are trees have no circle in their graph given the others.
func TestTreesAreForests(t *testing.T) {
	for name, m := range models() {
		f := mustField(t, m, FieldSettings{})
		plans, err := f.cover(BlockSettings{Trees: true, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		covered := make([]bool, len(f.cards))
		for _, p := range plans {
			in := map[int32]bool{}
			for _, s := range p.steps {
				in[s.variable], covered[s.variable] = true, true
			}
			edges := map[string]bool{}
			for i := range in {
				for _, j := range f.near.of(i) {
					if in[j] && i < j {
						edges[fmt.Sprint(i, j)] = true
					}
				}
			}
			components := len(in) - len(edges) // of a forest
			if got := count(f, in); got != components {
				t.Errorf("%s: %d variables, %d edges, %d components", name, len(in), len(edges), got)
			}
		}
		for _, i := range f.free {
			if !covered[i] {
				t.Errorf("%s: variable %d is in no block", name, i)
			}
		}
	}
}

// count is the number of components of a block.
func count(f *Field, in map[int32]bool) int {
	seen, n := map[int32]bool{}, 0
	var visit func(i int32)
	visit = func(i int32) {
		seen[i] = true
		for _, j := range f.near.of(i) {
			if in[j] && !seen[j] {
				visit(j)
			}
		}
	}
	for i := range in {
		if !seen[i] {
			n++
			visit(i)
		}
	}
	return n
}
