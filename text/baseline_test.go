package text

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
)

// The sum of the target by importance sampling, and the frequencies that rejection keeps, are those of the enumeration, within 5.5 standard errors.
func TestBaselines(t *testing.T) {
	m := newTable(3, 30, false)
	for name, conditions := range map[string][]Condition{
		"free": nil, "hard": {Hard(NewKeywords(m, []int32{0, 1}, false))}, "soft": {{NewKeywords(m, []int32{2, 2}, true), 0.7}},
	} {
		target, err := NewTarget(m, 1, 4, conditions...)
		if err != nil {
			t.Fatal(err)
		}
		f := finite(target, 3, 1, nil)
		sum := 0.0
		for _, w := range f.LogWeight {
			sum += math.Exp(w)
		}
		lists := mustLists(t, m, 2)
		const draws = 20_000
		s, err := Importance(context.Background(), target, lists, 1, draws, 2)
		if err != nil {
			t.Fatal(name, err)
		}
		if e := s.LogMass(); math.Abs(e.Value-math.Log(sum)) > 5.5*e.SE {
			t.Errorf("%s: the sum is e^%v ± %v, exactly e^%v", name, e.Value, e.SE, math.Log(sum))
		}
		kept, err := Rejection(context.Background(), target, lists, 1, draws, 2)
		if err != nil {
			t.Fatal(name, err)
		}
		if want := sum * draws; math.Abs(float64(len(kept))-want) > 5.5*math.Sqrt(want) {
			t.Errorf("%s: kept %d of %d, expected %v", name, len(kept), draws, want)
		}
		count := map[string]float64{}
		for _, f := range kept {
			count[fmt.Sprint(f.Words)]++
		}
		for i, x := range sentences(3, 4) {
			if want := math.Exp(f.LogWeight[i]) * draws; math.Abs(count[fmt.Sprint(x)]-want) > 5.5*math.Sqrt(want)+1 {
				t.Errorf("%s: %v %v times, expected %v", name, x, count[fmt.Sprint(x)], want)
			}
		}
	}
}

// However many draws are asked for, an end of the context ends them at once, and draws take no memory before they are there.
func TestBaselinesEnd(t *testing.T) {
	m := newTable(3, 30, false)
	target, err := NewTarget(m, 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Rejection(ctx, target, mustLists(t, m, 2), 1, 1<<50, 2); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
