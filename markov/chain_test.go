package markov_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// social is the chain of social classes between generations: lower, middle, upper.
var social = [][]float64{{.65, .28, .07}, {.15, .67, .18}, {.12, .36, .52}}

func dense(t testing.TB, rows [][]float64, names ...string) *markov.Dense {
	t.Helper()
	c, err := markov.NewDense(rows, names...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func sparse(t testing.TB, n int, list []markov.Transition) *markov.Sparse {
	t.Helper()
	c, err := markov.NewSparse(n, list)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// random is a chain whose transitions are there with probability fill; rows are never empty.
func random(t testing.TB, r *rand.Rand, n int, fill float64) *markov.Dense {
	t.Helper()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
		rows[i][r.IntN(n)] = 0.1
		for j := range rows[i] {
			if r.Float64() < fill {
				rows[i][j] = r.ExpFloat64()
			}
		}
	}
	c, err := markov.NewDenseNormalised(rows)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func close(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if got == want {
		return
	}
	if d := math.Abs(got - want); !(d <= relative*math.Abs(want)) {
		t.Errorf("%s is %v, not %v: off by %.2g of it", what, got, want, d/math.Abs(want))
	}
}

func TestSocialClasses(t *testing.T) {
	c := dense(t, social)
	pi, err := markov.StationaryOf(c)
	if err != nil {
		t.Fatal(err)
	}
	// In hundredths, the cofactors of I − P along its diagonal are 936, 1596, 735; π is these over their sum:
	// 0.28650, 0.48852, 0.22498, of which courses print 0.286, 0.489, 0.225.
	for i, cofactor := range []float64{936, 1596, 735} {
		close(t, "π", pi[i], cofactor/3267, 4e-16)
	}
	// Every start leads there. A step may round by a few units of 2⁻⁵³.
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		a, b := r.Float64(), r.Float64()
		lo, hi := min(a, b), max(a, b)
		table, err := markov.Evolve(c, []float64{lo, hi - lo, 1 - hi}, 60)
		if err != nil {
			t.Fatal(err)
		}
		if d := markov.TotalVariation(table[60], pi); d > 60*4*0x1p-53 {
			t.Errorf("after 60 generations %g from π", d)
		}
	}
	// Stable to three digits: no entry changes by 0.001 any more. From the first start that is so already in
	// generation 5; in generation 7 the entries also show 0.286, 0.489, 0.225.
	for _, s := range []struct {
		start []float64
		by    int
		since int
	}{{[]float64{.21, .68, .11}, 7, 5}, {[]float64{.75, .15, .10}, 9, 9}} {
		since, err := markov.ConvergedAt(c, s.start, 3, 100)
		if err != nil {
			t.Fatal(err)
		}
		if since != s.since || since > s.by {
			t.Errorf("from %v: stable from generation %d", s.start, since)
		}
	}
	table, err := markov.Evolve(c, []float64{.21, .68, .11}, 7)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{.286, .489, .225} {
		if got := math.Round(1000*table[7][i]) / 1000; got != want {
			t.Errorf("generation 7 has %v for %v", got, want)
		}
	}
}

// exactStationary solves in fractions.
func exactStationary(rows [][]float64) []float64 {
	n := len(rows)
	a := make([][]*big.Rat, n)
	for i := range a { // transposed: Σ_i π_i (p_ij − δ_ij) = 0
		a[i] = make([]*big.Rat, n)
		for j := range n {
			a[i][j] = new(big.Rat).SetFloat64(rows[j][i])
		}
	}
	for i := range n { // p_ii is what the others leave, as in the elimination
		sum := new(big.Rat)
		for j := range n {
			if j != i {
				sum.Add(sum, a[j][i])
			}
		}
		a[i][i].Neg(sum)
	}
	m := n - 1 // π_m = 1
	rhs := make([]*big.Rat, m)
	for i := range m {
		rhs[i] = new(big.Rat).Neg(a[i][m])
	}
	for k := range m {
		p := k
		for a[p][k].Sign() == 0 {
			p++
		}
		a[p], a[k], rhs[p], rhs[k] = a[k], a[p], rhs[k], rhs[p]
		for i := range m {
			if i == k || a[i][k].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Quo(a[i][k], a[k][k])
			for j := k; j < m; j++ {
				a[i][j] = new(big.Rat).Sub(a[i][j], new(big.Rat).Mul(f, a[k][j]))
			}
			rhs[i] = new(big.Rat).Sub(rhs[i], new(big.Rat).Mul(f, rhs[k]))
		}
	}
	x := make([]*big.Rat, n)
	total := big.NewRat(1, 1)
	x[m] = big.NewRat(1, 1)
	for k := range m {
		x[k] = new(big.Rat).Quo(rhs[k], a[k][k])
		total.Add(total, x[k])
	}
	out := make([]float64, n)
	for k := range x {
		out[k], _ = new(big.Rat).Quo(x[k], total).Float64()
	}
	return out
}

// Accuracy is relative in every entry, also for nearly decomposable chains.
func TestGTHRelativeAccuracy(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 20 {
		n := 3 + r.IntN(8)
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = make([]float64, n)
			left := 1.0
			for j := range rows[i] {
				if j != i {
					rows[i][j] = left / 4 * math.Pow(10, -14*r.Float64())
					left -= rows[i][j]
				}
			}
			rows[i][i] = left
		}
		c := dense(t, rows)
		for i := range rows {
			for j := range rows {
				rows[i][j] = c.At(i, j)
			}
		}
		pi, err := markov.StationaryOf(c)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range exactStationary(rows) {
			close(t, "π", pi[i], want, float64(n)*0x1p-51)
		}
	}
}

// A birth-death chain whose probabilities span 600 orders of magnitude, in several blocks of the elimination and a partial one.
func TestGTHSpan(t *testing.T) {
	const n = 301
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
		up, down := 0.75*0.01, 0.75
		if i+1 < n {
			rows[i][i+1] = up
		}
		if i > 0 {
			rows[i][i-1] = down
		}
		rows[i][i] = 1 - rows[i][max(i-1, 0)]*float64(min(i, 1)) - rows[i][min(i+1, n-1)]*float64(min(n-1-i, 1))
	}
	pi, err := markov.StationaryOf(dense(t, rows))
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 150; i++ { // beyond, numbers lose their precision
		close(t, "π_i/π_(i−1)", pi[i]/pi[i-1], 0.01, 1e-12)
	}
}

