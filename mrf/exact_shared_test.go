package mrf

import (
	"context"
	"math"
	"testing"
)

// affordable is what this test spends on a model: all 17 of them take half a minute, and bench/mrf does them.
const affordable = 5e7

// The answers come from the UAI 2014 competition: marginals and log10 Z with 6 digits, and a state that a solver found.
func TestJunctionTreeOfSharedModels(t *testing.T) {
	done := 0
	for _, name := range uaiNames {
		in := sharedInstance(t, name)
		tree, err := NewJunctionTree(in.given.Model, affordable)
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		done++
		logZ, free, err := tree.Marginals(context.Background(), nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if log10 := logZ / math.Ln10; math.Abs(log10-in.pr) > 0.6*digit(in.pr) {
			t.Errorf("%s: log10 Z is %v, not %v", name, log10, in.pr)
		}
		for i, p := range in.given.Marginals(free) {
			for v, x := range p {
				if math.Abs(x-in.mar[i][v]) > 1e-6 {
					t.Errorf("%s: variable %d is %v, not %v", name, i, p, in.mar[i])
				}
			}
		}
		state, value, err := tree.MAP(context.Background(), nil)
		if err != nil {
			t.Fatal(name, err)
		}
		whole, reference := in.model.LogDensity(in.given.State(state)), in.model.LogDensity(in.state)
		if math.Abs(whole-value) > 1e-9 || whole < reference-1e-9 {
			t.Errorf("%s: the state found has log density %v (%v of the free variables), and that of .MAP %v", name, whole, value, reference)
		}
	}
	if done < 11 {
		t.Errorf("%d models were cheap enough", done)
	}
}

// digit is the unit of the sixth digit.
func digit(x float64) float64 { return math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-5) }
