package mrf

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func exp(x float64) float64 { return math.Exp(x) }
func log(x float64) float64 { return math.Log(x) }
func negInf() float64       { return math.Inf(-1) }

// finite is a model as a target of the conformance suite.
func finite(t *testing.T, f *Field, e *enumeration, k mcmc.Kernel[*State]) kerneltest.Finite[*State] {
	return kerneltest.Finite[*State]{
		LogWeight: e.logs,
		State:     func(i int) *State { return mustState(t, f, e.values(i)) },
		Index:     func(s *State) int { return e.index(s.X) },
		Kernel:    k,
		Check: func(s *State) error {
			f.settle(s)
			if want := mustState(t, f, s.Values()); !slices.Equal(s.slots, want.slots) {
				return fmt.Errorf("slots %v, and of the values %v", s.slots, want.slots)
			}
			return nil
		},
	}
}

// models for every kernel: awkward ones and random ones. 40 of them: with an alpha of 2e-8 each, a test of all fails a right kernel
// less often than once in a million.
func models() map[string]*Model {
	all := map[string]*Model{
		"no factors":    {Cards: []int{2, 3}},
		"one value":     {Cards: []int{1, 2, 1}, Factors: []Factor{{[]int{0, 1}, []float64{1, 3}}, {[]int{2}, []float64{7}}}},
		"single":        {Cards: []int{2, 3}, Factors: []Factor{{[]int{0}, []float64{1, 3}}, {[]int{1}, []float64{0, 1, 2}}}},
		"xor":           {Cards: []int{2, 2, 2}, Factors: []Factor{{[]int{0, 1, 2}, []float64{1, 0, 0, 2, 0, 3, 4, 0}}}},
		"constant":      {Cards: []int{2}, Factors: []Factor{{nil, []float64{1e-300}}, {[]int{0}, []float64{1e-320, 2e-320}}}},
		"doubled":       {Cards: []int{2, 3}, Factors: []Factor{{[]int{0, 1}, []float64{1, 2, 3, 4, 5, 0}}, {[]int{1, 0}, []float64{1, 2, 3, 0, 5, 6}}}},
		"steep":         {Cards: []int{2, 2}, Factors: []Factor{{[]int{0, 1}, []float64{1e-300, 1, 1, 1e-300}}, {[]int{0, 1}, []float64{1, 1e-300, 1e-300, 1}}}},
		"forced":        {Cards: []int{2, 2, 3}, Factors: []Factor{{[]int{0}, []float64{0, 1}}, {[]int{0, 1, 2}, []float64{1, 1, 1, 1, 1, 1, 2, 3, 0, 4, 5, 0}}}},
		"order of four": {Cards: []int{2, 2, 2, 2}, Factors: []Factor{{[]int{3, 1, 0, 2}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}}}},
	}
	for i := range 31 {
		all[fmt.Sprintf("random %02d", i)] = small(stream(i).Rand, float64(i%3)/4)
	}
	return all
}

func TestGibbsExact(t *testing.T) {
	for name, m := range models() {
		e := enumerate(m)
		for table, kind := range map[int]string{0: "tables", -1: "products", 4: "both"} {
			f := mustField(t, m, FieldSettings{Table: table})
			k, err := NewGibbs(f, gibbs.Systematic)
			if err != nil {
				t.Fatal(err)
			}
			if err := kerneltest.Exact(finite(t, f, e, k), kerneltest.Settings{Seed: 1, Replicates: 4000, Alpha: 2e-8 / 3}); err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
}

// Conditionals from tables and from products give the same draws.
func TestTablesAndProductsAgree(t *testing.T) {
	for name, m := range models() {
		var last []int
		for _, table := range []int{0, 4, -1} {
			f := mustField(t, m, FieldSettings{Table: table})
			k, err := NewGibbs(f, gibbs.Systematic)
			if err != nil {
				t.Fatal(err)
			}
			s, r := mustState(t, f, nil), rng.New(2, "test")
			var all []int
			for range 200 {
				k.Step(s, r.Rand)
				all = append(all, s.Values()...)
			}
			if last != nil && !slices.Equal(all, last) {
				t.Errorf("%s: other draws with tables of %d configurations", name, table)
			}
			last = all
		}
	}
}

func TestFieldLogDensity(t *testing.T) {
	for name, m := range models() {
		f, e := mustField(t, m, FieldSettings{}), enumerate(m)
		for i, want := range e.logs {
			x := make([]int32, len(m.Cards))
			for j, v := range e.values(i) {
				x[j] = int32(v)
			}
			for j, v := range f.fixed {
				if v >= 0 && x[j] != v && !math.IsInf(want, -1) {
					t.Errorf("%s: state %v has positive density, and variable %d is fixed", name, x, j)
				}
				if v >= 0 && x[j] != v {
					want = math.NaN()
				}
			}
			if got := f.LogDensity(x); !math.IsNaN(want) && got != want && !(math.Abs(got-want) < 1e-9) {
				t.Errorf("%s: state %v has log density %v, not %v", name, x, got, want)
			}
		}
	}
}