func TestClasses(t *testing.T) {
	// 0 → {1,2} islands: {1,2} swaps (period 2), 3 → 4 → 5 → 3 (period 3), 6 absorbing, 7 → 0.
	list := []markov.Transition{{0, 1, .5}, {0, 3, .25}, {0, 6, .25}, {1, 2, 1}, {2, 1, 1}, {3, 4, 1}, {4, 5, 1}, {5, 3, 1}, {6, 6, 1}, {7, 0, 1}}
	c := sparse(t, 8, list)
	cl := markov.Classify(c)
	want := []markov.Class{
		{States: []int32{0}},
		{States: []int32{1, 2}, Closed: true, Period: 2},
		{States: []int32{3, 4, 5}, Closed: true, Period: 3},
		{States: []int32{6}, Closed: true, Period: 1},
		{States: []int32{7}},
	}
	if len(cl.List) != len(want) {
		t.Fatalf("%d classes: %v", len(cl.List), cl.List)
	}
	for k, w := range want {
		if g := cl.List[k]; !slices.Equal(g.States, w.States) || g.Closed != w.Closed || g.Period != w.Period {
			t.Errorf("class %d is %v, not %v", k, g, w)
		}
	}
	if got := cl.Transient(); !slices.Equal(got, []int32{0, 7}) {
		t.Errorf("transient: %v", got)
	}
	if got := cl.Absorbing(); !slices.Equal(got, []int32{6}) {
		t.Errorf("absorbing: %v", got)
	}
	_, err := markov.StationaryOf(c)
	var several *markov.NotUniqueError
	if !errors.As(err, &several) || !slices.Equal(several.Closed, []string{"2", "4", "7"}) {
		t.Errorf("error %v", err)
	}
	s, err := markov.Solver{}.SolveClass(c, cl.List[2])
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range s.Pi {
		want := 0.0
		if i >= 3 && i <= 5 {
			want = 1.0 / 3
		}
		close(t, "π", v, want, 1e-15)
	}
	if _, err := (markov.Solver{}).SolveClass(c, cl.List[0]); err == nil {
		t.Error("a stationary distribution on a class that is left")
	}
}

