// Package sparse factors sparse symmetric positive-definite matrices whose
// pattern stays while their values change from step to step, as the precision
// of a Gaussian block does: one symbolic analysis, many numeric ones.
package sparse

import (
	"encoding/binary"
	"math"
	"slices"
)

// Sym is a symmetric matrix with a fixed pattern, in a fill-reducing order. Its
// values are the upper triangle of the permuted matrix by columns.
type Sym struct {
	N   int
	Val []float64

	perm, inv []int32 // perm[new] = old
	ptr       []int32
	idx       []int32

	parent   []int32 // elimination tree
	lptr     []int32
	lidx     []int32
	lval     []float64
	diag     []float64
	lnz      []int32
	flag     []int32
	pattern  []int32
	y        []float64
	solution []float64
}

// MaxFill bounds the entries of the factor that New accepts.
const MaxFill = 4 << 20

// New analyses the pattern of n variables: cliques lists groups that appear in
// one term together. It returns nil where the factor would be too full.
func New(n int, cliques [][]int32) *Sym {
	adj := neighbours(n, cliques)
	if adj == nil {
		return nil
	}
	s := &Sym{N: n, perm: minimumDegree(n, adj), inv: make([]int32, n)}
	if s.perm == nil {
		return nil
	}
	for k, o := range s.perm {
		s.inv[o] = int32(k)
	}
	s.ptr = make([]int32, n+1)
	for k, o := range s.perm {
		s.idx = append(s.idx, int32(k))
		for _, nb := range adj[o] {
			if s.inv[nb] < int32(k) {
				s.idx = append(s.idx, s.inv[nb])
			}
		}
		col := s.idx[s.ptr[k]:]
		slices.Sort(col)
		s.ptr[k+1] = int32(len(s.idx))
	}
	s.Val = make([]float64, len(s.idx))
	return s.symbolic()
}

// neighbours lists for each variable, in ascending order, those that it shares
// a clique with; nil where a clique alone makes the factor too full. Its cost is
// the sum of the squares of the sizes of cliques that differ.
func neighbours(n int, cliques [][]int32) [][]int32 {
	of := make([][]int32, n) // cliques of each variable
	known := map[string]bool{}
	var key []byte
	for q, c := range cliques {
		if len(c) > maxFront+1 && distinct(c) > maxFront+1 {
			return nil // whichever of them goes first has all others as neighbours
		}
		key = key[:0]
		for _, a := range c {
			key = binary.LittleEndian.AppendUint32(key, uint32(a))
		}
		if known[string(key)] {
			continue
		}
		known[string(key)] = true
		for _, a := range c {
			of[a] = append(of[a], int32(q))
		}
	}
	adj := make([][]int32, n)
	met := make([]int32, n) // 1 + the variable whose list has this one
	for a := range adj {
		met[a] = int32(a) + 1
		for _, q := range of[a] {
			for _, b := range cliques[q] {
				if met[b] != int32(a)+1 {
					met[b] = int32(a) + 1
					adj[a] = append(adj[a], b)
				}
			}
		}
		slices.Sort(adj[a])
	}
	return adj
}

func distinct(c []int32) int {
	s := slices.Clone(c)
	slices.Sort(s)
	return len(slices.Compact(s))
}

// symbolic finds the elimination tree and the counts of the factor's columns
// (Davis, "Direct methods for sparse linear systems", 2006, section 4.1).
func (s *Sym) symbolic() *Sym {
	n := s.N
	s.parent, s.lnz, s.flag = make([]int32, n), make([]int32, n), make([]int32, n)
	for k := range int32(n) {
		s.parent[k], s.flag[k] = -1, k
		for _, i := range s.idx[s.ptr[k]:s.ptr[k+1]] {
			for i != k && s.flag[i] != k {
				if s.parent[i] == -1 {
					s.parent[i] = k
				}
				s.lnz[i]++
				s.flag[i] = k
				i = s.parent[i]
			}
		}
	}
	s.lptr = make([]int32, n+1)
	for k := range n {
		s.lptr[k+1] = s.lptr[k] + s.lnz[k]
		if s.lptr[k+1] > MaxFill {
			return nil
		}
	}
	s.lidx, s.lval = make([]int32, s.lptr[n]), make([]float64, s.lptr[n])
	s.diag, s.y, s.solution = make([]float64, n), make([]float64, n), make([]float64, n)
	s.pattern = make([]int32, n)
	return s
}

// Fill is the number of entries of the factor below its diagonal.
func (s *Sym) Fill() int { return len(s.lidx) }

// Flops is the number of multiplications in one factorisation.
func (s *Sym) Flops() float64 {
	sum := 0.0
	for j := range s.N {
		c := float64(s.lptr[j+1] - s.lptr[j])
		sum += float64(c * (c + 1))
	}
	return sum
}

