package hmc_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// A normal density of two coordinates with the correlation 0.99.
func Example() {
	target := hmc.TargetFunc(func(x, grad []float64) float64 {
		if grad != nil {
			grad[0] = -(x[0] - 0.99*x[1]) / 0.0199
			grad[1] = -(x[1] - 0.99*x[0]) / 0.0199
		}
		return -(x[0]*x[0] - 1.98*x[0]*x[1] + x[1]*x[1]) / (2 * 0.0199)
	})
	draws, err := hmc.Sample(context.Background(), target, 2, mcmc.Settings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := 0.0
	for c := range draws.Chains() {
		for i, x := range draws.Chain(c, 0) {
			sum += x * draws.Chain(c, 1)[i]
		}
	}
	fmt.Printf("covariance %.1f, R-hat below 1.01: %v\n", sum/4000, diag.Rhat(draws.Element(0)) < 1.01)
	// Output: covariance 1.0, R-hat below 1.01: true
}

// A funnel, whose width changes by its depth: the divergent steps say that the narrow end is not reached.
func ExampleNUTS() {
	target := hmc.TargetFunc(func(x, grad []float64) float64 {
		v, sum := math.Exp(-x[0]), 0.0
		for _, y := range x[1:] {
			sum += y * y
		}
		if grad != nil {
			grad[0] = -x[0]/9 - float64(len(x)-1)/2 + v*sum/2
			for i, y := range x[1:] {
				grad[i+1] = -v * y
			}
		}
		return -x[0]*x[0]/18 - float64(len(x)-1)*x[0]/2 - v*sum/2
	})
	k, err := hmc.NewNUTS(target, 10, hmc.Settings{Metric: hmc.Diagonal})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := mcmc.NewPoint(target, make([]float64, 10))
	for i := range 1000 {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 1000})
	}
	k.Freeze()
	divergent := 0
	for range 1000 {
		if k.Step(s, r).Divergent {
			divergent++
		}
	}
	fmt.Println("some divergent:", divergent > 0)
	// Output: some divergent: true
}

// The same funnel by steps that are divided where the energy would not be kept.
func ExampleWALNUTS() {
	target := hmc.TargetFunc(func(x, grad []float64) float64 {
		v, sum := math.Exp(-x[0]), 0.0
		for i, y := range x[1:] {
			sum += y * y
			if grad != nil {
				grad[i+1] = -v * y
			}
		}
		if grad != nil {
			grad[0] = -x[0]/9 - float64(len(x)-1)/2 + v*sum/2
		}
		return -x[0]*x[0]/18 - float64(len(x)-1)*x[0]/2 - v*sum/2
	})
	k, err := hmc.NewWALNUTS(target, 10, hmc.WALNUTSSettings{Settings: hmc.Settings{Metric: hmc.Unit}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := mcmc.NewPoint(target, make([]float64, 10))
	for i := range 1000 {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 1000})
	}
	k.Freeze()
	divergent, neck := 0, 0
	for range 5000 {
		if k.Step(s, r).Divergent {
			divergent++
		}
		if s.X[0] < -6 { // two standard deviations below the mean
			neck++
		}
	}
	fmt.Println("divergent:", divergent, "in the neck, as 2.3 % should be:", neck > 50 && neck < 200)
	// Output: divergent: 0 in the neck, as 2.3 % should be: true
}

// One length of trajectories for all places, learnt in warm-up, where the standard deviations are 1, 2, …, 10 and no metric is learnt.
func ExampleChEES() {
	target := hmc.TargetFunc(func(x, grad []float64) float64 {
		sum := 0.0
		for i, v := range x {
			precision := 1 / float64((i+1)*(i+1))
			sum += v * v * precision
			if grad != nil {
				grad[i] = -v * precision
			}
		}
		return -sum / 2
	})
	k, err := hmc.NewChEES(target, 10, hmc.ChEESSettings{Settings: hmc.Settings{Metric: hmc.Unit}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := mcmc.NewPoint(target, make([]float64, 10))
	for i := range 2000 {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 2000})
	}
	k.Freeze()
	fmt.Printf("up to %.0f long, by steps of %.1f\n", k.Length(), k.StepSize())
	// Output: up to 12 long, by steps of 1.7
}
