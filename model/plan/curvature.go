package plan

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/sparse"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// curvature is minus the second derivative of the log density by normal nodes, by central differences of its gradient. It is sparse, and nodes that no density has
// together move at once (Curtis, Powell and Reid 1974, "On the estimation of sparse Jacobian matrices"). A logical cell that depends on many of the nodes, such as their mean, would fill it: it
// counts as a variable of its own beside them, so that the matrix of the nodes alone stays sparse and what goes through the cells is of low rank.
type curvature struct {
	m     *model.Model
	cells []int32 // of the nodes
	taus  []int32 // of their priors' precisions
	wide  []int32 // cells of many

	around  []model.Seg   // logical rows below the nodes
	up      [][]model.Seg // and those above each cell of many
	clear   [][]int32     // cells of these
	block   *model.Block
	q       *sparse.Sym
	slots   []int32 // of the diagonal
	dense   []denseNode
	colours []colour
}

// denseNode is one that densities have together with many others.
type denseNode struct {
	node    int32
	entries []element
}

// colour are nodes that move at once.
type colour struct {
	nodes   []int32
	entries []element
}

// element is that of a row, in the column of one of the nodes that move; slot is its place in the matrix.
type element struct {
	row, node, slot int32
	half            bool // it is computed twice, from either node
}

const (
	leastMany = 16 // nodes that a cell depends on, and rows that read it, from which on it is one of many
	mostNear  = 64 // nodes that a row, or another node, has to do with
	mostDense = 40 // nodes and cells of many
)

// newCurvature analyses the density around the nodes; nil where too many are near one another, or a factor would be too full.
func newCurvature(m *model.Model, cells, taus []int32) *curvature {
	k := &curvature{m: m, cells: cells, taus: taus}
	b := m.Blanket(cells)
	k.around = b.Det
	near := k.reach(b.Det)
	var cliques [][]int32
	var stoch []int32
	rows := rowNumbers(m, b.Stoch)
	for _, c := range cells {
		rows = append(rows, m.DefRow(c))
	}
	slices.Sort(rows)
	for _, row := range slices.Compact(rows) {
		t, i := m.TemplateOf(row)
		all := near(slices.Concat(t.Operands(i), t.Cells(i)))
		if len(all) > mostNear {
			continue
		}
		stoch = append(stoch, row)
		cliques = append(cliques, all)
	}
	if len(k.wide) > mostDense || !k.pattern(cliques) {
		return nil
	}
	wide := map[int32]bool{}
	for _, c := range k.wide {
		wide[m.DefRow(c)] = true
	}
	var det []model.Seg
	for row := range rowsOf(m, b.Det) {
		if !wide[row.row()] {
			det = extend(det, m.Seg(row.row()))
		}
	}
	for _, c := range k.wide {
		up := k.upwards(c)
		k.up, k.clear = append(k.up, up), append(k.clear, cellsAround(m, up))
	}
	k.block = m.NewBlock(slices.Concat(cells, k.wide), det, runsOf(m, stoch))
	return k
}

