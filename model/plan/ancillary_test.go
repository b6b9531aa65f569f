package plan_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// At power 1 a rung keeps the joint distribution, at a false-alarm rate of 10⁻⁶ for each model: moves of nodes with their normal children among other children,
// indices and bounds, and with a chain of children, which there are none for.
func TestRungKeepsTheJointDistribution(t *testing.T) {
	for k, tc := range [][2]string{
		{`model { s ~ dunif(0.2, 3); m ~ dnorm(0, 1); for (i in 1:3) { x[i] ~ dnorm(m, 1 / s^2); y[i] ~ dpois(exp(x[i] / s)) } w ~ dexp(s) }`, `y <- c(1,1,1); w <- 1`},
		{`model { for (k in 1:2) { t[k] ~ dgamma(3, 2) } z ~ dcat(p[]); x ~ dnorm(t[1], t[z]); v ~ dgamma(2, 1) T(0.1 * t[2],); y ~ dnorm(x * v, 1) T(x - 1,) }`, `y <- 0; p <- c(1, 2)`},
		{`model { t ~ dgamma(4, 2); x[1] ~ dnorm(0, t); x[2] ~ dnorm(x[1], t); y ~ dnorm(x[2], 1) }`, `y <- 0`},
		{`model { u ~ dnorm(0, 1); a ~ dnorm(u, 1) T(-1,); b ~ dnorm(u * u, exp(u)); q[1] <- b; q[2] <- u; z ~ dbern(0.4); y ~ dnorm(q[1 + z] + a, 2) }`, `y <- 0`},
	} {
		c := compileText(t, tc[0], tc[1])
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		joint, r := jointModel(t, c.Model), rand.New(rand.NewPCG(uint64(k), 3))
		g := p.Rung(1)
		for i := range 100 {
			g.Adapt(joint.Draw(r), r, mcmc.Warmup{Iteration: i, Total: 100})
		}
		g.Freeze()
		joint.Kernel = g
		if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: uint64(k), Replicates: 4000, Steps: 3}); err != nil {
			t.Errorf("%s: %v", tc[0], err)
		}
	}
}

// Groups that do not differ leave their sd free down to 0, into the neck of a funnel. Half the likelihood is the harder half; 5000 steps have 500 effective draws and more (136 without the moves).
func TestRungLeavesNecks(t *testing.T) {
	c := compileText(t, "model { mu ~ dnorm(0, 0.0001); sigma ~ dunif(0, 10); for (i in 1:8) { a[i] ~ dnorm(mu, pow(sigma, -2)); y[i] ~ dnorm(a[i], 1) } }",
		"y <- c(0.1, -0.4, 0.3, 0.2, -0.1, 0.5, -0.3, 0)")
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 3))
	s, err := p.Start(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	cell, err := c.Monitors([]string{"sigma"})
	if err != nil {
		t.Fatal(err)
	}
	g := p.Rung(0.5)
	var x []float64
	for i := range 5500 {
		if i < 500 {
			g.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 500})
			continue
		}
		g.Step(s, r)
		x = append(x, s.V[cell[0].Cells[0]])
	}
	if ess := diag.ESSQuantile([][]float64{x}, 0.05); ess < 500 {
		t.Errorf("ESS of the 5 %% quantile of sigma is %.0f", ess)
	}
}
