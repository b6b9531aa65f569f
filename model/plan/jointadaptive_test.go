package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// TestJointAdaptive warms up on two nodes of which data tell little but the sum, under a step: proposals of both at once are in use, the sum's slow direction is crossed, and a
// sweep goes on from its tuning as it would have. Both have the same prior, so that the mean of a − b is 0; its variance is at most that of its prior, 2·25·10/8.
func TestJointAdaptive(t *testing.T) {
	c := compileText(t, `model { a ~ dt(0, 0.04, 10); b ~ dt(0, 0.04, 10); y ~ dnorm(a + b * step(a + 900), 25) }`, `y <- 1`)
	p, s, r := started(t, c.Model)
	w := p.Sweep()
	for i := range 2000 {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 2000})
	}
	w.Freeze()
	if on, accepted := w.JointAdaptive(); !on {
		t.Errorf("not in use, %.2f accepted", accepted)
	}
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
	a, _ := c.Model.Array("a")
	b, _ := c.Model.Array("b")
	const n = 20000
	sum := 0.0
	for range n {
		w.Step(s, r1)
		again.Step(other, r2)
		sum += s.V[a.Base] - s.V[b.Base]
	}
	if !slices.EqualFunc(s.V, other.V, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
		t.Error("another way from the same tuning")
	}
	// Draws are worth more than one in 25 independent ones: five standard errors, two-sided 6e-7.
	if mean, within := sum/n, 5*math.Sqrt(62.5/(n/25)); math.Abs(mean) > within {
		t.Errorf("mean %v, not 0 ± %v", mean, within)
	}
}
