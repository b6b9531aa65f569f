package plan_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// startsOf are the starts of a node in a run of some chains.
func startsOf(t *testing.T, c *bugs.Compiled, node string, seed uint64, chains int) (all []float64) {
	t.Helper()
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	job := &plan.Job{Plan: p}
	for chain := range chains {
		s, err := job.StartApart(context.Background(), placeOf(seed, chain, chains), rng.New(seed, "init", uint64(chain)).Rand)
		if err != nil {
			t.Fatal(err)
		}
		for cell := range s.V {
			if c.Model.Kinds[cell] == model.Unobserved && c.Model.CellName(int32(cell)) == node {
				all = append(all, s.V[cell])
			}
		}
	}
	if len(all) != chains {
		t.Fatalf("%d starts of %s in %d chains", len(all), node, chains)
	}
	return all
}

func placeOf(seed uint64, chain, chains int) mcmc.Place {
	return mcmc.Place{Chain: chain, Chains: chains, Common: rng.New(seed, "places").Rand}
}

// Each chain starts in another part of every prior. The distribution functions are those of the
// centres of the priors: half the scale, which is at most 2 for a normal node.
func TestChainsStartInDifferentParts(t *testing.T) {
	normal := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	for _, tc := range []struct {
		prior string
		cdf   func(x float64) float64
	}{
		{"dnorm(0, 0.01)", func(x float64) float64 { return normal(x / 1) }},
		{"dnorm(0, 4)", func(x float64) float64 { return normal(x / 0.25) }},
		{"dnorm(0, 1) T(0,)", func(x float64) float64 { return 2*normal(x/0.5) - 1 }},
		{"dunif(-10, 10)", func(x float64) float64 { return (x + 5) / 10 }},
		{"dgamma(2, 1)", func(x float64) float64 { return 1 - (1+x)*math.Exp(-x) }},
		{"dexp(1) T(1,2)", func(x float64) float64 { return (math.Exp(-1) - math.Exp(-x)) / (math.Exp(-1) - math.Exp(-2)) }},
	} {
		for _, chains := range []int{2, 4, 16} {
			c := compileText(t, "model { a ~ "+tc.prior+"\n y ~ dnorm(a, 0.001) }", "y <- 1")
			used := make([]int, chains)
			for _, x := range startsOf(t, c, "a", 7, chains) {
				used[min(max(int(tc.cdf(x)*float64(chains)), 0), chains-1)]++
			}
			if slices.Max(used) > 1 {
				t.Errorf("%s: the parts of %d hold %v starts", tc.prior, chains, used)
			}
		}
	}
}

// A discrete node with two values starts at both.
func TestDiscreteNodesStartApart(t *testing.T) {
	c := compileText(t, "model { a ~ dbern(0.5)\n y ~ dnorm(a, 1) }", "y <- 1")
	for seed := range uint64(20) {
		if s := startsOf(t, c, "a", seed, 4); s[0]+s[1]+s[2]+s[3] != 2 {
			t.Errorf("seed %d: %v", seed, s)
		}
	}
}

// theta² = 25 has two solutions, and a chain finds the one on whose side it starts: of four chains two start
// on either side, for every seed. Independent starts are all on one side for one seed in eight.
func TestBothModesAreStartedFrom(t *testing.T) {
	c := compileText(t, "model { theta ~ dnorm(0, .001)\n y ~ dnorm(theta^2, 10) }", "y <- 25")
	for seed := range uint64(80) {
		below := 0
		for _, x := range startsOf(t, c, "theta", seed, 4) {
			if x < 0 {
				below++
			}
		}
		if below != 2 {
			t.Errorf("seed %d: %d of 4 chains start below 0", seed, below)
		}
	}
}

// The parts of two nodes are dealt independently: the four chains' parts of b, in the order of those of a, are each
// of the 24 permutations about equally often. χ² with 23 degrees of freedom is above 74 with probability 3e-7.
func TestPartsOfNodesAreIndependent(t *testing.T) {
	c := compileText(t, "model { a ~ dnorm(0, 1)\n b ~ dnorm(0, 1)\n y ~ dnorm(a+b, 1) }", "y <- 1")
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]int{}
	for cell := range c.Model.Kinds {
		if c.Model.Kinds[cell] == model.Unobserved {
			cells[c.Model.CellName(int32(cell))] = cell
		}
	}
	const runs = 2400
	count := map[[4]int]int{}
	for seed := range uint64(runs) {
		var order [4]int
		for chain := range 4 {
			s, err := p.StartApart(nil, placeOf(seed, chain, 4), rng.New(seed, "init", uint64(chain)).Rand)
			if err != nil {
				t.Fatal(err)
			}
			part := func(name string) int {
				return int(4 * 0.5 * math.Erfc(-s.V[cells[name]]/0.5/math.Sqrt2))
			}
			order[part("a")] = part("b")
		}
		count[order]++
	}
	chi2 := 0.0
	for _, n := range count {
		chi2 += math.Pow(float64(n)-runs/24, 2) / (runs / 24)
	}
	if chi2 += float64(24-len(count)) * runs / 24; chi2 > 74 {
		t.Errorf("χ² = %.1f, %v", chi2, count)
	}
}

