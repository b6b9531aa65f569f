package markov_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// The second eigenvalue of sparse chains is that of their dense matrices, to the error it comes with.
func TestSecondEigenvalue(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	cases := map[string]func() (markov.Chain, []float64){
		"lazy grid": func() (markov.Chain, []float64) {
			return lazy(t, grid(20, func() float64 { return 0.1 + r.Float64() }))
		},
		"random graph": func() (markov.Chain, []float64) { return blobs(400, 1, 0, r).chain(t) },
		"two parts":    func() (markov.Chain, []float64) { return blobs(400, 2, 1e-3, r).chain(t) },
		"permutations": func() (markov.Chain, []float64) { return permutations(t, 401, 3, r) },
		"swirl":        func() (markov.Chain, []float64) { return drifting(t, 101, 0.7, 0.1) }, // complex eigenvalues
		"queue":        func() (markov.Chain, []float64) { return queue(t, 300, 0.25, 0.3) },
		"few states":   func() (markov.Chain, []float64) { return queue(t, 10, 0.25, 0.3) },
	}
	for name, make := range cases {
		t.Run(name, func(t *testing.T) {
			c, pi := make()
			got, err := markov.SecondEigenvalue(c, pi, 20_000)
			if err != nil {
				t.Fatal(err)
			}
			values, err := markov.Eigenvalues(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := markov.SLEM(values)
			nearest := math.Inf(1)
			for _, v := range values {
				nearest = min(nearest, cmplx.Abs(v-got.Value))
			}
			t.Logf("%v ± %.1g in %d products; largest modulus %v, nearest at %.1g", got.Value, got.Error, got.Products, want, nearest)
			if math.Abs(got.Modulus()-want) > got.Error+1e-9 || nearest > got.Error+1e-9 || got.Error > (1-want)/900 {
				t.Errorf("%v ± %g, not %v", got.Value, got.Error, want)
			}
		})
	}
}

// lazy stays where it is every other time: its eigenvalues are not negative.
func lazy(t testing.TB, g *weighted) (markov.Chain, []float64) {
	for i := range g.n {
		g.list = append(g.list, markov.Transition{From: int32(i), To: int32(i), P: g.sum[i]})
	}
	return g.chain(t)
}

func TestSecondEigenvalueGivesUp(t *testing.T) {
	c, pi := queue(t, 5000, 0.3, 0.3)
	if _, err := markov.SecondEigenvalue(c, pi, 100); err == nil || !strings.Contains(err.Error(), "not found in") {
		t.Errorf("%v", err)
	}
	if _, err := markov.SecondEigenvalue(c, pi[1:], 100); err == nil {
		t.Error("a distribution on fewer states is taken")
	}
}
