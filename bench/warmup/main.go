// Command warmup measures what random walks learn in the default warm-up: on targets of several kinds,
// over many seeds, the worst R-hat, the least bulk ESS of a thousand draws in each of four chains, and
// that ESS beside what the best scale and the target's true covariance give.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

type target struct {
	name string
	dim  int
	logp func(x []float64) float64
	cov  []float64
	init float64 // sd of the starts
}

func (t target) LogDensity(x []float64) float64 { return t.logp(x) }

// equicorrelated is a normal law with these standard deviations and the same correlation between all.
func equicorrelated(name string, sd []float64, rho, init float64) target {
	d := len(sd)
	t := target{name: name, dim: d, cov: make([]float64, d*d), init: init}
	for i := range d {
		for j := range d {
			t.cov[i*d+j] = rho * sd[i] * sd[j]
		}
		t.cov[i*d+i] = sd[i] * sd[i]
	}
	// The inverse of (1−ρ)I + ρJ.
	off := rho / ((1 - rho) * (1 + float64(d-1)*rho))
	t.logp = func(x []float64) float64 {
		sum, square := 0.0, 0.0
		for i, v := range x {
			z := v / sd[i]
			sum += z
			square += z * z
		}
		return -(square/(1-rho) - off*sum*sum) / 2
	}
	return t
}

func repeated(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

func targets() []target {
	scales := []float64{1e-3, 1e-1, 1, 10, 1e3}
	banana := target{name: "banana, 2-D", dim: 2, init: 1, cov: []float64{1, 0, 0, 0.75}, logp: func(x []float64) float64 {
		b := x[1] - x[0]*x[0] + 1
		return -x[0]*x[0]/2 - b*b*2
	}}
	t4 := target{name: "t with 4 degrees, 5-D", dim: 5, init: 1, logp: func(x []float64) float64 {
		square := 0.0
		for _, v := range x {
			square += v * v
		}
		return -4.5 * math.Log1p(square/4)
	}}
	t4.cov = equicorrelated("", repeated(5, math.Sqrt2), 0, 1).cov
	wedge := target{name: "exponentials, 3-D", dim: 3, init: 0, logp: func(x []float64) float64 {
		if x[0] < 0 || x[1] < 0 || x[2] < 0 {
			return math.Inf(-1)
		}
		return -x[0] - x[1]/10 - x[2]*10
	}, cov: []float64{1, 0, 0, 0, 100, 0, 0, 0, 0.01}}
	return []target{
		equicorrelated("normal, 2-D, ρ = .95", repeated(2, 1), 0.95, 1),
		equicorrelated("normal, 5-D, ρ = .9", repeated(5, 1), 0.9, 1),
		equicorrelated("normal, 5-D, ρ = .9, starts 10 sd off", repeated(5, 1), 0.9, 10),
		equicorrelated("normal, 10-D, ρ = 0", repeated(10, 1), 0, 1),
		equicorrelated("normal, 10-D, ρ = .9", repeated(10, 1), 0.9, 1),
		equicorrelated("normal, 20-D, ρ = .5", repeated(20, 1), 0.5, 1),
		equicorrelated("normal, 5-D, sd 10⁻³ to 10³", scales, 0, 1),
		equicorrelated("normal, 5-D, sd 10⁻³ to 10³, ρ = .5", scales, 0.5, 1),
		banana, t4, wedge,
	}
}

func main() {
	seeds := flag.Int("seeds", 40, "runs of each target")
	warm := flag.Int("warmup", 1000, "iterations of warm-up")
	flag.Parse()
	fmt.Println(run.Machine())
	fmt.Printf("%d seeds, 4 chains, %d iterations of warm-up, 1000 draws; means over seeds\n\n", *seeds, *warm)
	fmt.Printf("%-40s %8s %8s %10s %12s %12s\n", "target", "R-hat", "> 1.01", "least ESS", "best kernel", "share")
	for _, t := range targets() {
		if err := measure(t, *seeds, *warm); err != nil {
			fmt.Fprintln(os.Stderr, "warmup:", t.name+":", err)
			os.Exit(1)
		}
	}
}

func measure(t target, seeds, warm int) error {
	learning := func(int) (mcmc.Kernel[*mcmc.Point], error) { return mh.NewRandomWalk(t, repeated(t.dim, 1)) }
	best := func(int) (mcmc.Kernel[*mcmc.Point], error) {
		shape := slices.Clone(t.cov)
		for i := range shape {
			shape[i] *= 2.38 * 2.38 / float64(t.dim)
		}
		w, err := mh.NewWalk(t.dim, shape, mh.WalkSettings{Learn: mh.LearnScale})
		if err != nil {
			return nil, err
		}
		k, err := mh.New[[]float64](t, w, mh.MetropolisHastings)
		return k, err
	}
	rhat, ess, above, err := judge(t, learning, seeds, warm)
	if err != nil {
		return err
	}
	_, most, _, err := judge(t, best, seeds, max(warm, 2000))
	if err != nil {
		return err
	}
	fmt.Printf("%-40s %8.4f %6.0f %% %10.0f %12.0f %10.0f %%\n", t.name, rhat, 100*above, ess, most, 100*ess/most)
	return nil
}

// judge runs all seeds: mean worst R-hat, mean least ESS, share of runs with an R-hat above 1.01.
func judge(t target, move func(int) (mcmc.Kernel[*mcmc.Point], error), seeds, warm int) (rhat, ess, above float64, err error) {
	for seed := range seeds {
		set := mcmc.Settings{Seed: uint64(seed + 1), Warmup: warm}
		job, err := mcmc.NewPoints(mcmc.Points{
			Target: t, Dim: t.dim, Move: move,
			Init: func(_ int, r *rand.Rand, x []float64) {
				for i := range x {
					if x[i] = t.init * r.NormFloat64(); t.init == 0 {
						x[i] = r.ExpFloat64()
					}
				}
			},
		}, set)
		if err != nil {
			return 0, 0, 0, err
		}
		rec, err := mcmc.NewTrace(job.Variables(), set)
		if err != nil {
			return 0, 0, 0, err
		}
		if _, err := mcmc.Run(context.Background(), job, set, rec, nil); err != nil {
			return 0, 0, 0, err
		}
		draws, err := rec.Draws()
		if err != nil {
			return 0, 0, 0, err
		}
		worst, least := 0.0, math.Inf(1)
		for i := range t.dim {
			s := diag.Summarize(draws.Element(i), nil)
			worst, least = max(worst, s.Rhat), min(least, s.ESSBulk)
		}
		rhat += worst / float64(seeds)
		ess += least / float64(seeds)
		if worst > 1.01 {
			above += 1 / float64(seeds)
		}
	}
	return rhat, ess, above, nil
}
