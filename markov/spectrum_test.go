package markov_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// The mixing times of reversible chains are between their bounds.
func TestMixingBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 10 {
		c, pi := lazy(t, blobs(20+r.IntN(60), 1, 0, r))
		values, err := markov.Eigenvalues(c, pi)
		if err != nil {
			t.Fatal(err)
		}
		for _, epsilon := range []float64{0.25, 0.01} {
			least := 1.0
			for _, v := range pi {
				least = min(least, v)
			}
			low, high, err := markov.MixingBounds(1-markov.SLEM(values), least, epsilon)
			if err != nil {
				t.Fatal(err)
			}
			got, err := markov.MixingTime(c, pi, epsilon)
			if err != nil {
				t.Fatal(err)
			}
			if float64(got) < low || float64(got) > high {
				t.Errorf("%d is not between %v and %v", got, low, high)
			}
		}
	}
	for _, bad := range [][3]float64{{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 1}, {1.5, 0.5, 0.5}} {
		if _, _, err := markov.MixingBounds(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}
