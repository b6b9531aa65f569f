package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Multi is one multivariate distribution, a row of the table that Multis returns. p holds the parameters in BUGS
// order and pdims their shapes; a scalar has shape nil. Matrices are flat and column-major.
type Multi struct {
	Name    string
	Aliases []string
	Params  []string
	// Formula is the log density on the support as that of a Scalar: of arrays, element by element, with outer(v) for
	// the elements of v vᵀ, length(v), and upto(n) for 1, …, n.
	Formula string

	// Dims is the shape of the value, from the shapes of the parameters, or what is wrong with those shapes.
	Dims func(pdims [][]int) (dims []int, err error)
	// Check says what is wrong with p, or "" when p is in the domain: "Omega is not positive definite".
	Check func(p [][]float64, pdims [][]int) string
	// LogProb is the normalised log density: -Inf outside the support, NaN for p outside the domain. work may be
	// nil, at the price of an allocation.
	LogProb func(x []float64, p [][]float64, pdims [][]int, work *Work) float64
	// Grad writes ∂LogProb/∂x to dx and ∂LogProb/∂p_i to dp[i], each skipped where nil; dp has an entry for every
	// parameter. A discrete x has dx = NaN, a whole-number parameter derivative 0. The derivative G by a symmetric
	// matrix is that whose change along a symmetric direction H is Σ_ij G_ij H_ij.
	Grad func(dx []float64, dp [][]float64, x []float64, p [][]float64, pdims [][]int, work *Work)
	// Sample draws into dst; all NaN for p outside the domain.
	Sample func(dst []float64, r *rand.Rand, p [][]float64, pdims [][]int, work *Work)
	// Mean writes the mean to dst, NaN where there is none.
	Mean func(dst []float64, p [][]float64, pdims [][]int)
}

// multis is the table of the multivariate distributions, in alphabetical order.
var multis = []*Multi{dirch(), mnorm(), mnormVcov(), mt(), multi(), subset(), wish()}

// Multis returns the multivariate distributions. The caller may change the slice but not the rows.
func Multis() []*Multi { return append([]*Multi(nil), multis...) }

// LookupMulti finds a multivariate distribution by its BUGS name or an alias of it.
func LookupMulti(name string) (*Multi, bool) {
	for _, d := range multis {
		if d.Name == name {
			return d, true
		}
		for _, a := range d.Aliases {
			if a == name {
				return d, true
			}
		}
	}
	return nil, false
}

// Work is scratch space for Multi. The zero value is ready; a Work serves one goroutine at a time and after its first
// uses for a shape nothing allocates. It also keeps the last matrix factored and its inverse, so that a row of values
// that share a precision matrix factors it once.
type Work struct {
	buf []float64

	n             int // order of the matrix factored last, 0: none
	mat, fac, inv []float64
	logDet        float64
	definite      bool
	inverted      bool
}

// floats returns n numbers of scratch with unspecified content, lost at the next call.
func (w *Work) floats(n int) []float64 {
	if cap(w.buf) < n {
		w.buf = make([]float64, n)
	}
	return w.buf[:n]
}

func fillNaN(dst []float64) {
	for i := range dst {
		dst[i] = math.NaN()
	}
}

// size is the number of elements of a shape.
func size(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// scalarShape complains unless parameter name is a scalar.
func scalarShape(name string, dims []int) error {
	if size(dims) != 1 {
		return fmt.Errorf("%s must be a single number, but has shape %v", name, dims)
	}
	return nil
}

// vectorLen is the length of a vector parameter. A scalar is a vector of length 1.
func vectorLen(name string, dims []int) (int, error) {
	if len(dims) == 0 {
		return 1, nil
	}
	n := size(dims)
	for _, d := range dims {
		if d != 1 && d != n {
			return 0, fmt.Errorf("%s must be a vector, but has shape %v", name, dims)
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("%s is empty", name)
	}
	return n, nil
}

// squareOrder is the order of a square matrix parameter. A scalar is a 1×1 matrix.
func squareOrder(name string, dims []int) (int, error) {
	switch {
	case size(dims) == 1:
		return 1, nil
	case len(dims) != 2 || dims[0] != dims[1] || dims[0] == 0:
		return 0, fmt.Errorf("%s must be a square matrix, but has shape %v", name, dims)
	}
	return dims[0], nil
}
