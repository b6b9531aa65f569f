package qap

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/anneal"
)

// maxValue is the largest value: whole numbers up to it are exact as float64.
const maxValue = 1 << 53

// bytesAPair is what a problem and its first walker hold for each pair of facilities, at most.
const bytesAPair = 72

// Problem is a quadratic assignment problem. It does not change.
type Problem struct {
	n        int
	a, b     []int64 // as given
	diagonal bool    // Σ_i a_ii b_{p(i) p(i)} is not always 0

	narrow *matrices[int16] // one of the two
	wide   *matrices[int64]
}

var (
	_ anneal.Instance   = (*Problem)(nil)
	_ anneal.Thresholds = (*walker[int16, int32])(nil)
	_ anneal.Climbs     = (*walker[int16, int32])(nil)
)

// matrices are what walkers compute with: diagonals are 0. Where a or b is symmetric, so are left and right, and E is the sum over i < j of
// left_ij right_{p(i) p(j)}: the other matrix can be replaced by its sum with its transpose. Otherwise the sum is over all i and j,
// and the transposes are there too.
type matrices[T entry] struct {
	stride                     int // from row to row, filled up with 0
	left, leftT, right, rightT []T
}

// entry is a type of entries whose differences do not overflow.
type entry interface{ int16 | int64 }

// lane is the unit of strides.
const lane = 16

// New makes a problem of n facilities, where a_ij = a[i·n+j] and b likewise; it keeps both slices. It refuses matrices for which a value could pass 2⁵³,
// beyond which whole numbers are not exact.
func New(n int, a, b []int64) (*Problem, error) {
	switch {
	case n < 1 || n > maxSize:
		return nil, fmt.Errorf("a problem has from 1 to %d facilities, not %d", maxSize, n)
	case len(a) != n*n || len(b) != n*n:
		return nil, fmt.Errorf("matrices of %d facilities have %d entries each, not %d and %d", n, n*n, len(a), len(b))
	}
	sumA, maxA := size(a)
	sumB, maxB := size(b)
	if bound := min(sumA*maxB, sumB*maxA); bound > maxValue {
		return nil, fmt.Errorf("values could reach %.3g, and beyond 2⁵³ (9.01e15) whole numbers are not exact: divide the entries of a matrix by a common factor", bound)
	}
	p := &Problem{n: n, a: a, b: b}
	for i := range n {
		p.diagonal = p.diagonal || a[i*n+i] != 0 && slices.ContainsFunc(diagonal(n, b), func(x int64) bool { return x != 0 })
	}
	if p.wide = prepare(n, a, b); narrow(p.wide) {
		p.narrow, p.wide = &matrices[int16]{p.wide.stride, cut(p.wide.left), cut(p.wide.leftT), cut(p.wide.right), cut(p.wide.rightT)}, nil
	}
	return p, nil
}

// narrow says whether differences of entries fit into 16 bits, and sums of their products over a row into 32.
func narrow(m *matrices[int64]) bool {
	rowsLeft, maxLeft := rows(m.left, m.stride)
	rowsRight, maxRight := rows(m.right, m.stride)
	if m.leftT != nil {
		t, _ := rows(m.leftT, m.stride)
		u, _ := rows(m.rightT, m.stride)
		rowsLeft, rowsRight = max(rowsLeft, t), max(rowsRight, u)
	}
	return max(maxLeft, maxRight) < 1<<14 && 4*min(rowsLeft*maxRight, rowsRight*maxLeft) < 1<<31
}

// rows is the largest sum of a row's absolute entries, and the largest of these.
func rows(m []int64, stride int) (sum, largest float64) {
	for at := 0; at < len(m); at += stride {
		s, l := size(m[at:][:stride])
		sum, largest = max(sum, s), max(largest, l)
	}
	return sum, largest
}

func cut(m []int64) []int16 {
	if m == nil {
		return nil
	}
	c := make([]int16, len(m))
	for k, x := range m {
		c[k] = int16(x)
	}
	return c
}

// size is the sum and the largest of the absolute entries; as floats they do not overflow.
func size(m []int64) (sum, largest float64) {
	for _, x := range m {
		sum += math.Abs(float64(x))
		largest = max(largest, math.Abs(float64(x)))
	}
	return sum, largest
}

func diagonal(n int, m []int64) []int64 {
	d := make([]int64, n)
	for i := range d {
		d[i] = m[i*n+i]
	}
	return d
}

func prepare(n int, a, b []int64) *matrices[int64] {
	stride := (n + lane - 1) / lane * lane
	m := &matrices[int64]{stride: stride, left: make([]int64, n*stride), right: make([]int64, n*stride)}
	symA, symB := symmetric(n, a), symmetric(n, b)
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			x, y := a[i*n+j], b[i*n+j]
			switch {
			case symA:
				y += b[j*n+i]
			case symB:
				x += a[j*n+i]
			}
			m.left[i*stride+j], m.right[i*stride+j] = x, y
		}
	}
	if !symA && !symB {
		m.leftT, m.rightT = transpose(n, stride, m.left), transpose(n, stride, m.right)
	}
	return m
}

func symmetric(n int, m []int64) bool {
	for i := range n {
		for j := range i {
			if m[i*n+j] != m[j*n+i] {
				return false
			}
		}
	}
	return true
}

func transpose(n, stride int, m []int64) []int64 {
	t := make([]int64, n*stride)
	for i := range n {
		for j := range n {
			t[j*stride+i] = m[i*stride+j]
		}
	}
	return t
}

// Variables is the number of facilities.
func (p *Problem) Variables() int { return p.n }

// Objective is the energy: the sum that is minimised.
func (p *Problem) Objective(energy float64) float64 { return energy }

// Memory is the bytes that a walker takes.
func (p *Problem) Memory() int64 {
	entries := 64*p.n + 1024 // places, rows, and what does not grow
	if p.wide != nil {
		return int64(16*len(p.wide.right) + 8*len(p.wide.rightT) + entries)
	}
	return int64(6*len(p.narrow.right) + 2*len(p.narrow.rightT) + entries)
}

// Walker makes a walker of one state.
func (p *Problem) Walker() (anneal.Walker, error) {
	if p.wide != nil {
		return newWalker[int64, int64](p, p.wide), nil
	}
	return newWalker[int16, int32](p, p.narrow), nil
}

// Evaluate is the sum over all pairs for places from 0, from the matrices as they were given.
func (p *Problem) Evaluate(solution []float64) (energy float64, err error) {
	place, err := p.places(solution)
	if err != nil {
		return 0, err
	}
	return float64(p.value(place)), nil
}

func (p *Problem) value(place []int32) int64 {
	sum := int64(0)
	for i, pi := range place {
		for j, pj := range place {
			sum += p.a[i*p.n+j] * p.b[int(pi)*p.n+int(pj)]
		}
	}
	return sum
}

// places are a solution's, if it is one.
func (p *Problem) places(solution []float64) ([]int32, error) {
	if len(solution) != p.n {
		return nil, fmt.Errorf("a solution of %d facilities has as many places, not %d", p.n, len(solution))
	}
	place, has := make([]int32, p.n), make([]int, p.n)
	for i, x := range solution {
		if !(x >= 0 && x < float64(p.n)) || x != math.Trunc(x) {
			return nil, fmt.Errorf("the place of facility %d is %v, and places are whole numbers from 0 to %d", i, x, p.n-1)
		}
		k := int32(x)
		if has[k] > 0 {
			return nil, fmt.Errorf("facilities %d and %d are both at place %d", has[k]-1, i, k)
		}
		has[k], place[i] = i+1, k
	}
	return place, nil
}
