package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/slice"
)

func main() {
	target := mcmc.TargetFunc(func(x []float64) float64 { return -x[0]*x[0]/2 - x[1]*x[1]/8 })
	set := mcmc.Settings{Seed: 1, Dir: "checkpoints", Draws: 50_000,
		Fingerprint: []mcmc.Ingredient{{Name: "target", Hash: "normal, version 1"}}} // what else the draws depend on
	job, err := mcmc.NewPoints(mcmc.Points{
		Target: target,
		Dim:    2,
		Init:   func(_ int, r *rand.Rand, x []float64) { x[0], x[1] = r.NormFloat64(), r.NormFloat64() },
		Move: func(int) (mcmc.Kernel[*mcmc.Point], error) { // a new kernel for each chain
			return slice.NewCoordinates(target, 2, slice.Univariate{})
		},
	}, set)
	if err != nil {
		log.Fatal(err)
	}
	open := draws.Create
	if _, err := os.Stat("draws.zarr"); !errors.Is(err, fs.ErrNotExist) {
		open, set.Resume = draws.Resume, true
	}
	store, err := open("draws.zarr", draws.Layout{Chains: set.WithDefaults().Chains, Posterior: job.Variables()})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	_, err = mcmc.Run(ctx, job, set, mcmc.RecordTo(store), nil)
	if err := errors.Join(err, store.Close()); err != nil {
		log.Fatal(err) // run the program again, and it goes on from the checkpoints
	}
	fmt.Println("draws.zarr is complete")
}
