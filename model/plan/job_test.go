package plan_test

import (
	"context"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Whatever is recorded is computed for each draw, and lp is the log density of data and sampled nodes, here
// log N(y; mu, 1) + log N(mu; 0, 4).
func TestRecorded(t *testing.T) {
	c := compileText(t, `model {
		y ~ dnorm(mu, 1)
		mu ~ dnorm(0, 0.25)
		twice <- 2 * mu
		below <- exp(twice) + pred
		pred ~ dnorm(twice, 1)
	}`, "y <- 1.5")
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	monitors, err := c.Monitors([]string{"mu", "twice", "below", "pred", "deviance"})
	if err != nil {
		t.Fatal(err)
	}
	job := &plan.Job{Plan: p, Monitors: monitors, LogLik: true}
	set := mcmc.Settings{Seed: 4, Chains: 2, Draws: 200}
	mem, err := draws.NewMemory(draws.Layout{Chains: 2, Posterior: job.Variables()[:5], LogLikelihood: job.LogLikelihood()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), job, set, mcmc.RecordTo(mem), nil); err != nil {
		t.Fatal(err)
	}
	g := mem.Groups()
	lp, ok := g.SampleStats.Lookup("lp")
	if !ok {
		t.Fatal("there is no lp")
	}
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-12*(1+math.Abs(want)) }
	for chain := range 2 {
		for i, mu := range g.Posterior.Chain(chain, 0) {
			at := func(e int) float64 { return g.Posterior.Chain(chain, e)[i] }
			if at(1) != 2*mu || !near(at(2), math.Exp(2*mu)+at(3)) {
				t.Fatalf("mu = %v, and twice, below and pred are %v, %v, %v", mu, at(1), at(2), at(3))
			}
			loglik := -(1.5-mu)*(1.5-mu)/2 - math.Log(2*math.Pi)/2
			if want := loglik - mu*mu/8 - math.Log(2*math.Pi*4)/2; !near(g.SampleStats.Chain(chain, lp)[i], want) {
				t.Fatalf("mu = %v: lp = %v, want %v", mu, g.SampleStats.Chain(chain, lp)[i], want)
			}
			if got := g.LogLikelihood.Chain(chain, 0)[i]; !near(got, loglik) || !near(at(4), -2*loglik) {
				t.Fatalf("mu = %v: log likelihood %v, deviance %v; want %v", mu, got, at(4), loglik)
			}
		}
	}
}
