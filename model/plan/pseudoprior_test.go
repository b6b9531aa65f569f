package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// TestPseudoPriors includes a coefficient of which the data tell a hundredth of its prior's width. The marginal likelihoods are those of a normal density at 0.4 with standard deviation 0.1,
// and of a uniform mean: 1/40 but for 1e-80. Where each moves given the other, the indicator changes once in hundreds of sweeps.
func TestPseudoPriors(t *testing.T) {
	c := compileText(t, `model { z ~ dbern(0.05); x ~ dunif(-20, 20); y ~ dnorm(z * x, 100) }`, `y <- 0.4`)
	p, s, r := started(t, c.Model)
	w := p.Sweep()
	for i := range 2000 {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 2000})
	}
	w.Freeze()
	tuning, err := w.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := p.Sweep()
	if err := again.UnmarshalBinary(tuning); err != nil {
		t.Fatal(err)
	}
	other := c.Model.NewState()
	copy(other.V, s.V)
	r1, r2 := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(3, 4))
	z, _ := c.Model.Array("z")
	const n = 20000
	sum, changes := 0.0, 0
	for range n {
		before := s.V[z.Base]
		w.Step(s, r1)
		again.Step(other, r2)
		sum += s.V[z.Base]
		if s.V[z.Base] != before {
			changes++
		}
	}
	if !slices.EqualFunc(s.V, other.V, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
		t.Error("another way from the same tuning")
	}
	if changes < n/10 {
		t.Errorf("%d changes in %d sweeps", changes, n)
	}
	in, out := 0.05/40, 0.95*math.Exp(-8)/(0.1*math.Sqrt(2*math.Pi))
	// A chain of two states that changes in a tenth of its steps has a draw in twenty or more that is independent: five standard errors, two-sided 6e-7.
	if want := in / (in + out); math.Abs(sum/n-want) > 5*math.Sqrt(want*(1-want)/(n/20)) {
		t.Errorf("included in %v of the draws, not %v", sum/n, want)
	}
}
