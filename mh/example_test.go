package mh_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

// valley is a long narrow normal density: its coordinates have correlation 0.99.
type valley struct{}

func (valley) LogDensity(x []float64) float64 {
	return -(x[0]*x[0] - 1.98*x[0]*x[1] + x[1]*x[1]) / (2 * 0.0199)
}

func ExampleRandomWalk() {
	k, err := mh.NewRandomWalk(valley{}, []float64{1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := mcmc.NewPoint(valley{}, []float64{0, 0})
	const warmup, draws = 2000, 200_000
	for i := range warmup {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warmup})
	}
	k.Freeze()
	product := 0.0
	for range draws {
		k.Step(s, r)
		product += s.X[0] * s.X[1]
	}
	fmt.Printf("covariance %.1f\n", product/draws)
	// Output: covariance 1.0
}
