package plan_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// visited runs a job and tells what its chains saw.
func visited(t *testing.T, h *hardCase, set mcmc.Settings) (*plan.Job, plan.Visited) {
	t.Helper()
	job := h.job(t)
	v := plan.Visited{Seed: set.Seed, Chains: set.Chains, Warmup: set.Warmup, Last: make([]*model.State, set.Chains)}
	mem, err := draws.NewMemory(draws.Layout{Chains: set.Chains, Posterior: job.Variables()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), noting{job, v.Last}, set, mcmc.RecordTo(mem), nil); err != nil {
		t.Fatal(err)
	}
	post := mem.Groups().Posterior
	for e := range post.Names() {
		lo, hi := math.Inf(1), math.Inf(-1)
		for c := range set.Chains {
			lo, hi = min(lo, slices.Min(post.Chain(c, e))), max(hi, slices.Max(post.Chain(c, e)))
		}
		v.Least, v.Most = append(v.Least, lo), append(v.Most, hi)
	}
	return job, v
}

// noting is a job that keeps the chains' states.
type noting struct {
	*plan.Job
	last []*model.State
}

func (n noting) StartApart(ctx context.Context, at mcmc.Place, r *rand.Rand) (*model.State, error) {
	s, err := n.Job.StartApart(ctx, at, r)
	n.last[at.Chain] = s
	return s, err
}

// From each of 20 seeds the probe finds the part that chains from one start miss, where it is and what it holds. Of a ratio r of two masses
// the logarithm is estimated with a standard deviation of about 0.3.
func TestProbeFindsWhatChainsMiss(t *testing.T) {
	share := map[string]float64{"a square": 0.5, "tied": 0.5, "far": 0.018}
	place := map[string]float64{"a square": -3, "tied": 0, "far": 40}
	for _, h := range hardCases() {
		for seed := range uint64(20) {
			j, v := visited(t, &h, mcmc.Settings{Seed: seed, Chains: 4, Warmup: 1000, Draws: 200})
			if v.Least[0] != v.Most[0] && v.Least[0] < place[h.name] && place[h.name] < v.Most[0] || v.Least[0] == place[h.name] {
				continue // tied nodes cross once in 10 000 iterations
			}
			all := j.Probe(v)
			if len(all) != 1 {
				t.Fatalf("%s, seed %d: %d parts: %v", h.name, seed, len(all), all)
			}
			m := all[0]
			odds := math.Log(m.Mass/(1-m.Mass)) - math.Log(share[h.name]/(1-share[h.name]))
			if m.Labels || len(m.Where) != 1 || m.Where[0].Name != h.node || math.Abs(m.Where[0].Value-place[h.name]) > 1 || math.Abs(odds) > 1.7 {
				t.Errorf("%s, seed %d: %+v", h.name, seed, m)
			}
			if again := j.Probe(v); len(again) != 1 || again[0].Mass != m.Mass {
				t.Errorf("%s, seed %d: then %+v", h.name, seed, again)
			}
		}
	}
}

// Posteriors in one piece have no missed part: with correlated, heavy-tailed, bounded, funnelled and discrete nodes, and
// ones that are far narrower than their priors.
func TestProbeIsSilentOfOnePiece(t *testing.T) {
	for _, h := range []hardCase{
		{name: "vague", model: "model { for (i in 1:5) { y[i] ~ dnorm(mu, tau) }; mu ~ dnorm(0, 1.0E-6); tau ~ dgamma(0.001, 0.001) }", data: "y <- c(1, 2, 3, 2.5, 1.5)", node: "mu"},
		{name: "Cauchy", model: "model { theta ~ dnorm(0, 1.0E-8); y ~ dt(theta, 1, 1) }", data: "y <- 0", node: "theta"},
		{name: "bound", model: "model { theta ~ dunif(0, 1); y ~ dnorm(theta, 100) }", data: "y <- 1.5", node: "theta"},
		{name: "ridge", model: "model { a ~ dnorm(0, 0.01); b ~ dnorm(0, 0.01); logit(p) <- a + b; y ~ dbin(p, 20) }", data: "y <- 12", node: "a"},
		{name: "groups", model: "model { mu ~ dnorm(0, 0.0001); sigma ~ dunif(0, 10); for (i in 1:8) { a[i] ~ dnorm(mu, pow(sigma, -2)); y[i] ~ dnorm(a[i], 1) } }",
			data: "y <- c(0.1, -0.4, 0.3, 0.2, -0.1, 0.5, -0.3, 0)", node: "sigma"},
		{name: "regression", model: "model { for (i in 1:6) { y[i] ~ dnorm(a + b * x[i], tau) }; a ~ dnorm(0, 1.0E-6); b ~ dnorm(0, 1.0E-6); tau ~ dgamma(0.01, 0.01) }",
			data: "x <- c(8, 15, 22, 29, 36, 43)\ny <- c(151, 199, 246, 283, 320, 360)", node: "a"},
		{name: "counts", model: "model { n ~ dpois(50); for (i in 1:3) { y[i] ~ dbin(p, n) }; p ~ dunif(0, 1) }", data: "y <- c(20, 23, 18)", node: "n"},
		{name: "dirichlet", model: "model { p[1:3] ~ ddirch(a[]); y[1:3] ~ dmulti(p[], 90) }", data: "a <- c(1, 1, 1)\ny <- c(50, 30, 10)", node: "p[1]"},
	} {
		for seed := range uint64(5) {
			j, v := visited(t, &h, mcmc.Settings{Seed: seed, Chains: 4, Warmup: 1000, Draws: 1000})
			if all := j.Probe(v); len(all) > 0 {
				t.Errorf("%s, seed %d: %+v", h.name, seed, all)
			}
		}
	}
}

