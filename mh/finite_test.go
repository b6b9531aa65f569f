package mh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// table is a normalised target over states 0 … n−1, as log probabilities.
type table []float64

func (t table) LogDensity(x int) float64 { return t[x] }

func newTable(p ...float64) table {
	t := make(table, len(p))
	for i, v := range p {
		t[i] = math.Log(v)
	}
	return t
}

var five = newTable(0.1, 0.3, 0.05, 0.35, 0.2)

// skew is a proposal matrix that is far from symmetric and proposes staying too.
func skew(t testing.TB) *Matrix {
	q, err := NewMatrix([][]float64{
		{0.2, 0.5, 0.1, 0.1, 0.1},
		{0.1, 0, 0.7, 0.1, 0.1},
		{0.25, 0.25, 0, 0.25, 0.25},
		{0.6, 0.1, 0.1, 0.1, 0.1},
		{0.1, 0.1, 0.1, 0.7, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// oneWay is a proposal matrix with moves whose reverse has probability 0.
func oneWay(t testing.TB) *Matrix {
	q, err := NewMatrix([][]float64{
		{0, 0.5, 0.5, 0, 0},
		{0, 0, 0.5, 0.5, 0},
		{0.3, 0, 0, 0.3, 0.4},
		{0, 0.4, 0, 0.2, 0.4},
		{0.5, 0, 0.5, 0, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// ring is the neighbourhood of numbers on a path, whose ends have one neighbour.
type ring int

func (n ring) Count(x int) int {
	if x == 0 || x == int(n)-1 {
		return 1
	}
	return 2
}

func (n ring) Neighbour(_, x, i int) int {
	switch x {
	case 0:
		return 1
	case int(n) - 1:
		return x - 1
	}
	return x - 1 + 2*i
}

func finite(k mcmc.Kernel[*mcmc.State[int]], target table) kerneltest.Finite[*mcmc.State[int]] {
	return kerneltest.Finite[*mcmc.State[int]]{
		LogWeight: target,
		State:     func(i int) *mcmc.State[int] { return mcmc.NewState(target, i) },
		Index:     func(s *mcmc.State[int]) int { return s.X },
		Kernel:    k,
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// finiteKernels are all kernels that work on numbers.
func finiteKernels(t testing.TB) map[string]mcmc.Kernel[*mcmc.State[int]] {
	q, near := skew(t), must(NewNeighbours(ring(5)))
	flat := make([][]float64, 5)
	for i := range flat {
		flat[i] = []float64{0.2, 0.2, 0.2, 0.2, 0.2}
	}
	uniform := must(NewMatrix(flat))
	one := oneWay(t)
	kernels := map[string]mcmc.Kernel[*mcmc.State[int]]{
		"delayed, first one way":         must(NewDelayedRejection(five, Conditional[int](one), q)),
		"delayed, second one way":        must(NewDelayedRejection(five, Conditional[int](q), one, q)),
		"a mixture density with one way": must(New(five, must(NewMixtureDensity([]float64{2, 1}, Conditional[int](one), uniform)), MetropolisHastings)),
		"tries with one way":             must(NewMultipleTry(five, must(NewMixture([]float64{2, 1}, Move[int](one), near)), 3)),
		"neighbours":                     must(New(five, near, MetropolisHastings)),
		"neighbours, Barker":             must(New(five, near, Barker)),
		"a mixture of moves":             must(New(five, must(NewMixture([]float64{1, 3}, Move[int](near), q)), MetropolisHastings)),
		"a mixture density": must(New(five, must(NewMixtureDensity([]float64{1, 2, 0}, Conditional[int](uniform), q, q)),
			MetropolisHastings)),
		"a mixture density, plain": must(New(five, must(NewMixtureDensity([]float64{1, 2}, Conditional[int](uniform), q)), Plain)),
		"delayed, 2":               must(NewDelayedRejection(five, Conditional[int](q), uniform)),
		"delayed, 3":               must(NewDelayedRejection(five, Conditional[int](q), uniform, q)),
		"delayed, 4":               must(NewDelayedRejection(five, Conditional[int](q), q, uniform, q)),
		"tries, 1":                 must(NewMultipleTry(five, q, 1)),
		"tries, 4":                 must(NewMultipleTry(five, q, 4)),
		"tries of a mixture":       must(NewMultipleTry(five, must(NewMixture([]float64{1, 1}, Move[int](near), q)), 3)),
	}
	for _, rule := range []Rule{MetropolisHastings, Barker, Plain} {
		kernels[rule.String()] = must(New(five, q, rule))
	}
	return kernels
}

// Against the exact probabilities and flows; kerneltest's false-alarm rate is 1e-6 each.
func TestFinite(t *testing.T) {
	for name, k := range finiteKernels(t) {
		f := finite(k, five)
		if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := kerneltest.DetailedBalance(f, kerneltest.Settings{Replicates: 50_000}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		steps := 60
		if name == "plain" || name == "a mixture density, plain" { // few are accepted
			steps = 600
		}
		if err := kerneltest.Reaches(f, 2, kerneltest.Settings{Steps: steps, Replicates: 2000}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// eager is delayed rejection that accepts at its second stage as if there had been no first.
type eager struct{ q, second *Matrix }

func (k eager) Step(s *mcmc.State[int], r *rand.Rand) mcmc.Info {
	for _, m := range []*Matrix{k.q, k.second} {
		to, ratio := m.Propose(0, s.X, r)
		if ok, _ := Accept(r, five[to]-s.LogP+ratio); ok {
			s.X, s.LogP = to, five[to]
			break
		}
	}
	return mcmc.Info{}
}

// greedy is multiple-try without the reference set.
type greedy struct{ q *Matrix }

func (k greedy) Step(s *mcmc.State[int], r *rand.Rand) mcmc.Info {
	best := s.X
	for i := range 3 {
		if to, _ := k.q.Propose(0, s.X, r); i == 0 || five[to] > five[best] {
			best = to
		}
	}
	if ok, _ := Accept(r, five[best]-s.LogP+k.q.LogDensity(s.X, best)-k.q.LogDensity(best, s.X)); ok {
		s.X, s.LogP = best, five[best]
	}
	return mcmc.Info{}
}

// The classic mistakes are caught, so that the checks above are sharp enough.
func TestFiniteMistakes(t *testing.T) {
	q := skew(t)
	unlike := must(New(five, Symmetric[int](func(_, x int, r *rand.Rand) int { to, _ := q.Propose(0, x, r); return to }), MetropolisHastings))
	unnormalised := newTable(5, 15, 2.5, 17.5, 10) // five, times 50
	for name, f := range map[string]kerneltest.Finite[*mcmc.State[int]]{
		"no Hastings ratio":                    finite(unlike, five),
		"delayed rejection without the path":   finite(eager{q, q}, five),
		"multiple-try without a reference set": finite(greedy{q}, five),
		"the plain rule without normalisation": finite(must(New(unnormalised, q, Plain)), unnormalised),
	} {
		if kerneltest.DetailedBalance(f, kerneltest.Settings{Replicates: 100_000}) == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
	k := must(New(unnormalised, q, Plain))
	s, r, told := mcmc.NewState(unnormalised, 1), newRand(1), false
	for range 1000 {
		told = told || k.Step(s, r).Divergent
	}
	if !told {
		t.Error("the plain rule does not say that the target is not normalised")
	}
}

// The three rules from exact enumeration: the rates at which π Q moves are accepted.
func TestRuleRates(t *testing.T) {
	q := skew(t)
	const steps = 200_000
	for _, rule := range []Rule{MetropolisHastings, Barker, Plain} {
		want := 0.0
		for i := range five {
			for j := range five {
				e := Ends{five[i], five[j], q.LogDensity(j, i), q.LogDensity(i, j)}
				if p := math.Exp(e.There); p > 0 {
					want += math.Exp(e.From) * p * rule.Prob(e)
				}
			}
		}
		k, r := must(New(five, q, rule)), newRand(2)
		got := 0.0
		for range steps {
			i := 0
			for u := r.Float64(); i < 4; i++ {
				if u -= math.Exp(five[i]); u < 0 {
					break
				}
			}
			if k.Step(mcmc.NewState(five, i), r).Accepted {
				got++
			}
		}
		// Independent steps from exact draws: five standard deviations, a false alarm in 1.7 million.
		if sd := math.Sqrt(want * (1 - want) / steps); math.Abs(got/steps-want) > 5*sd {
			t.Errorf("%v: accepted %v, want %v", rule, got/steps, want)
		}
	}
}

func TestRuleProb(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		rule Rule
		e    Ends
		want float64
	}{
		{MetropolisHastings, Ends{-1, -2, -3, -3}, math.Exp(-1)},
		{MetropolisHastings, Ends{-2, -1, 0, 0}, 1},
		{MetropolisHastings, Ends{-1, -1, -1, -2}, math.Exp(-1)},
		{Barker, Ends{-1, -1, 0, 0}, 0.5},
		{Barker, Ends{-1, -1 + math.Log(3), 0, 0}, 0.75},
		{Barker, Ends{-1000, 1000, 0, 0}, 1},
		{Plain, Ends{-7, math.Log(0.5), -9, math.Log(0.25)}, 0.125},
		{Plain, Ends{-inf, math.Log(0.5), 0, 0}, 0.5},
		{Plain, Ends{-1, -1, 0, nan}, 0},
		{Barker, Ends{-inf, -1, 0, 0}, 1},
		{MetropolisHastings, Ends{nan, -1, 0, 0}, 1},
		{MetropolisHastings, Ends{-1, nan, 0, 0}, 0},
		{MetropolisHastings, Ends{-1, inf, 0, 0}, 0},
		{MetropolisHastings, Ends{-1, -1, -inf, -inf}, 0},
		{MetropolisHastings, Ends{-1, -1, 0, -inf}, 0},
		{Barker, Ends{-1, -1, nan, 0}, 0},
	} {
		if got := c.rule.Prob(c.e); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v of %+v: %v, want %v", c.rule, c.e, got, c.want)
		}
	}
}
