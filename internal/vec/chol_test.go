package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// spd is a random symmetric positive definite matrix, G Gᵀ + I/10.
func spd(r *rand.Rand, n int) []float64 {
	g := make([]float64, n*n)
	for i := range g {
		g[i] = r.NormFloat64()
	}
	a := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for k := range n {
				a[i+j*n] += g[i+k*n] * g[j+k*n]
			}
		}
		a[i+i*n] += 0.1
	}
	return a
}

func randVec(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// dense is gonum's view of a column-major matrix.
func dense(a []float64, n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			m.Set(i, j, a[i+j*n])
		}
	}
	return m
}

func maxDiff(a []float64, b func(i int) float64) float64 {
	d := 0.0
	for i, v := range a {
		if e := math.Abs(v - b(i)); !(e <= d) {
			d = e
		}
	}
	return d
}

// Everything against gonum's LAPACK, or by multiplying back, on matrices of condition number below 1e5.
func TestCholAgainstGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 4, 5, 8, 17, 64} {
		a, b := spd(r, n), randVec(r, n)
		da := dense(a, n)
		scale := mat.Max(da)
		tol := 1e-11 * scale
		check := func(what string, got []float64, want func(i int) float64) {
			t.Helper()
			if d := maxDiff(got, want); !(d <= tol) {
				t.Errorf("n = %d: %s differs by %v", n, what, d)
			}
		}
		times := func(m mat.Matrix, x []float64) func(i int) float64 {
			var v mat.VecDense
			v.MulVec(m, mat.NewVecDense(n, append([]float64(nil), x...)))
			return v.AtVec
		}
		flat := func(m mat.Matrix) func(i int) float64 { return func(i int) float64 { return m.At(i%n, i/n) } }

		l := make([]float64, n*n)
		if !Chol(l, a, n) {
			t.Fatalf("n = %d: not positive definite", n)
		}
		dl := dense(l, n)
		var product mat.Dense
		product.Mul(dl, dl.T())
		check("L Lᵀ", a, flat(&product))
		for j := range n {
			for i := range j {
				if l[i+j*n] != 0 {
					t.Errorf("n = %d: L[%d,%d] = %v", n, i, j, l[i+j*n])
				}
			}
		}
		inPlace := append([]float64(nil), a...)
		if !Chol(inPlace, inPlace, n) || maxDiff(inPlace, func(i int) float64 { return l[i] }) != 0 {
			t.Errorf("n = %d: in place the factor differs", n)
		}

		x := make([]float64, n)
		CholSolve(x, l, b, n)
		check("A x = b", b, times(da, x))
		TriSolveLower(x, l, b, n)
		check("L x = b", b, times(dl, x))
		TriSolveLowerT(x, l, b, n)
		check("Lᵀ x = b", b, times(dl.T(), x))
		MulTriVec(x, l, b, n)
		check("L b", x, times(dl, b))
		MulTriTVec(x, l, b, n)
		check("Lᵀ b", x, times(dl.T(), b))
		MulVec(x, a, b, n)
		check("A b", x, times(da, b))
		aliased := append([]float64(nil), b...)
		CholSolve(aliased, l, aliased, n)
		check("A x = b in place", b, times(da, aliased))
		MulTriTVec(aliased, l, aliased, n)
		MulTriVec(aliased, l, aliased, n)
		check("L Lᵀ x in place", aliased, func(i int) float64 { return b[i] })

		inv := make([]float64, n*n)
		CholInverse(inv, l, n)
		var unit mat.Dense
		unit.Mul(da, dense(inv, n))
		eye := mat.NewDiagDense(n, nil)
		for i := range n {
			eye.SetDiag(i, 1)
		}
		check("A A⁻¹", unit.RawMatrix().Data, func(i int) float64 { return eye.At(i/n, i%n) })
		for j := range n {
			for i := range n {
				if inv[i+j*n] != inv[j+i*n] {
					t.Errorf("n = %d: the inverse is not symmetric at %d, %d", n, i, j)
				}
			}
		}
		copy(inPlace, l)
		CholInverse(inPlace, inPlace, n)
		check("inverse in place", inPlace, func(i int) float64 { return inv[i] })
		back := make([]float64, n*n)
		MulTriTri(back, l, n)
		check("MulTriTri", back, func(i int) float64 { return a[i] })

		if got, want := CholLogDet(l, n), logDet(da); math.Abs(got-want) > 1e-11*max(1, math.Abs(want)) {
			t.Errorf("n = %d: log det %v, want %v", n, got, want)
		}
	}
}

func logDet(m mat.Matrix) float64 { d, _ := mat.LogDet(m); return d }

func TestCholRefuses(t *testing.T) {
	for name, a := range map[string][]float64{
		"negative":   {-1},
		"zero":       {0},
		"indefinite": {1, 2, 2, 1},
		"singular":   {1, 1, 1, 1},
		"NaN":        {math.NaN()},
		"infinite":   {math.Inf(1)},
	} {
		n := int(math.Sqrt(float64(len(a))))
		if Chol(make([]float64, len(a)), a, n) {
			t.Errorf("%s: factored", name)
		}
	}
}

// Hilbert's matrix of order 4 has determinant 1/6048000 and an inverse of whole numbers (Hilbert 1894).
func TestCholHilbert(t *testing.T) {
	const n = 4
	a := make([]float64, n*n)
	for i := range n {
		for j := range n {
			a[i+j*n] = 1 / float64(i+j+1)
		}
	}
	if !Chol(a, a, n) {
		t.Fatal("not positive definite")
	}
	if got, want := CholLogDet(a, n), -math.Log(6048000); math.Abs(got-want) > 1e-12 {
		t.Errorf("log det %v, want %v", got, want)
	}
	CholInverse(a, a, n)
	want := []float64{16, -120, 240, -140, -120, 1200, -2700, 1680, 240, -2700, 6480, -4200, -140, 1680, -4200, 2800}
	for i, v := range want {
		if math.Abs(a[i]-v) > 1e-8 {
			t.Errorf("inverse[%d] = %v, want %v", i, a[i], v)
		}
	}
}

func TestCholLogDetScales(t *testing.T) {
	const n = 2000
	l := make([]float64, n*n)
	for i := range n {
		l[i+i*n] = 1e-200
	}
	if got, want := CholLogDet(l, n), 2*n*math.Log(1e-200); math.Abs(got/want-1) > 1e-14 {
		t.Errorf("log det %v, want %v", got, want)
	}
}

func TestCholAllocatesNothing(t *testing.T) {
	const n = 6
	a, b := spd(rand.New(rand.NewPCG(3, 4)), n), make([]float64, n)
	l := make([]float64, n*n)
	if got := testing.AllocsPerRun(100, func() {
		Chol(l, a, n)
		CholSolve(b, l, b, n)
		CholInverse(l, l, n)
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func BenchmarkChol(b *testing.B) {
	for _, n := range []int{2, 5, 20, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a := spd(rand.New(rand.NewPCG(3, 4)), n)
			l := make([]float64, n*n)
			for b.Loop() {
				Chol(l, a, n)
			}
		})
	}
}

func BenchmarkCholSolve(b *testing.B) {
	for _, n := range []int{2, 5, 20, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(3, 4))
			l, x, y := spd(r, n), make([]float64, n), randVec(r, n)
			Chol(l, l, n)
			for b.Loop() {
				CholSolve(x, l, y, n)
			}
		})
	}
}
