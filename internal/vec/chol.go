package vec

import "math"

// Dense linear algebra for small symmetric matrices, column-major and flat: a[i+j*n] is row i, column j. Nothing here
// allocates, every sum has one fixed order, and the results have the same bits on every platform. A lower triangular
// factor has its strict upper triangle zero.

// Chol writes the lower triangular L with a = L Lᵀ to dst, which may be a itself. It reads only the lower triangle of
// a, and reports whether a is positive definite; where not, dst is left in an unspecified state.
func Chol(dst, a []float64, n int) bool {
	for j := range n {
		col := dst[j*n+j : j*n+n]
		copy(col, a[j*n+j:j*n+n])
		clear(dst[j*n : j*n+j])
		k := 0
		for ; k+2 <= j; k += 2 {
			c0, c1 := dst[k*n+j:k*n+n], dst[(k+1)*n+j:(k+1)*n+n]
			axpy2(col, -c0[0], c0, -c1[0], c1)
		}
		if k < j {
			c := dst[k*n+j : k*n+n]
			axpy(col, -c[0], c)
		}
		if !(col[0] > 0) || math.IsInf(col[0], 1) {
			return false
		}
		d := math.Sqrt(col[0])
		col[0] = d
		inv := 1 / d
		for i := 1; i < len(col); i++ {
			col[i] *= inv
		}
	}
	return true
}

// TriSolveLower solves L x = b into dst, which may be b itself.
func TriSolveLower(dst, l, b []float64, n int) {
	copy(dst[:n], b[:n])
	for j := range n {
		col := l[j*n+j : j*n+n]
		dst[j] /= col[0]
		axpy(dst[j+1:n], -dst[j], col[1:])
	}
}

// TriSolveLowerT solves Lᵀ x = b into dst, which may be b itself.
func TriSolveLowerT(dst, l, b []float64, n int) {
	copy(dst[:n], b[:n])
	for j := n - 1; j >= 0; j-- {
		col := l[j*n+j : j*n+n]
		dst[j] = (dst[j] - Dot(col[1:], dst[j+1:n])) / col[0]
	}
}

// CholSolve solves L Lᵀ x = b into dst, which may be b itself.
func CholSolve(dst, l, b []float64, n int) {
	TriSolveLower(dst, l, b, n)
	TriSolveLowerT(dst, l, dst, n)
}

// CholLogDet is log det(L Lᵀ). One logarithm covers many pivots.
func CholLogDet(l []float64, n int) float64 {
	prod, exp := 1.0, 0
	for j := range n {
		m, e := math.Frexp(l[j*n+j])
		prod *= m
		exp += e
		if j&511 == 511 { // m ≥ 1/2: 512 of them cannot underflow
			prod, e = math.Frexp(prod)
			exp += e
		}
	}
	m, e := math.Frexp(prod)
	return 2 * (Log(m) + float64(float64(exp+e)*math.Ln2))
}

// TriInverseLower writes L⁻¹, lower triangular, to dst, which may be l itself.
func TriInverseLower(dst, l []float64, n int) {
	for j := n - 1; j >= 0; j-- {
		// Column j of the inverse below its diagonal is −M l[j+1:, j] / l[j,j], M the inverse already in dst.
		d := 1 / l[j*n+j]
		copy(dst[j*n+j+1:j*n+n], l[j*n+j+1:j*n+n])
		clear(dst[j*n : j*n+j])
		x := dst[j*n+j+1 : j*n+n]
		mulTriFrom(x, dst, j+1, n)
		for i := range x {
			x[i] *= -d
		}
		dst[j*n+j] = d
	}
}

// mulTriFrom replaces x by M x, M the trailing block of the lower triangular l that begins at row and column from.
func mulTriFrom(x, l []float64, from, n int) {
	for j := n - 1; j >= from; j-- {
		col := l[j*n+j : j*n+n]
		v := x[j-from]
		x[j-from] = float64(v * col[0])
		axpy(x[j-from+1:], v, col[1:])
	}
}

// CholInverse writes the symmetric inverse of L Lᵀ, both triangles, to dst, which may be l itself.
func CholInverse(dst, l []float64, n int) {
	TriInverseLower(dst, l, n)
	// (L⁻ᵀ L⁻¹)[i,j] = Σ_k M[k,i] M[k,j] over k ≥ max(i,j); in this order only spent entries of M are overwritten.
	for j := range n {
		for i := j; i < n; i++ {
			dst[i+j*n] = Dot(dst[i*n+i:i*n+n], dst[j*n+i:j*n+n])
		}
	}
	Symmetrize(dst, n)
}

// Symmetrize copies the strict lower triangle of a to its upper one.
func Symmetrize(a []float64, n int) {
	for j := range n {
		for i := j + 1; i < n; i++ {
			a[j+i*n] = a[i+j*n]
		}
	}
}

// MulTriVec writes L x to dst, which may be x itself.
func MulTriVec(dst, l, x []float64, n int) {
	copy(dst[:n], x[:n])
	mulTriFrom(dst[:n], l, 0, n)
}

// MulTriTVec writes Lᵀ x to dst, which may be x itself.
func MulTriTVec(dst, l, x []float64, n int) {
	for j := range n {
		dst[j] = Dot(l[j*n+j:j*n+n], x[j:n])
	}
}

// MulVec writes a x to dst, which must not overlap x; a is n×n.
func MulVec(dst, a, x []float64, n int) {
	clear(dst[:n])
	for j := range n {
		axpy(dst[:n], x[j], a[j*n:j*n+n])
	}
}

// MulTriTri writes L Lᵀ, both triangles, to dst, which must not be l itself.
func MulTriTri(dst, l []float64, n int) {
	for j := range n {
		col := dst[j*n+j : j*n+n]
		clear(col)
		for k := range j + 1 {
			c := l[k*n+j : k*n+n]
			axpy(col, c[0], c)
		}
	}
	Symmetrize(dst, n)
}

// Dot is Σ x_i y_i over the length of x, in four partial sums.
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b := x[i:i+4:i+4], y[i:i+4:i+4]
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	for ; i < len(x); i++ {
		s0 += float64(x[i] * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// axpy adds a x to y.
func axpy(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float64(a * x[i])
	}
}

// axpy2 adds a x + b z to y.
func axpy2(y []float64, a float64, x []float64, b float64, z []float64) {
	x, z = x[:len(y)], z[:len(y)]
	for i := range y {
		y[i] = y[i] + float64(a*x[i]) + float64(b*z[i])
	}
}
