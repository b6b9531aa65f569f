package model

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// stdDev is the sample standard deviation, divisor n−1, as BUGS has it.
func stdDev(x []float64, _ *scratch) float64 {
	n := float64(len(x))
	m := 0.0
	for _, a := range x {
		m += a
	}
	m /= n
	s := 0.0
	for _, a := range x {
		s += float64((a - m) * (a - m))
	}
	return math.Sqrt(s / (n - 1))
}

// order of a square matrix held in n² numbers.
func side(n int) int { return int(math.Round(math.Sqrt(float64(n)))) }

func logDet(x []float64, sc *scratch) float64 {
	n := side(len(x))
	l := sc.more(len(x))
	if !vec.Chol(l, x, n) {
		return math.NaN()
	}
	return vec.CholLogDet(l, n)
}

// inverse is by Cholesky's factor where the matrix is symmetric, but for rounding, and
// positive definite, and by elimination otherwise.
func inverse(dst, x []float64, sc *scratch) {
	n := side(len(x))
	l := sc.more(len(x))
	if symmetric(x, n) && vec.Chol(l, x, n) {
		vec.CholInverse(dst, l, n)
		return
	}
	invert(dst, x, l, n)
}

// asymmetry is how much the elements of a matrix that is symmetric in exact arithmetic
// may differ, relative to the larger.
const asymmetry = 1e-8

func symmetric(x []float64, n int) bool {
	for j := range n {
		for i := range j {
			a, b := x[i+j*n], x[j+i*n]
			if math.Abs(a-b) > asymmetry*max(math.Abs(a), math.Abs(b)) {
				return false
			}
		}
	}
	return true
}

// invert is Gauss and Jordan's elimination with the largest pivot of each column (Golub
// and Van Loan, 2013, section 3.4), NaN where the matrix is singular.
func invert(dst, x, a []float64, n int) {
	copy(a, x)
	for i := range dst {
		dst[i] = 0
	}
	for i := range n {
		dst[i+i*n] = 1
	}
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i+k*n]) > math.Abs(a[p+k*n]) {
				p = i
			}
		}
		pivot := a[p+k*n]
		if !(math.Abs(pivot) > 0) || math.IsInf(pivot, 0) {
			for i := range dst {
				dst[i] = math.NaN()
			}
			return
		}
		for j := range n {
			a[k+j*n], a[p+j*n] = a[p+j*n], a[k+j*n]
			dst[k+j*n], dst[p+j*n] = dst[p+j*n], dst[k+j*n]
			a[k+j*n] /= pivot
			dst[k+j*n] /= pivot
		}
		for i := range n {
			f := a[i+k*n]
			if i == k || f == 0 {
				continue
			}
			for j := range n {
				a[i+j*n] -= float64(f * a[k+j*n])
				dst[i+j*n] -= float64(f * dst[k+j*n])
			}
		}
	}
}

// matrixExp is the exponential of a square matrix by scaling, a Taylor
// polynomial of degree 18 at norm ≤ 1/2, and squaring; the remainder is below
// 10⁻²² relative to the norm.
func matrixExp(dst, x []float64, sc *scratch) {
	n := side(len(x))
	norm := 0.0
	for j := range n {
		s := 0.0
		for i := range n {
			s += math.Abs(x[i+j*n])
		}
		norm = max(norm, s)
	}
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		for i := range dst {
			dst[i] = math.NaN()
		}
		return
	}
	_, e := math.Frexp(norm)
	k := max(0, e+1)
	scale := math.Ldexp(1, -k)
	buf := sc.more(2 * len(x))
	term, next := buf[:len(x)], buf[len(x):]
	for i := range dst {
		dst[i], term[i] = 0, 0
	}
	for i := range n {
		dst[i+i*n], term[i+i*n] = 1, 1
	}
	for d := 1; d <= 18; d++ {
		matMul(next, term, x, n)
		f := scale / float64(d)
		for i := range next {
			next[i] = float64(next[i] * f)
			dst[i] += next[i]
		}
		term, next = next, term
	}
	for range k {
		matMul(next, dst, dst, n)
		copy(dst, next)
	}
}

func matMul(dst, a, b []float64, n int) {
	for j := range n {
		for i := range n {
			s := 0.0
			for k := range n {
				s += float64(a[i+k*n] * b[k+j*n])
			}
			dst[i+j*n] = s
		}
	}
}

// interpolate is interp.lin(e, v1, v2): linear between the points (v1, v2),
// constant outside them.
func interpolate(x []float64, _ *scratch) float64 {
	h := (len(x) - 1) / 2
	e, xs, ys := x[0], x[1:1+h], x[1+h:]
	if e <= xs[0] {
		return ys[0]
	}
	for k := 1; k < h; k++ {
		if e <= xs[k] {
			w := (e - xs[k-1]) / (xs[k] - xs[k-1])
			return ys[k-1] + float64(w*(ys[k]-ys[k-1]))
		}
	}
	return ys[h-1]
}

func sortInto(dst, x []float64, _ *scratch) {
	copy(dst, x)
	slices.Sort(dst)
}

// sorted lists the places of x in ascending order of their values; ties keep
// theirs.
func (sc *scratch) sorted(x []float64) []int {
	if cap(sc.idx) < len(x) {
		sc.idx = make([]int, len(x))
	}
	idx := sc.idx[:len(x)]
	for i := range idx {
		idx[i] = i
	}
	slices.SortStableFunc(idx, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	return idx
}

func rankInto(dst, x []float64, sc *scratch) {
	for i, k := range sc.sorted(x) {
		dst[k] = float64(i + 1)
	}
}

func orderInto(dst, x []float64, sc *scratch) {
	for i, k := range sc.sorted(x) {
		dst[i] = float64(k + 1)
	}
}
