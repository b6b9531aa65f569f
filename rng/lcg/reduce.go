package lcg

import (
	"math"
	"math/big"
)

// reducer makes a basis of a lattice short: Lenstra, Lenstra and Lovász (1982), Math. Ann. 261, in whole numbers as
// in Cohen (1993), A Course in Computational Algebraic Number Theory, algorithm 2.6.7.
type reducer struct {
	b [][]*big.Int
	// det[i] is the Gram determinant of the first i vectors, and lam[i][j] = μ_ij det[j+1] with μ the coefficients of
	// the Gram–Schmidt process. All are whole.
	det []*big.Int
	lam [][]*big.Int
}

func reduce(b [][]*big.Int) *reducer {
	z := &reducer{b: b}
	z.orthogonalise()
	for k := 1; k < len(b); {
		z.shorten(k, k-1)
		if z.swapHelps(k) {
			z.swap(k)
			k = max(k-1, 1)
			continue
		}
		for l := k - 2; l >= 0; l-- {
			z.shorten(k, l)
		}
		k++
	}
	return z
}

func (z *reducer) orthogonalise() {
	d := len(z.b)
	z.det, z.lam = make([]*big.Int, d+1), make([][]*big.Int, d)
	z.det[0] = big.NewInt(1)
	for i := range d {
		z.lam[i] = make([]*big.Int, i)
		for j := range i + 1 {
			u := dotInt(z.b[i], z.b[j])
			for k := range j {
				right := z.lam[j][k]
				u.Mul(u, z.det[k+1])
				u.Sub(u, new(big.Int).Mul(z.lam[i][k], right))
				u.Quo(u, z.det[k])
			}
			if j < i {
				z.lam[i][j] = u
			} else {
				z.det[i+1] = u
			}
		}
	}
}

// shorten takes the nearest multiple of vector l from vector k.
func (z *reducer) shorten(k, l int) {
	q := nearest(z.lam[k][l], z.det[l+1])
	if q.Sign() == 0 {
		return
	}
	subMul := func(x, y *big.Int) { x.Sub(x, new(big.Int).Mul(q, y)) }
	for i := range z.b[k] {
		subMul(z.b[k][i], z.b[l][i])
	}
	subMul(z.lam[k][l], z.det[l+1])
	for i := range l {
		subMul(z.lam[k][i], z.lam[l][i])
	}
}

// swapHelps is Lovász's condition violated: 4 (det_k+1 det_k−1 + λ²) < 3 det_k².
func (z *reducer) swapHelps(k int) bool {
	left := new(big.Int).Add(new(big.Int).Mul(z.det[k+1], z.det[k-1]), new(big.Int).Mul(z.lam[k][k-1], z.lam[k][k-1]))
	right := new(big.Int).Mul(z.det[k], z.det[k])
	return left.Lsh(left, 2).Cmp(right.Mul(right, big.NewInt(3))) < 0
}

// swap exchanges vectors k−1 and k.
func (z *reducer) swap(k int) {
	z.b[k], z.b[k-1] = z.b[k-1], z.b[k]
	for j := range k - 1 {
		z.lam[k][j], z.lam[k-1][j] = z.lam[k-1][j], z.lam[k][j]
	}
	lam := z.lam[k][k-1]
	det := new(big.Int).Add(new(big.Int).Mul(z.det[k-1], z.det[k+1]), new(big.Int).Mul(lam, lam))
	det.Quo(det, z.det[k])
	for i := k + 1; i < len(z.b); i++ {
		old := z.lam[i][k]
		t := new(big.Int).Mul(z.det[k+1], z.lam[i][k-1])
		t.Sub(t, new(big.Int).Mul(lam, old))
		t.Quo(t, z.det[k])
		u := new(big.Int).Mul(det, old)
		u.Add(u, new(big.Int).Mul(lam, t))
		z.lam[i][k], z.lam[i][k-1] = t, u.Quo(u, z.det[k+1])
	}
	z.det[k] = det
}

// shortest is a shortest vector of the lattice of the basis, which it reduces.
func shortest(basis [][]*big.Int) []*big.Int {
	z := reduce(basis)
	s := &enumeration{z: z, coef: make([]int64, len(basis))}
	for i := range basis {
		s.offer(basis[i], dotInt(basis[i], basis[i]))
		ratio, _ := new(big.Rat).SetFrac(z.det[i+1], z.det[i]).Float64()
		s.height = append(s.height, ratio)
		mu := make([]float64, i)
		for j := range mu {
			mu[j], _ = new(big.Rat).SetFrac(z.lam[i][j], z.det[j+1]).Float64()
		}
		s.mu = append(s.mu, mu)
	}
	s.search(len(basis)-1, 0)
	return s.best
}

// enumeration looks at all combinations of a reduced basis that may be shorter than the best so far (Fincke and Pohst
// 1985). Lengths of parts are doubles, good to many digits after the reduction; a vector is judged in whole numbers.
type enumeration struct {
	z      *reducer
	height []float64 // squared lengths of the orthogonal parts
	mu     [][]float64
	coef   []int64

	best  []*big.Int
	norm  *big.Int
	bound float64 // norm and a little more
}

func (s *enumeration) offer(v []*big.Int, norm *big.Int) {
	if s.norm == nil || norm.Cmp(s.norm) < 0 {
		s.best, s.norm = v, norm
		s.bound, _ = new(big.Float).SetInt(norm).Float64()
		s.bound *= 1 + 1e-9
	}
}

// search fixes coefficient k, given those above it, whose part of the squared length is used.
func (s *enumeration) search(k int, used float64) {
	if k < 0 {
		s.judge()
		return
	}
	centre := 0.0
	for i := k + 1; i < len(s.coef); i++ {
		centre -= float64(float64(s.coef[i]) * s.mu[i][k])
	}
	first := int64(math.RoundToEven(centre))
	for dir := int64(1); dir >= -1; dir -= 2 {
		c := first
		if dir < 0 {
			c--
		}
		for ; ; c += dir {
			off := float64(c) - centre
			total := used + float64(off*off*s.height[k])
			if total > s.bound {
				break
			}
			s.coef[k] = c
			s.search(k-1, total)
		}
	}
	s.coef[k] = 0
}

func (s *enumeration) judge() {
	d := len(s.coef)
	v := make([]*big.Int, d)
	for j := range v {
		v[j] = new(big.Int)
		for i, c := range s.coef {
			v[j].Add(v[j], new(big.Int).Mul(big.NewInt(c), s.z.b[i][j]))
		}
	}
	if norm := dotInt(v, v); norm.Sign() > 0 {
		s.offer(v, norm)
	}
}

func dotInt(x, y []*big.Int) *big.Int {
	sum := new(big.Int)
	for i := range x {
		sum.Add(sum, new(big.Int).Mul(x[i], y[i]))
	}
	return sum
}

// nearest is x/y rounded, y > 0: ⌊(2x + y)/2y⌋.
func nearest(x, y *big.Int) *big.Int {
	twice := new(big.Int).Lsh(y, 1)
	q := new(big.Int).Add(new(big.Int).Lsh(x, 1), y)
	return q.Div(q, twice) // Euclidean: the floor for a positive divisor
}
