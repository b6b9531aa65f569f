package plan_test

import (
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Exchanges of labels keep the joint distribution by themselves, at a false-alarm rate of 10⁻⁶ for each model, many of them one after the other: in a sweep, kernels that draw
// allocations and fractions anew would hide most of a fault. Priors that differ by component, allocations that are data, and vectors are among them.
func TestExchangesOfLabelsKeepTheJointDistribution(t *testing.T) {
	n := 60_000 * *soak
	if testing.Short() {
		n = 10_000
	}
	found := 0
	for k, tc := range cases() {
		if tc.kernel != "exchange-of-labels" {
			continue
		}
		found++
		c := compileText(t, tc.model, tc.data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(p.Items, func(it plan.Item) bool { return it.Kernel == tc.kernel })
		joint := jointModel(t, c.Model)
		joint.Kernel = p.Sweep().KernelAt(at)
		if err := kerneltest.Geweke[*model.State](joint, kerneltest.Settings{Seed: uint64(k), Replicates: n, Steps: 10}); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	if found < 2 {
		t.Errorf("%d models", found)
	}
}

// Components are exchanged only where all that differs between them is what allocations pick.
func TestWhereLabelsAreNotExchanged(t *testing.T) {
	const head = `for (k in 1:2) { v[k] ~ dbeta(1, 1) } p[1] <- v[1]; p[2] <- v[2] * (1 - v[1]); p[3] <- (1 - v[2]) * (1 - v[1]); for (i in 1:3) { z[i] ~ dcat(p[]) } `
	for name, body := range map[string]string{
		"another child of a component":     `for (k in 1:3) { m[k] ~ dnorm(0, 1) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]], 1) } w ~ dnorm(m[2], 1)`,
		"a component that another reads":   `m[1] ~ dnorm(0, 1); for (k in 2:3) { m[k] ~ dnorm(m[k-1], 1) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]], 1) }`,
		"data by component":                `for (k in 1:3) { m[k] ~ dnorm(0, 1) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]] + d[z[i]], 1) }`,
		"a label as a number":              `for (k in 1:3) { m[k] ~ dnorm(0, 1) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]] + z[i], 1) }`,
		"another index":                    `for (k in 1:3) { m[k] ~ dnorm(0, 1) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]], 1); x[i] ~ dcat(q[]); u[i] ~ dnorm(m[x[i]], 1) }`,
		"what is computed from components": `for (k in 1:3) { m[k] ~ dnorm(0, 1) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]], 1) } w ~ dnorm(max(m[]), 1)`,
	} {
		p := planOf(t, compileText(t, "model { "+head+body+" }", "y <- c(0,0,0); w <- 0; d <- c(0,1,2); q <- c(1,1,1); u <- c(0,0,0)").Model)
		if slices.ContainsFunc(p.Items, func(it plan.Item) bool { return it.Kernel == "exchange-of-labels" }) {
			t.Errorf("%s: labels are exchanged", name)
		}
	}
}
