package mrf

import (
	"context"
	"math"
	"testing"
)

// A hidden variable and its 30 noisy copies: states near all 0 and near all 1, between which single changes do not pass in the time. From
// starts that are drawn alike, one run in eight would have all chains in one of them and call the marginals converged.
func TestChainsStartInBothModes(t *testing.T) {
	m := &Model{Cards: make([]int, 31), Factors: []Factor{{[]int{0}, []float64{0.9, 0.1}}}}
	for i := range m.Cards {
		if m.Cards[i] = 2; i > 0 {
			m.Factors = append(m.Factors, Factor{[]int{0, i}, []float64{20, 1, 1, 20}})
		}
	}
	for seed := range uint64(24) {
		set := few(SingleSite)
		set.Seed, set.Steps = seed, 1024
		s, err := SampleMarginals(context.Background(), m, set)
		if err != nil {
			t.Fatal(err)
		}
		if s.Converged > 0 {
			t.Errorf("seed %d: %d marginals are said to have converged: %+v", seed, s.Converged, s.Marginals[0])
		}
	}
}

// Zeros make two variables the same: no single change moves them. Where all chains happen to start with one value, they agree.
func TestStuckVariablesHaveNotConverged(t *testing.T) {
	m := &Model{Cards: []int{2, 2, 2}, Factors: []Factor{{[]int{0, 1}, []float64{1, 0, 0, 1}}, {[]int{2}, []float64{1, 2}}}}
	for seed := range uint64(8) {
		set := few(SingleSite)
		set.Seed, set.Chains, set.Steps = seed, 1, 1024
		s, err := SampleMarginals(context.Background(), m, set)
		if err != nil {
			t.Fatal(err)
		}
		if s.Marginals[0].Converged || s.Marginals[1].Converged || len(s.Warnings) == 0 {
			t.Errorf("seed %d: %+v, %q", seed, s.Marginals, s.Warnings)
		}
	}
}

// What was never seen may have a probability of the order of one over the number of steps.
func TestUnseenHasStandardError(t *testing.T) {
	e := estimate([][]float64{make([]float64, 16), make([]float64, 16)}, 4)
	if want := 1.0 / (2 * 16 * 4); !(math.Abs(e.MCSE-want) < 1e-15) || e.Rhat != 1 {
		t.Errorf("%+v, not a standard error of %v", e, want)
	}
}

// Variables that no zeros join to others need no search, which is quadratic in their number.
func TestFeasibleWithoutZeros(t *testing.T) {
	m := &Model{Cards: make([]int, 600_000)}
	for i := range m.Cards {
		m.Cards[i] = 2
	}
	m.Factors = []Factor{{[]int{0, 1}, []float64{0, 1, 1, 0}}, {[]int{2}, []float64{0, 1}}}
	x, err := mustField(t, m, FieldSettings{}).Feasible(context.Background(), stream(0).Rand)
	if err != nil {
		t.Fatal(err)
	}
	ones := 0
	for _, v := range x {
		ones += v
	}
	// 600 000 fair coins: five standard deviations of 387.
	if x[0] == x[1] || x[2] != 1 || ones < 298_000 || ones > 302_000 {
		t.Errorf("a start of %v… with %d ones", x[:3], ones)
	}
}

// Two variables of three values, of which zeros part the states with 2 from the others: both move, and never to 2 where none starts there.
func TestMissedValuesAreTold(t *testing.T) {
	m := &Model{Cards: []int{3, 3}, Factors: []Factor{{[]int{0, 1}, []float64{40, 30, 0, 20, 10, 0, 0, 0, 1}}}}
	for seed := range uint64(20) {
		set := few(SingleSite)
		set.Seed, set.Chains, set.Steps = seed, 1, 4096
		s, err := SampleMarginals(context.Background(), m, set)
		if err != nil {
			t.Fatal(err)
		}
		if s.Converged > 0 || len(s.Warnings) < 2 {
			t.Errorf("seed %d: %+v, %q", seed, s.Marginals, s.Warnings)
		}
	}
}
