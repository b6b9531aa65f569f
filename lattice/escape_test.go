package lattice

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// On a ring of four whose neighbours differ on one side each, every proposal leaves the energy as it is: Metropolis alone turns all spins for
// ever. With the heat bath the energy is that of equilibrium, −4(t + t³)/(1 + t⁴) with t = tanh β, from each start: 5.5 standard errors of an
// upper bound of the variance, 16 τ with τ < 40, which chance exceeds once in 26 million.
func TestWithHeatBath(t *testing.T) {
	g, err := Geometry{Size: []int{4}}.Graph(1)
	if err != nil {
		t.Fatal(err)
	}
	const beta, steps = 0.4, 200_000
	m := &Model{Graph: g}
	alone, err := NewMetropolis(m, beta, ScanSettings{Scan: Checkerboard, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	bath, err := NewHeatBath(m, beta, ScanSettings{Scan: Checkerboard, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	both, err := WithHeatBath[*State](alone, bath)
	if err != nil {
		t.Fatal(err)
	}
	th := math.Tanh(beta)
	want := -4 * (th + math.Pow(th, 3)) / (1 + math.Pow(th, 4))
	for name, k := range map[string]mcmc.Kernel[*State]{"alone": alone, "with the heat bath": both} {
		s := &State{Spins: []uint8{1, 1, 0, 0}}
		r, sum := rand.New(rand.NewPCG(1, 2)), 0.0
		for range steps {
			k.Step(s, r)
			sum += m.Energy(s)
		}
		off := math.Abs(sum/steps - want)
		if trapped := off > 5.5*math.Sqrt(16*40./steps); trapped != (name == "alone") {
			t.Errorf("%s: energy %v, exact %v", name, sum/steps, want)
		}
	}
}
