package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const hierarchical = `model {
  for (i in 1:N) {
    y[i] ~ dbern(p[i])
    logit(p[i]) <- alpha[g[i]] + b1 * x1[i] + b2 * x2[i] + b3 * x3[i]
  }
  for (j in 1:G) {
    alpha[j] ~ dnorm(mu, tau)
  }
  mu ~ dnorm(0, 0.01)
  b1 ~ dnorm(0, 0.01)
  b2 ~ dnorm(0, 0.01)
  b3 ~ dnorm(0, 0.01)
  sigma ~ dunif(0, 10)
  tau <- pow(sigma, -2)
}
`

// perGroup is the number of observations of a group.
const perGroup = 100

// groups writes n observations of the hierarchical regression.
func groups(path string, n int) error {
	r := rng.New(1, "groups", uint64(n)).Rand
	b := fmt.Appendf(nil, "N <- %d\nG <- %d\n", n, n/perGroup)
	alpha := make([]float64, n/perGroup)
	for j := range alpha {
		alpha[j] = -0.5 + float64(0.8*dist.StdNormal(r))
	}
	eta, g, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range eta {
		k := r.IntN(len(alpha))
		g[i], eta[i] = float64(k+1), alpha[k]
	}
	for k, slope := range []float64{0.5, -0.3, 0.2} {
		x := make([]float64, n)
		for i := range x {
			x[i] = dist.StdNormal(r)
			eta[i] += float64(slope * x[i])
		}
		b = appendVector(b, fmt.Sprintf("x%d", k+1), x)
	}
	for i := range y {
		if r.Float64() < 1/(1+vec.Exp(-eta[i])) {
			y[i] = 1
		}
	}
	return os.WriteFile(path, appendVector(appendVector(b, "g", g), "y", y), 0o644)
}

// growth measures check of the hierarchical regression, and sweeps that move its nodes one by one.
func growth(ctx context.Context, dir, binary string, largest int) error {
	fmt.Println("alpha[g[i]] and three covariates under a logistic likelihood, 100 observations a group")
	fmt.Printf("%10s %22s %10s %16s %18s\n", "N", "check: CPU s, wall s", "most MB", "CPU s a sweep", "ns an observation")
	model, data := filepath.Join(dir, "groups.bug"), filepath.Join(dir, "groups.R")
	if err := os.WriteFile(model, []byte(hierarchical), 0o644); err != nil {
		return err
	}
	for n := 10_000; n <= largest; n *= 10 {
		if err := groups(data, n); err != nil {
			return err
		}
		p, err := run.Execute(ctx, dir, binary, "check", model, "--data", data, "--seed", "1")
		if err == nil && p.Status != 0 {
			err = errors.New(p.Stderr)
		}
		if err != nil {
			return err
		}
		s, err := sweep(model, data)
		if err != nil {
			return err
		}
		fmt.Printf("%10d %15.2f %6.2f %10d %16.3f %18.0f\n", n, p.CPU.Seconds(), p.Wall.Seconds(), p.PeakMB, s, 1e9*s/float64(n))
	}
	fmt.Println()
	return nil
}

// sweep is the processor time of a sweep in which each node is moved by itself.
func sweep(model, data string) (seconds float64, err error) {
	src, err := os.ReadFile(data)
	if err != nil {
		return 0, err
	}
	d, err := bugs.ReadData(data, src)
	if err != nil {
		return 0, err
	}
	prog, err := bugs.Parse(model, hierarchical)
	if err != nil {
		return 0, err
	}
	compiled, err := bugs.Compile(prog, d, rng.New(1, "data").Rand)
	if err != nil {
		return 0, err
	}
	alone := &plan.Override{Pattern: "*", Kernel: "slice", Match: func(string) bool { return true }}
	p, err := plan.New(compiled.Model, []*plan.Override{alone})
	if err != nil {
		return 0, err
	}
	r := rng.New(1, "sweep").Rand
	at, err := p.Start(nil, r)
	if err != nil {
		return 0, err
	}
	const warmup, timed = 3, 2
	w := p.Sweep()
	for i := range warmup {
		w.Adapt(at, r, mcmc.Warmup{Iteration: i, Total: warmup})
	}
	w.Freeze()
	start := cputime.Process()
	for range timed {
		w.Step(at, r)
	}
	return (cputime.Process() - start) / timed, nil
}
