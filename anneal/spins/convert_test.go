package spins

import (
	"math/rand/v2"
	"testing"
)

// random is a model of a kind with integer coefficients.
func random(t testing.TB, r *rand.Rand, kind Kind, n int) *Model {
	var linear []float64
	if kind != MaxCut {
		linear = make([]float64, n)
		for i := range linear {
			linear[i] = float64(r.IntN(21) - 10)
		}
	}
	var couplings []Coupling
	for i := range n {
		for j := range i {
			if r.IntN(2) == 0 {
				couplings = append(couplings, Coupling{i, j, float64(r.IntN(21) - 10)})
			}
		}
	}
	return build(t, kind, n, linear, couplings, float64(r.IntN(9)-4))
}

// Each kind gives each state the energy that the others do, to the last bit; of a cut with a vertex more, whichever value that has.
func TestConversions(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for n := range 7 {
		for _, kind := range []Kind{Ising, QUBO, MaxCut} {
			m := random(t, r, kind, n)
			for _, to := range []*Model{m.Ising(), m.QUBO(), m.MaxCut(), m.Ising().QUBO(), m.QUBO().Ising(), m.QUBO().MaxCut().Ising(), m.MaxCut().QUBO()} {
				if err := to.finite(); err != nil {
					t.Fatal(err)
				}
				for _, s := range states(n) {
					want, err := m.Energy(s)
					if err != nil {
						t.Fatal(err)
					}
					for _, last := range []float64{1, -1} {
						x := append([]float64(nil), s...)
						for range to.Variables - n {
							for i := range x {
								x[i] *= last
							}
							x = append(x, last)
						}
						if got, err := to.Energy(x); err != nil || got != want {
							t.Fatalf("%v to %v: the energy of %v is %v, want %v (%v)", kind, to.Kind, x, got, want, err)
						}
					}
				}
			}
		}
	}
}

func TestNewSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		kind      Kind
		n         int
		linear    []float64
		couplings []Coupling
		want      string
	}{
		{3, 1, nil, nil, "spins: Kind(3) is no kind of model; there are Ising, QUBO and MaxCut"},
		{Ising, -1, nil, nil, "spins: -1 variables; a model has at most 67108864"},
		{MaxCut, 1, []float64{1}, nil, "spins: a Max-Cut model has no linear terms; make them edges to one vertex more"},
		{Ising, 1, []float64{1, 2}, nil, "spins: 2 linear terms of 1 variable"},
		{Ising, 2, nil, []Coupling{{1, 1, 1}}, "spins: a coupling of variables 1 and 1; they are two different ones from 0 to 1"},
		{Ising, 2, nil, []Coupling{{0, 2, 1}}, "spins: a coupling of variables 0 and 2; they are two different ones from 0 to 1"},
		{Ising, 2, nil, []Coupling{{0, 1, inf}}, "spins: the coupling of variables 1 and 2 is +Inf"},
		{QUBO, 1, []float64{-inf}, nil, "spins: the linear term of variable 1 is -Inf"},
	} {
		if m, err := New(c.kind, c.n, c.linear, c.couplings, 0); err == nil || err.Error() != c.want {
			t.Errorf("%v %v, want %s", m, err, c.want)
		}
	}
}
