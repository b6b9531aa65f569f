package plan_test

import (
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// A state is told apart where a parent of the data is near the largest number, and is not where it is ordinary.
func TestOverflow(t *testing.T) {
	c := compileText(t, "model { for (i in 1:3) { y[i] ~ dnorm(m, pow(s,-2)) }\n m ~ dnorm(0, 1)\n s ~ dunif(0, 10)\n k ~ dbern(0.5)\n z ~ dnorm(k, 1) }", "y <- c(3, 3, 3)\nz <- 1")
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Start(nil, rng.New(1, "init").Rand)
	if err != nil {
		t.Fatal(err)
	}
	if node, relation := p.Overflow(s); node != "" {
		t.Errorf("an ordinary state overflows at %s: %s", node, relation)
	}
	for cell, kind := range c.Model.Kinds {
		if kind == model.Logical { // pow(s,-2) at s = 1e-154
			s.V[cell] = 1e308
		}
	}
	if node, relation := p.Overflow(s); node != "y[1]" || !strings.Contains(relation, "1e+308") {
		t.Errorf("node %q, relation %q", node, relation)
	}
}

// Only continuous nodes that are sampled have to move.
func TestMovable(t *testing.T) {
	c := compileText(t, "model { m ~ dnorm(0, 1)\n k ~ dbern(0.5)\n f <- 2*k\n y ~ dnorm(m+k, 1)\n u ~ dnorm(m, 1)\n b[1:2] ~ dmnorm(zero[], P[,])\n x ~ dnorm(b[1]+b[2], 1) }",
		"y <- 1\nx <- 1\nzero <- c(0, 0)\nP <- structure(c(1, 0, 0, 1), .Dim = c(2, 2))")
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	names, left := c.DefaultMonitors()
	monitors, err := c.Monitors(append(names, left...))
	if err != nil {
		t.Fatal(err)
	}
	movable := (&plan.Job{Plan: p, Monitors: monitors}).Movable()
	for name, want := range map[string]bool{"m": true, "b[1]": true, "b[2]": true, "k": false, "f": false, "u": false} {
		if movable[name] != want {
			t.Errorf("%s: %v, want %v", name, movable[name], want)
		}
	}
}
