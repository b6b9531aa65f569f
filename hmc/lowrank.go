package hmc

import (
	"math"
	"math/rand/v2"
	"slices"

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
		w.X, w.G = append(w.X, k.at.x...), append(w.G, k.at.grad...)
	}
	w.Seen++
	if !plan.ends(i) {
		return 0, false
	}
	ok := k.tuning.Scaling.setLowRank(w, k.dim)
	k.tuning.Window = window{X: w.X[:0], G: w.G[:0]}
	if !ok {
		return 0, true
	}
	k.tuning.Ranked = true
	return k.restart(r), true
}

// setLowRank estimates D, U and Λ from a window, and is false, with nothing changed, where that fails.
func (s *scaling) setLowRank(w *window, dim int) bool {
	n := len(w.X) / dim
	if n < lowRankLeast {
		return false
	}
	d := slices.Clone(s.Scale)
	w.Moments.scale(d)
	cx := covariance(w.X, w.Moments.MeanX, func(i int) float64 { return 1 / d[i] }, dim)
	cg := covariance(w.G, w.Moments.MeanG, func(i int) float64 { return d[i] }, dim)
	values, mean, ok := geometricMean(cx, cg, dim)
	if !ok {
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
	for j, v := range values {
		if v >= cut || v <= 1/cut {
			s.Stretch = append(s.Stretch, math.Sqrt(v))
			s.Vectors = append(s.Vectors, mean[j*dim:(j+1)*dim]...)
		}
	}
	return true
}

// covariance is the lower triangle of that of scaled rows, shrunk towards the identity.
func covariance(rows, mean []float64, scale func(i int) float64, dim int) []float64 {
	c, x := make([]float64, dim*dim), make([]float64, len(rows))
	n := len(rows) / dim
	for i := range dim {
		by := scale(i)
		for k := i; k < len(rows); k += dim {
			x[k] = float64((rows[k] - mean[i]) * by)
		}
	}
	addProduct(c, x, dim)
	total := float64(n + lowRankShrink)
	for i := range c {
		c[i] /= total
	}
	for i := range dim {
		c[i+i*dim] += lowRankShrink / total
	}
	return c
}

// addProduct adds the lower triangle of X Xᵀ to c; X has dim rows, and its columns stand one after the other.
func addProduct(c, x []float64, dim int) {
	row := make([]float64, len(x)/dim)
	for j := range dim {
		for k := range row {
			row[k] = x[k*dim+j]
		}
		columns.AddMatVec(c[j*dim+j:(j+1)*dim], x[j:], dim, row)
	}
}

// geometricMean gives the eigenvalues and vectors of G = P # Q⁻¹, the matrix with G Q G = P, of positive definite P and Q, of which it reads the lower triangles: with Q = L Lᵀ it
// is L⁻ᵀ (Lᵀ P L)^½ L⁻¹.
func geometricMean(p, q []float64, n int) (values, vectors []float64, ok bool) {
	l, work := make([]float64, n*n), make([]float64, n)
	if !vec.Chol(l, q, n) {
		return nil, nil, false
	}
	// M = Lᵀ P L, column by column.
	vec.Symmetrize(p, n)
	m := make([]float64, n*n)
	for j := range n {
		clear(work)
		columns.AddMatVec(work, p, n, l[j*n:(j+1)*n])
		vec.MulTriTVec(m[j*n:(j+1)*n], l, work, n)
	}
	values = make([]float64, n)
	if !columns.Eigen(values, m, work, n) || !(values[0] > 0) {
		return nil, nil, false
	}
	// G = B Bᵀ with B = L⁻ᵀ V μ^¼.
	b := m
	for j := range n {
		root := math.Sqrt(math.Sqrt(math.Sqrt(values[j])))
		root = float64(root * root)
		col := b[j*n : (j+1)*n]
		vec.TriSolveLowerT(col, l, col, n)
		for i := range col {
			col[i] *= root
		}
	}
	g := make([]float64, n*n)
	addProduct(g, b, n)
	if !columns.Eigen(values, g, work, n) || !(values[0] > 0) || !vec.Finite(values[n-1]) {
		return nil, nil, false
	}
	return values, g, true
}
