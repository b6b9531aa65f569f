package markov_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// A computation that would take a dense matrix of 80 GB is refused before it is allocated.
func TestRoom(t *testing.T) {
	const n = 100_000
	c, pi := queue(t, n, 0.3, 0.3)
	for name, ask := range map[string]func() error{
		"eigenvalues": func() error { _, err := markov.Eigenvalues(c, pi); return err },
		"mixing time": func() error { _, err := markov.MixingTime(c, pi, 0.25); return err },
		"kemeny":      func() error { _, err := markov.Kemeny(c); return err },
		"power":       func() error { _, err := markov.Power(c, 2); return err },
		"variance":    func() error { _, err := markov.Variance(c, pi, make([]float64, n)); return err },
		"dense":       func() error { _, err := markov.AsDense(c); return err },
		"hitting":     func() error { _, err := markov.Hitting(c, n-1); return err },
		"reduction":   func() error { _, err := markov.Solver{Dense: n}.Solve(c); return err },
	} {
		err := ask()
		var size *markov.SizeError
		if !errors.As(err, &size) || size.States < n-1 || !strings.Contains(err.Error(), "8e+10 bytes (74.5 GiB); at most 2 GiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Absorption takes a row for each transient state and two columns for each closed class: many of one are
// allowed where there are few of the other.
func TestRoomOfAbsorption(t *testing.T) {
	const n = 30_000
	chain := func(transient int32) (markov.Chain, *markov.Classes) {
		list := make([]markov.Transition, 0, 2*n)
		for i := range int32(n) {
			if i >= transient {
				list = append(list, markov.Transition{From: i, To: i, P: 1})
				continue
			}
			list = append(list, markov.Transition{From: i, To: max(i-1, 0), P: 0.5}, markov.Transition{From: i, To: n - 1 - i, P: 0.5})
		}
		c := sparse(t, n, list)
		return c, markov.Classify(c)
	}
	a, err := markov.Absorb(chain(2))
	if err != nil || len(a.Steps) != 2 || len(a.P[0]) != n-2 {
		t.Errorf("two transient states: %v", err)
	}
	_, err = markov.Absorb(chain(n / 2))
	var size *markov.SizeError
	if !errors.As(err, &size) || size.States != n/2 || !strings.Contains(err.Error(), "absorption of 15000 states would take a dense matrix of 5.4e+09 bytes (5.0 GiB); at most 2 GiB are used; Solver.AbsorbFrom") {
		t.Errorf("half of the states transient: %v", err)
	}
}

// The matrix holds only the states from which a target is reached with probability 1.
func TestRoomOfHitting(t *testing.T) {
	const n = 50_000
	list := []markov.Transition{{From: 0, To: 0, P: 1}}
	for i := int32(1); i < n; i++ {
		list = append(list, markov.Transition{From: i, To: max(i-1, 1), P: 1})
	}
	h, err := markov.Hitting(sparse(t, n, list), 0)
	if err != nil || h[0] != 0 || !math.IsInf(h[n-1], 1) {
		t.Errorf("%v", err)
	}
}

// By iteration, probabilities below the least float64 are replaced by small ones; the total variation hardly changes.
func TestFaint(t *testing.T) {
	const n, up, down = 20_000, 0.4, 0.6
	c, pi := queue(t, n, up, down) // π_i is proportional to (2/3)^i, 0 as a float64 from i = 1840 or so
	s, err := markov.Solver{}.Solve(c)
	if err != nil {
		t.Fatal(err)
	}
	if pi[n-1] != 0 || !(s.Pi[n-1] > 0 && s.Pi[n-1] < 1e-240) {
		t.Errorf("the last state has %g, not %g", s.Pi[n-1], pi[n-1])
	}
	if d := markov.TotalVariation(s.Pi, pi); d > s.Error {
		t.Errorf("off by %g in total variation, estimated %g", d, s.Error)
	}
}
