// Command metropolis measures what running a chain costs: random-walk Metropolis on a
// two-dimensional normal law through mcmc.Run, with every draw recorded, beside a loop of
// the same arithmetic that keeps nothing. Loop and run take turns of some 20 ms, so that what
// else the machine does slows both, and the median of many ratios of neighbours is told.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// normal is N((5,10), ((1,1),(1,4))).
type normal struct{}

func (normal) LogDensity(x []float64) float64 { return logDensity(x[0], x[1]) }

func logDensity(x, y float64) float64 {
	a, b := x-5, y-10
	return -(float64(4*a*a) - float64(2*a*b) + float64(b*b)) / 6
}

// The steps are σ L z, σ = 2.38/√2, with the standard deviations of the target and, before
// any warm-up, no correlation; the product by the whole triangle is in loop and kernel.
const sigma = 1.6829141392239831

var l00, l10, l11 = 1.0, 0.0, 2.0

func main() {
	n := flag.Int("n", 300_000, "draws of a repetition")
	repeat := flag.Int("repeat", 200, "repetitions; medians are printed")
	flag.Parse()
	if err := measure(*n, *repeat); err != nil {
		fmt.Fprintln(os.Stderr, "metropolis:", err)
		os.Exit(1)
	}
}

func measure(n, repeat int) error {
	fmt.Println(run.Machine())
	fmt.Printf("%d draws, medians of %d repetitions, each loop and run in turn\n\n", n, repeat)
	var bare, kernel, whole, ratio []float64
	var mallocs uint64
	for range repeat {
		b, err := timed(n, func() error { return loop(n) })
		if err != nil {
			return err
		}
		k, err := timed(n, func() error { return steps(n) })
		if err != nil {
			return err
		}
		w, m, err := chain(n)
		if err != nil {
			return err
		}
		bare, kernel, whole, ratio = append(bare, b), append(kernel, k), append(whole, w), append(ratio, w/b)
		mallocs = m
	}
	fmt.Printf("%-44s %6.1f ns\n", "a bare loop of the same arithmetic", quantile(bare, 0.5))
	fmt.Printf("%-44s %6.1f ns\n", "the kernel's steps alone", quantile(kernel, 0.5))
	fmt.Printf("%-44s %6.1f ns\n", "mcmc.Run, every draw recorded", quantile(whole, 0.5))
	fmt.Printf("\nratio of run to loop %.2f, quartiles %.2f–%.2f (bar: 1.5)\n", quantile(ratio, 0.5), quantile(ratio, 0.25), quantile(ratio, 0.75))
	fmt.Printf("allocations of the whole run: %d, %.6f a draw (bar: 0)\n", mallocs, float64(mallocs)/float64(n))
	return nil
}

func timed(n int, f func() error) (ns float64, err error) {
	runtime.GC()
	began := cputime.Process() // whoever else uses the machine must not count
	err = f()
	return 1e9 * (cputime.Process() - began) / float64(n), err
}

func loop(n int) error {
	r := rng.New(1, "chain", 0).Rand
	x, y := 5.0, 10.0
	f := logDensity(x, y)
	for range n {
		u, v := dist.StdNormal(r), dist.StdNormal(r)
		x1 := x + float64(sigma*float64(l00*u))
		y1 := y + float64(sigma*(float64(l10*u)+float64(l11*v)))
		g := logDensity(x1, y1)
		p := 1.0
		if g < f {
			p = vec.Exp(g - f)
		}
		if r.Float64() < p {
			x, y, f = x1, y1, g
		}
	}
	runtime.KeepAlive(x + y)
	return nil
}

func move() (mcmc.Kernel[*mcmc.Point], error) {
	return mh.NewRandomWalk(normal{}, []float64{1, 2})
}

func steps(n int) error {
	k, err := move()
	if err != nil {
		return err
	}
	s, r := mcmc.NewPoint(normal{}, []float64{5, 10}), rng.New(1, "chain", 0).Rand
	for range n {
		k.Step(s, r)
	}
	runtime.KeepAlive(s)
	return nil
}

// chain times the run alone: the room for its draws is made before.
func chain(n int) (ns float64, mallocs uint64, err error) {
	set := mcmc.Settings{Seed: 1, Chains: 1, Warmup: -1, Draws: n, Threads: 1}
	job, err := mcmc.NewPoints(mcmc.Points{
		Target: normal{}, Dim: 2,
		Init: func(_ int, _ *rand.Rand, x []float64) { x[0], x[1] = 5, 10 },
		Move: func(int) (mcmc.Kernel[*mcmc.Point], error) { return move() },
	}, set)
	if err != nil {
		return 0, 0, err
	}
	rec, err := mcmc.NewTrace(job.Variables(), set)
	if err != nil {
		return 0, 0, err
	}
	var before, after runtime.MemStats
	ns, err = timed(n, func() error {
		runtime.ReadMemStats(&before)
		_, err := mcmc.Run(context.Background(), job, set, rec, nil)
		runtime.ReadMemStats(&after)
		return err
	})
	return ns, after.Mallocs - before.Mallocs, err
}

func quantile(x []float64, p float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[int(p*float64(len(x)-1))]
}
