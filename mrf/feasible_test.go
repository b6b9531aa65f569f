package mrf

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

// 3000 models with many zeros, some without a state of positive probability: a start is found, or there is none.
func TestFeasible(t *testing.T) {
	found, none := 0, 0
	for n := range 3000 {
		r := stream(n).Rand
		m := small(r, 1)
		if n%3 == 0 && len(m.Factors) > 0 { // the state that small keeps goes
			f := &m.Factors[r.IntN(len(m.Factors))]
			for at := range f.Table {
				if r.IntN(3) > 0 {
					f.Table[at] = 0
				}
			}
			f.Table[r.IntN(len(f.Table))] = 1
		}
		possible := slices.Max(enumerate(m).logs) > math.Inf(-1)
		f, err := NewField(m, FieldSettings{})
		var x []int
		if err == nil {
			x, err = f.Feasible(context.Background(), r)
		}
		var impossible *ImpossibleError
		switch {
		case err == nil && math.IsInf(m.LogDensity(x), -1):
			t.Errorf("model %d: a start of probability 0", n)
		case err == nil:
			found++
		case errors.As(err, &impossible) && !possible:
			none++
		default:
			t.Errorf("model %d: %v", n, err)
		}
	}
	if found < 1000 || none < 100 {
		t.Errorf("%d starts found, %d models without one", found, none)
	}
}

func TestFeasibleOnSharedModels(t *testing.T) {
	for _, name := range uaiNames {
		in := sharedInstance(t, name)
		f := mustField(t, in.given.Model, FieldSettings{})
		x, err := f.Feasible(context.Background(), stream(0).Rand)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.IsInf(in.given.LogDensity(x), -1) {
			t.Errorf("%s: a start of probability 0", name)
		}
	}
}
