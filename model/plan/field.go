package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// field are all normal nodes of a block that has random walks, autoregressions or maps among them: nodes whose means are others of their relation. They are functions of numbers z, and of their precisions τ, by
//
//	x = c + (τ/τ₀)^(−k/2) T z,
//
// where warm-up learns c, the means, and T, with T Tᵀ the inverse of the mean curvature of the log density ([curvature]), sparse as the nodes' graph is: z is near a standard normal vector, however
// long the walk, and trajectories are as short as there. (A metric would have to learn a direction for each wave of a walk.) Nodes move with the scale τ^(−½) that their prior gives them as far as data leave them to it: with
// k between 0 and 1, for all nodes of one precision, such that the derivative of the log density by log τ at z, whose mean square is the information that z leaves on τ, is as small as can be. With
//
//	a = ½ Σ (1 − τ (x − μ)²) and b = ½ Σ (1 + (x − c) ∂log p/∂x)
//
// it is a − k b, and so k = E ab / E b² (between the centred form and that of Papaspiliopoulos, Roberts and Sköld 2003, for a scale).
type field struct {
	nodes  []fieldNode
	scales []fieldScale
	curve  *curvature
	path   []int32 // the nodes' rows and the logical ones above their means and precisions, in order

	c, half []float64 // half is −k/2
	known   bool      // T is not the identity
	at      *curvatures
	learnt  fieldSums
	stage   int
	from    int // iteration that the present coordinates are used from

	z, slope, score []float64
}

// fieldNode is a normal node with its mean and precision; scale is the number of the latter, −1 where it stands still or depends on the nodes.
type fieldNode struct {
	cell, mu, tau int32
	scale         int
}

// fieldScale is a precision that moves.
type fieldScale struct {
	tau   int32
	nodes []int32
	k, at float64 // k, and log τ₀
}

// fieldSums are those over the steps of a stage.
type fieldSums struct {
	n      float64
	c      []float64
	at     []float64 // log τ
	ab, bb []float64
}

const (
	leastWalk  = 20  // nodes with others of their relation in their means
	leastScale = 0.1 // k below which none is taken
	curvesEach = 8   // points of a stage at which the curvature is taken
	leastSeen  = 5   // points of a stage that tell of means
	leastPairs = 40  // and of k,
	pairsFrom  = 3   // the stage from which on they tell of it
)

// fieldStages are the ends of the stages as shares of the warm-up. What the last has learnt stays.
func fieldStages() []float64 { return []float64{0.01, 0.03, 0.07, 0.15, 0.3, 0.5} }

// newField finds the nodes; nil where there is no walk, or where bounds of others depend on the nodes.
func newField(w *bounder, rows []int32) *field {
	f, in := &field{}, map[int32]bool{}
	walks := 0
	for _, row := range rows {
		t, i := w.m.TemplateOf(row)
		if t.Stoch.Name != "dnorm" || t.Stoch.Truncated() {
			continue
		}
		k := w.at[t.Cells(i)[0]]
		n := &w.nodes[k]
		if !n.fixed() || n.low.isFinite() || n.high.isFinite() {
			continue
		}
		if slices.ContainsFunc(w.from(t.Operands(i)[0]), func(k int32) bool { o, _ := w.m.TemplateOf(w.m.DefRow(w.nodes[k].cell)); return o == t }) {
			walks++
		}
		in[k] = true
		f.nodes = append(f.nodes, fieldNode{cell: n.cell, mu: t.Operands(i)[0], tau: t.Operands(i)[1], scale: -1})
	}
	if walks < leastWalk || len(f.nodes) > mostEffects {
		return nil
	}
	for k := range w.nodes {
		if !in[int32(k)] && slices.ContainsFunc(w.after[k], func(b int32) bool { return in[b] }) {
			return nil
		}
	}
	slices.SortFunc(f.nodes, func(a, b fieldNode) int { return int(a.cell) - int(b.cell) })
	cells, taus := make([]int32, len(f.nodes)), make([]int32, len(f.nodes))
	of := map[int32]int{}
	for j := range f.nodes {
		n := &f.nodes[j]
		cells[j], taus[j] = n.cell, n.tau
		from := w.from(n.tau)
		if len(from) == 0 || slices.ContainsFunc(from, func(k int32) bool { return in[k] }) {
			continue
		}
		k, ok := of[n.tau]
		if !ok {
			k = len(f.scales)
			of[n.tau] = k
			f.scales = append(f.scales, fieldScale{tau: n.tau})
		}
		n.scale = k
		f.scales[k].nodes = append(f.scales[k].nodes, int32(j))
	}
	if f.curve = newCurvature(w.m, cells, taus); f.curve == nil {
		return nil
	}
	for k := range in {
		w.nodes[k].effect = nil
	}
	for _, n := range f.nodes {
		w.nodes[w.at[n.cell]].inField = true
	}
	w.field = f
	f.findPath(w.m)
	return f
}

