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

// TestGoldenDraws freezes the place after a warm-up of 200 steps and 100 more.
func TestGoldenDraws(t *testing.T) {
	target := TargetFunc(crooked)
	for want, make := range map[string]func() (mcmc.Adapter[*mcmc.Point], error){
		"WANT1": func() (mcmc.Adapter[*mcmc.Point], error) { return NewNUTS(target, 2, Settings{}) },
		"WANT2": func() (mcmc.Adapter[*mcmc.Point], error) { return NewWALNUTS(target, 2, WALNUTSSettings{}) },
	} {
		k, err := make()
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
		if got := fmt.Sprint(s.X); got != want {
			t.Errorf("%T comes to %s, not %s", k, got, want)
		}
	}
}
