package plan

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

const processName = "gaussian-process"

const (
	leastProcess = 8   // elements
	mostProcess  = 600 // each costs a step its square, and factors its cube
)

// process is a multivariate normal node f of a relation of its own whose covariance or precision matrix depends on other sampled nodes θ: a Gaussian process, a map with a matrix of its own.
type process struct {
	m      *model.Model
	row    int32
	cells  []int32
	in     []int32 // its mean and matrix
	vcov   bool
	others []int32 // rows of θ, and of a few other nodes on which many of the children depend, such as an intercept or the precision of noise

	x      *unbounded   // of these
	moving []int32      // their cells
	det    []model.Seg  // logical rows below them or f
	below  []model.Seg  // those below f
	stoch  []model.Seg  // densities of all, that of f aside
	likely []model.Seg  // those of f's children
	block  *model.Block // the latter, as a function of f
	still  []int32      // cells that are read and stand still
}

// processes covers such nodes with all on which their mean and matrix depend, where these are few numbers between bounds that stand still. A number beside several processes, such as the intercept of their sum, moves with each of them.
func processes(p *planner, rows []int32) {
	open, beside := map[int32]bool{}, map[int32]bool{}
	for _, r := range rows {
		open[r] = true
	}
	for _, row := range rows {
		if !open[row] {
			continue
		}
		f := p.newProcess(row, open, beside)
		if f == nil {
			continue
		}
		all := append([]int32{row}, f.others...)
		for _, r := range all {
			open[r] = false
		}
		for _, r := range f.others {
			beside[r] = true
		}
		p.add(Item{Kernel: processName, Rows: all, make: func([]kernel) kernel { return newProcessMove(f) }})
	}
}

func (p *planner) newProcess(row int32, open, taken map[int32]bool) *process {
	m := p.Model
	t, i := m.TemplateOf(row)
	if t.Stoch.Name != "dmnorm" && t.Stoch.Name != "dmnorm.vcov" {
		return nil
	}
	f := &process{m: m, row: row, cells: t.Cells(i), in: t.Operands(i), vcov: t.Stoch.Name == "dmnorm.vcov"}
	n := len(f.cells)
	if n < leastProcess || n > mostProcess {
		return nil
	}
	matrix := p.aboveAll(f.in[n:])
	if len(matrix) == 0 {
		return nil
	}
	f.others = p.aboveAll(f.in)
	if len(f.others) > maxHyper || slices.ContainsFunc(f.others, func(r int32) bool { return !open[r] || !scalarNumber(m, r) }) {
		return nil
	}
	for _, r := range matrix { // whose other normal children it would hold, and they it
		for d := range densitiesOf(m, r) {
			if o, k := m.TemplateOf(d); d != row && o.Stoch.Scalar == nil && m.Kinds[o.Cells(k)[0]] == model.Unobserved {
				return nil
			}
		}
	}
	for _, relation := range f.beside(p, func(r int32) bool { return open[r] || taken[r] }) {
		if len(f.others)+len(relation) <= maxHyper {
			f.others = append(f.others, relation...)
		}
	}
	if !f.free() {
		return nil
	}
	f.find()
	return f
}

