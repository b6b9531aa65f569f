package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// TestLongDirichletsMoveInPart lowers how many elements a step moves and puts the kernel
// through the joint-distribution test, at a false-alarm rate of 10⁻⁶ for each model: with
// and without a structural zero, and with fewer and as many elements as there are.
func TestLongDirichletsMoveInPart(t *testing.T) {
	set := kerneltest.Settings{Seed: 5, Replicates: 20000, Steps: 3}
	if testing.Short() {
		set.Replicates = 4000
	}
	for name, tc := range map[string]struct {
		model, data string
		most        int
	}{
		"one of five":            {`model { x[1:5] ~ ddirch(a[]); y ~ dnorm(x[1] * x[2], 30); w ~ dcat(x[]) }`, `a <- c(1,2,0.3,4,1.5); y <- 0; w <- 1`, 1},
		"two, a structural zero": {`model { x[1:4] ~ ddirch(a[]); y ~ dnorm(x[2] * x[3], 30) }`, `a <- c(1,0,2,0.2); y <- 0`, 2},
		"as many as there are":   {`model { x[1:4] ~ ddirch(a[]); y ~ dnorm(x[2] * x[3], 30) }`, `a <- c(1,0,2,0.2); y <- 0`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := compileText(t, tc.model, tc.data)
			p, err := plan.New(c.Model, nil)
			if err != nil {
				t.Fatal(err)
			}
			joint := jointModel(t, c.Model)
			sweep := tuned(p, joint, 5, 400)
			if n := sweep.MoveFewShares(tc.most); n != 1 {
				t.Fatalf("%d kernels of Dirichlet nodes", n)
			}
			joint.Kernel = sweep
			if err := kerneltest.Geweke(joint, set); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLongDirichletsMoveAllOver sees that a step of a long node moves some elements only, and
// that each gets its turn.
func TestLongDirichletsMoveAllOver(t *testing.T) {
	for name, tc := range map[string]struct {
		data        string
		most, steps int
	}{
		"1000 elements, the house's bound": {`n <- 1000; y <- 0`, 0, 2},
		// One element misses all turns with probability (2/3)⁸⁰ = 8e-15.
		"12 elements, 4 a step": {`n <- 12; y <- 0`, 4, 80},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := compileText(t, `model { for (i in 1:n) { a[i] <- 1 } x[1:n] ~ ddirch(a[]); y ~ dnorm(x[1] * x[2], 30) }`, tc.data)
			p, err := plan.New(c.Model, nil)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 1))
			s, err := p.Start(nil, r)
			if err != nil {
				t.Fatal(err)
			}
			a, _ := c.Model.Array("x")
			x := s.V[a.Base : int(a.Base)+a.Size]
			start := slices.Clone(x)
			sweep, most := p.Sweep(), 256
			if tc.most > 0 {
				sweep.MoveFewShares(tc.most)
				most = tc.most
			}
			for range tc.steps {
				// A move asks for three densities at least, so moving all 1000 would for 3000.
				if info := sweep.Step(s, r); info.Evals < 3*most || tc.most == 0 && info.Evals > 3*len(x) {
					t.Fatalf("%d densities in a step of %d moves", info.Evals, most)
				}
			}
			// Elements i and i+1 keep their ratio while neither moves by itself.
			kept := 0
			for i := range len(x) - 1 {
				if was, is := start[i]/start[i+1], x[i]/x[i+1]; math.Abs(is/was-1) < 1e-9 {
					kept++
				}
			}
			if tc.most > 0 && kept > 0 || kept > len(x)/2 {
				t.Errorf("%d of %d ratios are as at the start", kept, len(x)-1)
			}
		})
	}
}
