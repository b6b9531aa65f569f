package markov_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// ruin is a gambler's capital from 0 to n, which wins with probability p.
func ruin(t testing.TB, n int, p float64) *markov.Sparse {
	list := []markov.Transition{{0, 0, 1}, {int32(n), int32(n), 1}}
	for i := int32(1); i < int32(n); i++ {
		list = append(list, markov.Transition{From: i, To: i + 1, P: p}, markov.Transition{From: i, To: i - 1, P: 1 - p})
	}
	return sparse(t, n+1, list)
}

// Feller (1968), XIV.2 and XIV.3: with ρ = q/p the gambler ends at n with probability (1 − ρ^i)/(1 − ρ^n).
func TestAbsorb(t *testing.T) {
	const n = 120
	for _, p := range []float64{0.5, 0.3, 0.9} {
		c := ruin(t, n, p)
		cl := markov.Classify(c)
		a, err := markov.Absorb(c, cl)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Transient) != n-1 || len(a.Closed) != 2 {
			t.Fatalf("%d transient states, %d closed classes", len(a.Transient), len(a.Closed))
		}
		top := 1
		if cl.List[a.Closed[0]].States[0] == n {
			top = 0
		}
		rho := (1 - p) / p
		for k, i := range a.Transient {
			win, steps := float64(i)/n, float64(i)*float64(n-i)
			if p != 0.5 {
				l := math.Log(rho)
				win = math.Expm1(float64(i)*l) / math.Expm1(n*l)
				steps = (float64(i) - n*win) / (1 - 2*p)
			}
			close(t, "the probability to win", a.P[k][top], win, 1e-12)
			close(t, "the number of games", a.Steps[k], steps, 1e-10) // the formula cancels
			close(t, "the sum", a.P[k][0]+a.P[k][1], 1, 1e-13)
		}
		// From a distribution, by either method.
		start := make([]float64, n+1)
		start[0], start[40], start[70] = 0.2, 0.5, 0.3
		win := 0.5*a.P[39][top] + 0.3*a.P[69][top]
		steps := 0.5*a.Steps[39] + 0.3*a.Steps[69]
		for _, s := range []markov.Solver{{}, {Dense: -1}} {
			e, err := s.AbsorbFrom(c, cl, start)
			if err != nil {
				t.Fatal(err)
			}
			if d := math.Abs(e.P[top] - win); d > e.Error+1e-14 {
				t.Errorf("p = %v: wins with %v, not %v; estimated error %g", p, e.P[top], win, e.Error)
			}
			close(t, "the number of games", e.Steps, steps, 1e-6)
		}
	}
}

func TestAbsorbNothing(t *testing.T) {
	c := dense(t, social)
	cl := markov.Classify(c)
	if a, err := markov.Absorb(c, cl); err != nil || len(a.Transient) != 0 || len(a.P) != 0 {
		t.Errorf("%v", a)
	}
	e, err := (markov.Solver{}).AbsorbFrom(c, cl, []float64{1, 0, 0})
	if err != nil || e.P[0] != 1 || e.Steps != 0 {
		t.Errorf("%v, %v", e, err)
	}
}