// findPath finds the rows that give the nodes the means and precisions of their priors, one after the other.
func (f *field) findPath(m *model.Model) {
	in := map[int32]bool{}
	var means []int32
	for _, n := range f.nodes {
		in[m.DefRow(n.cell)] = true
		means = append(means, n.mu, n.tau)
	}
	ancestors(m, means, func(c int32) bool {
		if m.Kinds[c] != model.Logical {
			return false
		}
		in[m.DefRow(c)] = true
		return true
	})
	for _, r := range m.Topological() {
		if in[r] {
			f.path = append(f.path, r)
		}
	}
}

func (f *field) size() int         { return len(f.nodes) }
func (f *field) owner(j int) int32 { return f.nodes[j].cell }

func (f *field) forChain() bijection {
	n, g := len(f.nodes), len(f.scales)
	v := func(n int) []float64 { return make([]float64, n) }
	c := &field{nodes: f.nodes, scales: slices.Clone(f.scales), curve: f.curve, path: f.path, at: f.curve.forChain(), c: v(n), half: v(n), z: v(n), slope: v(n), score: v(n)}
	columns.Fill(c.slope, 1)
	c.learnt = fieldSums{c: v(n), at: v(g), ab: v(g), bb: v(g)}
	return c
}

// scale fills slope with (τ/τ₀)^(−k/2), and tells the sum of the logarithms.
func (f *field) scale(s *model.State) (sum float64) {
	for i := range f.scales {
		g := &f.scales[i]
		if g.k == 0 {
			continue
		}
		l := -float64(0.5 * g.k * (vec.Log(s.V[g.tau]) - g.at))
		by := vec.Exp(l)
		for _, j := range g.nodes {
			f.slope[j] = by
		}
		sum += float64(l * float64(len(g.nodes)))
	}
	return sum
}

func (f *field) read(s *model.State, u []float64, _ *rand.Rand) {
	f.scale(s)
	for j, n := range f.nodes {
		f.z[j] = (s.V[n.cell] - f.c[j]) / f.slope[j]
	}
	if !f.known {
		copy(u, f.z)
		return
	}
	f.at.whiten(u, f.z)
}

func (f *field) place(s *model.State, u []float64) (logJacobian float64) {
	x := u
	if f.known {
		x = f.z
		f.at.spread(x, u)
	}
	logJacobian = f.scale(s)
	for j, n := range f.nodes {
		s.V[n.cell] = f.c[j] + float64(f.slope[j]*x[j])
	}
	return logJacobian
}

func (f *field) pull(s *model.State, _, grad []float64) {
	for j, n := range f.nodes {
		f.score[j] = s.A[n.cell]
	}
	columns.Mul(grad, f.score, f.slope)
	for i := range f.scales {
		g := &f.scales[i]
		if g.k == 0 {
			continue
		}
		sum := float64(len(g.nodes))
		for _, j := range g.nodes {
			sum += float64(f.score[j] * (s.V[f.nodes[j].cell] - f.c[j]))
		}
		s.A[g.tau] -= float64(0.5*g.k*sum) / s.V[g.tau]
	}
	if f.known {
		f.at.gather(grad)
	}
}

// watching tells whether a step is in a stage, and whether the curvature is to be taken.
func (f *field) watching(w mcmc.Warmup) (yes, curve bool) {
	if f == nil || f.stage >= len(fieldStages()) {
		return false, false
	}
	from := 0
	if f.stage > 0 {
		from = f.end(f.stage-1, w) + 1
	}
	length := f.end(f.stage, w) - from + 1
	every := max(1, length/curvesEach)
	return true, (w.Iteration-from)%every == every-1
}

func (f *field) end(stage int, w mcmc.Warmup) int {
	return int(fieldStages()[stage] * float64(w.Total))
}

// learn takes a point into account where all derivatives are known, and logical rows are up to date.
func (f *field) learn(s *model.State, curve bool) (evals int) {
	l := &f.learnt
	for _, n := range f.nodes {
		if !vec.Finite(s.V[n.cell]) {
			return 0
		}
	}
	l.n++
	for j, n := range f.nodes {
		l.c[j] += s.V[n.cell]
	}
	for i := range f.scales {
		g := &f.scales[i]
		l.at[i] += vec.Log(s.V[g.tau])
		a, b := float64(len(g.nodes)), float64(len(g.nodes))
		for _, j := range g.nodes {
			n := &f.nodes[j]
			d := s.V[n.cell] - s.V[n.mu]
			a -= float64(float64(d*d) * s.V[g.tau])
			b += float64(f.score[j] * (s.V[n.cell] - f.c[j]))
		}
		if vec.Finite(a) && vec.Finite(b) {
			l.ab[i] += float64(a * b)
			l.bb[i] += float64(b * b)
		}
	}
	if curve {
		evals = f.at.add(s, f.slope)
	}
	return evals
}

// settle ends a stage, and tells whether the numbers that stand for a state are others from now on.
func (f *field) settle(s *model.State, w mcmc.Warmup) (changed bool) {
	if f == nil || f.stage >= len(fieldStages()) || w.Iteration < f.end(f.stage, w) {
		return false
	}
	l := &f.learnt
	if f.at.factor(s) {
		changed, f.known, f.from = true, true, w.Iteration+1
		if l.n >= leastSeen {
			f.centre()
		}
	}
	f.stage++
	l.n = 0
	for _, x := range [][]float64{l.c, l.at, l.ab, l.bb} {
		clear(x)
	}
	f.at.begin()
	return changed
}

