package draws

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Variable is a named array that each draw gives a value to.
type Variable struct {
	Name string
	// Dims are the lengths of its dimensions; nil for a scalar.
	Dims []int
	// Lower are the indices of the first element, one per dimension; nil
	// means 1 everywhere. It keeps the names right when only part of an
	// array is kept: b[4:6] has Dims {3} and Lower {4}.
	Lower []int
	// Absent are the positions, ascending in column-major order, of elements
	// that the array does not have, such as one half of a triangle. A draw
	// holds NaN there, and Select leaves them out.
	Absent []int
}

// Size is the number of elements: the product of Dims, 1 for a scalar.
func (v Variable) Size() int {
	n := 1
	for _, d := range v.Dims {
		n *= d
	}
	return n
}

// ElementNames are the BUGS names of the elements in column-major order:
// Sigma[1,1], Sigma[2,1], Sigma[1,2], … A scalar has one: its own name.
func (v Variable) ElementNames() []string {
	names := make([]string, v.Size())
	index := v.first()
	var b []byte
	for i := range names {
		b = append(b[:0], v.Name...)
		b = appendIndex(b, index)
		names[i] = string(b)
		v.next(index)
	}
	return names
}

// ElementName is the name of element k, counted from 0 in column-major order.
func (v Variable) ElementName(k int) string {
	index := v.first()
	for i, d := range v.Dims {
		index[i] += k % d
		k /= d
	}
	return string(appendIndex([]byte(v.Name), index))
}

// Equal reports whether v and o have the same name, shape and indices.
func (v Variable) Equal(o Variable) bool {
	return v.Name == o.Name && slices.Equal(v.Dims, o.Dims) && slices.Equal(v.first(), o.first())
}

func (v Variable) String() string {
	if len(v.Dims) == 0 {
		return v.Name
	}
	first := v.first()
	parts := make([]string, len(v.Dims))
	for k, d := range v.Dims {
		parts[k] = fmt.Sprintf("%d:%d", first[k], first[k]+d-1)
	}
	return v.Name + "[" + strings.Join(parts, ",") + "]"
}

// first is the index of the first element.
func (v Variable) first() []int {
	index := make([]int, len(v.Dims))
	for k := range index {
		index[k] = 1
		if k < len(v.Lower) {
			index[k] = v.Lower[k]
		}
	}
	return index
}

// next moves index to the following element in column-major order.
func (v Variable) next(index []int) {
	for k := range index {
		index[k]++
		lower := 1
		if k < len(v.Lower) {
			lower = v.Lower[k]
		}
		if index[k] < lower+v.Dims[k] {
			return
		}
		index[k] = lower
	}
}

// maxElements bounds the elements of one variable, so that a damaged shape
// is an error and not an allocation.
const maxElements = 1 << 31

// check returns an error unless the variable can be stored and named.
func (v Variable) check() error {
	if v.Name == "" {
		return fmt.Errorf("a variable has no name")
	}
	if v.Lower != nil && len(v.Lower) != len(v.Dims) {
		return fmt.Errorf("variable %s has %d dimensions and %d lower indices", v.Name, len(v.Dims), len(v.Lower))
	}
	size := 1
	for k, d := range v.Dims {
		if d < 0 {
			return fmt.Errorf("variable %s has length %d in dimension %d", v.Name, d, k+1)
		}
		if d > 0 && size > maxElements/d {
			return fmt.Errorf("variable %s of shape %v is too large", v.Name, v.Dims)
		}
		size *= d
		if v.Lower != nil && (v.Lower[k] > math.MaxInt-d || v.Lower[k] < math.MinInt+1) {
			return fmt.Errorf("variable %s starts at index %d in dimension %d", v.Name, v.Lower[k], k+1)
		}
	}
	for k, p := range v.Absent {
		if p < 0 || p >= size || k > 0 && p <= v.Absent[k-1] {
			return fmt.Errorf("variable %s lacks element %d of %d", v.Name, p, size)
		}
	}
	return nil
}

// absent tells whether the variable lacks the element at a position.
func (v Variable) absent(position int) bool {
	_, ok := slices.BinarySearch(v.Absent, position)
	return ok
}

// checkAll checks every variable and that no name stands twice.
func checkAll(vars []Variable) error {
	seen := make(map[string]bool, len(vars))
	for _, v := range vars {
		if err := v.check(); err != nil {
			return err
		}
		if seen[v.Name] {
			return fmt.Errorf("variable %s is listed twice", v.Name)
		}
		seen[v.Name] = true
	}
	return nil
}

func appendIndex(b []byte, index []int) []byte {
	if len(index) == 0 {
		return b
	}
	b = append(b, '[')
	for k, i := range index {
		if k > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(i), 10)
	}
	return append(b, ']')
}

// rowMajor returns, for each position in C order, the column-major position
// of the same element; nil where the two orders agree.
func (v Variable) rowMajor() []int {
	wide := 0
	for _, d := range v.Dims {
		if d > 1 {
			wide++
		}
	}
	if wide < 2 {
		return nil
	}
	stride := make([]int, len(v.Dims))
	s := 1
	for k, d := range v.Dims {
		stride[k] = s
		s *= d
	}
	perm := make([]int, s)
	index := make([]int, len(v.Dims))
	at := 0
	for i := range perm {
		perm[i] = at
		for k := len(index) - 1; k >= 0; k-- {
			index[k]++
			at += stride[k]
			if index[k] < v.Dims[k] {
				break
			}
			at -= index[k] * stride[k]
			index[k] = 0
		}
	}
	return perm
}
