package hmc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// crooked is a density with the same bits everywhere: x₁ ~ N(x₀², e^{x₀}).
func crooked(x, grad []float64) float64 {
	v := vec.Exp(-x[0])
	d := x[1] - float64(x[0]*x[0])
	if grad != nil {
		grad[1] = -float64(v * d)
		grad[0] = -x[0] - 0.5 + float64(0.5*float64(float64(d*d)*v)) + float64(2*float64(x[0]*float64(v*d)))
	}
	return -float64(0.5*float64(x[0]*x[0])) - float64(0.5*x[0]) - float64(0.5*float64(float64(d*d)*v))
}

// TestGoldenWALNUTS freezes the place after a warm-up of 200 steps and 100 more.
func TestGoldenWALNUTS(t *testing.T) {
	target := TargetFunc(crooked)
	k, err := NewWALNUTS(target, 2, WALNUTSSettings{})
	if err != nil {
		t.Fatal(err)
	}
	s, r := mcmc.NewPoint(target, []float64{1, -1}), rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 200})
	}
	k.Freeze()
	for range 100 {
		k.Step(s, r)
	}
	const want = "[-0.17538440153219167 1.366787758010039]"
	if got := fmt.Sprint(s.X); got != want {
		t.Errorf("the chain comes to %s, not %s: a change of the draws of a seed is breaking", got, want)
	}
}
