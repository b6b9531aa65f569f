package dist

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// symmetryTolerance is relative to the larger of the two entries: matrices in data files are rounded.
const symmetryTolerance = 1e-7

// asymmetry finds an entry a[i,j] ≠ a[j,i]; ok where there is none.
func asymmetry(a []float64, n int) (i, j int, ok bool) {
	for j := range n {
		for i := j + 1; i < n; i++ {
			u, v := a[i+j*n], a[j+i*n]
			if !(math.Abs(u-v) <= symmetryTolerance*max(math.Abs(u), math.Abs(v))) {
				return i, j, false
			}
		}
	}
	return 0, 0, true
}

// checkMatrix says what keeps the matrix called name from being symmetric and positive definite.
func checkMatrix(name string, a []float64, n int) string {
	for k, v := range a[:n*n] {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("%s[%d,%d] = %v must be finite", name, k%n+1, k/n+1, v)
		}
	}
	if i, j, ok := asymmetry(a, n); !ok {
		return fmt.Sprintf("%s is not symmetric: %s[%d,%d] = %v but %s[%d,%d] = %v",
			name, name, i+1, j+1, a[i+j*n], name, j+1, i+1, a[j+i*n])
	}
	var small [64]float64
	l := small[:]
	if n*n > len(l) {
		l = make([]float64, n*n)
	}
	if vec.Chol(l, a, n) {
		return ""
	}
	for k := 1; k <= n; k++ {
		if lead := leading(a, n, k); !vec.Chol(lead, lead, k) {
			return fmt.Sprintf("%s is not positive definite: its leading %d×%d block is not", name, k, k)
		}
	}
	return name + " is not positive definite"
}

// leading copies the leading k×k block of a.
func leading(a []float64, n, k int) []float64 {
	b := make([]float64, 0, k*k)
	for j := range k {
		b = append(b, a[j*n:j*n+k]...)
	}
	return b
}

// factor is the Cholesky factor of a and log det a; ok where a is symmetric and positive definite. The result is
// valid until the next call.
func (w *Work) factor(a []float64, n int) (l []float64, logDet float64, ok bool) {
	a = a[:n*n]
	if w.n == n && slices.Equal(w.mat, a) {
		return w.fac, w.logDet, w.definite
	}
	if cap(w.mat) < n*n {
		w.mat, w.fac = make([]float64, n*n), make([]float64, n*n)
	}
	w.n, w.mat, w.fac = n, w.mat[:n*n], w.fac[:n*n]
	copy(w.mat, a)
	w.inverted = false
	_, _, symmetric := asymmetry(a, n)
	w.definite = symmetric && vec.Chol(w.fac, a, n)
	w.logDet = math.NaN()
	if w.definite {
		w.logDet = vec.CholLogDet(w.fac, n)
	}
	return w.fac, w.logDet, w.definite
}

// inverse is that of a; ok where a is symmetric and positive definite. The result is valid until the next call of factor or inverse.
func (w *Work) inverse(a []float64, n int) (inv []float64, ok bool) {
	l, _, ok := w.factor(a, n)
	if !ok || w.inverted {
		return w.inv, ok
	}
	if cap(w.inv) < n*n {
		w.inv = make([]float64, n*n)
	}
	w.inv, w.inverted = w.inv[:n*n], true
	vec.CholInverse(w.inv, l, n)
	return w.inv, true
}
