package spins

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var inf = math.Inf(1)

// Units divide what they can, and what is rounded is near.
func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		fields []float64 // one coupling of 0 and 1 after them
		want   string
	}{
		{[]float64{0, 0, 0}, "1 [0 0] [0]"},
		{[]float64{6, -4, 10}, "2 [3 -2] [5]"},
		{[]float64{0.75, 0.5, 0}, "0.25 [3 2] [0]"},
		{[]float64{0.1, 0.3, -1}, "0.1 [1 3] [-10]"},
		{[]float64{1e15, 3e15, 0}, "1e+15 [1 3] [0]"},
		{[]float64{1 << 29, 3, 1 << 29}, "1 [536870912 3] [536870912]"},
	} {
		n := len(c.fields) - 1
		z := toIntegers(build(t, Ising, n, c.fields[:n], []Coupling{{0, 1, c.fields[n]}}, 0))
		if got := fmt.Sprint(z.unit, z.fields, z.couplings); got != c.want || z.rounded {
			t.Errorf("%v: %s, want %s", c.fields, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 2 + r.IntN(20)
		fields, couplings := make([]float64, n), []Coupling(nil)
		size := math.Ldexp(1, r.IntN(1000)-500)
		for i := range n {
			fields[i] = r.NormFloat64() * size
			for j := range i {
				couplings = append(couplings, Coupling{i, j, r.NormFloat64() * size})
			}
		}
		m := build(t, Ising, n, fields, couplings, 0)
		z := toIntegers(m)
		slack := largestField(m) * 0x1p-29
		if !z.rounded {
			t.Fatal("normal numbers have a common unit")
		}
		for i, h := range z.fields {
			if math.Abs(float64(h)*z.unit-fields[i]) > slack {
				t.Errorf("%v became %v", fields[i], float64(h)*z.unit)
			}
		}
		for k, w := range z.couplings {
			if v := m.Couplings[k].Value; math.Abs(float64(w)*z.unit-v) > slack {
				t.Errorf("%v became %v", v, float64(w)*z.unit)
			}
		}
		instance(t, m)
	}
}

// Energies of walkers are those of the model: to the last bit where coefficients are whole numbers, and otherwise as [Instance] says.
func TestEnergies(t *testing.T) {
	for name, m := range small(t) {
		n := instance(t, m)
		w, err := n.NewWalker()
		if err != nil {
			t.Fatal(err)
		}
		slack := 1e-14 * largestField(m.Ising())
		if n.Rounded() {
			slack = float64(m.Variables+len(m.Couplings)) * n.unit
		}
		r := rand.New(rand.NewPCG(1, 3))
		w.Start(r)
		for range 50 {
			w.Sweep(largestField(m.Ising()), r)
			for k := range w.Replicas() {
				for _, x := range []struct {
					state  []float64
					energy float64
				}{{w.State(k), w.Energy(k)}, {w.Solution(k), w.Best(k)}} {
					if want, err := n.Evaluate(x.state); err != nil || math.Abs(x.energy-want) > slack {
						t.Fatalf("%s: the energy of %v is %v, want %v (%v)", name, x.state, x.energy, want, err)
					}
				}
			}
		}
	}
}