// reach tells the variables that cells depend on, the cells of many counted after the nodes.
func (k *curvature) reach(det []model.Seg) func(cells []int32) []int32 {
	of := map[int32][]int32{}
	for j, c := range k.cells {
		of[c] = []int32{int32(j)}
	}
	union := func(cells []int32) (all []int32) {
		for _, c := range cells {
			all = append(all, of[c]...)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	for row := range rowsOf(k.m, det) {
		all := union(parents(k.m, row.row()))
		for _, c := range row.out {
			if len(row.out) == 1 && (len(all) > mostNear || len(all) > leastMany && model.Count(k.m.Children(c)) > leastMany) {
				of[c] = []int32{int32(len(k.cells) + len(k.wide))}
				k.wide = append(k.wide, c)
				continue
			}
			of[c] = all
		}
	}
	return union
}

// upwards are the logical rows between the nodes and a cell, in order.
func (k *curvature) upwards(c int32) (segs []model.Seg) {
	in := map[int32]bool{}
	ancestors(k.m, []int32{c}, func(c int32) bool {
		if k.m.Kinds[c] != model.Logical {
			return false
		}
		in[k.m.DefRow(c)] = true
		return true
	})
	return only(k.m, k.around, in)
}

// pattern finds the matrix of the nodes, and which of them move at once.
func (k *curvature) pattern(cliques [][]int32) bool {
	n := int32(len(k.cells))
	own := make([][]int32, 0, len(cliques)+len(k.cells))
	for _, c := range cliques {
		own = append(own, slices.DeleteFunc(slices.Clone(c), func(j int32) bool { return j >= n }))
	}
	for j := range n {
		own = append(own, []int32{j})
	}
	if k.q = sparse.New(int(n), own); k.q == nil {
		return false
	}
	adj := make([][]int32, n) // with the node itself
	for _, c := range own {
		for _, j := range c {
			adj[j] = append(adj[j], c...)
		}
	}
	thick := make([]bool, n)
	for j := range adj {
		slices.Sort(adj[j])
		adj[j] = slices.Compact(adj[j])
		thick[j] = len(adj[j]) > mostNear
		k.slots = append(k.slots, k.q.Slot(int32(j), int32(j)))
	}
	for j := range n {
		if !thick[j] {
			continue
		}
		d := denseNode{node: j}
		for _, i := range adj[j] {
			d.entries = append(d.entries, element{i, j, k.q.Slot(i, j), thick[i] && i != j})
		}
		k.dense = append(k.dense, d)
	}
	if len(k.dense)+len(k.wide) > mostDense {
		return false
	}
	k.paint(adj, thick)
	return true
}

// paint divides the nodes that are not near many into colours.
func (k *curvature) paint(adj [][]int32, thick []bool) {
	of, met := make([]int, len(adj)), []int{} // 1 + the node that a colour was last met by
	for j := range adj {
		if thick[j] {
			continue
		}
		for _, i := range adj[j] {
			if thick[i] {
				continue
			}
			for _, l := range adj[i] {
				if c := of[l]; c > 0 {
					met[c-1] = j + 1
				}
			}
		}
		c := slices.IndexFunc(met, func(by int) bool { return by != j+1 })
		if c < 0 {
			c = len(met)
			met, k.colours = append(met, 0), append(k.colours, colour{})
		}
		of[j] = c + 1
		k.colours[c].nodes = append(k.colours[c].nodes, int32(j))
		for _, i := range adj[j] {
			if !thick[i] {
				k.colours[c].entries = append(k.colours[c].entries, element{i, int32(j), k.q.Slot(i, int32(j)), int(i) != j})
			}
		}
	}
}

// curvatures is one with the memory of a chain: the sums of what it has been at some points.
type curvatures struct {
	*curvature
	density *model.Evaluator
	q       *sparse.Sym // of the chain
	count   float64
	sum     []float64 // of the matrix of the nodes
	cross   []float64 // of the derivatives by a node and a cell of many, by cells
	beside  []float64 // by two cells

	old, step   []float64
	ahead, back []float64

	// What factor finds: T stretches along orthonormal vectors, too.
	vectors, stretch                 []float64
	a, b, basis, small, values, work []float64
}

func (k *curvature) forChain() *curvatures {
	n, w := len(k.cells), len(k.wide)
	f := func(n int) []float64 { return make([]float64, n) }
	return &curvatures{curvature: k, density: k.block.NewEvaluator(), q: k.q.Clone(), sum: f(len(k.q.Val)), cross: f(n * w), beside: f(w * w),
		old: f(n), step: f(n), ahead: f(n + w), back: f(n + w),
		vectors: f(2 * w * n), stretch: make([]float64, 0, 2*w), a: f(w * n), b: f(w * n), basis: f(2 * w * n), small: f(4 * w * w), values: f(2 * w), work: f(2 * w)}
}

func (k *curvatures) begin() {
	k.count = 0
	clear(k.sum)
	clear(k.cross)
	clear(k.beside)
}

const (
	curveStep  = 1e-4 // of a difference, in standard deviations of a node's prior
	curveRidge = 1e-3 // first share by which the diagonal is raised where the mean is not positive definite
)

// add counts the curvature at a state by nodes that are scaled. It leaves the state as it was, logical cells aside that depend on the nodes. It tells how many gradients that took.
func (k *curvatures) add(s *model.State, scale []float64) (evals int) {
	k.density.Prepare(s)
	for j, c := range k.cells {
		k.old[j] = s.V[c]
		k.step[j] = float64(curveStep * max(1, math.Abs(s.V[c])))
		if t := k.taus[j]; t >= 0 && s.V[t] > 0 {
			k.step[j] = min(k.step[j], curveStep/math.Sqrt(s.V[t]))
		}
	}
	n := len(k.cells)
	k.count++
	for i := range k.colours {
		c := &k.colours[i]
		if evals += 2; !k.difference(s, func(by float64) {
			for _, j := range c.nodes {
				s.V[k.cells[j]] = k.old[j] + float64(by*k.step[j])
			}
		}) {
			continue
		}
		for _, e := range c.entries {
			k.collect(&e, scale)
		}
	}
	for i := range k.dense {
		d := &k.dense[i]
		if evals += 2; !k.difference(s, func(by float64) { s.V[k.cells[d.node]] = k.old[d.node] + float64(by*k.step[d.node]) }) {
			continue
		}
		for _, e := range d.entries {
			k.collect(&e, scale)
		}
	}
	for w, c := range k.wide {
		was := s.V[c]
		h := float64(curveStep * max(1, math.Abs(was)))
		if evals += 2; !k.difference(s, func(by float64) { s.V[c] = was + float64(by*h) }) {
			continue
		}
		for j := range n {
			k.cross[w*n+j] += float64((k.back[j] - k.ahead[j]) / (2 * h) * scale[j])
		}
		for v := range k.wide {
			k.beside[w*len(k.wide)+v] += (k.back[n+v] - k.ahead[n+v]) / (2 * h)
		}
	}
	return evals
}

// difference fills ahead and back with the gradients a step further and a step back, and moves back; false where one is not finite.
func (k *curvatures) difference(s *model.State, move func(by float64)) bool {
	ok := true
	for _, side := range []struct {
		by float64
		to []float64
	}{{1, k.ahead}, {-1, k.back}} {
		move(side.by)
		ok = ok && vec.Finite(k.density.ValueGradient(s))
		for j, c := range k.cells {
			side.to[j] = s.A[c]
		}
		for j, c := range k.wide {
			side.to[len(k.cells)+j] = s.A[c]
		}
	}
	move(0)
	return ok
}

func (k *curvatures) collect(e *element, scale []float64) {
	v := float64((k.back[e.row] - k.ahead[e.row]) / (2 * k.step[e.node]) * float64(scale[e.row]*scale[e.node]))
	if e.half {
		v *= 0.5
	}
	if vec.Finite(v) {
		k.sum[e.slot] += v
	}
}

// factor finds T, with T Tᵀ the inverse of the mean, the diagonal raised where it is not positive definite; false where that does not help.
func (k *curvatures) factor(s *model.State) bool {
	if k.count == 0 {
		return false
	}
	for i, v := range k.sum {
		k.q.Val[i] = v / k.count
	}
	for ridge := curveRidge; !k.q.Factor(); ridge *= 10 {
		if ridge > 1 {
			return false
		}
		for _, at := range k.slots {
			k.q.Val[at] += float64(ridge * math.Abs(k.q.Val[at]))
		}
	}
	k.through(s)
	return true
}

// through finds the directions in which T stretches because of cells of many: with A the derivatives of these by the nodes, B the curvature by nodes and cells, C that by cells, what the
// matrix of the nodes misses is A Bᵀ + B Aᵀ + A C Aᵀ.
func (k *curvatures) through(s *model.State) {
	n, w := len(k.cells), len(k.wide)
	k.stretch = k.stretch[:0]
	if w == 0 {
		return
	}
	part := func(x []float64, i int) []float64 { return x[i*n : (i+1)*n] }
	d := 0
	for i := range w {
		a, b := part(k.a, i), part(k.b, i)
		k.slopes(s, i, a)
		k.q.Gather(a, a)
		columns.MulScalar(b, part(k.cross, i), 1/k.count)
		k.q.Gather(b, b)
		d = k.orthonormal(d, a)
		d = k.orthonormal(d, b)
	}
	m := k.small[:d*d]
	for i := range d {
		for j := range d {
			ei, ej := part(k.basis, i), part(k.basis, j)
			sum := 0.0
			if i == j {
				sum = 1
			}
			for v := range w {
				ai, aj := columns.Dot(ei, part(k.a, v)), columns.Dot(ej, part(k.a, v))
				sum += float64(ai*columns.Dot(ej, part(k.b, v))) + float64(aj*columns.Dot(ei, part(k.b, v)))
				for u := range w {
					c := float64(0.5 / k.count * (k.beside[v*w+u] + k.beside[u*w+v]))
					sum += float64(float64(ai*c) * columns.Dot(ej, part(k.a, u)))
				}
			}
			m[j*d+i] = sum
		}
	}
	if !vec.Finite(columns.Sum(m)) || !columns.Eigen(k.values[:d], m, k.work[:d], d) {
		return
	}
	for j, v := range k.values[:d] {
		x := part(k.vectors, j)
		clear(x)
		for i := range d {
			columns.AddScaled(x, part(k.basis, i), m[j*d+i])
		}
		k.stretch = append(k.stretch, 1/math.Sqrt(max(v, leastCurve)))
	}
}

// leastCurve bounds a curvature in units of that without cells of many.
const leastCurve = 1e-8

// orthonormal adds what is new in a vector to an orthonormal basis of d.
func (k *curvatures) orthonormal(d int, x []float64) int {
	n := len(x)
	to := k.basis[d*n : (d+1)*n]
	copy(to, x)
	was := math.Sqrt(columns.Dot(x, x))
	for range 2 {
		for i := range d {
			v := k.basis[i*n : (i+1)*n]
			columns.AddScaled(to, v, -columns.Dot(v, to))
		}
	}
	norm := math.Sqrt(columns.Dot(to, to))
	if !(norm > newDirection*was) || !vec.Finite(norm) {
		return d
	}
	columns.MulScalar(to, to, 1/norm)
	return d + 1
}

// newDirection is how much of a vector must be new.
const newDirection = 1e-9

// slopes writes the derivatives of a cell of many by the nodes.
func (k *curvatures) slopes(s *model.State, w int, to []float64) {
	for _, c := range k.clear[w] {
		s.A[c] = 0
	}
	for _, c := range k.cells {
		s.A[c] = 0
	}
	s.A[k.wide[w]] = 1
	s.Pull(k.up[w])
	for j, c := range k.cells {
		to[j] = s.A[c]
	}
}

// along multiplies what numbers have along the vectors.
func (k *curvatures) along(u []float64, inverse bool) {
	n := len(u)
	for i, by := range k.stretch {
		if inverse {
			by = 1 / by
		}
		v := k.vectors[i*n : (i+1)*n]
		columns.AddScaled(u, v, float64((by-1)*columns.Dot(v, u)))
	}
}

// spread writes T z, whiten z, and gather takes derivatives by T z to those by z.
func (k *curvatures) spread(x, z []float64) {
	copy(x, z)
	k.along(x, false)
	k.q.Spread(x, x)
}

func (k *curvatures) whiten(z, x []float64) {
	k.q.Whiten(z, x)
	k.along(z, true)
}

func (k *curvatures) gather(g []float64) {
	k.q.Gather(g, g)
	k.along(g, false)
}

// solve writes T Tᵀ g.
func (k *curvatures) solve(x, g []float64) {
	copy(x, g)
	k.gather(x)
	k.along(x, false)
	k.q.Spread(x, x)
}

// logDet is that of T.
func (k *curvatures) logDet() float64 {
	p := vec.NewLogProduct()
	for _, d := range k.q.Pivots() {
		p.Times(d)
	}
	sum := float64(-0.5 * p.Log())
	for _, by := range k.stretch {
		sum += vec.Log(by)
	}
	return sum
}

// cellsAround are those that rows read and write.
func cellsAround(m *model.Model, segs []model.Seg) (cells []int32) {
	for k := range rowsOf(m, segs) {
		cells = append(cells, k.out...)
		m.Parents(k.row(), func(c int32) { cells = append(cells, c) })
	}
	slices.Sort(cells)
	return slices.Compact(cells)
}
