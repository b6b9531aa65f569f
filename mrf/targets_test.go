package mrf

import (
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// randomModel draws a model of few states: n variables of 1 to 4 values, factors over 0 to 4 of them, some scopes twice. zeros is the
// share of factors that have zeros: scattered ones, a function of the last variable, equality of all, or a forbidden row. A state
// that is drawn first keeps positive probability.
func randomModel(r *rand.Rand, n, factors int, zeros float64) *Model {
	m := &Model{}
	x := make([]int, n)
	for i := range n {
		m.Cards = append(m.Cards, []int{1, 2, 2, 2, 3, 3, 4, 5}[r.IntN(8)])
		x[i] = r.IntN(m.Cards[i])
	}
	for range factors {
		scope := r.Perm(n)[:min(n, []int{0, 1, 1, 2, 2, 2, 3, 4}[r.IntN(8)])]
		if len(m.Factors) > 0 && r.IntN(6) == 0 {
			scope = m.Factors[r.IntN(len(m.Factors))].Scope
		}
		f := Factor{Scope: scope}
		size := 1
		for _, i := range scope {
			size *= m.Cards[i]
		}
		strength := []float64{0.5, 2, 6}[r.IntN(3)]
		for range size {
			f.Table = append(f.Table, exp(strength*r.NormFloat64()))
		}
		if r.Float64() < zeros {
			punch(r, m, &f)
		}
		if at := f.index(m.Cards, x); f.Table[at] == 0 {
			f.Table[at] = 1
		}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// punch sets entries to 0.
func punch(r *rand.Rand, m *Model, f *Factor) {
	kind, k := r.IntN(4), 1
	if n := len(f.Scope); n > 0 {
		k = m.Cards[f.Scope[n-1]]
	}
	add := r.IntN(4)
	for at := range f.Table {
		row, value := at/k, at%k
		zero := false
		switch kind {
		case 0:
			zero = r.IntN(3) == 0
		case 1:
			zero = value != (row*7+row/2+add)%k // the last is a function of the others
		case 2:
			for rest, n := at, len(f.Scope)-1; n >= 0; n-- {
				c := m.Cards[f.Scope[n]]
				zero = zero || rest%c != min(value, c-1)
				rest /= c
			}
		case 3:
			zero = row == 0
		}
		if zero {
			f.Table[at] = 0
		}
	}
}

// enumeration is all states of a model with their probabilities, the last variable fastest.
type enumeration struct {
	m    *Model
	logs []float64
}

func enumerate(m *Model) *enumeration {
	e := &enumeration{m: m}
	size := 1
	for _, k := range m.Cards {
		size *= k
	}
	for i := range size {
		e.logs = append(e.logs, m.LogDensity(e.values(i)))
	}
	return e
}

func (e *enumeration) values(i int) []int {
	x := make([]int, len(e.m.Cards))
	for j := len(x) - 1; j >= 0; j-- {
		x[j] = i % e.m.Cards[j]
		i /= e.m.Cards[j]
	}
	return x
}

func (e *enumeration) index(x []int32) int {
	k := 0
	for j, v := range x {
		k = k*e.m.Cards[j] + int(v)
	}
	return k
}

func (e *enumeration) logZ() float64 {
	top, sum := negInf(), 0.0
	for _, l := range e.logs {
		top = max(top, l)
	}
	for _, l := range e.logs {
		sum += exp(l - top)
	}
	return top + log(sum)
}

func (e *enumeration) marginals() [][]float64 {
	z := e.logZ()
	p := make([][]float64, len(e.m.Cards))
	for i, k := range e.m.Cards {
		p[i] = make([]float64, k)
	}
	for s, l := range e.logs {
		for i, v := range e.values(s) {
			p[i][v] += exp(l - z)
		}
	}
	return p
}

// small draws models until one has few states.
func small(r *rand.Rand, zeros float64) *Model {
	for {
		n := 1 + r.IntN(6)
		m := randomModel(r, n, r.IntN(2*n+2), zeros)
		size := 1
		for _, k := range m.Cards {
			size *= k
		}
		if size <= 400 {
			return m
		}
	}
}

func mustField(t testing.TB, m *Model, set FieldSettings) *Field {
	t.Helper()
	f, err := NewField(m, set)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustState(t testing.TB, f *Field, x []int) *State {
	t.Helper()
	s, err := f.NewState(x)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func stream(i int) *rng.Stream { return rng.New(1, "mrf test", uint64(i)) }
