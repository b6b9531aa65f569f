package partition

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/annealtest"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// sets are numbers, among them awkward ones: a single one, zeros, equal ones, one above all others, the largest that there are.
var sets = [][]uint64{
	{5},
	{0, 0},
	{3, 3, 3, 3},
	{1, 2, 3, 100},
	{4, 5, 6, 7, 8},
	{math.MaxUint64, math.MaxUint64, 1 << 63, 3, math.MaxUint64 - 1},
}

func problem(t testing.TB, numbers []uint64) *Problem {
	p, err := New(numbers)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func walkerOf(t testing.TB, p *Problem) *walker {
	w, err := p.Walker()
	if err != nil {
		t.Fatal(err)
	}
	return w.(*walker)
}

// signs are all of n.
func signs(n int) (all [][]float64) {
	for k := range 1 << n {
		s := make([]float64, n)
		for i := range s {
			s[i] = float64(1 - 2*(k>>i&1))
		}
		all = append(all, s)
	}
	return all
}

// Sweeps leave e^{−E/T} invariant over all signs and come to it; energies are those of Evaluate's numbers of any size. False alarms: 10⁻⁶ each.
func TestStationary(t *testing.T) {
	for _, numbers := range sets {
		p := problem(t, numbers)
		hot, _ := p.Temperatures()
		for _, part := range []float64{0.3, 2} {
			set := kerneltest.Settings{Seed: 1, Steps: 40, Replicates: 4000}
			if err := annealtest.Stationary(p, signs(len(numbers)), part*hot, set); err != nil {
				t.Errorf("%v, T = %v: %v", numbers, part*hot, err)
			}
		}
	}
}

func TestZeroTemperature(t *testing.T) {
	for _, numbers := range sets {
		w, r := walkerOf(t, problem(t, numbers)), rng.New(2, "partition zero").Rand
		w.Start(r)
		for range 100 {
			before := w.Energy(0)
			if w.Sweep(0, r); w.Energy(0) > before || w.Best(0) != w.Energy(0) {
				t.Fatalf("%v: from %v to %v, best %v", numbers, before, w.Energy(0), w.Best(0))
			}
		}
	}
}

// Climbing ends at the least energy among all changes of one sign and of two.
func TestClimb(t *testing.T) {
	for _, first := range []bool{false, true} {
		r := rng.New(3, "partition climb").Rand
		numbers := make([]uint64, 12)
		for i := range numbers {
			numbers[i] = r.Uint64N(1000)
		}
		p := problem(t, numbers)
		w := walkerOf(t, p)
		w.Start(r)
		for {
			if looked, made := w.Climb(first, r); made == 0 {
				if looked != 78 {
					t.Errorf("%d changes of 78", looked)
				}
				break
			}
		}
		x := w.State(0)
		low, _ := p.Evaluate(x)
		for i := range x {
			for j := range i + 1 {
				x[i] = -x[i]
				if j != i {
					x[j] = -x[j]
				}
				if e, _ := p.Evaluate(x); e < low {
					t.Errorf("the signs of %d and %d lead from %v to %v", i, j, low, e)
				}
				x[i] = -x[i]
				if j != i {
					x[j] = -x[j]
				}
			}
		}
	}
}

// Sums of 128 bits are those of numbers of any size, and round as these do.
func TestInt128(t *testing.T) {
	r := rng.New(4, "partition int128").Rand
	for range 20000 {
		x := int128{r.Uint64() >> 2 >> r.IntN(62), r.Uint64()}
		if r.IntN(4) == 0 {
			x.Hi, x.Lo = 1<<r.IntN(62), 1<<r.IntN(64)
		}
		y := int128{r.Uint64() >> 2 >> r.IntN(62), r.Uint64() >> r.IntN(64)}
		d := x.minus(y)
		want := new(big.Int).Sub(bigOf(x), bigOf(y))
		f, _ := new(big.Float).SetInt(want).Float64()
		s, _ := new(big.Float).SetInt(new(big.Int).Add(bigOf(x), bigOf(y))).Float64()
		if d.float() != f || x.plus(y).float() != s || d.negative() != (want.Sign() < 0) || d.abs().float() != math.Abs(f) {
			t.Fatalf("%v − %v is %v, not %v", x, y, d.float(), f)
		}
	}
}

func bigOf(x int128) *big.Int {
	b := new(big.Int).Lsh(new(big.Int).SetUint64(x.Hi), 64)
	return b.Add(b, new(big.Int).SetUint64(x.Lo))
}

func TestBytesAndCopies(t *testing.T) {
	p := problem(t, []uint64{math.MaxUint64, 5, 6, 7, 8, math.MaxUint64 - 30, 99})
	w, r := walkerOf(t, p), rng.New(5, "partition bytes").Rand
	w.Start(r)
	for range 20 {
		w.Sweep(1e18, r)
	}
	b, err := w.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	back, twin := walkerOf(t, p), walkerOf(t, p)
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	twin.Copy(0, w, 0)
	w.Copy(0, w, 0)
	was := ""
	for i, one := range []*walker{w, back, twin} {
		text, r := "", rng.New(6, "partition on").Rand
		for range 20 {
			one.Sweep(100, r)
			text += fmt.Sprint(one.Energy(0), one.Best(0), one.State(0), one.Solution(0))
		}
		if i == 0 {
			was = text
		} else if text != was {
			t.Errorf("walker %d goes on otherwise", i)
		}
	}
	other := walkerOf(t, problem(t, []uint64{1, 2}))
	if back.UnmarshalBinary(b[:len(b)/2]) == nil || other.UnmarshalBinary(b) == nil || back.Set(0, []float64{1, 0, 1, 1, 1, 1, 1}) == nil {
		t.Error("half the bytes, those of another problem, or a sign of 0 make a walker")
	}
}

func TestSweepDoesNotAllocate(t *testing.T) {
	w, r := walkerOf(t, problem(t, sets[5])), rng.New(7, "partition allocations").Rand
	w.Start(r)
	if n := testing.AllocsPerRun(100, func() { w.Sweep(1e18, r) }); n > 0 {
		t.Errorf("%v allocations a sweep", n)
	}
}

// The largest differences of {8, 7, 6, 5, 4} leave 2 (Karmarkar and Karp, 1982), where 0 is possible, which annealing finds.
func TestDifferencing(t *testing.T) {
	p := problem(t, []uint64{4, 5, 6, 7, 8})
	if e, err := p.Evaluate(p.Differencing()); e != 2 || err != nil {
		t.Error(e, err)
	}
	for _, numbers := range sets {
		p := problem(t, numbers)
		if _, err := p.Evaluate(p.Differencing()); err != nil {
			t.Errorf("%v: %v", numbers, err)
		}
	}
	found, err := anneal.Run(t.Context(), p, anneal.Settings{Seed: 1})
	if err != nil || found.Best != 0 {
		t.Error(found, err)
	}
}

// Thirty numbers below 2²⁰ have about 2³⁰/(2²⁰√(2π·30/3)) divisions at each small difference, and annealing finds one of the least.
func TestPerfectDivision(t *testing.T) {
	r := rng.New(8, "partition perfect").Rand
	numbers := make([]uint64, 30)
	for i := range numbers {
		numbers[i] = r.Uint64N(1 << 20)
	}
	p := problem(t, numbers)
	found, err := anneal.Run(t.Context(), p, anneal.Settings{Seed: 1, Sweeps: 20_000, Target: p.Parity(), HasTarget: true})
	if err != nil || found.Best != p.Parity() {
		t.Error(found.Best, p.Parity(), err)
	}
}

// The walks of a seed do not change, nor depend on the machine.
func TestGoldenWalks(t *testing.T) {
	text := ""
	for k, numbers := range sets {
		p := problem(t, numbers)
		w, r := walkerOf(t, p), rng.New(9, "partition golden", uint64(k)).Rand
		w.Start(r)
		hot, cold := p.Temperatures()
		accepted := int64(0)
		for s := range 60 {
			_, a := w.Sweep([]float64{hot, cold, 0}[s%3], r)
			accepted += a
		}
		text += fmt.Sprintln(accepted, w.State(0), w.Energy(0), w.Best(0))
	}
	if text != golden {
		t.Errorf("%s", text)
	}
}

const golden = `21 [1] 5 5
92 [1 1] 0 0
80 [-1 1 -1 1] 0 0
108 [-1 -1 -1 1] 94 94
66 [1 -1 1 1 -1] 4 0
93 [1 -1 -1 -1 1] 9.223372036854776e+18 9.223372036854776e+18
`

func BenchmarkChange(b *testing.B) {
	r := rng.New(10, "partition bench").Rand
	numbers := make([]uint64, 1000)
	for i := range numbers {
		numbers[i] = r.Uint64N(1e18)
	}
	for _, temperature := range []float64{0, 1e20} {
		w := walkerOf(b, problem(b, numbers))
		w.Start(r)
		b.Run(fmt.Sprintf("T=%v", temperature), func(b *testing.B) {
			b.ReportAllocs()
			for done := 0; done < b.N; done += len(numbers) {
				w.Sweep(temperature, r)
			}
		})
	}
}
