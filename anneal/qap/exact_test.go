package qap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/annealtest"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// form is a kind of problem: which matrices are symmetric, which have diagonals, and how large entries are.
type form struct {
	symA, symB, diagA, diagB bool
	largest                  int64
}

var forms = []form{
	{true, true, false, false, 9},
	{true, false, false, true, 9},
	{false, true, true, true, 9},
	{false, false, true, true, 9},
	{true, true, true, true, 1 << 20}, // beyond 16 bits
	{false, false, true, true, 1 << 20},
	{false, false, false, false, 0},
}

func (f form) problem(t testing.TB, n int, r *rand.Rand) *Problem {
	m := [2][]int64{make([]int64, n*n), make([]int64, n*n)}
	for k := range m {
		for i := range n {
			for j := range n {
				if f.largest > 0 {
					m[k][i*n+j] = r.Int64N(2*f.largest+1) - f.largest
				}
				if j < i && [2]bool{f.symA, f.symB}[k] {
					m[k][i*n+j] = m[k][j*n+i]
				}
			}
			if ![2]bool{f.diagA, f.diagB}[k] {
				m[k][i*n+i] = 0
			}
		}
	}
	p, err := New(n, m[0], m[1])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// forced is a problem whose walkers keep a table always, or never.
type forced struct {
	*Problem
	table bool
}

func (p forced) Walker() (anneal.Walker, error) { return p.walker(), nil }

func (p forced) walker() anneal.Walker {
	if p.wide != nil {
		return &forcedWalker[int64, int64]{newWalker[int64, int64](p.Problem, p.wide), p.table}
	}
	return &forcedWalker[int16, int32]{newWalker[int16, int32](p.Problem, p.narrow), p.table}
}

type forcedWalker[T entry, S sum] struct {
	*walker[T, S]
	tabled bool
}

func (w *forcedWalker[T, S]) Sweep(temperature float64, r *rand.Rand) (proposed, accepted int64) {
	if w.table.recent = 1 << 40; w.tabled {
		w.table.recent = 0
	}
	defer func() {
		if w.table.kept != w.tabled {
			panic("the sweep was of the other kind")
		}
	}()
	return w.walker.Sweep(temperature, r)
}

func (w *forcedWalker[T, S]) Copy(to int, from anneal.Walker, replica int) {
	w.walker.Copy(to, from.(*forcedWalker[T, S]).walker, replica)
}

// permutations are all of n numbers from 0.
func permutations(n int) (all [][]float64) {
	if n == 0 {
		return [][]float64{{}}
	}
	for _, p := range permutations(n - 1) {
		for k := range n {
			all = append(all, slices.Insert(slices.Clone(p), k, float64(n-1)))
		}
	}
	return all
}

// Sweeps leave e^{−E/T} invariant over all permutations, for every form of problem, with a table and without, and come to it. The weights are sums over the matrices as they
// were given, by Evaluate. False alarms: 10⁻⁶ each.
func TestStationary(t *testing.T) {
	for k, f := range forms {
		for _, n := range []int{2, 4} {
			p := f.problem(t, n, rng.New(1, "qap forms", uint64(k), uint64(n)).Rand)
			typical := 0.0
			for _, x := range permutations(n) {
				e, err := p.Evaluate(x)
				if err != nil {
					t.Fatal(err)
				}
				typical = max(typical, math.Abs(e))
			}
			for _, part := range []float64{0.2, 1} {
				for _, table := range []bool{false, true} {
					set := kerneltest.Settings{Seed: 3, Steps: 25, Replicates: 4000}
					if err := annealtest.Stationary(forced{p, table}, permutations(n), part*max(typical, 1), set); err != nil {
						t.Errorf("%+v, n = %d, T = %v |E|, table %v: %v", f, n, part, table, err)
					}
				}
			}
		}
	}
}

// At temperature 0 nothing that raises the energy is accepted, and what leaves it as it is always.
func TestZeroTemperature(t *testing.T) {
	for k, f := range forms {
		r := rng.New(2, "qap zero", uint64(k)).Rand
		w, err := f.problem(t, 12, r).Walker()
		if err != nil {
			t.Fatal(err)
		}
		w.Start(r)
		all := int64(0)
		for range 200 {
			before := w.Energy(0)
			proposed, accepted := w.Sweep(0, r)
			if all += accepted; w.Energy(0) > before || w.Best(0) != w.Energy(0) || proposed != 12 {
				t.Fatalf("%+v: from %v to %v, best %v, %d of %d accepted", f, before, w.Energy(0), w.Best(0), accepted, proposed)
			}
		}
		if f.largest == 0 && all < 2000 { // but for a twelfth that is no exchange: 2200 of 2400, with a standard deviation of 14
			t.Errorf("%d of 2400 accepted where all assignments are worth the same", all)
		}
	}
}

// Differences by rows are those of the sums over all pairs; in assembly and in Go.
func TestDelta(t *testing.T) {
	for k, f := range forms {
		for _, n := range []int{2, 3, 15, 16, 17, 40} {
			r := rng.New(3, "qap delta", uint64(k), uint64(n)).Rand
			p := f.problem(t, n, r)
			if (p.narrow == nil) != (f.largest > 9) {
				t.Fatalf("%+v is narrow: %v", f, p.narrow != nil)
			}
			if p.narrow != nil {
				testDelta(t, newWalker[int16, int32](p, p.narrow), r)
				wide := prepare(n, p.a, p.b)
				testDelta(t, newWalker[int64, int64](p, wide), r)
			} else {
				testDelta(t, newWalker[int64, int64](p, p.wide), r)
			}
		}
	}
}

func testDelta[T entry, S sum](t *testing.T, w *walker[T, S], r *rand.Rand) {
	t.Helper()
	w.Start(r)
	for k := range 50 {
		if k == 10 {
			w.fillTable()
		}
		i, j := w.pair(r)
		if i == j {
			continue
		}
		if c := w.change(i, j); c != w.delta(i, j) || c != w.change(j, i) {
			t.Fatalf("n = %d, table %v: the exchange of %d and %d adds %d, and the change is %d", w.p.n, w.table.kept, i, j, w.delta(i, j), c)
		}
		before := w.p.value(w.place)
		d := w.delta(i, j)
		w.make(i, j, d)
		if after := w.p.value(w.place); after-before != d || w.energy != after {
			t.Fatalf("n = %d: from %d to %d by %d, and the walker has %d", w.p.n, before, after, d, w.energy)
		}
		a, b := w.m.left[i*w.m.stride:][:w.m.stride], w.m.left[j*w.m.stride:][:w.m.stride]
		c, e := w.right[i*w.m.stride:][:w.m.stride], w.right[j*w.m.stride:][:w.m.stride]
		if products(a, b, c, e) != productsGo(a, b, c, e) {
			t.Fatalf("products of rows %d and %d: %d, and %d in Go", i, j, products(a, b, c, e), productsGo(a, b, c, e))
		}
	}
	kept := slices.Clone(w.table.sums)
	if w.fillTable(); !slices.Equal(kept, w.table.sums) {
		t.Fatalf("n = %d: the table that follows the walker is %v, and anew %v", w.p.n, kept, w.table.sums)
	}
}

// The walk is the same with a table and without, and a walker changes from one to the other by itself.
func TestTable(t *testing.T) {
	for k, f := range forms {
		p := f.problem(t, 40, rng.New(10, "qap table", uint64(k)).Rand)
		_, cold := p.Temperatures()
		var was string
		for run, in := range []anneal.Instance{forced{p, false}, forced{p, true}, p} {
			w, err := in.Walker()
			if err != nil {
				t.Fatal(err)
			}
			r := rng.New(11, "qap walk").Rand
			w.Start(r)
			text := ""
			for s := range 900 {
				_, accepted := w.Sweep([]float64{1e15, cold / 100, 1e15}[s/300], r)
				text += fmt.Sprintln(accepted, w.Energy(0), w.Best(0), w.State(0))
				kept, ok := tableOf(w)
				if wants := s/300 == 1; ok && s%300 == 299 && f.largest > 0 && kept != wants {
					t.Errorf("%+v: after sweep %d the walker keeps a table: %v", f, s, kept)
				}
			}
			if run == 0 {
				was = text
			} else if text != was {
				t.Errorf("%+v: walk %d is another", f, run)
			}
		}
	}
}

// tableOf says whether a walker that chooses keeps a table.
func tableOf(w anneal.Walker) (kept, chooses bool) {
	switch w := w.(type) {
	case *walker[int16, int32]:
		return w.table.kept, true
	case *walker[int64, int64]:
		return w.table.kept, true
	}
	return false, false
}

// The assembly wraps and rounds as Go does, at the largest entries that count as narrow.
func TestTableAssembly(t *testing.T) {
	r := rng.New(12, "qap assembly").Rand
	for _, n := range []int{16, 32, 48, 112} {
		rows := make([][]int16, 4)
		for k := range rows {
			rows[k] = make([]int16, n)
			for i := range rows[k] {
				rows[k][i] = int16(r.IntN(1<<15-1) - (1<<14 - 1))
			}
		}
		x, want := make([]int16, 2*n), make([]int16, 2*n)
		differences(x, rows[0], rows[1], rows[2], rows[3])
		differencesGo(want, rows[0], rows[1], rows[2], rows[3])
		y := slices.Clone(x[:2*(n-1)])
		y[2], y[3], y[4] = 0, 0, 0
		sums := make([]int32, n*(n-1))
		for i := range sums {
			sums[i] = int32(r.Uint32())
		}
		wantSums := slices.Clone(sums)
		addProducts(sums, x, y)
		addProductsGo(wantSums, x, y)
		if !slices.Equal(x, want) || !slices.Equal(sums, wantSums) {
			t.Errorf("n = %d: the assembly does not what Go does", n)
		}
	}
}

// The largest entries that count as narrow do not overflow 32 bits.
func TestNarrowLimits(t *testing.T) {
	for _, largest := range []int64{100, 1 << 12, 1<<14 - 1, 1 << 14, 1 << 20} {
		n := 33
		a, b := make([]int64, n*n), make([]int64, n*n)
		for i := range n {
			for j := range n {
				sign := int64(1 - 2*(i&1))
				a[i*n+j], b[i*n+j] = sign*largest, -sign*largest/2
				if i == j {
					a[i*n+j] = 0
				}
			}
		}
		p, err := New(n, a, b)
		if err != nil {
			t.Fatal(err)
		}
		r := rng.New(4, "qap narrow").Rand
		if p.narrow != nil {
			testDelta(t, newWalker[int16, int32](p, p.narrow), r)
		} else {
			testDelta(t, newWalker[int64, int64](p, p.wide), r)
		}
	}
}

// Climbing by the best exchange and by the first one ends where no exchange lowers the energy.
func TestClimb(t *testing.T) {
	for k, f := range forms {
		for _, first := range []bool{false, true} {
			r := rng.New(5, "qap climb", uint64(k)).Rand
			p := f.problem(t, 9, r)
			some, err := p.Walker()
			if err != nil {
				t.Fatal(err)
			}
			some.Start(r)
			for {
				looked, made := some.(interface {
					Climb(bool, *rand.Rand) (int64, int64)
				}).Climb(first, r)
				if made == 0 {
					if looked != 36 {
						t.Errorf("looked at %d of 36 exchanges", looked)
					}
					break
				}
			}
			x := some.State(0)
			lowest, _ := p.Evaluate(x)
			for i := range x {
				for j := range i {
					x[i], x[j] = x[j], x[i]
					if e, err := p.Evaluate(x); err != nil || e < lowest {
						t.Errorf("%+v: an exchange leads from %v to %v: %v", f, lowest, e, err)
					}
					x[i], x[j] = x[j], x[i]
				}
			}
		}
	}
}

// A walker read back goes on as the first would; a copy has the state and the best.
func TestBytesAndCopies(t *testing.T) {
	for k, f := range forms {
		r := rng.New(6, "qap bytes", uint64(k)).Rand
		p := f.problem(t, 10, r)
		w, _ := p.Walker()
		w.Start(r)
		for range 20 {
			w.Sweep(30, r)
		}
		b, err := w.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		back, _ := p.Walker()
		if err := back.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		twin, _ := p.Walker()
		twin.Copy(0, w, 0)
		w.Copy(0, w, 0)
		var was string
		for i, one := range []interface {
			Sweep(float64, *rand.Rand) (int64, int64)
			Energy(int) float64
			Best(int) float64
			State(int) []float64
			Solution(int) []float64
		}{w, back, twin} {
			r := rng.New(7, "qap on").Rand
			text := ""
			for range 20 {
				one.Sweep(20, r)
				text += fmt.Sprint(one.Energy(0), one.Best(0), one.State(0), one.Solution(0))
			}
			if i == 0 {
				was = text
			} else if text != was {
				t.Errorf("%+v: walker %d goes on otherwise", f, i)
			}
		}
		if back.UnmarshalBinary(b[:len(b)/2]) == nil || back.Set(0, []float64{1, 1}) == nil {
			t.Error("half the bytes, or no permutation, make a walker")
		}
	}
}

func TestSweepDoesNotAllocate(t *testing.T) {
	for _, f := range forms {
		r := rng.New(8, "qap allocations").Rand
		w, _ := f.problem(t, 20, r).Walker()
		w.Start(r)
		if n := testing.AllocsPerRun(20, func() { w.Sweep(20, r) }); n > 0 {
			t.Errorf("%+v: %v allocations a sweep", f, n)
		}
	}
}
