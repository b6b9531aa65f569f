package plan_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Indicators with their normal nodes keep the joint distribution by themselves, and leave what is computed from both up to date: in a sweep, the nodes' other kernels would do so after them.
func TestIndicatorsKeepTheJointDistribution(t *testing.T) {
	n := 20_000 * *soak
	if testing.Short() {
		n = 4_000
	}
	for k, tc := range cases() {
		c := compileText(t, tc.model, tc.data)
		p, err := plan.New(c.Model, tc.overrides())
		if err != nil {
			t.Fatal(err)
		}
		for at, it := range p.Items {
			if it.Kernel != "indicator-with-normal" {
				continue
			}
			joint := jointModel(t, c.Model)
			w := tuned(p, joint, 1, 400)
			joint.Kernel = w.KernelAt(at)
			if err := kerneltest.Geweke[*model.State](joint, kerneltest.Settings{Seed: uint64(k), Replicates: n, Steps: 3}); err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
		}
	}
}

// After each step what is computed from the indicator or its normal node is what a computation of everything gives. Each row of b[z[i]] is guarded by its index: the rows that the node moves are those
// of the value that was drawn, not of the last that was weighed.
func TestIndicatorsLeaveNothingStale(t *testing.T) {
	c := compileText(t, `model { for (k in 1:2) { b[k] ~ dnorm(k, 1); v[k] ~ dnorm(b[k] * n[z[k]], 1) } for (i in 1:3) { n[i] ~ dpois(2); y[i] ~ dnorm(b[z[i]], 1) }
		z[1] ~ dcat(c(1, 2)); for (i in 2:3) { z[i] ~ dcat(q[z[i-1],]) } for (i in 1:2) { q[i,1:2] ~ ddirch(a) } }`, `a <- c(0.5, 1); z <- c(NA, 2, 2); y <- c(0.3, 2.7, 1.5)`)
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.New(1, "stale").Rand
	s, err := p.Start(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	w, looked := p.Sweep(), 0
	for at, it := range p.Items {
		if it.Kernel != "indicator-with-normal" {
			continue
		}
		for range 200 {
			w.Step(s, r)
			w.KernelAt(at).Step(s, r)
			was := slices.Clone(s.V)
			s.RunAllLive()
			for cell, x := range s.V {
				if math.Abs(was[cell]-x) > 1e-9*(1+math.Abs(x)) {
					t.Fatalf("%s is %v, computed afresh %v", c.Model.CellName(int32(cell)), was[cell], x)
				}
			}
			looked++
		}
	}
	if looked == 0 {
		t.Fatalf("no indicator moves with a normal node: %v", p.Items)
	}
}
