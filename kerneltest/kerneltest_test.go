package kerneltest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every check below runs at its default false-alarm rate of 1e-6 with a fixed seed: right
// kernels must pass, and each wrong one must be caught by the checks that are for it.
func TestSuite(t *testing.T) {
	rotate := finite(func(s *walker, _ *rand.Rand) { s.at = (s.at + 1) % len(path) })
	rotate.LogWeight = make([]float64, len(path)) // uniform
	stay := func(*walker, *rand.Rand) {}
	stayPut := func(*point, *rand.Rand) {}
	one := func(*rand.Rand) *point { return &point{1, -1} }
	long := Settings{Steps: 500, Replicates: 5000}
	for _, c := range []struct {
		name    string
		verdict error
		right   bool
	}{
		{"Metropolis–Hastings: exact", Exact(finite(pathKernel(true)), Settings{}), true},
		{"Metropolis–Hastings: detailed balance", DetailedBalance(finite(pathKernel(true)), Settings{}), true},
		{"Metropolis–Hastings: reaches", Reaches(finite(pathKernel(true)), 5, long), true},
		{"Gibbs: exact", Exact(finite(gibbs), Settings{}), true},
		{"Gibbs: reaches", Reaches(finite(gibbs), 0, Settings{}), true},
		{"no Hastings correction: exact", Exact(finite(pathKernel(false)), Settings{}), false},
		{"no Hastings correction: detailed balance", DetailedBalance(finite(pathKernel(false)), Settings{}), false},
		{"no Hastings correction: reaches", Reaches(finite(pathKernel(false)), 5, long), false},
		{"rotation, invariant and not reversible: exact", Exact(rotate, Settings{}), true},
		{"rotation: detailed balance", DetailedBalance(rotate, Settings{}), false},
		{"a kernel that stays: exact cannot see it", Exact(finite(stay), Settings{}), true},
		{"a kernel that stays: reaches", Reaches(finite(stay), 0, long), false},
		{"off the states", Exact(finite(func(s *walker, _ *rand.Rand) { s.at++ }), Settings{}), false},
		{"no states", Exact(Finite[*walker]{}, Settings{Replicates: -1}), false},

		{"scale move: invariant", Invariant(exponential(scaleMove(true)), Settings{}), true},
		{"scale move: converges", Converges(exponential(scaleMove(true)), one, long), true},
		{"scale move without Jacobian: invariant", Invariant(exponential(scaleMove(false)), Settings{Steps: 3}), false},
		{"scale move without Jacobian: converges", Converges(exponential(scaleMove(false)), one, long), false},
		{"a point that stays: converges", Converges(exponential(stayPut), one, long), false},
		{"stale log density", Invariant(exponential(forgetful), Settings{}), false},
		{"slice: invariant", Invariant(exponential(sliceMove(true)), Settings{Steps: 3}), true},
		{"slice that shrinks to one side: invariant", Invariant(exponential(sliceMove(false)), Settings{Steps: 3}), false},
		{"NaN", Invariant(exponential(func(s *point, _ *rand.Rand) { s.x = math.NaN(); s.logp = s.x }), Settings{}), false},

		{"normal mean: Geweke", Geweke(normalMean(walk(1)), Settings{Steps: 10}), true},
		{"normal mean: SBC", SBC(normalMean(walk(1)), Settings{Replicates: 5000, Steps: 5}), true},
		{"prior left out: Geweke", Geweke(normalMean(walk(0)), Settings{Steps: 10}), false},
		// Without its prior the mean is still calibrated: θ − ȳ is N(0, 1/3) under the prior too.
		{"prior left out: SBC cannot see it", SBC(normalMean(walk(0)), Settings{Replicates: 5000, Steps: 5}), true},
		{"prior too narrow: SBC", SBC(normalMean(walk(4)), Settings{Replicates: 5000, Steps: 5}), false},
	} {
		if (c.verdict == nil) != c.right {
			t.Errorf("%s: %v", c.name, c.verdict)
		} else if testing.Verbose() && !c.right {
			t.Logf("%s: %v", c.name, c.verdict)
		}
	}
}

