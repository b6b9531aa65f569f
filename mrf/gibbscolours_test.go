package mrf

import (
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
)

func TestColouredExact(t *testing.T) {
	for name, m := range models() {
		e := enumerate(m)
		for table, kind := range map[int]string{0: "tables", -1: "products"} {
			f := mustField(t, m, FieldSettings{Table: table})
			k, err := NewColoured(f, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := kerneltest.Exact(finite(t, f, e, k), kerneltest.Settings{Seed: 1, Replicates: 3000, Alpha: 1e-8}); err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
}

// A variable of more factors than are kept at a time.
func TestColouredHub(t *testing.T) {
	m := &Model{}
	for i := range mostBases + 2 {
		m.Cards = append(m.Cards, 2)
		if i > 0 {
			m.Factors = append(m.Factors, Factor{[]int{0, i}, []float64{1, 1 + 1/float64(i), 2, 1}})
		}
	}
	f := mustField(t, m, FieldSettings{})
	w := f.target()
	k := &blind{f: f, w: w, table: f.tables(&w)}
	one, err := NewGibbs(f, gibbs.Systematic)
	if err != nil {
		t.Fatal(err)
	}
	a, b := mustState(t, f, nil), mustState(t, f, nil)
	r, q := stream(1), stream(1)
	for range 2000 {
		b.stale = true
		for i := range m.Cards {
			one.Draw(a, i, r.Rand)
			k.Draw(b, i, q.Rand)
		}
		if !slices.Equal(a.X, b.X) {
			t.Fatal("other draws")
		}
	}
}

func TestColouredThreads(t *testing.T) {
	m := randomModel(stream(5).Rand, 3000, 4000, 0.3)
	f := mustField(t, m, FieldSettings{Table: 16})
	x, err := f.Feasible(t.Context(), stream(0).Rand)
	if err != nil {
		t.Fatal(err)
	}
	var want []int
	for _, threads := range []int{1, 3} {
		k, err := NewColoured(f, threads)
		if err != nil {
			t.Fatal(err)
		}
		s, r := mustState(t, f, x), stream(1)
		for range 20 {
			k.Step(s, r.Rand)
		}
		if !f.Possible(s) {
			t.Error("a state of probability 0")
		}
		if got := s.Values(); want != nil && !slices.Equal(got, want) {
			t.Errorf("other draws with %d threads", threads)
		} else {
			want = got
		}
	}
}

// Scans of package gibbs.
func TestScansExact(t *testing.T) {
	for name, m := range models() {
		e := enumerate(m)
		for _, scan := range []gibbs.Scan{gibbs.Random, gibbs.Permutation} {
			f := mustField(t, m, FieldSettings{Table: 4})
			k, err := NewGibbs(f, scan)
			if err != nil {
				t.Fatal(err)
			}
			if err := kerneltest.Exact(finite(t, f, e, k), kerneltest.Settings{Seed: 1, Replicates: 3000, Alpha: 1e-8}); err != nil {
				t.Errorf("%s, %v: %v", name, scan, err)
			}
		}
	}
}
