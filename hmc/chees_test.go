package hmc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// isotropic is N(0, 3² I).
func isotropic(x, grad []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * v
		if grad != nil {
			grad[i] = -v / 9
		}
	}
	return -sum / 18
}

// TestChEESFindsTheLength compares T with the maximum of the criterion. In N(0, σ² I), followed exactly for the time uT, x and x′ have the correlation cos(uT/σ), and their
// squares its square, so that the criterion is in proportion to (1 − sin y/y)/y at y = 2T/σ; its maximum is where cos y − 2 sin y/y + 1 = 0: at
// y = π, T = 1.571 σ. Leapfrogs of which there is a whole number go on for half a step longer in the mean; over 40 seeds T/σ had the mean 1.445 and the standard deviation
// 0.031.
func TestChEESFindsTheLength(t *testing.T) {
	k := warm(t, isotropic, 10, ChEESSettings{Settings: Settings{Metric: Unit}}, 4000)
	if length := k.Length() / 3; !(math.Abs(length-1.445) < 6*0.031) {
		t.Errorf("T is %.3f standard deviations", length)
	}
}

func warm(t *testing.T, f TargetFunc, dim int, set ChEESSettings, steps int) *ChEES {
	t.Helper()
	k, err := NewChEES(f, dim, set)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := mcmc.NewPoint(f, make([]float64, dim))
	for i := range steps {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: steps})
	}
	k.Freeze()
	return k
}

// TestChEESMarshals takes the kernel away every 7 steps: what comes back goes on bit for bit, and a tuning of another length is refused.
func TestChEESMarshals(t *testing.T) {
	way := func(every int) string {
		k := warm(t, crooked, 2, ChEESSettings{}, 0)
		k.tuning.Frozen = false
		r, s := rand.New(rand.NewPCG(1, 2)), mcmc.NewPoint(TargetFunc(crooked), []float64{1, -1})
		var b strings.Builder
		for i := range 150 {
			if i < 100 {
				k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 100})
			} else {
				k.Freeze()
				k.Step(s, r)
			}
			if every > 0 && i%every == 0 {
				saved, err := k.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				if k, err = NewChEES(TargetFunc(crooked), 2, ChEESSettings{}); err != nil {
					t.Fatal(err)
				}
				if err := k.UnmarshalBinary(saved); err != nil {
					t.Fatal(err)
				}
			}
			fmt.Fprintln(&b, s.X, k.Length(), k.StepSize())
		}
		return b.String()
	}
	if way(0) != way(7) {
		t.Error("a kernel that is marshalled every 7 steps goes another way")
	}
	saved, err := warm(t, isotropic, 3, ChEESSettings{}, 10).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := warm(t, isotropic, 2, ChEESSettings{}, 0).UnmarshalBinary(saved); err == nil {
		t.Error("a tuning for three coordinates was taken for two")
	}
}

// TestGoldenChEES freezes the place after a warm-up of 200 steps and 100 more.
func TestGoldenChEES(t *testing.T) {
	k := warm(t, crooked, 2, ChEESSettings{}, 200)
	s, r := mcmc.NewPoint(TargetFunc(crooked), []float64{1, -1}), rand.New(rand.NewPCG(3, 4))
	for range 100 {
		k.Step(s, r)
	}
	const want = "[1.1712757104739842 0.17336921305793218] 2.9506884212527775"
	if got := fmt.Sprint(s.X, k.Length()); got != want {
		t.Errorf("the chain comes to %s, not %s: a change of the draws of a seed is breaking", got, want)
	}
}

func TestChEESSettings(t *testing.T) {
	for said, set := range map[string]ChEESSettings{
		"length -1":         {Length: -1},
		"length NaN":        {Length: math.NaN()},
		"acceptance probab": {Settings: Settings{Accept: 2}},
	} {
		if _, err := NewChEES(targets()[0], 3, set); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%v, want %s", err, said)
		}
	}
}