// Classes and periods of random graphs against what powers of the matrix say.
func TestClassesByPowers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		n := 2 + r.IntN(7)
		c := random(t, r, n, 0.25*r.Float64())
		const long = 64 // steps, beyond all cycles and preperiods of 8 states
		reach := make([][]bool, n)
		period := make([]int, n)
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			reach[i] = make([]bool, n)
			reach[i][i] = true
			clear(x)
			x[i] = 1
			for step := 1; step <= long; step++ {
				c.Step(y, x)
				x, y = y, x
				for j, v := range x {
					if v > 0 {
						reach[i][j] = true
						x[j] = 1
					}
				}
				if x[i] > 0 {
					a, b := period[i], step
					for b != 0 {
						a, b = b, a%b
					}
					period[i] = a
				}
			}
		}
		cl := markov.Classify(c)
		for i := range n {
			class := cl.List[cl.Of[i]]
			if class.Period != period[i] {
				t.Fatalf("state %d has period %d, not %d", i, class.Period, period[i])
			}
			closed := true
			for j := range n {
				if (cl.Of[i] == cl.Of[j]) != (reach[i][j] && reach[j][i]) {
					t.Fatalf("states %d and %d", i, j)
				}
				closed = closed && (!reach[i][j] || reach[j][i])
			}
			if class.Closed != closed {
				t.Fatalf("class of state %d: closed %v", i, class.Closed)
			}
		}
	}
}

// A path of a million states is classified without a deep stack.
func TestLongPath(t *testing.T) {
	const n = 1_000_000
	list := make([]markov.Transition, n)
	for i := range list {
		list[i] = markov.Transition{From: int32(i), To: int32((i + 1) % n), P: 1}
	}
	cl := markov.Classify(sparse(t, n, list))
	if !cl.Irreducible() || cl.List[0].Period != n {
		t.Errorf("%d classes, period %d", len(cl.List), cl.List[0].Period)
	}
}

func TestBadChains(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, b := range []struct {
		rows  [][]float64
		names []string
		want  string
	}{
		{nil, nil, "needs states"},
		{[][]float64{{1}}, nil, "one state"},
		{[][]float64{{.5, .5}, {1}}, nil, "state 2 has 1 entries"},
		{[][]float64{{.5, .5}, {.5, .6}}, []string{"up", "down"}, "state down sums to 1.1"},
		{[][]float64{{.5, .5}, {-.5, 1.5}}, nil, "from state 2 to state 1 has probability -0.5"},
		{[][]float64{{nan, .5}, {.5, .5}}, nil, "NaN"},
		{[][]float64{{inf, .5}, {.5, .5}}, nil, "+Inf"},
		{[][]float64{{0, 0}, {.5, .5}}, nil, "no transition out"},
		{[][]float64{{0, 1}, {.5, .5}}, []string{"a"}, "1 names for 2 states"},
		{[][]float64{{0, 1}, {.5, .5}}, []string{"a", "a"}, `two states are named "a"`},
	} {
		if _, err := markov.NewDense(b.rows, b.names...); err == nil || !strings.Contains(err.Error(), b.want) {
			t.Errorf("%v: %v", b.rows, err)
		}
	}
	for _, b := range []struct {
		n    int
		list []markov.Transition
		want string
	}{
		{0, nil, "needs states"},
		{1, []markov.Transition{{0, 0, 1}}, "one state"},
		{2, []markov.Transition{{0, 1, 1}}, "state 2 has no transition out"},
		{2, []markov.Transition{{0, 2, 1}}, "to state 2"},
		{2, []markov.Transition{{-1, 0, 1}}, "from state -1"},
		{2, []markov.Transition{{0, 1, .5}, {1, 0, 1}, {0, 1, .5}}, "given twice"},
		{2, []markov.Transition{{0, 1, nan}, {1, 0, 1}}, "NaN"},
	} {
		if _, err := markov.NewSparse(b.n, b.list); err == nil || !strings.Contains(err.Error(), b.want) {
			t.Errorf("%v: %v", b.list, err)
		}
	}
}
