package mrf

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// enumerated is all that can be known of a model, by going through its states.
type enumerated struct {
	logZ      float64
	marginals [][]float64
	best      float64 // log density of the state of the greatest probability
}

func allStates(m *Model) *enumerated {
	e := &enumerated{best: math.Inf(-1)}
	for _, k := range m.Cards {
		e.marginals = append(e.marginals, make([]float64, k))
	}
	x := make([]int, len(m.Cards))
	visit := func(each func(log float64)) {
		clear(x)
		for {
			log := 0.0
			for _, f := range m.Factors {
				log += math.Log(f.Table[f.index(m.Cards, x)])
			}
			each(log)
			i := 0
			for ; i < len(x); i++ {
				if x[i]++; x[i] < m.Cards[i] {
					break
				}
				x[i] = 0
			}
			if i == len(x) {
				return
			}
		}
	}
	visit(func(log float64) { e.best = max(e.best, log) })
	z := 0.0
	visit(func(log float64) {
		p := math.Exp(log - e.best)
		z += p
		for i, v := range x {
			e.marginals[i][v] += p
		}
	})
	for _, q := range e.marginals {
		for v := range q {
			q[v] /= z
		}
	}
	e.logZ = e.best + math.Log(z)
	return e
}

// anyModel has factors of all sizes over few variables; with zeros some states are impossible, and a wide range asks for logarithms.
func anyModel(r *rand.Rand, variables, most int, zeros, octaves float64) *Model {
	m := &Model{}
	for range variables {
		m.Cards = append(m.Cards, 1+r.IntN(most))
	}
	for range r.IntN(2*variables + 1) {
		scope := r.Perm(variables)[:r.IntN(min(4, variables)+1)]
		n := 1
		for _, i := range scope {
			n *= m.Cards[i]
		}
		f := Factor{Scope: scope, Table: make([]float64, n)}
		for k := range f.Table {
			if r.Float64() >= zeros {
				f.Table[k] = math.Exp2(octaves * (r.Float64() - 0.5))
			}
		}
		f.Table[r.IntN(n)] = 1
		m.Factors = append(m.Factors, f)
	}
	return m
}

func TestJunctionTreeIsEnumeration(t *testing.T) {
	r := rand.New(rng.New(1, "test of exact computation"))
	impossible, wide := 0, 0
	for k := range 1500 {
		m := anyModel(r, 1+r.IntN(9), 1+r.IntN(4), []float64{0, 0.2, 0.6}[k%3], []float64{4, 40, 1000}[k/3%3])
		want := allStates(m)
		tree, err := NewJunctionTree(m, 0)
		if err != nil {
			t.Fatal(err)
		}
		logZ, marginals, err := tree.Marginals(context.Background(), nil)
		state, value, errMAP := tree.MAP(context.Background(), nil)
		if math.IsInf(want.best, -1) {
			impossible++
			var e *ImpossibleError
			if !errors.As(err, &e) || !errors.As(errMAP, &e) {
				t.Errorf("model %d has no possible state: %v, %v", k, err, errMAP)
			}
			continue
		}
		if err != nil || errMAP != nil {
			t.Fatal(k, err, errMAP)
		}
		if p := tree.pass(context.Background(), nil, 1, products); p.up() == errRange {
			wide++
		}
		same(t, k, "log Z", logZ, want.logZ)
		same(t, k, "log maximum", value, want.best)
		same(t, k, "log density of the state", m.LogDensity(state), want.best)
		for i := range m.Cards {
			for v := range m.Cards[i] {
				if d := marginals[i][v] - want.marginals[i][v]; !(math.Abs(d) < 1e-11) {
					t.Fatalf("model %d, variable %d: %v, not %v", k, i, marginals[i], want.marginals[i])
				}
			}
		}
	}
	if impossible < 20 || wide < 100 {
		t.Errorf("%d models without a state and %d of a wide range: the test does not see these cases", impossible, wide)
	}
}