// One chain alone starts anywhere: over seeds, in every part of the prior.
func TestOneChainStartsAnywhere(t *testing.T) {
	c := compileText(t, "model { a ~ dunif(0, 1)\n y ~ dnorm(a, 1) }", "y <- 1")
	lo, hi := 1.0, 0.0
	for seed := range uint64(200) { // 200 starts miss the lowest or the highest tenth of the middle half with probability 1.4e-9
		x := startsOf(t, c, "a", seed, 1)[0]
		lo, hi = min(lo, x), max(hi, x)
	}
	if lo > 0.3 || hi < 0.7 {
		t.Errorf("from %v to %v", lo, hi)
	}
}

// Where the part of a prior that a chain is dealt holds no start, it starts elsewhere: y = 3 needs a above 0.
func TestPartWithoutStart(t *testing.T) {
	c := compileText(t, "model { a ~ dnorm(0, 1)\n y ~ dexp(a) }", "y <- 3")
	for seed := range uint64(20) {
		for _, x := range startsOf(t, c, "a", seed, 4) {
			if !(x > 0) || math.IsInf(dist.NormLogProb(x, 0, 1), 0) {
				t.Errorf("seed %d: a starts at %v", seed, x)
			}
		}
	}
}

// Data that leave the tail of a prior only find a start there. A normal node starts within 1 of its centre, and
// dunif in its middle half: b is above 2 with probability 0.023, u above 1.45 of 2.2 with 0.34, and both elements of m
// below -1 with 0.06.
func TestStartsInTails(t *testing.T) {
	for _, tc := range []struct{ text, data string }{
		{"model { b ~ dnorm(0, 1)\n y ~ dunif(0, b) }", "y <- 2"},
		{"model { u ~ dunif(0, 2.2)\n y ~ dt(u, u, 6) T(, u) }", "y <- 1.95"},
		{"model { m[1:2] ~ dmnorm(c(0, 0), V[,])\n for (i in 1:2) { y[i] ~ dpar(3, exp(m[i])) } }", "V <- structure(c(1, -0.5, -0.5, 1), .Dim = c(2, 2))\ny <- c(0.35, 0.3)"},
	} {
		c := compileText(t, tc.text, tc.data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			if _, err := p.Start(nil, rng.New(seed, "init").Rand); err != nil {
				t.Errorf("%s, seed %d: %v", tc.text, seed, err)
			}
		}
	}
}

// TestChainsStart starts chains whose data no change of one state leads to: whoever is seen twice was there between, and has entered before.
func TestChainsStart(t *testing.T) {
	c := compileText(t, `model { phi ~ dunif(0, 1); for (i in 1:3) { z[i,1] <- 1; for (t in 2:9) { g[i,t,1,1] <- 0.8; g[i,t,1,2] <- 0.2; g[i,t,1,3] <- 0; g[i,t,2,1] <- 0; g[i,t,2,2] <- phi; g[i,t,2,3] <- 1 - phi; g[i,t,3,1] <- 0; g[i,t,3,2] <- 0; g[i,t,3,3] <- 1;
		z[i,t] ~ dcat(g[i,t,z[i,t-1],]); y[i,t] ~ dbern(0.5 * equals(z[i,t], 2)) } } }`,
		`y <- structure(c(NA,NA,NA,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,1,1,0,0,1,0,1,0,1), .Dim=c(3,9))`)
	started(t, c.Model)
}

// A censored node whose bound is where its density is greatest starts beyond the bound, not on it: a chain that started there stayed (R-hat 2.2).
func TestCensoredNodesStartBeyondTheirBound(t *testing.T) {
	c := compileText(t, "model { for (i in 1:2) { is[i] ~ dinterval(y[i], 0)\n y[i] ~ dt(1, 1, 4) } }", "is <- c(0, 1)\n")
	for seed := range uint64(20) {
		below, above := startsOf(t, c, "y[1]", seed, 4), startsOf(t, c, "y[2]", seed, 4)
		if slices.Max(below) > -1e-6 || slices.Min(above) < 1e-6 {
			t.Errorf("seed %d: %v and %v", seed, below, above)
		}
	}
}
