package diag

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// autoregressive is x ← φ x + u − ½ with u from a linear congruential generator that is
// seeded by the walker: exactly what the script that made the references computes.
func autoregressive(walkers, n int, phi float64) [][]float64 {
	out := make([][]float64, walkers)
	for w := range out {
		s, x := uint32(w+1)*2654435761, 0.0
		for range n {
			s = 1664525*s + 1013904223
			x = phi*x + (float64(s)/(1<<32) - 0.5)
			out[w] = append(out[w], x)
		}
	}
	return out
}

// 500 draws are too few for the τ = 19 of this process: it is estimated too low, and said so.
func ExampleIntegratedTime() {
	t := IntegratedTime(autoregressive(4, 500, 0.9))
	fmt.Printf("τ = %.1f from %d lags\n", t.Tau, t.Window)
	fmt.Println(t.Warning())
	// Output:
	// τ = 11.9 from 60 lags
	// the chain of 500 draws is shorter than 50 times its autocorrelation time of 11.9, which may well be longer than that: run on, to 596 draws or more
}

// The references are emcee 3.1.6's integrated_time(quiet=True) and auto_window.
func TestIntegratedTimeAsEmcee(t *testing.T) {
	for _, c := range []struct {
		walkers, n int
		phi, want  float64
		window     int
		enough     bool
	}{
		{1, 1000, 0.5, 2.7950286409003047, 15, true},
		{4, 2000, 0.9, 15.585305141116052, 78, true},
		{3, 777, -0.4, 0.4319006768931697, 3, true},
		{5, 300, 0.98, 22.922264212558577, 116, false},
		{2, 10, 0.5, 0.4753838393835297, 4, false},
	} {
		got := IntegratedTime(autoregressive(c.walkers, c.n, c.phi))
		if math.Abs(got.Tau-c.want) > 1e-9*c.want || got.Window != c.window || got.Enough() != c.enough {
			t.Errorf("%+v: got %+v, enough %v", c, got, got.Enough())
		}
		if (got.Warning() == "") != c.enough {
			t.Errorf("%+v: warning %q", c, got.Warning())
		}
	}
}

// For an autoregression τ = (1+φ)/(1−φ). With window M the relative standard error is
// √(2(2M+1)/(walkers n)) (Sokal 1989, equation 3.19): five of them are allowed, and the e^−5
// of the sum beyond the window.
func TestIntegratedTimeOfAutoregression(t *testing.T) {
	for _, phi := range []float64{0, 0.5, 0.9} {
		const walkers, n = 8, 20_000
		want := (1 + phi) / (1 - phi)
		got := IntegratedTime(autoregressive(walkers, n, phi))
		se := math.Sqrt(2 * float64(2*got.Window+1) / (walkers * n))
		if math.Abs(got.Tau/want-1) > 5*se+math.Exp(-5) {
			t.Errorf("φ = %v: τ = %v, want %v", phi, got.Tau, want)
		}
	}
}

func TestIntegratedTimeWithout(t *testing.T) {
	for name, walkers := range map[string][][]float64{
		"no walkers": nil, "no draws": {{}, {1, 2}}, "a constant": {{1, 2, 3}, {2, 2, 2}},
		"NaN": {{1, 2, math.NaN()}}, "infinity": {{1, 2, math.Inf(1)}},
	} {
		got := IntegratedTime(walkers)
		if !math.IsNaN(got.Tau) || got.Enough() || !strings.HasPrefix(got.Warning(), "no autocorrelation time") {
			t.Errorf("%s: %+v, %q", name, got, got.Warning())
		}
	}
}

// Walkers of unequal length are read up to the shortest.
func TestIntegratedTimeUnequal(t *testing.T) {
	a := autoregressive(2, 500, 0.7)
	b := [][]float64{a[0][:400], a[1]}
	c := [][]float64{a[0][:400], a[1][:400]}
	if got, want := IntegratedTime(b), IntegratedTime(c); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
