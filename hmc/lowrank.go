package hmc

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

const (
	lowRankNumbers = 1 << 20 // of points and gradients that a window takes into account at most
	lowRankRows    = 32      // steps whose products are added at once
	lowRankLeast   = 20      // steps that directions are estimated from
	lowRankShrink  = 5       // prior steps of unit covariance
	lowRankCut     = 2       // λ between 1/2 and 2 are taken for 1,
	lowRankFine    = 1.2     // or between 1/1.2 and 1.2 in less than so many dimensions that a direction costs next to nothing ([long])
	lowRankDim     = 1000    // more coordinates have a diagonal metric: the eigenvectors would take minutes
)

// learnLowRank takes the step into account, and at the end of a window estimates the metric.
func (k *sampler) learnLowRank(r *rand.Rand, plan schedule, i int) (evals int, ended bool) {
	if k.dim > lowRankDim || k.dim == 1 {
		return 0, false
	}
	w := &k.tuning.Window
	length := plan.Last - plan.First
	stride := 1 + length*2*k.dim/lowRankNumbers
	if w.Moments.add(k.at.x, k.at.grad); w.Seen%stride == 0 {
		w.X.keep(k.at.x)
		w.G.keep(k.at.grad)
	}
	w.Seen++
	if !plan.ends(i) {
		return 0, false
	}
	if k.ranking == nil {
		k.ranking = newRanking(k.dim)
	}
	ok := k.tuning.Scaling.setLowRank(w, k.dim, k.ranking)
	w.Seen = 0
	w.Moments.forget()
	w.X.forget()
	w.G.forget()
	if !ok {
		return 0, true
	}
	k.tuning.Ranked = true
	return k.restart(r), true
}

// scatter is the sum of products of vectors that their covariance is made of. Fields are exported for gob.
type scatter struct {
	N      int
	Origin []float64 // the first vector: the others are taken from there
	Sum    []float64
	Cross  []float64 // the lower triangle of Σ x xᵀ
	Rows   []float64 // vectors that are in neither sum yet

	row []float64
}

// keep takes a vector into account.
func (p *scatter) keep(x []float64) {
	d := len(x)
	if p.Cross == nil {
		p.Origin, p.Sum, p.Cross, p.Rows = make([]float64, d), make([]float64, d), make([]float64, d*d), make([]float64, 0, lowRankRows*d)
	}
	if p.N == 0 {
		copy(p.Origin, x)
	}
	p.N++
	at := len(p.Rows)
	p.Rows = append(p.Rows, x...)
	columns.Sub(p.Rows[at:], p.Rows[at:], p.Origin)
	columns.Add(p.Sum, p.Sum, p.Rows[at:])
	if len(p.Rows) >= lowRankRows*d {
		p.add()
	}
}

// add takes the products of the vectors that are kept.
func (p *scatter) add() {
	if len(p.Rows) == 0 {
		return
	}
	p.row = addProduct(p.Cross, p.Rows, len(p.Sum), p.row)
	p.Rows = p.Rows[:0]
}

func (p *scatter) forget() {
	p.N, p.Rows = 0, p.Rows[:0]
	clear(p.Sum)
	clear(p.Cross)
}

// covariance makes the lower triangle of the sum of products that of the covariance of x·by, coordinate by coordinate, shrunk towards the identity.
func (p *scatter) covariance(by func(i int) float64) []float64 {
	p.add()
	dim, n, total, c := len(p.Sum), float64(p.N), float64(p.N+lowRankShrink), p.Cross
	for j, s := range p.Sum {
		scale, mean := by(j)/total, s/n
		col := c[j*dim+j : (j+1)*dim]
		columns.AddScaled(col, p.Sum[j:], -mean)
		for i := range col {
			col[i] = float64(col[i] * float64(scale*by(j+i)))
		}
		col[0] += lowRankShrink / total
	}
	return c
}

// setLowRank estimates D, U and Λ from a window, whose products it overwrites, and is false, with nothing changed, where that fails.
func (s *scaling) setLowRank(w *window, dim int, in *ranking) bool {
	n := w.X.N
	if n < lowRankLeast {
		return false
	}
	d := in.d[:dim]
	copy(d, s.Scale)
	w.Moments.scale(d)
	in.p, in.q = w.X.covariance(func(i int) float64 { return 1 / d[i] }), w.G.covariance(func(i int) float64 { return d[i] })
	// Sampling noise alone spreads the eigenvalues of a unit covariance up to (1 + √(dim/n))² (Marchenko and Pastur, 1967), and the mean
	// of two by its root.
	cut := 1 + math.Sqrt(float64(dim)/float64(n))
	if dim < long {
		cut = max(lowRankFine, cut)
	} else {
		cut = max(lowRankCut, cut)
	}
	none := in.within(cut)
	if !none && !in.geometricMean() {
		return false
	}
	copy(s.Scale, d)
	s.Stretch, s.Vectors = s.Stretch[:0], s.Vectors[:0]
	if none {
		return true
	}
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
	p, q, m         []float64 // matrices, of which p and q are the window's
	d, values, work []float64
	row             []float64
}

func newRanking(dim int) *ranking {
	all := make([]float64, dim*dim+3*dim)
	cut := func(n int) (x []float64) {
		x, all = all[:n:n], all[n:]
		return x
	}
	return &ranking{m: cut(dim * dim), d: cut(dim), values: cut(dim), work: cut(dim)}
}

// addProduct adds the lower triangle of X Xᵀ to c; X has dim rows, and its columns stand one after the other. It takes memory, and returns it.
func addProduct(c, x []float64, dim int, memory []float64) []float64 {
	n := len(x) / dim
	if n > cap(memory) {
		memory = make([]float64, n)
	}
	row := memory[:n]
	for j := range dim {
		for k := range row {
			row[k] = x[k*dim+j]
		}
		columns.AddMatVec(c[j*dim+j:(j+1)*dim], x[j:], dim, row)
	}
	return memory
}

// within tells whether all eigenvalues λ of P # Q⁻¹ are surely between 1/cut and cut, for less than what it takes to find them. With G Q G = P an eigenvector u of G
// has uᵀPu = λ² uᵀQu: so they are where cut² Q − P and cut² P − Q are positive definite, as they are where P and Q⁻¹ are both near the identity, or wrong alike by chance.
func (in *ranking) within(cut float64) bool {
	return in.exceeds(in.q, in.p, float64(cut*cut)) && in.exceeds(in.p, in.q, float64(cut*cut))
}

// exceeds tells whether c·A − B is positive definite.
func (in *ranking) exceeds(a, b []float64, c float64) bool {
	n := len(in.d)
	for j := range n {
		to := in.m[j*n+j : (j+1)*n]
		columns.MulScalar(to, a[j*n+j:(j+1)*n], c)
		columns.Sub(to, to, b[j*n+j:(j+1)*n])
	}
	return vec.Chol(in.m, in.m, n)
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
	in.row = addProduct(p, m, n, in.row)
	return columns.Eigen(values, p, work, n) && values[0] > 0 && vec.Finite(values[n-1])
}