// The suite itself must not cry wolf: at alpha = 0.05, 400 checks of right kernels may
// fail 20 times on average; 45 or more would happen once in 10⁶ (binomial).
func TestFalseAlarms(t *testing.T) {
	const checks, most = 400, 45
	for name, check := range map[string]func(seed uint64) error{
		"Exact": func(seed uint64) error {
			return Exact(finite(pathKernel(true)), Settings{Seed: seed, Replicates: 500, Alpha: 0.05})
		},
		"DetailedBalance": func(seed uint64) error {
			return DetailedBalance(finite(pathKernel(true)), Settings{Seed: seed, Replicates: 500, Alpha: 0.05})
		},
		"Invariant": func(seed uint64) error {
			return Invariant(exponential(sliceMove(true)), Settings{Seed: seed, Replicates: 200, Alpha: 0.05})
		},
		"SBC": func(seed uint64) error {
			return SBC(normalMean(walk(1)), Settings{Seed: seed, Replicates: 100, Alpha: 0.05})
		},
	} {
		alarms := 0
		for seed := range uint64(checks) {
			if check(seed) != nil {
				alarms++
			}
		}
		if alarms >= most {
			t.Errorf("%s: %d false alarms in %d checks, expected at most %d", name, alarms, checks, checks/20)
		}
		t.Logf("%s: %d false alarms", name, alarms)
	}
}

// binomialP against tails summed term by term.
func TestBinomialP(t *testing.T) {
	for _, c := range []struct {
		k, n int
		p    float64
	}{{0, 10, 0.3}, {3, 10, 0.3}, {10, 10, 0.3}, {7, 20, 0.9}, {500, 1000, 0.4}, {2, 1000, 0.05}} {
		lower, upper := 0.0, 0.0
		for i := range c.n + 1 {
			term := math.Exp(logFact(c.n) - logFact(i) - logFact(c.n-i) + float64(i)*math.Log(c.p) + float64(c.n-i)*math.Log1p(-c.p))
			if i <= c.k {
				lower += term
			}
			if i >= c.k {
				upper += term
			}
		}
		want := min(1, 2*min(lower, upper))
		if got := binomialP(c.k, c.n, c.p); math.Abs(got-want) > 1e-9*want {
			t.Errorf("binomialP(%d, %d, %v) = %v, want %v", c.k, c.n, c.p, got, want)
		}
	}
	if p := binomialP(1, 5, 0); p != 0 {
		t.Errorf("a success of probability 0 has p-value %v", p)
	}
	if p := binomialP(5, 5, 1); p != 1 {
		t.Errorf("five sure successes have p-value %v", p)
	}
}

// smirnovP against all (2n choose n) orders of two samples, n = 5.
func TestSmirnovP(t *testing.T) {
	const n = 5
	atLeast, orders := make([]int, n+1), 0
	for mask := range 1 << (2 * n) {
		diff, ones, most := 0, 0, 0
		for b := range 2 * n {
			if mask>>b&1 == 1 {
				diff++
				ones++
			} else {
				diff--
			}
			most = max(most, diff, -diff)
		}
		if ones != n {
			continue
		}
		orders++
		for k := 0; k <= most; k++ {
			atLeast[k]++
		}
	}
	for k := range n + 1 {
		want := float64(atLeast[k]) / float64(orders)
		if got := smirnovP(k, n); math.Abs(got-want) > 1e-12 {
			t.Errorf("P(D ≥ %d/%d) = %v, want %v", k, n, got, want)
		}
	}
}

func TestSmirnovWithTies(t *testing.T) {
	if d := smirnov([]float64{1, 1, 2, 2}, []float64{2, 1, 2, 1}); d != 0 {
		t.Errorf("equal samples are %d apart", d)
	}
	if d := smirnov([]float64{1, 2, 3}, []float64{3, 4, 5}); d != 2 {
		t.Errorf("distance %d, want 2", d)
	}
}
