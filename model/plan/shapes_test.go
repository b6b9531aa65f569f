package plan_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// shapesOf samples a program and tells what shapes are found.
func shapesOf(t *testing.T, program, data string, seed uint64) string {
	t.Helper()
	c := compileText(t, program, data)
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	names, _ := c.DefaultMonitors()
	monitors, err := c.Monitors(names)
	if err != nil {
		t.Fatal(err)
	}
	set := mcmc.Settings{Seed: seed, Chains: 4, Warmup: 400, Draws: 250}
	job := &plan.Job{Plan: p, Monitors: monitors}
	v := plan.Visited{Chains: set.Chains, Warmup: set.Warmup, Last: make([]*model.State, set.Chains)}
	mem, err := draws.NewMemory(draws.Layout{Chains: set.Chains, Posterior: job.Variables()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), noting{job, v.Last}, set, mcmc.RecordTo(mem), nil); err != nil {
		t.Fatal(err)
	}
	post := mem.Groups().Posterior
	before := slices.Clone(v.Last[0].V)
	h := plan.NewShapes(job, v)
	var joint [][]float64
	for _, name := range h.Names {
		e, _ := post.Lookup(name)
		joint = append(joint, slices.Concat(post.Element(e)...))
	}
	var found []string
	for _, r := range h.Ridges(joint) {
		var w []string
		for _, x := range r.Weights {
			w = append(w, fmt.Sprintf("%.1f", x))
		}
		if !(r.Narrow < 0.15*r.Wide[0]) {
			t.Errorf("a ridge of the width %v over nodes with %v", r.Narrow, r.Wide)
		}
		found = append(found, "ridge "+strings.Join(r.Nodes, " ")+" "+strings.Join(w, " "))
	}
	for _, b := range h.Boundless(joint) {
		found = append(found, fmt.Sprintf("boundless %s %v", b.Node, b.Up))
	}
	for _, x := range h.CutOff(func(name string) (plan.Spread, bool) {
		e, ok := post.Lookup(name)
		r := diag.Tabulate(post.Element(e), nil)
		return plan.Spread{SD: r.SD, Q5: r.Q5, Median: r.Median, Q95: r.Q95}, ok
	}) {
		found = append(found, fmt.Sprintf("cut off %s at %v", x.Node, x.Bound))
	}
	if !slices.EqualFunc(before, v.Last[0].V, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
		t.Error("the chains' states are not what they were")
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
}

// Programs whose posterior has a shape that draws of single elements do not tell, and such whose posterior only looks like it.
func TestShapes(t *testing.T) {
	const years = "x <- c(1990,1991,1992,1993,1994,1995,1996,1997); y <- c(1,0,2,1,3,2,4,3)"
	const parted = "x <- c(-3,-2,-1,1,2,3); y <- c(0,0,0,1,1,1)"
	for name, c := range map[string]struct{ model, data, want string }{
		"a sum":                {"model { a ~ dnorm(0, 0.0001); b ~ dnorm(0, 0.0001); y ~ dnorm(a + b, 100) }", "y <- 1", "ridge a b 1.0 1.0"},
		"a difference, scale":  {"model { a ~ dnorm(0, 0.0001); b ~ dnorm(0, 0.01); y ~ dnorm(a - 10 * b, 100) }", "y <- 1", "ridge a b 1.0 -10.0"},
		"a sum of three":       {"model { a ~ dnorm(0, 0.0001); b ~ dnorm(0, 0.0001); c ~ dnorm(0, 0.0001); y ~ dnorm(a + b + c, 100) }", "y <- 1", "ridge a b c 1.0 1.0 1.0"},
		"a sum under a logit":  {"model { a ~ dnorm(0, 0.01); b ~ dnorm(0, 0.01); logit(p) <- a + b; y ~ dbin(p, 200) }", "y <- 120", "ridge a b 1.0 1.0"},
		"too many indicators":  {"model { a ~ dnorm(0, 0.0001); for (k in 1:2) { b[k] ~ dnorm(0, 0.0001) } for (i in 1:6) { y[i] ~ dnorm(a + b[g[i]], 1) } }", "g <- c(1,1,1,2,2,2); y <- c(1,2,3,2,3,4)", "ridge a b[1] 1.0 1.0"},
		"covariate off centre": {"model { a ~ dnorm(0, 1.0E-8); b ~ dnorm(0, 0.0001); for (i in 1:8) { y[i] ~ dnorm(a + b * x[i], 1) } }", years, ""},
		"a random walk":        {"model { x[1] ~ dnorm(0, 0.001); for (i in 2:5) { x[i] ~ dnorm(x[i-1], 1000) } for (i in 1:5) { y[i] ~ dnorm(x[i], 0.01) } }", "y <- c(1,2,1,2,3)", ""},
		"effects":              {"model { m ~ dnorm(0, 0.0001); s ~ dunif(0, 20); for (k in 1:4) { b[k] ~ dnorm(m, 1 / s^2); y[k] ~ dnorm(b[k], 4) } }", "y <- c(1,9,-3,4)", ""},

		"separable":            {"model { a ~ dnorm(0, 0.0001); b ~ dnorm(0, 0.0001); for (i in 1:6) { logit(p[i]) <- a + b * x[i]; y[i] ~ dbern(p[i]) } }", parted, "boundless b true"},
		"separable, the other": {"model { a ~ dnorm(0, 0.0001); b ~ dnorm(0, 0.0001); for (i in 1:6) { logit(p[i]) <- a - b * x[i]; y[i] ~ dbern(p[i]) } }", parted, "boundless b false"},
		"a group of successes": {"model { for (k in 1:2) { a[k] ~ dnorm(0, 0.0001) } for (i in 1:6) { logit(p[i]) <- a[g[i]]; y[i] ~ dbin(p[i], 9) } }", "g <- c(1,1,1,2,2,2); y <- c(3,2,4,9,9,9)", "boundless a[2] true"},
		"no counts":            {"model { for (k in 1:2) { a[k] ~ dnorm(0, 0.0001) } for (i in 1:6) { y[i] ~ dpois(exp(a[g[i]])) } }", "g <- c(1,1,1,2,2,2); y <- c(3,2,4,0,0,0)", "boundless a[2] false"},
		"a prior that says":    {"model { a ~ dnorm(0, 0.16); b ~ dnorm(0, 0.16); for (i in 1:6) { logit(p[i]) <- a + b * x[i]; y[i] ~ dbern(p[i]) } }", parted, ""},
		"not separable":        {"model { a ~ dnorm(0, 0.0001); b ~ dnorm(0, 0.0001); for (i in 1:6) { logit(p[i]) <- a + b * x[i]; y[i] ~ dbin(p[i], 9) } }", "x <- c(-3,-2,-1,1,2,3); y <- c(1,0,3,5,7,9)", ""},

		"an upper bound":       {"model { x ~ dunif(0, 1); y ~ dnorm(x, 100) }", "y <- 1.5", "cut off x at 1"},
		"a lower bound":        {"model { x ~ dnorm(0, 0.01) T(0,); y ~ dnorm(x, 4) }", "y <- -2", "cut off x at 0"},
		"a bound of an sd":     {"model { s ~ dunif(0, 3); for (i in 1:8) { y[i] ~ dnorm(0, 1 / s^2) } }", "y <- c(12,-11,14,-9,13,-12,8,-10)", "cut off s at 3"},
		"an sd near 0":         {"model { m ~ dnorm(0, 0.0001); s ~ dunif(0, 10); for (i in 1:8) { b[i] ~ dnorm(m, 1 / s^2); y[i] ~ dnorm(b[i], 1) } }", "y <- c(0.1,-0.4,0.3,0.2,-0.1,0.5,-0.3,0)", ""},
		"a probability near 1": {"model { p ~ dunif(0, 1); y ~ dbin(p, 50) }", "y <- 50", ""},
		"a rate near 0":        {"model { r ~ dgamma(1, 0.01); y ~ dpois(r * 100) }", "y <- 0", ""},
		"inside its bounds":    {"model { x ~ dunif(0, 10); y ~ dnorm(x, 1) }", "y <- 2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				if got := shapesOf(t, c.model, c.data, seed+1); got != c.want {
					t.Errorf("seed %d: %q, want %q", seed+1, got, c.want)
				}
			}
		})
	}
}
