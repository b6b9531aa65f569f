package markov

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Eigenvalues are the n eigenvalues of the transition matrix by falling modulus; the first is 1. Those of a chain that
// is reversible under the positive distribution pi are found as of a symmetric matrix, and are real; pass nil for any
// other chain. The work grows with the cube of the states, ten times as fast without pi; a matrix
// beyond 2 GiB is refused ([*SizeError]).
func Eigenvalues(c Chain, pi []float64) ([]complex128, error) {
	if err := fits("the eigenvalues", c.Len(), "SecondEigenvalue finds the one that matters most by iteration"); err != nil {
		return nil, err
	}
	d := asDense(c)
	var values []complex128
	var err error
	if pi == nil {
		values, err = d.general()
	} else {
		values, err = d.symmetric(pi)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(values, func(a, b complex128) int {
		return cmp.Or(cmp.Compare(cmplx.Abs(b), cmplx.Abs(a)), cmp.Compare(real(b), real(a)), cmp.Compare(imag(b), imag(a)))
	})
	// 1 comes first among its equals in modulus, whatever rounding did to them.
	one := 0
	for k, v := range values {
		if cmplx.Abs(v-1) < cmplx.Abs(values[one]-1) {
			one = k
		}
	}
	copy(values[1:one+1], values[:one])
	values[0] = 1
	return values, nil
}

var errEigen = errors.New("markov: the eigenvalues are not found: the iteration did not converge")

func (d *Dense) general() ([]complex128, error) {
	var e mat.Eigen
	if !e.Factorize(d.matrix(), mat.EigenNone) {
		return nil, errEigen
	}
	return e.Values(nil), nil
}

// symmetric uses that √π_i p_ij /√π_j is symmetric.
func (d *Dense) symmetric(pi []float64) ([]complex128, error) {
	root := make([]float64, d.n)
	for i, v := range pi {
		if !(v > 0) {
			return nil, fmt.Errorf("markov: state %s has probability %v; a chain is symmetrised by positive ones only", d.Name(i), v)
		}
		root[i] = math.Sqrt(v)
	}
	s := mat.NewSymDense(d.n, nil)
	for i := range d.n {
		for j := i; j < d.n; j++ {
			s.SetSym(i, j, (float64(root[i]/root[j]*d.At(i, j))+float64(root[j]/root[i]*d.At(j, i)))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, false) {
		return nil, errEigen
	}
	values := make([]complex128, d.n)
	for i, v := range e.Values(nil) {
		values[i] = complex(v, 0)
	}
	return values, nil
}

// SLEM is the second-largest eigenvalue modulus of eigenvalues as Eigenvalues gives them: distances to the stationary
// distribution shrink by it a step, in the long run.
func SLEM(eigenvalues []complex128) float64 {
	// Sums of rows are 1, so no modulus exceeds 1 but by rounding.
	return min(cmplx.Abs(eigenvalues[1]), 1)
}

// MixingBounds are bounds of the mixing time to a total variation of epsilon of a reversible, irreducible, aperiodic
// chain with this absolute spectral gap, 1 − SLEM, and least stationary probability: (1/gap − 1) ln(1/2ε) and
// ln(1/(ε least))/gap, rounded up (Levin, Peres, 2017, theorems 12.4 and 12.5).
func MixingBounds(gap, least, epsilon float64) (low, high float64, err error) {
	if !(gap > 0 && gap <= 1) || !(least > 0 && least <= 1) || !(epsilon > 0 && epsilon < 1) {
		return 0, 0, fmt.Errorf("markov: bounds of a mixing time for a gap of %v, a least probability of %v and a total variation of %v; all must be between 0 and 1", gap, least, epsilon)
	}
	low = max(math.Ceil((1/gap-1)*-math.Log(2*epsilon)), 0)
	return low, math.Ceil(-math.Log(epsilon*least) / gap), nil
}
