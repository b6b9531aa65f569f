// Command correlation reproduces an experiment of courses on MCMC: the correlation of a
// two-dimensional normal law, ρ = 0.5, is estimated by chains of 10⁵ draws of several
// samplers, and what is compared is how much the estimates scatter. The standard deviations are
// put beside exact ones (exact.py) and those of rbm/REFERENCE.md in the test material.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

func main() {
	chains := flag.Int("chains", 600, "independent chains of each sampler")
	draws := flag.Int("draws", 100_000, "draws a chain")
	seed := flag.Uint64("seed", 1, "seed")
	flag.Parse()
	run.Main("correlation", func(ctx context.Context, _ string) error {
		ok, err := report(ctx, *seed, *chains, *draws)
		if err == nil && !ok {
			err = errors.New("a standard deviation is not what it must be")
		}
		return err
	})
}

// tolerance is how far a standard deviation may be from the reference.
const tolerance = 0.1

// report prints the table and says whether all standard deviations are as they must be.
func report(ctx context.Context, seed uint64, chains, draws int) (bool, error) {
	fmt.Println(run.Machine())
	fmt.Printf("%d chains of %d draws from N((5,10), ((1,1),(1,4))), ρ = 0.5; the sd of an sd is %.1f %%\n\n",
		chains, draws, 100/math.Sqrt(2*float64(chains)))
	fmt.Printf("%-34s %9s %9s %9s %7s %10s %7s %7s\n", "", "mean of ρ̂", "per 10⁵", "exact", "ratio", "reference", "ratio", "accept")
	ok := true
	for _, s := range samplers() {
		began := time.Now()
		e, err := s.estimate(ctx, seed, chains, draws)
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		per := e.sd * math.Sqrt(float64(draws)/1e5)
		verdict := ""
		if !near(per, s.sd, 0) {
			verdict, ok = "  NOT within 10 % of the exact sd", false
		} else if !near(per, s.given, s.half) {
			verdict = "  not within 10 % of the reference, which is not what the chain has"
		}
		fmt.Printf("%-34s %9.5f %9.5f %9s %7s %10s %7s %6.1f%%  %.1f s%s\n", s.name, e.mean, per, figure("%.5f", s.sd), figure("%.3f", per/s.sd),
			figure("%.4f", s.given), figure("%.3f", per/s.given), 100*e.accepted, time.Since(began).Seconds(), verdict)
	}
	return ok, nil
}

// near tells whether a standard deviation is within the tolerance of another, where there is one,
// that is known up to an error.
func near(sd, other, err float64) bool {
	return other == 0 || math.Abs(sd-other) <= tolerance*other+err
}

// figure is empty for what is not known.
func figure(format string, v float64) string {
	if v == 0 || math.IsInf(v, 0) {
		return ""
	}
	return fmt.Sprintf(format, v)
}
