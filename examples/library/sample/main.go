package main

import (
	"context"
	"fmt"
	"log"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

func main() {
	banana := mcmc.TargetFunc(func(x []float64) float64 { // a log density, up to a constant
		b := x[1] - x[0]*x[0]
		return -(x[0]*x[0] + b*b) / 2
	})
	set, err := mh.Sample(context.Background(), banana, 2, mcmc.Settings{Seed: 1, Draws: 20_000})
	if err != nil {
		log.Fatal(err)
	}
	for i, name := range set.Names() {
		s := diag.Summarize(set.Element(i), nil)
		fmt.Printf("%s: mean %.1f, sd %.1f, R-hat %.2f\n", name, s.Mean, s.SD, s.Rhat)
	}
}
