package kerneltest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// What would let every kernel pass, or cannot be judged, is refused by its name.
func TestRefused(t *testing.T) {
	good := exponential(scaleMove(true))
	nan := good
	nan.Stats = func(*point) []float64 { return []float64{math.NaN()} }
	calls, uneven, unequal := 0, good, good
	uneven.Stats = func(*point) []float64 { calls++; return make([]float64, 1+calls/4) }
	unequal.Stats = func(*point) []float64 { calls++; return make([]float64, 1+calls%2) }
	nanDraw := good
	nanDraw.Draw = func(*rand.Rand) *point { return &point{math.NaN(), 0} }
	nanDraw.Check = nil
	one := func(*rand.Rand) *point { return &point{1, -1} }
	weights := func(w ...float64) Finite[*walker] {
		f := finite(gibbs)
		f.LogWeight = w
		return f
	}
	short := Settings{Replicates: 10}
	for _, c := range []struct {
		err  error
		want string
	}{
		{Invariant(good, Settings{Replicates: -1}), "Settings.Replicates is -1"},
		{Invariant(good, Settings{Steps: -2}), "Settings.Steps is -2"},
		{Exact(finite(gibbs), Settings{Alpha: -1}), "Settings.Alpha is -1"},
		{DetailedBalance(finite(gibbs), Settings{Alpha: math.NaN()}), "Settings.Alpha is NaN"},
		{SBC(normalMean(walk(1)), Settings{Alpha: 1}), "Settings.Alpha is 1"},
		{Exact(weights(0, math.NaN()), short), "log weights"},
		{Reaches(weights(math.Inf(-1)), 0, short), "log weights"},
		{DetailedBalance(weights(), short), "log weights"},
		{Invariant(nan, short), "NaN after the kernel's steps"},
		{Converges(nanDraw, one, short), "an exact draw is NaN"},
		{Invariant(uneven, short), "Stats gave"},
		{Invariant(unequal, short), "Stats gave"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, not an error with %q", c.err, c.want)
		}
	}
}
