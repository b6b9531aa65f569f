package plan_test

import (
	"context"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Where conditional moves crawl along a curve, up a funnel or between two branches, moves with normal nodes integrated out go everywhere: bulk ESS of 4 × 500 draws is above 700, and
// was 60 or less without them, and the share below the median is 1/2 within 5 standard errors (6·10⁻⁷ each). Medians are those of bench/hard: 0 by symmetry, and quadratures.
func TestNormalNodesAreIntegratedOut(t *testing.T) {
	for _, c := range []struct {
		hardCase
		element int
		median  float64
	}{
		{hardCase{name: "funnel", model: "model { v ~ dnorm(0, 1/9); for (i in 1:9) { x[i] ~ dnorm(0, exp(-v)); y[i] ~ dnorm(x[i], 0.01) } }", data: "y <- c(0,0,0,0,0,0,0,0,0)", node: "v"}, 0, funnelMedian()},
		{hardCase{name: "banana", model: "model { x[1] ~ dnorm(0, 0.01); x[2] ~ dnorm(0, 0.01); y ~ dnorm(x[2] + 0.1 * pow(x[1], 2), 4) }", data: "y <- 0", node: "x"}, 0, 0},
		{hardCase{name: "product", model: "model { a ~ dnorm(0, 0.01); b ~ dnorm(0, 0.01); y ~ dnorm(a * b, 4) }", data: "y <- 10", node: "a"}, 0, 0},
	} {
		for seed := range uint64(3) {
			job := c.job(t)
			mem, err := draws.NewMemory(draws.Layout{Chains: 4, Posterior: job.Variables()})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := mcmc.Run(context.Background(), job, mcmc.Settings{Seed: seed, Chains: 4, Warmup: 1000, Draws: 500}, mcmc.RecordTo(mem), nil); err != nil {
				t.Fatal(err)
			}
			chains := mem.Groups().Posterior.Element(c.element)
			ess, below := diag.ESSBulk(chains), 0.0
			for _, chain := range chains {
				for _, x := range chain {
					if x < c.median {
						below += 1. / 2000
					}
				}
			}
			if ess < 700 || math.Abs(below-0.5) > 5*0.5/math.Sqrt(diag.ESSMedian(chains)) {
				t.Errorf("%s, seed %d: ESS %.0f, %.3f of the draws below the median", c.name, seed, ess, below)
			}
		}
	}
}

// funnelMedian is that of v, of density N(0, 9) times exp(v) + 100 to the power −9/2, by the trapezoid rule.
func funnelMedian() float64 {
	const n, from, to = 20000, -20., 20.
	at := func(k int) (v, p float64) {
		v = from + (to-from)*float64(k)/n
		return v, math.Exp(-v*v/18 - 4.5*math.Log(math.Exp(v)+100))
	}
	total, sum := 0.0, 0.0
	for k := range n {
		_, p := at(k)
		total += p
	}
	for k := range n {
		v, p := at(k)
		if sum += p; sum >= total/2 {
			return v
		}
	}
	return math.NaN()
}