// centre takes means and k.
func (f *field) centre() {
	l := &f.learnt
	for j := range f.c {
		f.c[j] = l.c[j] / l.n
	}
	columns.Fill(f.slope, 1)
	for i := range f.scales {
		g := &f.scales[i]
		g.at = l.at[i] / l.n
		if l.n < leastPairs || f.stage < pairsFrom {
			continue
		}
		if g.k = min(l.ab[i]/l.bb[i], 1); !(g.k >= leastScale) {
			g.k = 0
		}
	}
}

const (
	climbSteps = 50
	climbGain  = 0.1
)

// climb draws the nodes from the normal density around where that given the others is highest. It looks from the means of their priors on, if the density is higher there than where they start: walks of the second
// order start far out, where the precision that fits them is far from that which fits the data. The highest place itself is no start: nodes there are so near their means that precisions without bound fit them.
func (f *field) climb(s *model.State, b *nuts, r *rand.Rand) (evals int) {
	at, best := f.score, s.LogProb(b.stoch)
	put := func(x []float64) float64 {
		for j, n := range f.nodes {
			s.V[n.cell] = x[j]
		}
		s.Run(b.det)
		return s.LogProb(b.stoch)
	}
	for j, n := range f.nodes {
		at[j] = s.V[n.cell]
	}
	for _, row := range f.path {
		t, i := s.M.TemplateOf(row)
		if t.Stoch == nil {
			s.RunRow(t, i)
		} else {
			s.V[t.Cells(i)[0]] = s.V[t.Operands(i)[0]]
		}
	}
	s.Run(b.det)
	if lp := s.LogProb(b.stoch); lp > best {
		best = lp
		for j, n := range f.nodes {
			at[j] = s.V[n.cell]
		}
	}
	best = put(at)
	ones := make([]float64, len(at))
	columns.Fill(ones, 1)
	b.density.Prepare(s)
	for range climbSteps {
		f.at.begin()
		evals += 1 + f.at.add(s, ones)
		put(at)
		if !f.at.factor(s) || !vec.Finite(b.density.ValueGradient(s)) {
			break
		}
		for j, n := range f.nodes {
			f.z[j] = s.A[n.cell]
		}
		f.at.solve(f.z, f.z)
		gain := 0.0
		for range 12 {
			columns.Add(f.slope, at, f.z)
			if gain = put(f.slope) - best; gain > 0 {
				copy(at, f.slope)
				best += gain
				break
			}
			columns.MulScalar(f.z, f.z, 0.5)
		}
		if !(gain > climbGain) {
			break
		}
	}
	f.at.begin()
	put(at)
	f.at.add(s, ones)
	put(at)
	if f.at.factor(s) {
		for j := range f.z {
			f.z[j] = dist.StdNormal(r)
		}
		f.at.spread(f.slope, f.z)
		columns.Add(f.slope, f.slope, at)
		if lp := put(f.slope); !vec.Finite(lp) {
			put(at)
		}
		f.known = true
		copy(f.c, at)
		for i := range f.scales {
			if g := &f.scales[i]; s.V[g.tau] > 0 {
				g.k, g.at = 1, vec.Log(s.V[g.tau])
			}
		}
	}
	columns.Fill(f.slope, 1)
	f.at.begin()
	return evals
}

// numbers are all that has been learnt, but for what follows from it.
func (f *field) numbers(stage, from, known *float64) (all []*float64) {
	all = append(all, stage, from, known, &f.learnt.n, &f.at.count)
	for i := range f.scales {
		all = append(all, &f.scales[i].k, &f.scales[i].at)
	}
	l, k := &f.learnt, f.at
	for _, x := range [][]float64{f.c, l.c, l.at, l.ab, l.bb, k.sum, k.cross, k.beside, k.q.Val, k.stretch[:cap(k.stretch)], k.vectors} {
		for j := range x {
			all = append(all, &x[j])
		}
	}
	return all
}

func (f *field) marshal() []byte {
	stage, from, known := float64(f.stage), float64(f.from), -1.0
	if f.known {
		known = float64(len(f.at.stretch))
	}
	return putFields(f.numbers(&stage, &from, &known))
}

// unmarshal is the inverse of marshal, and gives what follows.
func (f *field) unmarshal(b []byte) (rest []byte, err error) {
	var stage, from, known float64
	to := f.numbers(&stage, &from, &known)
	n := 8 * len(to)
	if len(b) < n {
		return nil, errTuning
	}
	if err := getFloats(b[:n], to...); err != nil {
		return nil, err
	}
	if !(known <= float64(cap(f.at.stretch))) {
		return nil, errTuning
	}
	if f.stage, f.from, f.known = int(stage), int(from), known >= 0; f.known {
		f.at.stretch = f.at.stretch[:int(known)]
		if !f.at.q.Factor() {
			return nil, errTuning
		}
	}
	columns.Fill(f.slope, 1)
	return b[n:], nil
}
