package markov

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Subdominant is the eigenvalue of a transition matrix that is largest in modulus after 1.
type Subdominant struct {
	Value complex128 // with an imaginary part that is not negative
	// Error bounds the distance of Value to the nearest eigenvalue where the chain is reversible, and estimates it to
	// first order where it is not: the norm of the residual times the condition of the eigenvalue.
	Error    float64
	Products int // of the matrix and a vector
}

// Modulus is the second-largest eigenvalue modulus.
func (s *Subdominant) Modulus() float64 { return min(cmplx.Abs(s.Value), 1) }

const (
	krylovSize = 30 // vectors held
	krylovKept = 12 // after a restart
)

// SecondEigenvalue finds the second-largest eigenvalue of an irreducible chain with the positive stationary distribution
// pi, by the Krylov–Schur method (Stewart, 2001), in time linear in the transitions a product and memory for 31 vectors.
// It stops where the error is below a thousandth of the spectral gap; a chain for which that takes more than the given
// number of products is an error. It acts on √π_i p_ij/√π_j, which is symmetric for a reversible chain and no longer than
// 1 for any, without its vector √π of eigenvalue 1.
func SecondEigenvalue(c Chain, pi []float64, products int) (*Subdominant, error) {
	if err := positive(c, pi); err != nil {
		return nil, err
	}
	if c.Len() <= 2*krylovSize {
		values, err := Eigenvalues(c, nil)
		if err != nil {
			return nil, err
		}
		return &Subdominant{Value: upper(values[1]), Error: float64(c.Len()) * 0x1p-52}, nil
	}
	k := newKrylov(c, pi)
	out := &Subdominant{}
	for {
		out.Products += k.expand()
		if err := k.ritz(); err != nil {
			return nil, err
		}
		out.Value, out.Error = upper(k.values[k.order[0]]), k.error(k.order[0])
		if gap := 1 - out.Modulus(); out.Error <= gap/1000 || k.beta == 0 {
			return out, nil
		}
		if out.Products+krylovSize-krylovKept > products {
			return nil, fmt.Errorf("markov: the second eigenvalue is not found in %d products: it is near %.6g, to some %.1g", out.Products, out.Modulus(), out.Error)
		}
		k.restart()
	}
}

func upper(v complex128) complex128 { return complex(real(v), math.Abs(imag(v))) }

// krylov holds S V = V H + β v eᵀ: V the first size vectors of basis, orthonormal, v the next, e the last unit vector.
type krylov struct {
	c          Chain
	root       []float64 // √π
	basis      [][]float64
	size, kept int
	h          *mat.Dense
	beta       float64

	values      []complex128
	right, left mat.CDense
	order       []int // of values by falling modulus
	in, out     []float64
}

func newKrylov(c Chain, pi []float64) *krylov {
	n := c.Len()
	k := &krylov{c: c, root: make([]float64, n), in: make([]float64, n), out: make([]float64, n), h: mat.NewDense(krylovSize, krylovSize, nil)}
	for i, v := range pi {
		k.root[i] = math.Sqrt(v)
	}
	unit(k.root)
	r := rand.New(rand.NewPCG(1, 0)) // any start that is not orthogonal to the eigenvector
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	remove(v, k.root)
	unit(v)
	k.basis = append(k.basis, v)
	return k
}

// apply writes S v to k.out, without its component along √π.
func (k *krylov) apply(v []float64) {
	for i, x := range v {
		k.in[i] = x / k.root[i]
	}
	k.c.Expect(k.out, k.in)
	for i := range k.out {
		k.out[i] *= k.root[i]
	}
	remove(k.out, k.root)
}

// expand adds vectors until there are krylovSize+1, and returns how many products that took.
func (k *krylov) expand() (products int) {
	for k.size = k.kept; k.size < krylovSize; {
		j := k.size
		k.apply(k.basis[j])
		products++
		k.size++
		for range 2 { // Gram–Schmidt twice, for orthogonality to rounding
			for i, v := range k.basis[:j+1] {
				k.h.Set(i, j, k.h.At(i, j)+remove(k.out, v))
			}
		}
		remove(k.out, k.root)
		if k.beta = math.Sqrt(dot(k.out, k.out)); k.beta < 1e-14 {
			k.beta = 0 // the vectors span an invariant subspace
			return products
		}
		if len(k.basis) == j+1 {
			k.basis = append(k.basis, make([]float64, len(k.out)))
		}
		for i, v := range k.out {
			k.basis[j+1][i] = v / k.beta
		}
		if j+1 < krylovSize {
			k.h.Set(j+1, j, k.beta)
		}
	}
	return products
}

