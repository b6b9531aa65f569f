package plan

import (
	"iter"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// node is an unobserved stochastic row with its Markov blanket.
type node struct {
	m     *model.Model
	t     *model.Template
	i     int
	row   int32
	cells []int32
	b     model.Blanket
	self  []model.Seg
	forms *model.Forms
	marg  []marginal          // children integrated out; b.Stoch is without them
	asked map[int32]*Override // by the rows that they name: no other node's kernel moves these

	data  []model.Seg // of a node that is tempered: the children that are data, which b.Stoch is then without
	power float64     // to which their density is raised

	guards *model.Guards // of a node of one kernel of one chain
	now    model.Blanket // the part of the blanket that depends on the node as indices now stand
}

// child is a stochastic row whose density depends on the node.
type child struct {
	t   *model.Template
	i   int
	in  []int32
	out []int32
}

func (k *child) row() int32 { return k.t.First + int32(k.i) }

// rowsOf are the rows of runs.
func rowsOf(m *model.Model, segs []model.Seg) iter.Seq[child] {
	return func(yield func(child) bool) {
		for _, g := range segs {
			t := m.Templates[g.T]
			for i := int(g.Lo); i < int(g.Hi); i++ {
				if !yield(child{t: t, i: i, in: t.Operands(i), out: t.Cells(i)}) {
					return
				}
			}
		}
	}
}

// densitiesOf are the rows whose density depends on a node: its own and its children.
func densitiesOf(m *model.Model, row int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if !yield(row) {
			return
		}
		t, i := m.TemplateOf(row)
		for k := range rowsOf(m, m.Densities(t.Cells(i))) {
			if !yield(k.row()) {
				return
			}
		}
	}
}

// anyDensity tells whether one of the densities that depend on some nodes is wanted.
func anyDensity(m *model.Model, rows []int32, wanted func(density int32) bool) bool {
	for _, r := range rows {
		for d := range densitiesOf(m, r) {
			if wanted(d) {
				return true
			}
		}
	}
	return false
}

func newNode(m *model.Model, row int32) *node {
	t, i := m.TemplateOf(row)
	n := &node{m: m, t: t, i: i, row: row, cells: t.Cells(i)}
	n.b = m.Blanket(n.cells)
	n.self = []model.Seg{m.Seg(row)}
	return n
}

// guarded is the node for one kernel of one chain, which calls begin at the beginning of its steps and evaluates only rows that then depend on the node.
func (n *node) guarded() *node {
	g := n.m.Guards(&n.b)
	if g == nil {
		return n
	}
	own := *n
	own.guards = g
	return &own
}

// begin finds the rows that depend on a guarded node.
func (n *node) begin(s *model.State) {
	if n.guards != nil {
		n.guards.Now(s, &n.now)
	}
}

// det and stoch are the blanket's rows that depend on the node.
func (n *node) det() []model.Seg {
	if n.guards != nil {
		return n.now.Det
	}
	return n.b.Det
}

func (n *node) stoch() []model.Seg {
	if n.guards != nil {
		return n.now.Stoch
	}
	return n.b.Stoch
}

// analyse fills in what only the search for a conjugate kernel needs.
func (n *node) analyse() {
	if n.forms == nil {
		n.forms = n.m.Forms(&n.b)
	}
}

// kids are the stochastic rows whose density depends on the node. The blanket may have more: rows
// that read another element of a vector of which the node changes one. Call analyse before.
func (n *node) kids() iter.Seq[child] {
	return func(yield func(child) bool) {
		for k := range rowsOf(n.m, n.b.Stoch) {
			if n.moves(k.in) && !yield(k) {
				return
			}
		}
	}
}

// hasOther tells whether the node surely has a child of another kind than a kernel takes, by the relations alone: forms take longer. Where logical rows give one number each, all rows
// of the blanket depend on the node.
func (n *node) hasOther(takes func(st *model.Stoch) bool) bool {
	of := func(g model.Seg) *model.Template { return n.m.Templates[g.T] }
	return !slices.ContainsFunc(n.b.Det, func(g model.Seg) bool { return of(g).NOut > 1 }) &&
		slices.ContainsFunc(n.b.Stoch, func(g model.Seg) bool { return !takes(of(g).Stoch) })
}

func (n *node) form(c int32) model.Form { return n.forms.At(c) }

func (n *node) dist() string { return n.t.Stoch.Name }

func (n *node) scalar() bool { return len(n.cells) == 1 }

// only tells whether, of all operands of the child, the node touches only
// those from operand lo to operand hi−1.
func (n *node) only(k *child, lo, hi int) bool {
	for j, c := range k.in {
		if (j < lo || j >= hi) && n.form(c).Kind != model.Free {
			return false
		}
	}
	return true
}

// moves tells whether one of the cells depends on the node.
func (n *node) moves(cells []int32) bool {
	return slices.ContainsFunc(cells, func(c int32) bool { return n.form(c).Kind != model.Free })
}

// bounds are the cells of T(,).
func (n *node) bounds() []int32 { return n.t.Operands(n.i)[n.t.Stoch.NPar():] }

// isInterval tells a dinterval child of the node's own value with fixed-form
// cut points, which only cuts the node's support.
func (n *node) isInterval(k *child) bool {
	return k.t.Stoch.Interval && k.in[0] == n.cells[0] && n.only(k, 0, 1)
}

// logProb is the log density of the node and its children at the current
// point, after the blanket's logical rows have been run.
func (n *node) logProb(s *model.State) float64 {
	return n.logProbFrom(s, s.LogProb(n.self))
}

// logProbFrom is logProb where the node's own log density lp is known.
func (n *node) logProbFrom(s *model.State, lp float64) float64 {
	if lp == math.Inf(-1) {
		return lp
	}
	for _, k := range n.marg {
		lp += k.evidenceAt(s)
	}
	if math.IsNaN(lp) {
		return math.Inf(-1)
	}
	return lp + n.below(s)
}

// below is the log density of the children.
func (n *node) below(s *model.State) float64 {
	lp := s.LogProb(n.stoch())
	if n.data == nil || n.power == 0 || lp == math.Inf(-1) {
		return lp
	}
	return lp + float64(n.power*s.LogProb(n.data))
}

// set moves a scalar node and brings its blanket up to date.
func (n *node) set(s *model.State, x float64) {
	s.V[n.cells[0]] = x
	s.Run(n.det())
}

// at is the conditional log density, up to a constant, at x.
func (n *node) at(s *model.State, x float64) float64 {
	n.set(s, x)
	return n.logProb(s)
}

// interval is the part of the line that dinterval children leave to the node.
func interval(s *model.State, kids []child) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	for _, k := range kids {
		y := int(s.V[k.out[0]])
		cuts := k.in[1:]
		if y > 0 {
			lo = max(lo, s.V[cuts[y-1]])
		}
		if y < len(cuts) {
			hi = min(hi, s.V[cuts[y]])
		}
	}
	return lo, hi
}

// ownBounds are the ends of T(,), or the whole line.
func ownBounds(s *model.State, n *node) (lo, hi float64) {
	st := n.t.Stoch
	in := n.t.Operands(n.i)
	lo, hi = math.Inf(-1), math.Inf(1)
	k := st.NPar()
	if st.HasLo {
		lo = s.V[in[k]]
		k++
	}
	if st.HasHi {
		hi = s.V[in[k]]
	}
	return lo, hi
}
