package plan_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// The density of the nodes above counts that depend on one another is the sum of the joint density over these, taken here value by value: below 22 each, beyond which no term is above 1e-12 of the
// sum. All stochastic rows depend on the counts or on these nodes, so that there is no other constant.
func TestTreesOfCountsAreSummed(t *testing.T) {
	for k, tc := range []conformance{
		{"survivors and recruits", `model { l ~ dunif(0, 2); w ~ dunif(0, 1); g ~ dunif(0, 1); p ~ dunif(0, 1); N1 ~ dpois(l); S ~ dbin(w, N1); G ~ dpois(g); N2 <- S + G; y[1] ~ dbin(p, N1); y[2] ~ dbin(p, N2); y[3] ~ dbin(p, N2) }`, `y <- c(2,1,2)`, "", ""},
		{"recruits of those before", `model { l ~ dunif(0, 2); w ~ dunif(0, 0.9); g ~ dunif(0, 0.7); p ~ dunif(0, 1); N1 ~ dpois(l); S ~ dbin(w, N1); G ~ dpois(g * N1 + 0.1); N2 <- S + G; y[1] ~ dbin(p, N1); y[2] ~ dbin(p, N2); u ~ dpois(N2 + 0.5) }`, `y <- c(2,1); u <- 3`, "", ""},
		{"stages seen together", `model { l ~ dunif(0, 1); w ~ dunif(0, 1); r ~ dunif(0, 1); p ~ dunif(0.2, 1); A ~ dpois(l); B ~ dnegbin(0.7, 1 + r); S ~ dbin(w, B); y[1] ~ dbin(p, A + B); y[2] ~ dbin(p, A + B); y[3] ~ dbin(p * w, S) }`, `y <- c(2,1,1)`, "", ""},
	} {
		c := compileText(t, tc.model, tc.data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		sweep := p.Sweep()
		for trial := range uint64(4) {
			s := jointModel(t, c.Model).Draw(rand.New(rand.NewPCG(trial, uint64(k))))
			copyData(c.Model, s)
			got, cells := sweep.CountSum(s)
			if len(cells) == 0 {
				t.Fatalf("%s: no trees of counts", tc.name)
			}
			want := 0.0
			var visit func(left []int32)
			visit = func(left []int32) {
				if len(left) == 0 {
					s.RunAllLive()
					want += math.Exp(s.LogProb(c.Model.DensityRows()))
					return
				}
				for n := range 22 {
					s.V[left[0]] = float64(n)
					visit(left[1:])
				}
			}
			visit(cells)
			if off := got - math.Log(want); !(math.Abs(off) < 1e-10) {
				t.Errorf("%s: the sum is off by %v", tc.name, off)
			}
		}
	}
}

// Steps that sum over trees of counts allocate nothing once their rows are as long as they get, and leave what is computed from the counts up to date.
func TestTreesOfCountsAreLeftWhole(t *testing.T) {
	for k, tc := range cases() {
		if tc.kernel != "joint-with-counts" || !strings.HasPrefix(tc.name, "counts, ") {
			continue
		}
		c := compileText(t, tc.model, tc.data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		joint := jointModel(t, c.Model)
		w, s, r := tuned(p, joint, 7, 400), joint.Draw(rand.New(rand.NewPCG(3, uint64(k)))), rand.New(rand.NewPCG(4, uint64(k)))
		copyData(c.Model, s)
		for range 300 {
			w.Step(s, r)
			if err := consistent(c.Model, s); err != nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
		}
		if n := testing.AllocsPerRun(100, func() { w.Step(s, r) }); n > 0 {
			t.Errorf("%s: %v allocations in an iteration", tc.name, n)
		}
	}
}

// A population that a wide prior lets grow beyond all that sums can be taken of is made small at the start, and found again from there: all chains end where the data of 60 counted animals are.
func TestCountsStartFew(t *testing.T) {
	c := compileText(t, `model { l ~ dunif(0, 50); g ~ dunif(0, 50); w ~ dunif(0, 1); p ~ dunif(0, 1); for (i in 1:4) { N[i,1] ~ dpois(l); for (t in 2:6) { S[i,t] ~ dbin(w, N[i,t-1]); G[i,t] ~ dpois(g * N[i,t-1]); N[i,t] <- S[i,t] + G[i,t] } for (t in 1:6) { for (j in 1:2) { y[i,t,j] ~ dbin(p, N[i,t]) } } } }`,
		`y <- structure(c(3,2,2,3, 2,3,1,2, 2,2,3,1, 3,1,2,4, 2,3,2,3, 1,2,4,2, 3,3,2,2, 2,1,2,3, 2,3,2,2, 2,2,3,3, 1,3,2,2, 3,2,2,3), .Dim=c(4,6,2))`)
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := c.Model.Array("g")
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := jointModel(t, c.Model).Draw(r)
		copyData(c.Model, s)
		w := p.Sweep()
		for i := range 100 {
			w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 100})
		}
		if x := s.V[g.Base]; x > 1 {
			t.Errorf("seed %d: %v recruits of each after 100 iterations", seed, x)
		}
	}
}
