package ndarray

import (
	"fmt"
	"math"
	"strings"
)

// Array is an array of a file. Its elements are in Bytes where the file keeps
// them in unsigned bytes, and in Floats otherwise.
type Array struct {
	Name        string // empty in .npy and IDX files, which hold one array
	Dims        []int
	ColumnMajor bool // the first index runs fastest, as in MATLAB
	Bytes       []uint8
	Floats      []float64
	Kind        string // not numbers, such as "a struct", and therefore not read; otherwise empty
}

// Len is the number of elements that were read.
func (a *Array) Len() int { return max(len(a.Bytes), len(a.Floats)) }

// Flat is the k-th element in the order of the file.
func (a *Array) Flat(k int) float64 {
	if a.Bytes != nil {
		return float64(a.Bytes[k])
	}
	return a.Floats[k]
}

// Positive counts the elements above 0.
func (a *Array) Positive() int {
	n := 0
	for k := range a.Len() {
		if a.Flat(k) > 0 {
			n++
		}
	}
	return n
}

// Strides are the distances between neighbours along each dimension.
func (a *Array) Strides() []int {
	s := make([]int, len(a.Dims))
	step := 1
	for k := range a.Dims {
		d := k
		if !a.ColumnMajor {
			d = len(a.Dims) - 1 - k
		}
		s[d] = step
		step *= a.Dims[d]
	}
	return s
}

// Shape is the dimensions in words, 784×10.
func (a *Array) Shape() string {
	if len(a.Dims) == 0 {
		return "a single number"
	}
	var b strings.Builder
	for k, d := range a.Dims {
		if k > 0 {
			b.WriteString("×")
		}
		fmt.Fprint(&b, d)
	}
	return b.String()
}

// maxDims is what numpy allows; MATLAB has no bound.
const maxDims = 32

// size is the product of dimensions that a file claims.
func size(dims []int) (int64, error) {
	if len(dims) > maxDims {
		return 0, fmt.Errorf("it claims %d dimensions; at most %d are read", len(dims), maxDims)
	}
	n := int64(1)
	for _, d := range dims {
		if d < 0 {
			return 0, fmt.Errorf("it claims a dimension of %d", d)
		}
		if d > 0 && n > math.MaxInt64/8/int64(d) {
			return 0, fmt.Errorf("it claims more elements than any memory holds")
		}
		n *= int64(d)
	}
	return n, nil
}
