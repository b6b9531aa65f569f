package columns

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Eigen finds the eigenvalues of a symmetric matrix, ascending, and overwrites the matrix by their orthonormal vectors: column j, a[j*n:(j+1)*n],
// belongs to values[j]. It reads the lower triangle; work holds n numbers. It reports whether the iteration came to an end, which it
// does for every finite matrix.
//
// Householder's reflections make the matrix tridiagonal, and QL steps with Wilkinson's shift diagonal (Golub and Van Loan, 2013,
// sections 8.3.1 and 8.3.3).
func Eigen(values, a, work []float64, n int) bool {
	tridiagonal(values, work, a, n)
	if !diagonalise(values, work, a, n) {
		return false
	}
	ascend(values, a, n)
	return true
}

// tridiagonal reduces a to Q T Qᵀ: the diagonal of T goes to d, what is beside it to e[:n-1], and Q to a.
func tridiagonal(d, e, a []float64, n int) {
	at := func(i, j int) int { return i + j*n }
	for k := 0; k+2 < n; k++ {
		v := a[at(k+1, k):at(n, k)] // below the diagonal of column k: becomes the vector of the reflection
		e[k] = reflector(v)
		if v[0] == 0 {
			continue
		}
		beta := 2 / shortDot(v, v)
		// p = β A v over the trailing block, whose lower triangle is read; d is free until the end.
		p := d[k+1 : n]
		clear(p)
		for j := k + 1; j < n; j++ {
			col := a[at(j, j):at(n, j)]
			AddScaled(p[j-k-1:], col, v[j-k-1])
			p[j-k-1] += shortDot(col[1:], v[j-k:])
		}
		for i := range p {
			p[i] *= beta
		}
		AddScaled(p, v, -float64(beta*shortDot(p, v))/2)
		for j := k + 1; j < n; j++ {
			col := a[at(j, j):at(n, j)]
			AddScaled(col, v[j-k-1:], -p[j-k-1])
			AddScaled(col, p[j-k-1:], -v[j-k-1])
		}
	}
	if n >= 2 {
		e[n-2] = a[at(n-1, n-2)]
	}
	for i := range n {
		d[i] = a[at(i, i)]
	}
	reflections(a, n)
}

// shortDot is the product of vectors that may be too short for the loops in assembly.
func shortDot(x, y []float64) float64 {
	if len(x) < 2*lanes {
		return vec.Dot(x, y)
	}
	return Dot(x, y)
}

// reflector replaces x by the vector v of the reflection I − 2 v vᵀ / vᵀv that takes x to (first, 0, …); v[0] is 0 where x is so already.
func reflector(x []float64) (first float64) {
	rest := 0.0
	for _, v := range x[1:] {
		rest = max(rest, math.Abs(v))
	}
	if rest == 0 {
		first, x[0] = x[0], 0
		return first
	}
	scale := max(rest, math.Abs(x[0]))
	for i := range x {
		x[i] /= scale
	}
	norm := math.Sqrt(shortDot(x, x))
	if x[0] > 0 {
		norm = -norm
	}
	x[0] -= norm // no cancellation: the signs differ
	return norm * scale
}

// reflections replaces the vectors below the diagonal of a by the product of their reflections.
func reflections(a []float64, n int) {
	at := func(i, j int) int { return i + j*n }
	for k := n - 1; k >= 0; k-- {
		// Columns from k+1 on hold the product of the later reflections in rows from k+1 on. Column k becomes a unit vector after its
		// reflection has been applied to them.
		if k+2 < n {
			if v := a[at(k+1, k):at(n, k)]; v[0] != 0 {
				beta := 2 / shortDot(v, v)
				for j := k + 1; j < n; j++ {
					col := a[at(k+1, j):at(n, j)]
					AddScaled(col, v, -float64(beta*shortDot(v, col)))
				}
			}
		}
		col := a[at(0, k):at(n, k)]
		clear(col)
		col[k] = 1
		for j := k + 1; j < n; j++ {
			a[at(k, j)] = 0
		}
	}
}

const eigenSteps = 50 // QL steps an eigenvalue; two or three are usual

// diagonalise makes T = diag(d) with e beside it diagonal and turns the columns of q along.
func diagonalise(d, e, q []float64, n int) bool {
	if n > 0 {
		e[n-1] = 0
	}
	for l := range n {
		for step := 0; ; step++ {
			m := l
			for ; m < n-1; m++ {
				if s := math.Abs(d[m]) + math.Abs(d[m+1]); math.Abs(e[m])+s == s {
					break
				}
			}
			if m == l {
				break
			}
			if step == eigenSteps {
				return false
			}
			qlStep(d, e, q, l, m, n)
		}
	}
	return true
}

// qlStep is one implicit QL step on rows l to m.
func qlStep(d, e, q []float64, l, m, n int) {
	g := (d[l+1] - d[l]) / float64(2*e[l])
	r := math.Sqrt(float64(g*g) + 1)
	g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := float64(s*e[i]), float64(c*e[i])
		r = hypot(f, g)
		if e[i+1] = r; r == 0 {
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(2*c*b)
		p = float64(s * r)
		d[i+1] = g + p
		g = float64(c*r) - b
		best().rotate(q[i*n:(i+1)*n], q[(i+1)*n:(i+2)*n], c, s)
	}
	d[l] -= p
	e[l], e[m] = g, 0
}

// hypot is √(x² + y²) without overflow.
func hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	if x == 0 {
		return 0
	}
	t := y / x
	return x * math.Sqrt(1+float64(t*t))
}

// rotateGo turns two columns.
func rotateGo(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, u := range x {
		v := y[i]
		y[i] = float64(s*u) + float64(c*v)
		x[i] = float64(c*u) - float64(s*v)
	}
}

// ascend sorts the values, with their vectors, by insertion of the least.
func ascend(values, a []float64, n int) {
	for i := range n {
		least := i
		for j := i + 1; j < n; j++ {
			if values[j] < values[least] {
				least = j
			}
		}
		if least == i {
			continue
		}
		values[i], values[least] = values[least], values[i]
		x, y := a[i*n:(i+1)*n], a[least*n:(least+1)*n]
		for k := range x {
			x[k], y[k] = y[k], x[k]
		}
	}
}