// ritz finds the eigenvalues of H.
func (k *krylov) ritz() error {
	var e mat.Eigen
	if !e.Factorize(k.h.Slice(0, k.size, 0, k.size), mat.EigenBoth) {
		return errEigen
	}
	k.values = e.Values(nil)
	k.right.Reset()
	k.left.Reset()
	e.VectorsTo(&k.right)
	e.LeftVectorsTo(&k.left)
	k.order = k.order[:0]
	for i := range k.values {
		k.order = append(k.order, i)
	}
	slices.SortStableFunc(k.order, func(a, b int) int { return cmp.Compare(cmplx.Abs(k.values[b]), cmplx.Abs(k.values[a])) })
	return nil
}

// error is the residual β |y_last| of a pair, times its condition 1/|x*y| with x and y the left and right vectors.
func (k *krylov) error(at int) float64 {
	re, im, x2, y2 := 0.0, 0.0, 0.0, 0.0
	for i := range k.size {
		x, y := k.left.At(i, at), k.right.At(i, at)
		re += float64(real(x)*real(y)) + float64(imag(x)*imag(y))
		im += float64(real(x)*imag(y)) - float64(imag(x)*real(y))
		x2 += float64(real(x)*real(x)) + float64(imag(x)*imag(x))
		y2 += float64(real(y)*real(y)) + float64(imag(y)*imag(y))
	}
	residual := float64(k.beta * cmplx.Abs(k.right.At(k.size-1, at)) / math.Sqrt(y2))
	rounding := float64(float64(k.size) * 0x1p-52)
	return (residual + rounding) * math.Sqrt(x2*y2) / math.Hypot(re, im)
}

// restart keeps the span of the leading eigenvectors: conjugate ones come together, as real and imaginary parts.
func (k *krylov) restart() {
	y := mat.NewDense(k.size, krylovKept+1, nil)
	cols := 0
	for _, at := range k.order {
		if imag(k.values[at]) < 0 {
			continue // kept with its conjugate
		}
		for i := range k.size {
			y.Set(i, cols, real(k.right.At(i, at)))
			if imag(k.values[at]) > 0 {
				y.Set(i, cols+1, imag(k.right.At(i, at)))
			}
		}
		if cols++; imag(k.values[at]) > 0 {
			cols++
		}
		if cols >= krylovKept {
			break
		}
	}
	var qr mat.QR
	qr.Factorize(y.Slice(0, k.size, 0, cols))
	var full mat.Dense
	qr.QTo(&full)
	q := full.Slice(0, k.size, 0, cols)
	var hq, small mat.Dense
	hq.Mul(k.h.Slice(0, k.size, 0, k.size), q)
	small.Mul(q.T(), &hq)
	k.h.Zero()
	for i := range cols {
		for j := range cols {
			k.h.Set(i, j, small.At(i, j))
		}
		k.h.Set(cols, i, k.beta*q.At(k.size-1, i))
	}
	k.rotate(q, cols)
	k.basis[cols], k.basis[k.size] = k.basis[k.size], k.basis[cols]
	k.kept = cols
}

// rotate replaces the first vectors by V Q.
func (k *krylov) rotate(q mat.Matrix, cols int) {
	row := make([]float64, k.size)
	weights := make([]float64, cols*k.size)
	for t := range cols {
		mat.Col(weights[t*k.size:(t+1)*k.size], t, q)
	}
	for i := range k.root {
		for j := range row {
			row[j] = k.basis[j][i]
		}
		for t := range cols {
			sum := 0.0
			for j, w := range weights[t*k.size : (t+1)*k.size] {
				sum += float64(row[j] * w)
			}
			k.basis[t][i] = sum
		}
	}
}

func unit(x []float64) {
	length := math.Sqrt(dot(x, x))
	for i := range x {
		x[i] /= length
	}
}

// dot adds up four independent sums, which the processor pipelines.
func dot(x, y []float64) float64 {
	var s [4]float64
	y = y[:len(x)]
	for len(x) >= 4 {
		s[0] += float64(x[0] * y[0])
		s[1] += float64(x[1] * y[1])
		s[2] += float64(x[2] * y[2])
		s[3] += float64(x[3] * y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s[0] += float64(v * y[i])
	}
	return s[0] + s[1] + (s[2] + s[3])
}

// remove subtracts from x its projection on the unit vector u, and returns the coefficient.
func remove(x, u []float64) float64 {
	along := dot(x, u)
	axpy(x, -along, u)
	return along
}
