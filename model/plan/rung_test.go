package plan_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// A rung's kernels keep the prior times the likelihood to the power 0.3. Means are closed forms; a node is off by more than 5.5 standard
// errors once in 2·10⁷.
func TestRungKeepsPoweredLikelihood(t *testing.T) {
	const power = 0.3
	type want struct {
		node string
		mean float64
	}
	cat := func() float64 { // p(z) ∝ q_z N(1.2; z, 1)^0.3
		sum, mean := 0.0, 0.0
		for z, q := range []float64{0.2, 0.5, 0.3} {
			w := q * math.Exp(-power*(1.2-float64(z+1))*(1.2-float64(z+1))/2)
			sum, mean = sum+w, mean+w*float64(z+1)
		}
		return mean / sum
	}
	for _, tc := range []struct {
		name, model, data string
		want              []want
	}{
		{"slice", "model { mu ~ dnorm(0, 1); y ~ dnorm(mu, 4) }", "y <- 2", []want{{"mu", 4 * power * 2 / (1 + 4*power)}}},
		{"slice, bounded", "model { p ~ dbeta(1, 2); y ~ dbin(p, 10) }", "y <- 7", []want{{"p", (1 + 7*power) / (3 + 10*power)}}},
		{"simplex-slice", "model { p[1:3] ~ ddirch(a[]); y[1:3] ~ dmulti(p[], 9) }", "a <- c(1, 2, 3)\ny <- c(5, 3, 1)",
			[]want{{"p[1]", (1 + 5*power) / (6 + 9*power)}, {"p[3]", (3 + power) / (6 + 9*power)}}},
		{"enumerate", "model { z ~ dcat(q[]); y ~ dnorm(z, 1) }", "q <- c(0.2, 0.5, 0.3)\ny <- 1.2", []want{{"z", cat()}}},
		{"elliptical-slice", "model { x[1:2] ~ dmnorm(m[], I[,]); y ~ dnorm(x[1], 4) }",
			"m <- c(0, 1)\nI <- structure(c(1, 0, 0, 1), .Dim = c(2, 2))\ny <- 2", []want{{"x[1]", 4 * power * 2 / (1 + 4*power)}, {"x[2]", 1}}},
		// Of two nodes the upper one has a child that is no data: a ~ N(0, 2), and the datum has precision 4 · 0.3.
		{"hierarchy", "model { mu ~ dnorm(0, 1); a ~ dnorm(mu, 1); y ~ dnorm(a, 4) }", "y <- 2",
			[]want{{"a", 4 * power * 2 / (0.5 + 4*power)}, {"mu", 0.5 * 4 * power * 2 / (0.5 + 4*power)}}},
		// tau ~ Gamma(3 + 0.3/2, 2 + 0.3 · 4/2)
		{"a matrix", "model { W[1:1,1:1] ~ dwish(R[,], 3); y ~ dnorm(0, W[1,1]) }", "R <- structure(2, .Dim = c(1, 1))\ny <- 2",
			[]want{{"W[1,1]", (1.5 + power/2) / (1 + power*2)}}},
		// W ~ Gamma(1.5, 1), which is above 1 with probability erfc(1) + 2/√π e⁻¹ = 0.572407, and has 1.5 (0.572407 + e⁻¹/Γ(2.5)) = 1.5 · 0.849145 of its mean there.
		{"prior", "model { W[1:1,1:1] ~ dwish(R[,], 3); y ~ dbern(0.2 + 0.6 * step(W[1,1] - 1)) }", "R <- structure(2, .Dim = c(1, 1))\ny <- 1", []want{{"W[1,1]",
			1.5 * (0.849145*math.Pow(0.8, power) + 0.150855*math.Pow(0.2, power)) / (0.572407*math.Pow(0.8, power) + 0.427593*math.Pow(0.2, power))}}},
	} {
		c := compileText(t, tc.model, tc.data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, w := range tc.want {
			names = append(names, w.node)
		}
		monitors, err := c.Monitors(names)
		if err != nil {
			t.Fatal(err)
		}
		job := &plan.Job{Plan: p, Monitors: monitors}
		r := rng.New(1, tc.name).Rand
		s, err := job.Start(context.Background(), 0, r)
		if err != nil {
			t.Fatal(err)
		}
		k := p.Rung(power)
		const n = 20000
		x := make([]float64, len(names))
		all := make([][]float64, len(names))
		for i := range n + n/10 {
			if i < n/10 {
				k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: n / 10})
				continue
			}
			k.Step(s, r)
			job.Record(s, r, x)
			for e := range x {
				all[e] = append(all[e], x[e])
			}
		}
		for e, w := range tc.want {
			chain := [][]float64{all[e]}
			mean, se := mean(all[e]), diag.MCSEMean(chain)
			if !(math.Abs(mean-w.mean) <= 5.5*se) || se > 0.05 {
				t.Errorf("%s: the mean of %s is %.4f ± %.4f, not %.4f", tc.name, w.node, mean, se, w.mean)
			}
		}
	}
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// hardCase is a program whose chains do not leave the part of the posterior that they start in.
type hardCase struct {
	name, model, data, inits string
	node                     string
	mean                     float64
}

