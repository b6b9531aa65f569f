package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// planned compiles a model, plans it and draws a start.
func planned(t *testing.T, text, data string) (*model.Model, *plan.Job, *model.State) {
	t.Helper()
	c := compileText(t, text, data)
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Start(nil, rng.New(1, "init").Rand)
	if err != nil {
		t.Fatal(err)
	}
	return c.Model, &plan.Job{Plan: p}, s
}

// A draw is counted where a parent of the data is near the largest number, and is not where it is ordinary.
func TestNoteFar(t *testing.T) {
	m, job, s := planned(t, "model { for (i in 1:3) { y[i] ~ dnorm(m, pow(s,-2)) }\n m ~ dnorm(0, 1)\n s ~ dunif(0, 10)\n k ~ dbern(0.5)\n z ~ dnorm(k, 1) }", "y <- c(3, 3, 3)\nz <- 1")
	look := func() { // one draw of these is looked at
		for range 8 {
			job.NoteFar(s)
		}
	}
	look()
	if s.Far.Draws != 0 || s.Far.Looked != 1 {
		t.Errorf("an ordinary state is far out: %+v", s.Far)
	}
	ordinary := slices.Clone(s.V)
	for cell, kind := range m.Kinds {
		if kind == model.Logical { // pow(s,-2) at s = 1e-154
			s.V[cell] = 1e308
		}
	}
	look()
	look()
	copy(s.V, ordinary)
	look()
	if s.Far.Draws != 2 || s.Far.Looked != 4 || s.Far.Node != "y[1]" || !strings.Contains(s.Far.Relation, "1e+308") {
		t.Errorf("%+v", s.Far)
	}
	if n := testing.AllocsPerRun(100, look); n != 0 {
		t.Errorf("%v allocations", n)
	}

	// A checkpoint keeps the count, and one that is damaged is an error.
	b, err := job.MarshalState(s)
	if err != nil {
		t.Fatal(err)
	}
	again, err := job.UnmarshalState(0, b)
	if err != nil {
		t.Fatal(err)
	}
	if again.Far != s.Far {
		t.Errorf("%+v after a checkpoint of %+v", again.Far, s.Far)
	}
	plain, err := job.MarshalState(&model.State{M: s.M, V: s.V})
	if err != nil {
		t.Fatal(err)
	}
	for n := len(b) - 1; n >= 0; n-- {
		if _, err := job.UnmarshalState(0, b[:n]); (err == nil) != (n == len(plain)) {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
	}
	if _, err := job.UnmarshalState(0, append(b, 0)); err == nil {
		t.Error("a byte too many is taken")
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
