package spins

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// glass is a ring of n spins with chords: couplings of 1 and −1 where most is 1, otherwise up to most.
func glass(t testing.TB, n, most int) *Model {
	r := rand.New(rand.NewPCG(uint64(n), uint64(most)))
	var all []Coupling
	for i := range n {
		for _, step := range []int{1, 7, 12} {
			w := float64(1 + r.IntN(most))
			if r.IntN(2) == 0 {
				w = -w
			}
			all = append(all, Coupling{i, (i + step) % n, w})
		}
	}
	return build(t, Ising, n, nil, all, 0)
}

func walker(t testing.TB, m *Model, seed uint64) (*Walker, *rand.Rand) {
	t.Helper()
	w, err := instance(t, m).NewWalker()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	w.Start(r)
	return w, r
}

// Draws of each kind of fields and couplings are frozen: 16 bits with couplings of ±1 and others, 32 bits; sweeps, thresholds, climbs.
func TestGolden(t *testing.T) {
	for most, want := range map[int]string{1: "f1a4c17f539b00ce", 50: "8cd57359881d2283", 100_000: "dd3c2c5e19044722"} {
		w, r := walker(t, glass(t, 60, most), 1)
		h := fnv.New64a()
		for k := range 20 {
			w.Sweep(float64(most)*(3-0.1*float64(k)), r)
			fmt.Fprint(h, w.state.Up, w.state.Energy)
		}
		w.SweepThreshold(float64(most), r)
		fmt.Fprint(h, w.state.Up, w.state.Energy)
		w.Climb(true, r)
		w.Climb(false, r)
		fmt.Fprint(h, w.state.Up, w.state.Energy, w.best, w.bestUp)
		if got := fmt.Sprintf("%x", h.Sum64()); got != want {
			t.Errorf("couplings up to %d: %s, want %s", most, got, want)
		}
	}
}

