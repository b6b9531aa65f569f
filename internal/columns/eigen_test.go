package columns

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// TestEigen holds the values to gonum's and the vectors to their definition, for random matrices and for awkward ones: multiple eigenvalues, low
// rank, diagonal, already tridiagonal, of wide range.
func TestEigen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fill := map[string]func(i, j, n int) float64{
		"random":      func(int, int, int) float64 { return r.NormFloat64() },
		"identity":    func(i, j, _ int) float64 { return map[bool]float64{true: 1}[i == j] },
		"zero":        func(int, int, int) float64 { return 0 },
		"ones":        func(int, int, int) float64 { return 1 },
		"diagonal":    func(i, j, n int) float64 { return map[bool]float64{true: float64((i * 7) % n)}[i == j] },
		"tridiagonal": func(i, j, _ int) float64 { return map[int]float64{0: 2, 1: -1}[i-j] },
		"graded":      func(i, j, _ int) float64 { return math.Pow(10, -float64(i+j)/2) * (1 + r.Float64()) },
		"large":       func(int, int, int) float64 { return 1e150 * r.NormFloat64() },
	}
	for name, f := range fill {
		for _, n := range []int{1, 2, 3, 4, 7, 20, 61} {
			a := make([]float64, n*n)
			sym := mat.NewSymDense(n, nil)
			norm := 0.0
			for j := range n {
				for i := j; i < n; i++ {
					v := f(i, j, n)
					a[i+j*n] = v
					sym.SetSym(i, j, v)
					norm = max(norm, math.Abs(v))
				}
			}
			values, work := make([]float64, n), make([]float64, n)
			q := append([]float64(nil), a...)
			if !Eigen(values, q, work, n) {
				t.Fatalf("%s, n = %d: no end", name, n)
			}
			var e mat.EigenSym
			e.Factorize(sym, false)
			bound := 1e-13 * norm * float64(n)
			for i, want := range e.Values(nil) {
				if !(math.Abs(values[i]-want) <= bound) {
					t.Errorf("%s, n = %d: value %d is %v, want %v", name, n, i, values[i], want)
				}
			}
			for j := range n {
				for k := range n {
					want := 0.0
					if j == k {
						want = 1
					}
					if got := vec.Dot(q[j*n:(j+1)*n], q[k*n:(k+1)*n]); !(math.Abs(got-want) < 1e-13*float64(n)) {
						t.Fatalf("%s, n = %d: columns %d and %d have product %v", name, n, j, k, got)
					}
				}
				for i := range n {
					sum := 0.0
					for k := range n {
						sum += sym.At(i, k) * q[k+j*n]
					}
					if !(math.Abs(sum-values[j]*q[i+j*n]) <= bound) {
						t.Fatalf("%s, n = %d: A q − λ q is %v", name, n, sum-values[j]*q[i+j*n])
					}
				}
			}
		}
	}
}
