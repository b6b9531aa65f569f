package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

const (
	growth = `model { for (i in 1:8) { for (j in 1:4) { y[i,j] ~ dnorm(a[i] + b[i] * (j - 2.5), pow(s[1], -2)) }
	a[i] ~ dnorm(ma, pow(s[2], -2)); b[i] ~ dnorm(mb, pow(s[3], -2)) }
	ma ~ dnorm(0, 0.01); mb ~ dnorm(0, 0.01); for (k in 1:3) { s[k] ~ dunif(0, 10) } }`
	growthData = `y <- structure(c(1.2,0.1,2.9,1.5,-0.3,2.2,0.8,1.1, 2.1,1.3,3.6,1.9,1.2,2.1,2.5,1.0, 3.4,1.6,5.1,3.2,1.1,3.9,2.6,2.9, 3.9,2.8,5.5,3.1,2.8,4.0,4.1,2.5), .Dim=c(8,4))`
)

// TestAllWithBlock warms up on a hierarchy of slopes and intercepts, whose standard deviations move slowly one by one: proposals of all three at once from the fit are accepted mostly,
// so that the moves one by one become rare; and a sweep goes on from its tuning as it would have.
func TestAllWithBlock(t *testing.T) {
	c := compileText(t, growth, growthData)
	p, s, r := started(t, c.Model)
	w := p.Sweep()
	for i := range 1000 {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 1000})
	}
	w.Freeze()
	if on, accepted, alone := w.AllWithBlock(); !on || accepted < 0.5 || alone > 0.05 {
		t.Errorf("in use %v, %.2f accepted, alone in %v of the iterations", on, accepted, alone)
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
	for range 100 {
		w.Step(s, r1)
		again.Step(other, r2)
	}
	if !slices.EqualFunc(s.V, other.V, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
		t.Error("another way from the same tuning")
	}
}
