package hmc

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

const (
	lowRankNumbers = 1 << 20 // that a window keeps at most: 8 MB
	lowRankLeast   = 20      // steps that directions are estimated from
	lowRankShrink  = 5       // prior steps of unit covariance
	lowRankCut     = 2       // λ between 1/2 and 2 are taken for 1,
	lowRankFine    = 1.2     // or between 1/1.2 and 1.2 in less than so many dimensions that a direction costs next to nothing ([long])
	lowRankDim     = 1000    // more coordinates have a diagonal metric: the eigenvectors would take minutes
)

// learnLowRank keeps the step, and at the end of a window estimates the metric.
func (k *sampler) learnLowRank(r *rand.Rand, plan schedule, i int) (evals int, ended bool) {
	if k.dim > lowRankDim || k.dim == 1 {
		return 0, false
	}
	w := &k.tuning.Window
	length := plan.Last - plan.First
	stride := 1 + length*2*k.dim/lowRankNumbers
	if w.Moments.add(k.at.x, k.at.grad); w.Seen%stride == 0 {
		if w.X == nil { // once for all windows: the last is the longest
			room := (plan.Last - i) / stride * k.dim
			w.X, w.G = make([]float64, 0, room), make([]float64, 0, room)
		}
		w.X, w.G = append(w.X, k.at.x...), append(w.G, k.at.grad...)
	}
	w.Seen++
	if !plan.ends(i) {
		return 0, false
	}
	if k.ranking == nil {
		k.ranking = newRanking(k.dim)
	}
	ok := k.tuning.Scaling.setLowRank(w, k.dim, k.ranking)
	k.tuning.Window = window{X: w.X[:0], G: w.G[:0]}
	if !ok {
		return 0, true
	}
	k.tuning.Ranked = true
	return k.restart(r), true
}

// setLowRank estimates D, U and Λ from a window, whose rows it overwrites, and is false, with nothing changed, where that fails.
func (s *scaling) setLowRank(w *window, dim int, in *ranking) bool {
	n := len(w.X) / dim
	if n < lowRankLeast {
		return false
	}
	d := in.d[:dim]
	copy(d, s.Scale)
	w.Moments.scale(d)
	in.covariance(in.p, w.X, w.Moments.MeanX, func(i int) float64 { return 1 / d[i] })
	in.covariance(in.q, w.G, w.Moments.MeanG, func(i int) float64 { return d[i] })
	if !in.geometricMean() {
		return false
	}
	// Sampling noise alone spreads the eigenvalues of a unit covariance up to (1 + √(dim/n))² (Marchenko and Pastur, 1967), and the mean
	// of two by its root.
	cut := 1 + math.Sqrt(float64(dim)/float64(n))
	if dim < long {
		cut = max(lowRankFine, cut)
	} else {
		cut = max(lowRankCut, cut)
	}
	copy(s.Scale, d)
	s.Stretch, s.Vectors = s.Stretch[:0], s.Vectors[:0]
	for j, v := range in.values {
		if v >= cut || v <= 1/cut {
			s.Stretch = append(s.Stretch, math.Sqrt(v))
			s.Vectors = append(s.Vectors, in.p[j*dim:(j+1)*dim]...)
		}
	}
	return true
}

// ranking is the memory of an estimate, which all windows of a warm-up share.
type ranking struct {
	p, q, m         []float64 // matrices
	d, values, work []float64
	row             []float64
}

func newRanking(dim int) *ranking {
	all := make([]float64, 3*dim*dim+3*dim)
	cut := func(n int) (x []float64) {
		x, all = all[:n:n], all[n:]
		return x
	}
	return &ranking{p: cut(dim * dim), q: cut(dim * dim), m: cut(dim * dim), d: cut(dim), values: cut(dim), work: cut(dim)}
}

// covariance writes the lower triangle of that of scaled rows, shrunk towards the identity, and overwrites the rows.
func (in *ranking) covariance(c, rows, mean []float64, scale func(i int) float64) {
	dim := len(in.d)
	n := len(rows) / dim
	for i := range dim {
		by := scale(i)
		for k := i; k < len(rows); k += dim {
			rows[k] = float64((rows[k] - mean[i]) * by)
		}
	}
	clear(c)
	in.addProduct(c, rows)
	total := float64(n + lowRankShrink)
	for i := range c {
		c[i] /= total
	}
	for i := range dim {
		c[i+i*dim] += lowRankShrink / total
	}
}

// addProduct adds the lower triangle of X Xᵀ to c; X has dim rows, and its columns stand one after the other.
func (in *ranking) addProduct(c, x []float64) {
	dim := len(in.d)
	n := len(x) / dim
	if n > cap(in.row) {
		in.row = make([]float64, n)
	}
	row := in.row[:n]
	for j := range dim {
		for k := range row {
			row[k] = x[k*dim+j]
		}
		columns.AddMatVec(c[j*dim+j:(j+1)*dim], x[j:], dim, row)
	}
}

// geometricMean finds the eigenvalues of G = P # Q⁻¹, the matrix with G Q G = P, of positive definite P and Q, of which it reads the lower triangles, and puts the vectors in P's
// place: with Q = L Lᵀ it is L⁻ᵀ (Lᵀ P L)^½ L⁻¹.
func (in *ranking) geometricMean() bool {
	n, p, l, m, values, work := len(in.d), in.p, in.q, in.m, in.values, in.work
	if !vec.Chol(l, l, n) {
		return false
	}
	// M = Lᵀ P L, column by column.
	vec.Symmetrize(p, n)
	for j := range n {
		clear(work)
		columns.AddMatVec(work, p, n, l[j*n:(j+1)*n])
		for i := range n {
			m[j*n+i] = dot(l[i*n+i:(i+1)*n], work[i:])
		}
	}
	if !columns.Eigen(values, m, work, n) || !(values[0] > 0) {
		return false
	}
	// G = B Bᵀ with B = L⁻ᵀ V μ^¼.
	for j := range n {
		root := math.Sqrt(math.Sqrt(math.Sqrt(values[j])))
		root = float64(root * root)
		col := m[j*n : (j+1)*n]
		for i := n - 1; i >= 0; i-- {
			of := l[i*n+i : (i+1)*n]
			col[i] = (col[i] - dot(of[1:], col[i+1:])) / of[0]
		}
		for i := range col {
			col[i] *= root
		}
	}
	clear(p)
	in.addProduct(p, m)
	return columns.Eigen(values, p, work, n) && values[0] > 0 && vec.Finite(values[n-1])
}