func TestHitting(t *testing.T) {
	// On a cycle of n states hit from distance k: k(n − k) steps.
	const n = 30
	c, _ := drifting(t, n, 0.5, 0.5)
	h, err := markov.Hitting(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range h {
		close(t, "the hitting time", v, float64(k*(n-k)), 1e-13)
	}
	// Two targets at 0 and 10.
	if h, err = markov.Hitting(c, 0, 10); err != nil {
		t.Fatal(err)
	}
	close(t, "h_4", h[4], 4*6, 1e-13)
	close(t, "h_20", h[20], 10*10, 1e-13)
	// The end of a game may never be reached, from there or from before.
	if h, err = markov.Hitting(ruin(t, 5, 0.5), 5); err != nil {
		t.Fatal(err)
	}
	for i, v := range h {
		if want := math.Inf(1); i < 5 && v != want || i == 5 && v != 0 {
			t.Errorf("h_%d = %v", i, v)
		}
	}
	if h, err = markov.Hitting(ruin(t, 5, 0.5), 0, 5); err != nil {
		t.Fatal(err)
	}
	close(t, "h_2", h[2], 6, 1e-14)
	if _, err := markov.Hitting(c); err == nil {
		t.Error("no target")
	}
	if _, err := markov.Hitting(c, n); err == nil {
		t.Error("a target that is no state")
	}
}

// Kemeny's constant three ways: by elimination, from eigenvalues, and as mean hitting time from every state.
func TestKemeny(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 30 {
		n := 2 + r.IntN(60)
		c := random(t, r, n, 0.5)
		if !markov.Classify(c).Irreducible() {
			continue
		}
		k, err := markov.Kemeny(c)
		if err != nil {
			t.Fatal(err)
		}
		values, err := markov.Eigenvalues(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := complex(0, 0)
		for _, v := range values[1:] {
			sum += 1 / (1 - v)
		}
		close(t, "Σ 1/(1−λ)", real(sum), k, 1e-9)
		pi, err := markov.StationaryOf(c)
		if err != nil {
			t.Fatal(err)
		}
		mean := make([]float64, n)
		for j := range n {
			h, err := markov.Hitting(c, j)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range h {
				mean[i] += pi[j] * v
			}
		}
		for _, v := range mean {
			close(t, "Σ π_j m_ij", v, k, 1e-11)
		}
	}
	if _, err := markov.Kemeny(ruin(t, 3, 0.5)); err == nil {
		t.Error("a reducible chain has Kemeny's constant")
	}
}

func TestEigenvalues(t *testing.T) {
	// The lazy walk on a cycle has ½ + ½ cos 2πk/n.
	const n = 12
	c, pi := drifting(t, n, 0.25, 0.25)
	for _, p := range [][]float64{nil, pi} {
		values, err := markov.Eigenvalues(c, p)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range values {
			want := 0.5 + 0.5*math.Cos(2*math.Pi*float64((k+1)/2)/n)
			if math.Abs(real(v)-want)+math.Abs(imag(v)) > 1e-14 {
				t.Errorf("λ_%d = %v, not %v", k, v, want)
			}
		}
		close(t, "SLEM", markov.SLEM(values), 0.5+0.5*math.Cos(2*math.Pi/n), 1e-14)
	}
	// A directed cycle has the roots of unity.
	ring, _ := permutations(t, 5, 0, nil)
	values, err := markov.Eigenvalues(ring, nil)
	if err != nil {
		t.Fatal(err)
	}
	close(t, "SLEM", markov.SLEM(values), 1, 1e-14)
	if values[0] != 1 {
		t.Errorf("the first eigenvalue is %v", values[0])
	}
}

func TestMixingTime(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 40 {
		n := 2 + r.IntN(8)
		c := random(t, r, n, 0.3)
		cl := markov.Classify(c)
		closed := cl.Closed()
		if len(closed) > 1 {
			continue
		}
		pi, err := markov.StationaryOf(c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := markov.MixingTime(c, pi, 0.25)
		if cl.List[closed[0]].Period > 1 {
			if err == nil || !strings.Contains(err.Error(), "infinite") {
				t.Errorf("a periodic chain: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for i := range n {
			start := make([]float64, n)
			start[i] = 1
			d, err := markov.Distances(c, start, pi, got+5)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range d {
				if v > 0.25 {
					want = max(want, k+1)
				}
			}
		}
		if got != want {
			t.Errorf("mixing time %d, not %d", got, want)
		}
	}
	// Independent draws mix in one step, a slow switch in log ½ / log(1−2a) steps.
	if got, err := markov.MixingTime(dense(t, [][]float64{{.5, .5}, {.5, .5}}), []float64{.5, .5}, 0.25); err != nil || got != 1 {
		t.Errorf("%d, %v", got, err)
	}
	const a = 1e-7
	want := int(math.Ceil(math.Log(0.5) / math.Log1p(-2*a)))
	if got, err := markov.MixingTime(dense(t, [][]float64{{1 - a, a}, {a, 1 - a}}), []float64{.5, .5}, 0.25); err != nil || math.Abs(float64(got-want)) > 1 {
		t.Errorf("%d, not %d, %v", got, want, err)
	}
}

func TestPower(t *testing.T) {
	c := dense(t, social)
	p, err := markov.Power(c, 7)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		start := make([]float64, 3)
		start[i] = 1
		table, err := markov.Evolve(c, start, 7)
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range table[7] {
			close(t, "P⁷", p.At(i, j), v, 1e-14)
		}
	}
	if _, err := markov.Power(c, -1); err == nil {
		t.Error("a negative power")
	}
	if _, err := markov.Evolve(c, []float64{1, 1, 1}, 3); err == nil {
		t.Error("a start that sums to 3")
	}
}

func TestReversal(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 20 {
		n := 2 + r.IntN(12)
		c := random(t, r, n, 0.6)
		if !markov.Classify(c).Irreducible() {
			continue
		}
		pi, err := markov.StationaryOf(c)
		if err != nil {
			t.Fatal(err)
		}
		back, err := markov.Reverse(c, pi)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j, v := range back.Row(i) {
				close(t, "p*", v*pi[i], c.At(j, i)*pi[j], 1e-13)
			}
		}
		for _, make := range []func(markov.Chain, []float64) (markov.Chain, error){markov.Additive, markov.Multiplicative} {
			rev, err := make(c, pi)
			if err != nil {
				t.Fatal(err)
			}
			b, err := markov.Balance(rev, pi)
			if err != nil || b.Relative > 1e-12 {
				t.Errorf("not reversible: %+v, %v", b, err)
			}
		}
		m, err := markov.Multiplicative(c, pi)
		if err != nil {
			t.Fatal(err)
		}
		values, err := markov.Eigenvalues(m, pi)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			if real(v) < -1e-12 {
				t.Errorf("P P* has the eigenvalue %v", v)
			}
		}
	}
	c := ruin(t, 3, 0.5)
	if _, err := markov.Reverse(c, []float64{0, 0, 0, 1}); err == nil || !strings.Contains(err.Error(), "stationary probability 0") {
		t.Errorf("%v", err)
	}
}

func TestImbalance(t *testing.T) {
	// Around a ring of four with up and down: each of the flows ¼·0.7 has the reverse flow ¼·0.1.
	c, pi := drifting(t, 4, 0.7, 0.1)
	b, err := markov.Balance(c, pi)
	if err != nil {
		t.Fatal(err)
	}
	close(t, "the total", b.Total, 0.6, 1e-14)
	close(t, "the largest", b.Largest, 0.15, 1e-14)
	close(t, "the relative", b.Relative, 6.0/7, 1e-14)
	if (b.From+1)%4 != b.To {
		t.Errorf("from %d to %d", b.From, b.To)
	}
}

// The three rules are reversible under any target, for any proposal, and stand in Peskun's order.
func TestRules(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 50 {
		n := 2 + r.IntN(8)
		q := random(t, r, n, 0.7)
		target := make([]float64, n)
		total := 0.0
		for i := range target {
			target[i] = r.ExpFloat64()
			total += target[i]
		}
		for i := range target {
			target[i] /= total
		}
		var chains []markov.Chain
		for _, rule := range []markov.Rule{markov.MetropolisHastings, markov.Barker, markov.Plain} {
			c, err := markov.Reversible(q, target, rule)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := markov.Balance(c, target); err != nil || b.Relative > 1e-13 {
				t.Fatalf("%v: %+v, %v", rule, b, err)
			}
			for i := range n {
				for j, v := range c.Row(i) {
					if rule == markov.Plain && i != j {
						close(t, "the plain rule", v, q.At(i, j)*target[j]*q.At(j, i), 1e-12)
					}
				}
			}
			chains = append(chains, c)
		}
		for k := range 2 {
			if o, err := markov.Peskun(chains[k], chains[k+1], 1e-15); err != nil || o != markov.First && o != markov.Equal {
				t.Errorf("rules %d and %d: %v, %v", k, k+1, o, err)
			}
		}
		if !markov.Classify(chains[0]).Irreducible() {
			continue
		}
		f := make([]float64, n)
		for i := range f {
			f[i] = r.NormFloat64()
		}
		last := 0.0
		for k, c := range chains {
			v, err := markov.Variance(c, target, f)
			if err != nil {
				t.Fatal(err)
			}
			if v < last*(1-1e-12) {
				t.Errorf("rule %d has the variance %v, the one before %v", k, v, last)
			}
			last = v
		}
	}
	q := dense(t, [][]float64{{.5, .5}, {.5, .5}})
	for _, bad := range [][]float64{{.5}, {.7, .7}, {1, 0}, {math.NaN(), 1}} {
		if _, err := markov.Reversible(q, bad, markov.Plain); err == nil {
			t.Errorf("target %v", bad)
		}
	}
	if _, err := markov.Reversible(q, []float64{.5, .5}, markov.Rule(7)); err == nil {
		t.Error("rule 7")
	}
}

func TestPeskunIncomparable(t *testing.T) {
	a := dense(t, [][]float64{{.8, .1, .1}, {.1, .7, .2}, {.1, .2, .7}})
	b := dense(t, [][]float64{{.7, .2, .1}, {.2, .7, .1}, {.1, .1, .8}})
	for _, x := range []struct {
		a, b markov.Chain
		want markov.Order
	}{{a, b, markov.Incomparable}, {a, a, markov.Equal}} {
		if o, err := markov.Peskun(x.a, x.b, 0); err != nil || o != x.want {
			t.Errorf("%v, %v", o, err)
		}
	}
}

// The asymptotic variance of a chain of two states: π₀π₁(1+λ)/(1−λ) with λ = 1 − a − b. For independent draws it is the
// plain variance.
func TestVariance(t *testing.T) {
	for _, p := range [][2]float64{{.1, .3}, {.9, .8}, {.5, .5}} {
		a, b := p[0], p[1]
		c := dense(t, [][]float64{{1 - a, a}, {b, 1 - b}})
		pi, err := markov.StationaryOf(c)
		if err != nil {
			t.Fatal(err)
		}
		v, err := markov.Variance(c, pi, []float64{2, 3})
		if err != nil {
			t.Fatal(err)
		}
		l := 1 - a - b
		close(t, "the variance", v, pi[0]*pi[1]*(1+l)/(1-l), 1e-13)
	}
}