func hardCases() []hardCase {
	return []hardCase{
		// The square is symmetric: 3 and −3 are as probable.
		{"a square", "model { theta ~ dnorm(0, 0.01); y ~ dnorm(theta * theta, 4) }", "y <- 9", "theta <- 3", "theta", 0},
		// p(0, 0) = p(1, 1), as y = 1 is as far from 0 as from 2.
		{"tied", "model { z[1] ~ dbern(0.5); z[2] ~ dbern(p[z[1] + 1]); y ~ dnorm(z[1] + z[2], 1) }", "y <- 1\np <- c(0.0001, 0.9999)",
			"z <- c(1, 1)", "z[1]", 0.5},
		// Two parts, of which that at 40 has exp(−0.005 · 1600 / 2) the density of that at 0 and its width: 0.018 of the mass, at 39.95 by the
		// prior's slope, the other at −0 (quadrature: bench/hard).
		{"far", "model { theta ~ dnorm(0, 0.005); y ~ dnorm(theta * (theta - 40) / 40, 4) }", "y <- 0", "theta <- 0", "theta", 0.7429},
	}
}

// hardJob is the job of a program with its initial values.
func (h *hardCase) job(t *testing.T) *plan.Job {
	t.Helper()
	c := compileText(t, h.model, h.data)
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	monitors, err := c.Monitors([]string{h.node})
	if err != nil {
		t.Fatal(err)
	}
	j := &plan.Job{Plan: p, Monitors: monitors}
	if h.inits != "" {
		j.Inits = append(j.Inits, initsOf(t, c, h.inits))
	}
	return j
}

// sampled runs a job and returns the draws of its first element by chain.
func sampled[S any](t *testing.T, j mcmc.Job[S], set mcmc.Settings) [][]float64 {
	t.Helper()
	mem, err := draws.NewMemory(draws.Layout{Chains: set.Chains, Posterior: j.Variables()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), j, set, mcmc.RecordTo(mem), nil); err != nil {
		t.Fatal(err)
	}
	var all [][]float64
	for c := range set.Chains {
		all = append(all, mem.Groups().Posterior.Chain(c, 0))
	}
	return all
}

// From one start the tempered job visits all parts, in their proportion, from each of 20 seeds. Of 60 means one is off by more than 6
// standard errors with probability 1e-7.
func TestTemperedCrosses(t *testing.T) {
	for _, h := range hardCases() {
		for seed := range uint64(20) {
			set := mcmc.Settings{Seed: seed, Chains: 2, Warmup: 500, Draws: 4000}
			j, err := h.job(t).Tempered(set)
			if err != nil {
				t.Fatal(err)
			}
			chains := sampled(t, j, set)
			m, se := (mean(chains[0])+mean(chains[1]))/2, diag.MCSEMean(chains)
			if !(math.Abs(m-h.mean) <= 6*se) || se > 0.3*(1+math.Abs(h.mean)) {
				t.Errorf("%s, seed %d: the mean of %s is %.3f ± %.3f, not %.3f", h.name, seed, h.node, m, se, h.mean)
			}
		}
	}
}

// Replicas of one model reach a model's evidence too: log Z of the ladder is that of the data, log N(2; 0, 1 + 1/4).
func TestTemperedEvidence(t *testing.T) {
	h := hardCase{model: "model { mu ~ dnorm(0, 1); y ~ dnorm(mu, 4) }", data: "y <- 2", node: "mu"}
	set := mcmc.Settings{Seed: 3, Chains: 1, Warmup: 500, Draws: 20000}
	j, err := h.job(t).Tempered(set)
	if err != nil {
		t.Fatal(err)
	}
	sampled(t, j, set)
	rep, err := j.Report(0)
	if err != nil {
		t.Fatal(err)
	}
	want := -vec.Log(2*math.Pi*1.25)/2 - 4/1.25/2
	if !(math.Abs(rep.LogZ-want) <= 5.5*rep.LogZError) || rep.LogZError > 0.05 {
		t.Errorf("log Z is %.4f ± %.4f, not %.4f", rep.LogZ, rep.LogZError, want)
	}
}

// A prior of which no draw allows the data is told.
func TestTemperedNeedsThePrior(t *testing.T) {
	h := hardCase{model: "model { n ~ dpois(1); y ~ dbin(0.5, n) }", data: "y <- 40", node: "n"}
	if _, err := h.job(t).Tempered(mcmc.Settings{Seed: 1}); err == nil {
		t.Error("no error")
	}
}

// A cut model has no joint density of which to take powers.
func TestTemperedRefusesCuts(t *testing.T) {
	h := hardCase{model: "model { a ~ dnorm(0, 1); u ~ dnorm(a, 1); y ~ dnorm(b, 1); b ~ dnorm(cut(a), 1) }", data: "u <- 1; y <- 3", node: "a"}
	if _, err := h.job(t).Tempered(mcmc.Settings{Seed: 1}); err == nil || !strings.Contains(err.Error(), "cut") {
		t.Errorf("the error is %v", err)
	}
}

// initsOf reads initial values.
func initsOf(t *testing.T, c *bugs.Compiled, text string) model.Inits {
	t.Helper()
	d, err := bugs.ReadData("inits.R", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := c.Inits(d)
	if err != nil {
		t.Fatal(err)
	}
	return in
}