func same(t *testing.T, k int, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-11*max(1, math.Abs(want))) {
		t.Fatalf("model %d: %s is %v, not %v", k, what, got, want)
	}
}

// Products and logarithms are two implementations of one thing.
func TestLogarithmsAgreeWithProducts(t *testing.T) {
	r := rand.New(rng.New(2, "test of exact computation"))
	for k := range 30 {
		m := anyModel(r, 40, 3, 0.1, 6)
		for i := range m.Cards { // a state that is possible
			m.Factors = append(m.Factors, Factor{[]int{i}, slices.Repeat([]float64{1}, m.Cards[i])})
		}
		for _, f := range m.Factors {
			f.Table[0] = 1
		}
		tree, err := NewJunctionTree(m, 1<<24)
		var cost *CostError
		if errors.As(err, &cost) {
			continue
		}
		a, b := tree.pass(context.Background(), nil, 1, products), tree.pass(context.Background(), nil, 1, logarithms)
		if err := errors.Join(err, a.up(), b.up()); err != nil {
			t.Fatal(err)
		}
		same(t, k, "log Z", a.logZ, b.logZ)
		p, e := a.down()
		q, f := b.down()
		if err := errors.Join(e, f); err != nil {
			t.Fatal(err)
		}
		for i := range p {
			for v := range p[i] {
				if math.Abs(p[i][v]-q[i][v]) > 1e-12 {
					t.Fatalf("model %d, variable %d: %v and %v", k, i, p[i], q[i])
				}
			}
		}
	}
}

// Many values: a block is smaller than what a clique does not share, or one variable is a block.
func TestJunctionTreeOfManyValues(t *testing.T) {
	r := rand.New(rng.New(3, "test of exact computation"))
	for k, cards := range [][]int{{9000, 3}, {3, 9000}, {300, 7, 90}, {70, 70, 70}, {5000}} {
		m := &Model{Cards: cards}
		for i := range cards {
			for j := range i {
				f := Factor{Scope: []int{i, j}, Table: make([]float64, cards[i]*cards[j])}
				for n := range f.Table {
					f.Table[n] = r.Float64()
				}
				m.Factors = append(m.Factors, f)
			}
		}
		want := allStates(m)
		tree, err := NewJunctionTree(m, 0)
		if err != nil {
			t.Fatal(err)
		}
		logZ, marginals, err := tree.Marginals(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, k, "log Z", logZ, want.logZ)
		_, value, err := tree.MAP(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, k, "log maximum", value, want.best)
		for i := range m.Cards {
			for v := range m.Cards[i] {
				if math.Abs(marginals[i][v]-want.marginals[i][v]) > 1e-12 {
					t.Fatalf("model %d, variable %d, value %d: %v, not %v", k, i, v, marginals[i][v], want.marginals[i][v])
				}
			}
		}
	}
}

func TestJunctionTreeThatCostsTooMuch(t *testing.T) {
	m := &Model{Cards: slices.Repeat([]int{2}, 60)}
	for i := range m.Cards {
		for j := range i {
			m.Factors = append(m.Factors, Factor{[]int{i, j}, []float64{1, 2, 3, 4}})
		}
	}
	_, err := NewJunctionTree(m, 0)
	var cost *CostError
	if !errors.As(err, &cost) || cost.Width != 59 {
		t.Error(err)
	}
}

func TestJunctionTreeEndsWithItsContext(t *testing.T) {
	m := &Model{Cards: slices.Repeat([]int{2}, 22), Factors: []Factor{{}}}
	for i := range m.Cards {
		for j := range i {
			m.Factors = append(m.Factors, Factor{[]int{i, j}, []float64{1, 2, 3, 4}})
		}
	}
	m.Factors[0].Table = []float64{5}
	tree, err := NewJunctionTree(m, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	told := 0.0
	_, err = tree.LogZ(ctx, func(done float64) {
		if told = done; done > 0.4 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || told < 0.4 || told > 0.9 {
		t.Error(err, told)
	}
}
