package plan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// TestNUTSStepsAllocateNothing asks for nuts wherever it can be had, in the models of the conformance suite and in one with rows by
// the hundred, in which it asks for the kernels akin to it too. Steps of the warm-up learn and may allocate; those after it may not.
func TestNUTSStepsAllocateNothing(t *testing.T) {
	all := append(cases(), conformance{name: "regressions", model: `model { s ~ dunif(0.1, 3); a ~ dnorm(0, 1); for (j in 1:3) { b[j] ~ dnorm(0, 1 / s^2) }
		for (i in 1:150) { e[i] <- a + inprod(b[], x[i,]) + b[g[i]]; logit(p[i]) <- e[i]; y[i] ~ dbern(p[i]); log(l[i]) <- e[i] / 2; w[i] ~ dpois(l[i]);
			u[i] ~ dt(e[i], s, 4); v[i] ~ dnorm(exp(-b[1] * x[i,2]), s) T(-1, 5) } }`, data: rowsByBlocks()})
	looked := 0
	for _, tc := range all {
		if stepsAllocateNothing(t, tc, "nuts") {
			looked++
		}
	}
	if looked < 50 {
		t.Errorf("only %d models have a node for nuts", looked)
	}
	for _, name := range []string{"walnuts", "chees", "static", "mala"} {
		stepsAllocateNothing(t, all[len(all)-1], name)
	}
}

// stepsAllocateNothing tells whether there is a node for the kernel.
func stepsAllocateNothing(t *testing.T, tc conformance, kernel string) bool {
	t.Helper()
	c := compileText(t, tc.model, tc.data)
	names := continuousNodes(c.Model)
	if len(names) == 0 {
		return false
	}
	p, err := plan.New(c.Model, []*plan.Override{{Pattern: "all", Kernel: kernel, Match: func(s string) bool { return slices.Contains(names, s) }}})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	s, err := p.Start(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	w := p.Sweep()
	const warm = 50
	for i := range warm {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warm})
	}
	w.Freeze()
	if n := testing.AllocsPerRun(10, func() { w.Step(s, r) }); n != 0 {
		t.Errorf("%s, %s: %v allocations in an iteration", tc.name, kernel, n)
	}
	return true
}