// Pilots crawl along a ridge, by which the plan's block goes at once to where the chains were: a part of it that chains happen to have missed is no part of its own.
func TestProbeDismissesWhatThePlanLeaves(t *testing.T) {
	h := hardCase{model: "model { a ~ dnorm(0, 0.01); b ~ dnorm(0, 0.01); y ~ dnorm(a + b, 10000) }", data: "y <- 0", node: "a"}
	for seed := range uint64(5) {
		j, v := visited(t, &h, mcmc.Settings{Seed: seed, Chains: 4, Warmup: 1000, Draws: 100})
		v.Least, v.Most, v.Warmup = []float64{-3}, []float64{3}, 20000 // of sds of 7; a warm-up that affords many pilots
		if all := j.Probe(v); len(all) > 0 {
			t.Errorf("seed %d: %+v", seed, all)
		}
	}
}

// A square has two modes whatever is beside it: an element of the same array with a wide range makes no exchange of labels of them.
func TestProbeTellsModesFromLabels(t *testing.T) {
	h := hardCase{model: "model { for (i in 1:2) { x[i] ~ dnorm(0, 0.01) } y ~ dnorm(x[1] * x[1], 4); w ~ dnorm(x[2], 0.02) }", data: "y <- 9; w <- 0", inits: "x <- c(3, 0)", node: "x"}
	j, v := visited(t, &h, mcmc.Settings{Seed: 1, Chains: 4, Warmup: 1000, Draws: 500})
	all := j.Probe(v)
	if len(all) != 1 || all[0].Labels || all[0].Where[0].Name != "x[1]" {
		t.Errorf("%+v", all)
	}
}

// Of two orders of a mixture's parts that hold the same the chains have seen one.
func TestProbeTellsLabels(t *testing.T) {
	h := hardCase{model: "model { for (k in 1:2) { mu[k] ~ dnorm(0, 0.01) }; for (i in 1:12) { z[i] ~ dcat(p[]); y[i] ~ dnorm(mu[z[i]], 1) } }",
		data: "p <- c(0.5, 0.5)\ny <- c(-3.6, -3.1, -2.2, -2.9, -3.4, -2.5, 2.4, 3.3, 3.1, 2.7, 3.9, 2.8)", inits: "mu <- c(-3, 3)", node: "mu"}
	j, v := visited(t, &h, mcmc.Settings{Seed: 1, Chains: 2, Warmup: 500, Draws: 500})
	all := j.Probe(v)
	if len(all) != 1 || !all[0].Labels || len(all[0].Where) != 2 || all[0].Where[0].Value*all[0].Where[1].Value > 0 {
		t.Errorf("%+v %+v", all, v)
	}
	h.data = "p <- c(0.3, 0.7)\ny <- c(-3.6, -3.1, -2.2, -2.9, -3.4, 2.5, 2.4, 3.3, 3.1, 2.7, 3.9, 2.8)" // labels are told apart: seven of one part are as likely as not seven of the other only where the weights are equal
	j, v = visited(t, &h, mcmc.Settings{Seed: 1, Chains: 2, Warmup: 500, Draws: 500})
	for _, m := range j.Probe(v) {
		if m.Labels {
			t.Errorf("%+v", m)
		}
	}
}

// The probe takes at most a tenth of the work of the warm-up, and leaves the chains' states as they are.
func TestProbeKeepsToItsBudget(t *testing.T) {
	for _, h := range hardCases() {
		j, v := visited(t, &h, mcmc.Settings{Seed: 1, Chains: 4, Warmup: 1000, Draws: 100})
		before := slices.Clone(v.Last[0].V)
		if left, all := plan.ProbeBudget(j, v); left < 0 || left == all {
			t.Errorf("%s: %d rows of %d are left", h.name, left, all)
		}
		if !slices.Equal(before, v.Last[0].V) {
			t.Errorf("%s: the chain was moved", h.name)
		}
	}
}

// An array without a node to record takes no place among the elements.
func TestProbeOfEmptyMonitors(t *testing.T) {
	h := hardCases()[0]
	j := h.job(t)
	j.Monitors = append([]model.Monitor{{Variable: draws.Variable{Name: "none", Dims: []int{0}}, Cells: []int32{}}}, j.Monitors...)
	s, err := j.Start(context.Background(), 0, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	all := j.Probe(plan.Visited{Seed: 1, Chains: 4, Warmup: 1000, Last: []*model.State{s}, Least: []float64{2.7}, Most: []float64{3.3}})
	if len(all) != 1 || all[0].Where[0].Name != "theta" {
		t.Errorf("%+v", all)
	}
}