// Slot is the place in Val of the element (a, b) in the caller's numbering.
func (s *Sym) Slot(a, b int32) int32 {
	i, k := s.inv[a], s.inv[b]
	if i > k {
		i, k = k, i
	}
	lo, hi := s.ptr[k], s.ptr[k+1]
	for lo < hi {
		if mid := (lo + hi) / 2; s.idx[mid] < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Factor computes L·D·Lᵀ of the current values, row by row of L; false where
// the matrix is not positive definite.
func (s *Sym) Factor() bool {
	for k := range s.flag {
		s.flag[k], s.lnz[k] = -1, 0
	}
	for k := range int32(s.N) {
		if !s.row(k) {
			return false
		}
	}
	return true
}

func (s *Sym) row(k int32) bool {
	top := int32(s.N)
	s.flag[k] = k
	for e := s.ptr[k]; e < s.ptr[k+1]; e++ {
		i := s.idx[e]
		s.y[i] += s.Val[e]
		depth := int32(0)
		for s.flag[i] != k {
			s.pattern[depth] = i
			depth++
			s.flag[i] = k
			i = s.parent[i]
		}
		for depth > 0 {
			depth--
			top--
			s.pattern[top] = s.pattern[depth]
		}
	}
	d := s.y[k]
	s.y[k] = 0
	for ; top < int32(s.N); top++ {
		i := s.pattern[top]
		yi := s.y[i]
		s.y[i] = 0
		end := s.lptr[i] + s.lnz[i]
		li := s.lidx[s.lptr[i]:end]
		lv := s.lval[s.lptr[i]:end]
		for p, r := range li {
			s.y[r] -= float64(lv[p] * yi)
		}
		l := yi / s.diag[i]
		d -= float64(l * yi)
		s.lidx[end], s.lval[end] = k, l
		s.lnz[i]++
	}
	s.diag[k] = d
	return d > 0 && !math.IsInf(d, 1)
}

// Solve writes A⁻¹b to x; they may be one slice.
func (s *Sym) Solve(x, b []float64) {
	z := s.solution
	for k, o := range s.perm {
		z[k] = b[o]
	}
	s.forward(z)
	for j := range z {
		z[j] /= s.diag[j]
	}
	s.back(z)
	for k, o := range s.perm {
		x[o] = z[k]
	}
}

// forward solves Lz = z in place.
func (s *Sym) forward(z []float64) {
	for j := range s.N {
		zj := z[j]
		for p := s.lptr[j]; p < s.lptr[j+1]; p++ {
			z[s.lidx[p]] -= float64(s.lval[p] * zj)
		}
	}
}

// back solves Lᵀz = z in place.
func (s *Sym) back(z []float64) {
	for j := s.N - 1; j >= 0; j-- {
		zj := z[j]
		for p := s.lptr[j]; p < s.lptr[j+1]; p++ {
			zj -= float64(s.lval[p] * z[s.lidx[p]])
		}
		z[j] = zj
	}
}

// Spread turns standard normal z into a draw x with covariance A⁻¹.
func (s *Sym) Spread(x, z []float64) {
	w := s.solution
	for j := range w {
		w[j] = z[j] / math.Sqrt(s.diag[j])
	}
	s.back(w)
	for k, o := range s.perm {
		x[o] = w[k]
	}
}

// Gather is the transpose of Spread: derivatives by x become those by z. They may be one slice.
func (s *Sym) Gather(z, x []float64) {
	w := s.solution
	for k, o := range s.perm {
		w[k] = x[o]
	}
	s.forward(w)
	for j := range w {
		z[j] = w[j] / math.Sqrt(s.diag[j])
	}
}

// Whiten is the inverse of Spread.
func (s *Sym) Whiten(z, x []float64) {
	for j := range s.N {
		w := x[s.perm[j]]
		for p := s.lptr[j]; p < s.lptr[j+1]; p++ {
			w += float64(s.lval[p] * x[s.perm[s.lidx[p]]])
		}
		z[j] = w * math.Sqrt(s.diag[j])
	}
}

// Pivots are the diagonal of D, whose product is the determinant.
func (s *Sym) Pivots() []float64 { return s.diag }

// Clone shares the analysis but not the values.
func (s *Sym) Clone() *Sym {
	c := *s
	c.Val = make([]float64, len(s.Val))
	c.lidx, c.lval = make([]int32, len(s.lidx)), make([]float64, len(s.lval))
	c.diag, c.y, c.solution = make([]float64, s.N), make([]float64, s.N), make([]float64, s.N)
	c.lnz, c.flag, c.pattern = make([]int32, s.N), make([]int32, s.N), make([]int32, s.N)
	return &c
}
