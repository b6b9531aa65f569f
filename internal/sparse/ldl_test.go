package sparse

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestFactorAgainstDense compares solutions, quadratic forms, determinants and
// the covariance factor with gonum's dense Cholesky on random sparse matrices.
func TestFactorAgainstDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 50 {
		n := 1 + r.IntN(40)
		var cliques [][]int32
		for range r.IntN(3*n + 1) {
			c := make([]int32, 1+r.IntN(4))
			for i := range c {
				c[i] = int32(r.IntN(n))
			}
			cliques = append(cliques, c)
		}
		s := New(n, cliques)
		dense := mat.NewSymDense(n, nil)
		add := func(a, b int32, x float64) {
			s.Val[s.Slot(a, b)] += x
			dense.SetSym(int(a), int(b), dense.At(int(a), int(b))+x)
		}
		for i := range int32(n) {
			add(i, i, 0.1+r.Float64())
		}
		for _, c := range cliques {
			w := map[int32]float64{}
			for _, a := range c {
				w[a] = r.NormFloat64()
			}
			for a, x := range w {
				for b, y := range w {
					if a <= b {
						add(a, b, x*y)
					}
				}
			}
		}
		if !s.Factor() {
			t.Fatalf("trial %d: not positive definite", trial)
		}
		var ch mat.Cholesky
		ch.Factorize(dense)
		b, x := make([]float64, n), make([]float64, n)
		for i := range b {
			b[i] = r.NormFloat64()
		}
		var want mat.VecDense
		if err := ch.SolveVecTo(&want, mat.NewVecDense(n, b)); err != nil {
			t.Fatal(err)
		}
		s.Solve(x, b)
		near(t, "solve", x, want.RawVector().Data)
		v := mat.NewVecDense(n, b)
		near(t, "quad", []float64{quad(s, b)}, []float64{mat.Inner(v, dense, v)})
		ld := 0.0
		for _, d := range s.Pivots() {
			ld += math.Log(d)
		}
		near(t, "log determinant", []float64{ld}, []float64{ch.LogDet()})
		// A draw x = Spread(z) satisfies xᵀAx = zᵀz.
		s.Spread(x, b)
		white := make([]float64, n)
		s.Whiten(white, x)
		near(t, "whiten", white, b)
		near(t, "spread", []float64{quad(s, x)}, []float64{mat.Dot(v, v)})
	}
}

// quad is xᵀAx, the square of what Whiten makes of x.
func quad(s *Sym, x []float64) float64 {
	z, sum := make([]float64, len(x)), 0.0
	s.Whiten(z, x)
	for _, v := range z {
		sum += v * v
	}
	return sum
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
			t.Fatalf("%s: %v, want %v", what, got[i], want[i])
		}
	}
}

func TestNotPositiveDefinite(t *testing.T) {
	s := New(2, [][]int32{{0, 1}})
	s.Val[s.Slot(0, 0)], s.Val[s.Slot(1, 1)], s.Val[s.Slot(0, 1)] = 1, 1, 2
	if s.Factor() {
		t.Fatal("an indefinite matrix was factored")
	}
}

// A variable with 2·10⁵ neighbours, as the mean of a large group has, took
// their number squared: minutes.
func TestOneVariableWithManyNeighbours(t *testing.T) {
	const n = 200000
	var pairs [][]int32
	for k := int32(1); k < n; k++ {
		pairs = append(pairs, []int32{0, k})
	}
	if s := New(n, pairs); s == nil || len(s.Val) != 2*n-1 {
		t.Error("a star has an entry for each variable and each pair")
	}
}

// Many equal dense cliques cost as much as one, and one that is too large is
// refused before it is spread out.
func TestDenseCliques(t *testing.T) {
	const n = 400
	all := make([]int32, n)
	for k := range all {
		all[k] = int32(k)
	}
	cliques := make([][]int32, 50000)
	for k := range cliques {
		cliques[k] = all
	}
	s := New(n+1, append(cliques, []int32{3, n}))
	if s == nil || s.Fill() != n*(n-1)/2+1 {
		t.Fatalf("%v", s.Fill())
	}
	if s.perm[0] != n || s.perm[1] != 0 || s.perm[n] != n-1 { // the leaf, then by number
		t.Errorf("order %v …", s.perm[:5])
	}
	large := make([]int32, 100000)
	for k := range large {
		large[k] = int32(k)
	}
	if New(len(large), [][]int32{large}) != nil {
		t.Error("a dense factor of 100000 variables is accepted")
	}
}
