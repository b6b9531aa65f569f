package model

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Whatever an operation gives for numbers of some sets is in the set it gives
// for these sets; ends of probability zero are left out.
func TestValuesHoldAllResults(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ends := []float64{-3, -2.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 4, math.Inf(-1), math.Inf(1)}
	set := func() Values {
		switch r.IntN(4) {
		case 0:
			return only(ends[r.IntN(10)])
		case 1:
			return listed([]float64{ends[r.IntN(10)], ends[r.IntN(10)], ends[r.IntN(10)]})
		}
		lo, hi := ends[r.IntN(len(ends))], ends[r.IntN(len(ends))]
		if lo > hi {
			lo, hi = hi, lo
		}
		if math.IsInf(lo, 1) || math.IsInf(hi, -1) {
			lo, hi = 0, 1
		}
		return span(lo, hi, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0)
	}
	draw := func(v Values) float64 {
		if n := v.count(20); n <= 20 {
			return v.value(r.IntN(n))
		}
		lo, hi := max(v.Lo, -50), min(v.Hi, 50)
		switch k := r.IntN(6); {
		case k == 0 && !v.OpenLo:
			return lo
		case k == 1 && !v.OpenHi:
			return hi
		}
		x := lo + (hi-lo)*(0.001+0.998*r.Float64())
		if v.Whole {
			return math.Floor(x)
		}
		return x
	}
	for range 300000 {
		op := Op(r.IntN(len(operations)))
		if op.Arity() == 0 {
			continue
		}
		a, b, c := set(), set(), set()
		if a.empty() || b.empty() || c.empty() {
			continue
		}
		z := applyTo(op, a, b, c)
		x, y, w := draw(a), draw(b), draw(c)
		got := Apply(op, x, y, w)
		if got != got { // no number: the node has no value there
			continue
		}
		if !z.has(got) && !math.IsInf(got, 0) {
			t.Fatalf("%v of %+v %+v %+v is %+v without %v of %v %v %v", op, a, b, c, z, got, x, y, w)
		}
	}
}

// Sets that indices are made of, exactly.
func TestValuesOfWholeNumbers(t *testing.T) {
	u := span(0.5, 3.5, false, true, true) // dunif(0.5, 3.5)
	for _, c := range []struct {
		got  Values
		want string
	}{
		{applyTo(OpRound, u, Values{}, Values{}), "1, 2, 3"}, // 3.5 has probability zero
		{applyTo(OpRound, span(0.5, 3.5, false, false, false), Values{}, Values{}), "1:4"},
		{applyTo(OpTrunc, span(-1, 2, false, true, true), Values{}, Values{}), "0, 1"},
		{applyTo(OpTrunc, applyTo(OpMul, applyTo(OpIlogit, realLine(), Values{}, Values{}), only(3), Values{}), Values{}, Values{}), "0, 1, 2"},
		{applyTo(OpStep, span(0, 1, false, true, true), Values{}, Values{}), "1"},
		{applyTo(OpGt, span(0, 1, false, true, true), only(0), Values{}), "1"},
		{applyTo(OpGt, span(0, 1, false, false, true), only(0), Values{}), "0, 1"},
		{applyTo(OpSub, only(4), span(1, 3, true, false, false), Values{}), "1, 2, 3"},
		{extreme([]Values{span(0, math.Inf(1), true, false, false), only(2)}), "2, 3, 4, …"},
		{limitTo(span(0, 9, true, false, false), OpGt, only(2)), "3:9"},
		{limitTo(listed([]float64{1, 3, 5}), OpLe, only(3)), "1, 3"},
		{listed([]float64{3, 1, 1}), "1, 3"},
		{listed([]float64{3, 1, 2}), "1, 2, 3"},
		{listed(nil), "no value"},
	} {
		if s := c.got.String(); s != c.want {
			t.Errorf("%+v is %s, not %s", c.got, s, c.want)
		}
	}
}
