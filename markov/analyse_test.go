package markov_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// lazyRing steps to either side with probability 0.3.
func lazyRing(t testing.TB, n int32) *markov.Sparse {
	var list []markov.Transition
	for i := range n {
		list = append(list, markov.Transition{From: i, To: i, P: 0.4}, markov.Transition{From: i, To: (i + 1) % n, P: 0.3},
			markov.Transition{From: i, To: (i + n - 1) % n, P: 0.3})
	}
	return sparse(t, int(n), list)
}

// The second eigenvalue of the ring is 0.4 + 0.6 cos(2π/n), whether all are computed or it is found by iteration; Kemeny's
// constant is the sum of 1/(1 − λ), which the large ring gets when it is asked for.
func TestAnalyse(t *testing.T) {
	for _, c := range []struct {
		n   int
		set markov.AnalysisSettings
		all bool
	}{{300, markov.AnalysisSettings{}, true}, {1100, markov.AnalysisSettings{}, false}, {1100, markov.AnalysisSettings{Spectrum: true}, true}} {
		a, err := markov.Analyse(lazyRing(t, int32(c.n)), c.set)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 1e-9
		if a.SLEMError != nil {
			tolerance = *a.SLEMError
		}
		close(t, "the second eigenvalue", *a.SLEM, 0.4+0.6*math.Cos(2*math.Pi/float64(c.n)), tolerance)
		if !*a.Reversible || *a.Period != 1 || (a.Kemeny != nil) != c.all || (a.MixingTime != nil) != c.all || (len(a.MixingBounds) == 2) == c.all {
			t.Errorf("%d states: %+v", c.n, a.Why)
		}
		if !c.all {
			if a.Why["kemeny"] == "" || a.Why["mixing_time"] == "" {
				t.Errorf("no reasons: %v", a.Why)
			}
			continue
		}
		sum := 0.0
		for k := 1; k < c.n; k++ {
			sum += 1 / (0.6 - 0.6*math.Cos(2*math.Pi*float64(k)/float64(c.n)))
		}
		close(t, "Kemeny's constant", *a.Kemeny/sum, 1, 1e-6)
	}
}

// Hitting times of a large irreducible chain come by iteration, and those of one with several classes need a dense matrix that is asked for.
func TestAnalyseHittingTimes(t *testing.T) {
	const n = 2400
	a, err := markov.Analyse(lazyRing(t, n), markov.AnalysisSettings{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := a.HittingTimes(0)
	if err != nil {
		t.Fatal(err)
	}
	close(t, "from halfway round", h[n/2]/(n/2*n/2/0.6), 1, 2e-6) // k(n − k) steps, which a lazy walk takes 0.6 of the time
	a, err = markov.Analyse(ruin(t, n, 0.5), markov.AnalysisSettings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = a.HittingTimes(0); err == nil || !strings.Contains(err.Error(), "dense matrix") {
		t.Errorf("hitting times of several classes: %v", err)
	}
}

// A table of absorption that would be too large is there for one start: a gambler with a tenth of the capital wins with that probability.
func TestAnalyseAbsorbFrom(t *testing.T) {
	const n = 2400
	c := ruin(t, n, 0.5)
	a, err := markov.Analyse(c, markov.AnalysisSettings{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Absorption != nil || a.Why["absorption"] == "" || a.Stationary != nil || a.Why["stationary"] == "" {
		t.Fatalf("%+v", a.Why)
	}
	start := make([]float64, n+1)
	start[n/10] = 1
	if err := a.AbsorbFrom("a tenth", start); err != nil {
		t.Fatal(err)
	}
	for k, class := range a.Absorption.Classes {
		if class == c.Name(n) {
			close(t, "the probability to win", a.Absorption.P[0][k], 0.1, 1e-6)
		}
	}
	close(t, "the number of games", a.Absorption.Steps[0]/(n/10*(n-n/10)), 1, 1e-6)
}
