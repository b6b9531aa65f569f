package lda

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

const (
	wholeEigen = 200 // up to so many rows all eigenvectors are found
	eigenBlock = 10
	eigenSteps = 300
	eigenError = 1e-10 // of the residual, by the greatest eigenvalue
)

// leadingPair is the two greatest eigenvalues of a symmetric matrix, the greater first, with their vectors as columns; false
// where they are not found. All of many eigenvectors would take seconds, and three times the memory of the matrix.
func leadingPair(b *mat.SymDense) (values [2]float64, vectors *mat.Dense, ok bool) {
	if b.SymmetricDim() > wholeEigen {
		if values, vectors, ok = subspacePair(b); ok {
			return values, vectors, true
		}
	}
	var e mat.EigenSym
	if !e.Factorize(b, true) {
		return values, nil, false
	}
	var all mat.Dense
	e.VectorsTo(&all)
	ascending := e.Values(nil)
	n := len(ascending)
	vectors = mat.NewDense(n, 2, nil)
	for i := range min(2, n) {
		values[i] = ascending[n-1-i]
		vectors.SetCol(i, mat.Col(nil, n-1-i, &all))
	}
	return values, vectors, true
}

// subspacePair iterates a block of vectors (Parlett, 1998, chapter 14) until the residuals of its first two Ritz pairs are small.
func subspacePair(b *mat.SymDense) (values [2]float64, vectors *mat.Dense, ok bool) {
	n := b.SymmetricDim()
	r := rand.New(rand.NewPCG(1, 2))
	q := mat.NewDense(n, eigenBlock, nil)
	q.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, q)
	y, t := mat.NewDense(n, eigenBlock, nil), mat.NewSymDense(eigenBlock, nil)
	for range eigenSteps {
		if !orthonormalise(q) {
			return values, nil, false
		}
		y.Mul(b, q)
		projected(t, q, y)
		var e mat.EigenSym
		if !e.Factorize(t, true) {
			return values, nil, false
		}
		var s, x, residual mat.Dense
		e.VectorsTo(&s)
		ritz := e.Values(nil)
		first := s.Slice(0, eigenBlock, eigenBlock-2, eigenBlock)
		x.Mul(q, first)
		residual.Mul(y, first)
		worst := 0.0
		for i := range n {
			for j := range 2 {
				worst = max(worst, math.Abs(residual.At(i, j)-float64(ritz[eigenBlock-2+j]*x.At(i, j))))
			}
		}
		if largest := max(math.Abs(ritz[0]), math.Abs(ritz[eigenBlock-1])); worst <= eigenError*largest {
			vectors = mat.NewDense(n, 2, nil)
			for j := range 2 {
				values[j] = ritz[eigenBlock-1-j]
				vectors.SetCol(j, mat.Col(nil, 1-j, &x))
			}
			return values, vectors, true
		}
		q, y = y, q
	}
	return values, nil, false
}

// orthonormalise makes the columns of q an orthonormal basis of the space that they span; false where they span less.
func orthonormalise(q *mat.Dense) bool {
	n, k := q.Dims()
	// The columns are few, so two passes of Gram and Schmidt do, without the n × n matrix of a QR factorisation.
	for range 2 {
		for j := range k {
			v := mat.Col(nil, j, q)
			for i := range j {
				w := mat.Col(nil, i, q)
				dot := mat.Dot(mat.NewVecDense(n, v), mat.NewVecDense(n, w))
				for row := range v {
					v[row] -= float64(dot * w[row])
				}
			}
			norm := mat.Norm(mat.NewVecDense(n, v), 2)
			if !(norm > 0) {
				return false
			}
			for row := range v {
				v[row] /= norm
			}
			q.SetCol(j, v)
		}
	}
	return true
}

// projected sets t to qᵀy, which is symmetric but for rounding.
func projected(t *mat.SymDense, q, y *mat.Dense) {
	var p mat.Dense
	p.Mul(q.T(), y)
	for i := range eigenBlock {
		for j := i; j < eigenBlock; j++ {
			t.SetSym(i, j, (p.At(i, j)+p.At(j, i))/2)
		}
	}
}
