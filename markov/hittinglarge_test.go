package markov_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// Hitting times by iteration are those by reduction, to the error they come with.
func TestHittingLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	cases := map[string]func() (markov.Chain, []float64){
		"grid": func() (markov.Chain, []float64) {
			return grid(20, func() float64 { return 0.1 + r.Float64() }).chain(t)
		},
		"random graph": func() (markov.Chain, []float64) { return blobs(400, 1, 0, r).chain(t) },
		"permutations": func() (markov.Chain, []float64) { return permutations(t, 401, 3, r) },
		"swirl":        func() (markov.Chain, []float64) { return drifting(t, 301, 0.7, 0.1) },
		"queue":        func() (markov.Chain, []float64) { return queue(t, 200, 0.25, 0.3) },
	}
	for name, make := range cases {
		t.Run(name, func(t *testing.T) {
			c, pi := make()
			for _, targets := range [][]int{{0}, {3, c.Len() / 2, 3}} {
				want, err := markov.Hitting(c, targets...)
				if err != nil {
					t.Fatal(err)
				}
				got, err := markov.Solver{Dense: -1}.HittingLarge(c, pi, targets...)
				if err != nil {
					t.Fatal(err)
				}
				if got.Error > 1.1e-6 {
					t.Errorf("error %g", got.Error)
				}
				for i, v := range want {
					if math.Abs(got.Steps[i]-v) > (got.Error+1e-9)*v {
						t.Fatalf("%v steps from state %d, not %v, to %g", got.Steps[i], i, v, got.Error)
					}
				}
			}
		})
	}
}

func TestHittingLargeErrors(t *testing.T) {
	c, pi := queue(t, 10, 0.25, 0.3)
	if _, err := (markov.Solver{}).HittingLarge(c, pi); err == nil {
		t.Error("no target is taken")
	}
	if _, err := (markov.Solver{}).HittingLarge(c, pi, 10); err == nil {
		t.Error("a state that is not there is taken")
	}
	if _, err := (markov.Solver{}).HittingLarge(c, pi[1:], 0); err == nil {
		t.Error("a distribution on fewer states is taken")
	}
	islands := sparse(t, 2, []markov.Transition{{From: 0, To: 0, P: 1}, {From: 1, To: 1, P: 1}})
	if _, err := (markov.Solver{}).HittingLarge(islands, []float64{0.5, 0.5}, 0); err == nil || !strings.Contains(err.Error(), "irreducible") {
		t.Errorf("%v", err)
	}
}