// A walker read back goes on as the first does.
func TestResume(t *testing.T) {
	m := glass(t, 50, 3)
	a, r := walker(t, m, 2)
	for range 5 {
		a.Sweep(2, r)
	}
	b, _ := walker(t, m, 3)
	bytesOf := func(w *Walker) []byte {
		x, err := w.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	saved := bytesOf(a)
	if err := b.UnmarshalBinary(saved); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Walker{a, b} {
		s := rand.New(rand.NewPCG(7, 7))
		for range 5 {
			w.Sweep(1, s)
		}
	}
	if !bytes.Equal(bytesOf(a), bytesOf(b)) || a.state.Energy != b.state.Energy {
		t.Error("the walker that was read back goes on in another way")
	}
	c, _ := walker(t, glass(t, 51, 3), 1)
	for _, x := range [][]byte{saved, nil, saved[:len(saved)/2]} {
		if err := c.UnmarshalBinary(x); err == nil {
			t.Errorf("%d bytes that are no such walker's are read", len(x))
		}
	}
}

func changesOf(w *Walker) (all []int64) {
	for i := range w.state.Up {
		for k := range w.Replicas() {
			all = append(all, w.state.Change(i, k))
		}
	}
	return all
}

func TestCopyAndSet(t *testing.T) {
	for _, most := range []int{1, 100_000} {
		m := glass(t, 40, most)
		a, r := walker(t, m, 2)
		b, s := walker(t, m, 3)
		for range 10 {
			a.Sweep(float64(most), r)
			b.Sweep(float64(most), s)
		}
		others := append(b.State(6), b.State(8)...)
		b.Copy(7, a, 3)
		a.Copy(5, a, 4)
		for _, x := range []struct {
			w, v       *Walker
			to, origin int
		}{{b, a, 7, 3}, {a, a, 5, 4}} {
			if x.w.Energy(x.to) != x.v.Energy(x.origin) || x.w.Best(x.to) != x.v.Best(x.origin) ||
				!slices.Equal(x.w.State(x.to), x.v.State(x.origin)) || !slices.Equal(x.w.Solution(x.to), x.v.Solution(x.origin)) {
				t.Errorf("the copy of replica %d differs", x.origin)
			}
		}
		if !slices.Equal(others, append(b.State(6), b.State(8)...)) {
			t.Error("replicas beside the copy have changed")
		}
		state := a.State(0)
		if err := b.Set(9, state); err != nil || !slices.Equal(b.State(9), state) || !slices.Equal(b.Solution(9), state) || b.Energy(9) != a.Energy(0) || b.Best(9) != a.Energy(0) {
			t.Errorf("replica 9 is not what it was set to: %v", err)
		}
		for _, wrong := range [][]float64{nil, state[1:], append([]float64{0.5}, state[1:]...)} {
			if b.Set(9, wrong) == nil {
				t.Errorf("a replica is set to %v", wrong)
			}
		}
		kept, changes := b.state.Energy, changesOf(b)
		b.state.Refresh()
		if kept != b.state.Energy || !slices.Equal(changes, changesOf(b)) {
			t.Error("fields or energies are not those of the spins")
		}
	}
}

// Climbs end in states that no change of one spin betters, and a threshold accepts what a temperature cannot.
func TestClimbAndThreshold(t *testing.T) {
	for _, first := range []bool{false, true} {
		w, r := walker(t, glass(t, 60, 9), 4)
		for steps := 0; ; steps++ {
			before := w.state.Energy
			_, made := w.Climb(first, r)
			for k, e := range w.state.Energy {
				if e > before[k] {
					t.Fatal("a climb raises the energy")
				}
			}
			if made == 0 {
				break
			}
			if steps > 1000 {
				t.Fatal("a climb does not end")
			}
		}
		for k := range w.Replicas() {
			for i := range w.state.Up {
				if w.state.Change(i, k) < 0 {
					t.Fatalf("replica %d can be bettered by spin %d", k, i)
				}
			}
		}
		if proposed, accepted := w.SweepThreshold(1e9, r); accepted != proposed {
			t.Errorf("%d of %d proposals within the threshold are accepted", accepted, proposed)
		}
		before := w.state.Energy
		w.SweepThreshold(8, r)
		for k, e := range w.state.Energy {
			if float64(e-before[k])*w.instance.unit > 8*60 {
				t.Error("a threshold lets the energy rise too far")
			}
		}
	}
}

func TestSweepsDoNotAllocate(t *testing.T) {
	for _, most := range []int{1, 50, 100_000} {
		w, r := walker(t, glass(t, 60, most), 1)
		temperature := 3 * float64(most)
		if n := testing.AllocsPerRun(50, func() {
			w.Sweep(temperature, r)
			temperature *= 0.99
		}); n != 0 {
			t.Errorf("couplings up to %d: %v allocations in a sweep", most, n)
		}
	}
}

// Temperatures follow the unit of the energy.
func TestTemperatures(t *testing.T) {
	hot, cold := instance(t, glass(t, 100, 1)).Temperatures()
	big := glass(t, 100, 1)
	for k := range big.Couplings {
		big.Couplings[k].Value *= 8
	}
	if h, c := instance(t, big).Temperatures(); h != 8*hot || c != 8*cold {
		t.Errorf("temperatures %v and %v of energies eight times %v and %v", h, c, hot, cold)
	}
	if h, c := instance(t, build(t, Ising, 3, nil, nil, 0)).Temperatures(); h != 1 || c != 1 {
		t.Errorf("temperatures %v and %v where there is no energy", h, c)
	}
}

// Temperatures that are none are 0: only what does not raise the energy is accepted.
func TestTemperaturesBelowZero(t *testing.T) {
	m, err := New(Ising, 3, nil, []Coupling{{0, 1, -1}, {1, 2, -1}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	in, err := NewInstance(m)
	if err != nil {
		t.Fatal(err)
	}
	w, err := in.NewWalker()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	w.Start(r)
	for _, temperature := range []float64{-1, math.NaN(), math.Inf(-1), 0} {
		before := w.Energy(0)
		w.Sweep(temperature, r)
		if w.Energy(0) > before {
			t.Errorf("temperature %v: from %v to %v", temperature, before, w.Energy(0))
		}
	}
}

// Temperatures scale as the coefficients do, however large or small these are.
func TestTemperaturesScale(t *testing.T) {
	of := func(scale float64) (hot, cold float64) {
		m, err := New(Ising, 3, []float64{0, scale, 0}, []Coupling{{0, 1, -3 * scale}, {1, 2, 2 * scale}}, 0)
		if err != nil {
			t.Fatal(err)
		}
		in, err := NewInstance(m)
		if err != nil {
			t.Fatal(err)
		}
		return in.Temperatures()
	}
	hot, cold := of(1)
	for _, e := range []int{-900, -500, 10, 500, 900} {
		if h, c := of(math.Ldexp(1, e)); h != math.Ldexp(hot, e) || c != math.Ldexp(cold, e) {
			t.Errorf("coefficients of 2^%d: %v and %v, and of 1: %v and %v", e, h, c, hot, cold)
		}
	}
}
