package spins

import (
	"math/rand/v2"
	"testing"
)

// A swap changes two replicas, whose energies keep their sum, and of those a connected cluster at whose sites they stay opposite, or
// without fields stay equal.
func TestSwap(t *testing.T) {
	fields := make([]float64, 60)
	fields[7] = 1
	for _, m := range []*Model{glass(t, 60, 1), glass(t, 60, 100_000), build(t, Ising, 60, fields, glass(t, 60, 5).Couplings, 0)} {
		w, r := walker(t, m, 5)
		swapped := 0
		for range 200 {
			before := w.state.Energy
			up := append([]uint32(nil), w.state.Up...)
			w.instance.exchange.swap(w.state, &w.cluster, r)
			turned, sum := uint32(0), int64(0)
			for i, u := range w.state.Up {
				turned |= u ^ up[i]
			}
			for k, e := range w.state.Energy {
				sum += e - before[k]
				if turned>>k&1 == 0 && e != before[k] {
					t.Fatalf("replica %d changes its energy", k)
				}
			}
			if sum != 0 {
				t.Fatalf("the energies of two replicas sum to %d more", sum)
			}
			kept, changes := w.state.Energy, changesOf(w)
			w.state.Refresh()
			for k, c := range changesOf(w) {
				if c != changes[k] {
					t.Fatal("a swap loses what spins feel")
				}
			}
			if kept != w.state.Energy {
				t.Fatal("a swap loses energies")
			}
			if turned != 0 {
				swapped++
			}
			w.Sweep(2*w.instance.hot, rand.New(rand.NewPCG(uint64(swapped), 1)))
		}
		if swapped < 50 {
			t.Errorf("%d of 200 swaps", swapped)
		}
	}
}

// Where clusters are larger than they may be nothing is swapped; where there are many neighbours there are no swaps.
func TestNoSwap(t *testing.T) {
	var line []Coupling
	for i := range 2 * largest {
		line = append(line, Coupling{i, i + 1, 1})
	}
	w, r := walker(t, build(t, Ising, 2*largest+1, make([]float64, 2*largest+1), line, 0), 1)
	all := make([]float64, 2*largest+1)
	for i := range all {
		all[i] = 1
	}
	for k := range w.Replicas() {
		if err := w.Set(k, all); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		w.instance.exchange.swap(w.state, &w.cluster, r)
	}
	for i, u := range w.state.Up {
		if u != ^uint32(0) {
			t.Fatalf("spin %d is swapped", i)
		}
	}
	dense := random(t, rand.New(rand.NewPCG(1, 1)), Ising, 40)
	if instance(t, dense).exchange != nil || instance(t, build(t, Ising, 3, nil, nil, 0)).exchange != nil {
		t.Error("there are swaps where clusters do not end, or nothing is connected")
	}
}
