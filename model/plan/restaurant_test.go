package plan_test

import (
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Labels of four customers, one of whom tells nothing, keep the model's own density over all 256 of their values, however few new ones are weighed.
func TestRestaurantIsExact(t *testing.T) {
	c := compileText(t, `model { x[1:4] ~ dCRP(1.3, size = 4); for (i in 1:3) { y[i] ~ dnorm(mu[x[i]] + 0.1 * x[4], 1) } }`, `mu <- c(0,1.5,-1,0.5); y <- c(0.2,1,-0.5)`)
	p, err := plan.New(c.Model, []*plan.Override{{Pattern: "x", Kernel: "restaurant", Match: func(s string) bool { return strings.HasPrefix(s, "x") }}})
	if err != nil {
		t.Fatal(err)
	}
	x, _ := c.Model.Array("x")
	state := func(i int) *model.State {
		s := c.Model.NewState()
		for k := range int32(4) {
			s.V[x.Base+k] = float64(1 + i%4)
			i /= 4
		}
		s.RunAllLive()
		return s
	}
	f := kerneltest.Finite[*model.State]{State: state, Check: func(s *model.State) error { return consistent(c.Model, s) },
		Index: func(s *model.State) (i int) {
			for k := int32(3); k >= 0; k-- {
				i = 4*i + int(s.V[x.Base+k]) - 1
			}
			return i
		}}
	for i := range 256 {
		f.LogWeight = append(f.LogWeight, state(i).LogProb(c.Model.DensityRows()))
	}
	for _, most := range []int{1, 2, 10} {
		w := p.Sweep()
		if n := w.OfferFewSeats(most); n != 4 {
			t.Fatalf("%d of 4 labels have the kernel: %+v", n, p.Items)
		}
		w.Freeze()
		f.Kernel = w
		if err := kerneltest.Exact(f, kerneltest.Settings{Seed: uint64(most), Replicates: 60000, Steps: 1}); err != nil {
			t.Errorf("of %d: %v", most, err)
		}
		if err := kerneltest.Reaches(f, 27, kerneltest.Settings{Seed: uint64(most), Replicates: 5000, Steps: 40}); err != nil {
			t.Errorf("of %d: %v", most, err)
		}
		f.Kernel = w.KernelAt(0)
		if err := kerneltest.DetailedBalance(f, kerneltest.Settings{Seed: uint64(most), Replicates: 30000, Steps: 1}); err != nil {
			t.Errorf("of %d: %v", most, err)
		}
	}
}