// aboveAll are the rows of the nodes that cells depend on, each once.
func (p *planner) aboveAll(cells []int32) (rows []int32) {
	ancestors(p.Model, cells, func(c int32) bool {
		if p.Model.Kinds[c] == model.Unobserved {
			rows = append(rows, p.Model.DefRow(c))
		}
		return p.Model.Kinds[c] == model.Logical
	})
	for _, c := range cells {
		if p.Model.Kinds[c] == model.Unobserved {
			rows = append(rows, p.Model.DefRow(c))
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

func scalarNumber(m *model.Model, row int32) bool {
	t, _ := m.TemplateOf(row)
	return t.Stoch.Scalar != nil && !t.Stoch.Scalar.Discrete
}

// beside are the other numbers on which two or more of the densities depend that f has, by relations, those with the most first: an intercept before the effects of groups.
func (f *process) beside(p *planner, may func(row int32) bool) (relations [][]int32) {
	met, of := map[int32]int{}, map[*model.Template]int{}
	for k := range rowsOf(f.m, f.m.Densities(f.cells)) {
		for _, r := range p.aboveAll(slices.Concat(k.in, k.out)) {
			if met[r]++; met[r] != 2 || !may(r) || r == f.row || !scalarNumber(f.m, r) || slices.Contains(f.others, r) {
				continue
			}
			t, _ := f.m.TemplateOf(r)
			i, ok := of[t]
			if !ok {
				i, of[t] = len(relations), len(relations)
				relations = append(relations, nil)
			}
			relations[i] = append(relations[i], r)
		}
	}
	slices.SortStableFunc(relations, func(a, b []int32) int { return met[b[0]] - met[a[0]] })
	return relations
}

// free tells whether no element of f has bounds, and those of the others are constants.
func (f *process) free() bool {
	w := newBounder(f.m, append([]int32{f.row}, f.others...))
	for k := range w.nodes {
		if !w.nodes[k].fixed() {
			return false
		}
	}
	return !slices.ContainsFunc(f.cells, func(c int32) bool { n := w.node(c); return n.low.isFinite() || n.high.isFinite() })
}

// find analyses the densities around the nodes once for all chains.
func (f *process) find() {
	m := f.m
	for _, r := range f.others {
		t, i := m.TemplateOf(r)
		f.moving = append(f.moving, t.Cells(i)...)
	}
	all := m.Blanket(slices.Concat(f.moving, f.cells))
	f.det = all.Det
	rows := append(rowNumbers(m, all.Stoch), f.others...)
	slices.Sort(rows)
	rows = slices.DeleteFunc(slices.Compact(rows), func(r int32) bool { return r == f.row })
	f.stoch = runsOf(m, rows)
	below := m.Blanket(f.cells)
	f.below = below.Det
	f.likely = runsOf(m, slices.DeleteFunc(rowNumbers(m, below.Stoch), func(r int32) bool { return r == f.row }))
	f.block = m.NewBlock(f.cells, f.below, f.likely)
	f.x = newUnbounded(m, f.others, m.Blanket(f.moving).Det)
	f.still = dataOf(m, slices.Concat(f.moving, f.cells), f.det, append(slices.Clone(f.stoch), m.Seg(f.row)))
}

// normalLaw is a normal density near the conditional one of f at some θ, with mean m and covariance T Tᵀ. In a root R of the prior's covariance, f = μ + R y, and with W the curvature of the log likelihood at the reference point, C Cᵀ = I + Rᵀ W R
// (Rasmussen and Williams 2006, "Gaussian processes for machine learning", section 3.4), T = R C⁻ᵀ. Where the matrix is a precision Q, R = L⁻ᵀ of its factor L, and C Cᵀ = L⁻¹ (Q + W) L⁻ᵀ: then K = L C is the factor of Q + W, and T = K⁻ᵀ.
type normalLaw struct {
	n    int
	vcov bool
	mu   []float64
	l    []float64 // factor of the matrix
	c    []float64 // C, or K
	mean []float64
	work []float64
}

func newNormalLaw(n int, vcov bool) normalLaw {
	f := func(n int) []float64 { return make([]float64, n) }
	return normalLaw{n: n, vcov: vcov, mu: f(n), l: f(n * n), c: f(n * n), mean: f(n), work: f(n)}
}

// prior factors the matrix that a state has.
func (k *normalLaw) prior(s *model.State, in []int32) bool {
	for j := range k.mu {
		k.mu[j] = s.V[in[j]]
	}
	for j := range k.l {
		k.l[j] = s.V[in[k.n+j]]
	}
	return k.factor(k.l)
}

// curved takes the curvature w of the log likelihood in.
func (k *normalLaw) curved(s *model.State, in []int32, w []float64) bool {
	n := k.n
	if !k.vcov {
		for j := range k.c {
			k.c[j] = s.V[in[n+j]]
		}
		for j := range w {
			k.c[j*n+j] += w[j]
		}
		return k.factor(k.c)
	}
	for j := range n {
		scaled := k.work[j:]
		for i, x := range k.l[j*n+j : j*n+n] {
			scaled[i] = float64(x * w[j+i])
		}
		columns.MatTVec(k.c[j*n+j:j*n+n], k.l[j*n+j:], n, scaled)
		k.c[j*n+j]++
	}
	return k.factor(k.c)
}

// factor replaces a matrix by the lower triangular L of L Lᵀ, by columns, and reads no more than its lower triangle; false where it is not positive definite.
func (k *normalLaw) factor(l []float64) bool {
	n := k.n
	for j := range n {
		col := l[j*n+j : j*n+n]
		for i := range j {
			k.work[i] = -l[i*n+j]
		}
		columns.AddMatVec(col, l[j:], n, k.work[:j])
		clear(l[j*n : j*n+j])
		if !(col[0] > 0) || math.IsInf(col[0], 1) {
			return false
		}
		d := math.Sqrt(col[0])
		columns.MulScalar(col, col, 1/d)
		col[0] = d
	}
	return true
}

// towards finds the mean by a Newton step from a point x, where the log likelihood has the gradient g and the curvature w, and writes where it is to x.
func (k *normalLaw) towards(x, g, w []float64) {
	for j := range g {
		g[j] += float64(w[j] * (x[j] - k.mu[j]))
	}
	if k.vcov {
		vec.MulTriTVec(g, k.l, g, k.n)
	}
	vec.CholSolve(k.mean, k.c, g, k.n)
	if !k.vcov {
		columns.Add(k.mean, k.mean, k.mu)
	}
	k.middle(x)
}

// closer takes another step from the mean, without a new factor; work is as long as f.
func (k *normalLaw) closer(x, g, work []float64) {
	n := k.n
	if k.vcov {
		vec.MulTriTVec(g, k.l, g, n)
		columns.Sub(g, g, k.mean)
	} else {
		columns.Sub(work, x, k.mu)
		vec.MulTriTVec(work, k.l, work, n)
		vec.MulTriVec(work, k.l, work, n)
		columns.Sub(g, g, work)
	}
	vec.CholSolve(g, k.c, g, n)
	columns.Add(k.mean, k.mean, g)
	k.middle(x)
}

// middle writes the mean.
func (k *normalLaw) middle(x []float64) {
	if !k.vcov {
		copy(x, k.mean)
		return
	}
	vec.MulTriVec(x, k.l, k.mean, k.n)
	columns.Add(x, x, k.mu)
}

// spread writes m + T z.
func (k *normalLaw) spread(x, z []float64) {
	vec.TriSolveLowerT(x, k.c, z, k.n)
	columns.Add(x, x, k.mean)
	if k.vcov {
		vec.MulTriVec(x, k.l, x, k.n)
		columns.Add(x, x, k.mu)
	}
}

// whiten is the inverse of spread.
func (k *normalLaw) whiten(z, x []float64) {
	if k.vcov {
		columns.Sub(z, x, k.mu)
		vec.TriSolveLower(z, k.l, z, k.n)
		columns.Sub(z, z, k.mean)
	} else {
		columns.Sub(z, x, k.mean)
	}
	vec.MulTriTVec(z, k.c, z, k.n)
}

// logDet is that of T.
func (k *normalLaw) logDet() float64 {
	d := -float64(0.5 * vec.CholLogDet(k.c, k.n))
	if k.vcov {
		d += float64(0.5 * vec.CholLogDet(k.l, k.n))
	}
	return d
}

// logPrior is the log density of the prior but for a constant.
func (k *normalLaw) logPrior(x, work []float64) float64 {
	columns.Sub(work, x, k.mu)
	d := float64(0.5 * vec.CholLogDet(k.l, k.n))
	if k.vcov {
		vec.TriSolveLower(work, k.l, work, k.n)
		d = -d
	} else {
		vec.MulTriTVec(work, k.l, work, k.n)
	}
	return d - float64(0.5*columns.Dot(work, work))
}
