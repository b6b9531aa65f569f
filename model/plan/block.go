package plan

import (
	"encoding/binary"
	"slices"
	"sort"
	"sync"

	"github.com/ergodic-mcmc/ergodic/internal/sparse"
	"github.com/ergodic-mcmc/ergodic/model"
)

// block is a set of normal nodes that are moved together: their children are
// normal with means linear in them, or depend on them through one linear
// predictor each. The full conditional is a Gaussian with a sparse precision
// (Rue 2001), or is approximated by one (Gamerman 1997) and corrected by a
// Metropolis–Hastings step.
type block struct {
	m     *model.Model
	cells []int32
	rows  []int32 // stochastic rows of the members
	det   []model.Seg

	gauss   []gaussRow
	preds   []predictor
	jac     *model.Jacobian
	varying bool
	spread  bool        // members change nothing but precisions of normal children
	squares *logSquares // these, in a block of blockVolatility
	fixed   *sync.Once  // computes val of all copies, where slopes never change

	q     *sparse.Sym
	slots []int32 // places in q of the products of a row's pairs
	idx   []int32 // members of each row
	val   []float64
	sums  []tauSum // Σ ddᵀ of the rows that share a precision, when slopes are fixed
}

// gaussRow is a normal (or lognormal) row: its residual y − μ is linear in the
// members, with derivatives val[lo:hi] along idx[lo:hi].
type gaussRow struct {
	y, mu, tau int32
	log        bool
	lo, hi     int32
	slot       int32
	pos        int32 // place of μ in the Jacobian, −1 where the members do not change it
	self       int32 // member whose prior the row is, −1 otherwise
}

// predictor is an affine cell through which children depend on the members.
type predictor struct {
	eta    int32
	pos    int32 // its place in the Jacobian
	lo, hi int32
	slot   int32
	family family
	kids   []child
	path   []model.Seg
}

type tauSum struct {
	tau int32
	s   []float64
}

// maxBlockRows bounds the rows of a block: beyond it the derivatives' index
// would outweigh the model.
const maxBlockRows = 300_000

// Kernels of blocks: exact ones, and those that approximate.
const (
	blockNormal = "block-normal"
	blockGLM    = "block-glm"
)

// blocks covers normal nodes that children connect.
func blocks(p *planner, rows []int32) {
	for _, b := range findBlocks(p.Model, rows) {
		p.blocks = append(p.blocks, len(p.Items))
		p.add(b.item(p.byComponents(b)))
	}
	p.apart = p.open(nil)
}

// findBlocks groups normal nodes. Nodes of one relation stay together; relations
// are added while the children allow it, and the result is cut into parts that
// no child connects. Two relations whose product enters a predictor, such as slopes and
// covariates, exclude each other: the larger comes first, unless it is there for values
// missing among data. Those share little with one another and with the intercept, which the
// data pin, and slopes and intercept much.
func findBlocks(m *model.Model, rows []int32) []*block {
	groups := map[*model.Template][]int32{}
	var order []*model.Template
	for _, r := range rows {
		t, _ := m.TemplateOf(r)
		if t.Stoch.Name != "dnorm" || t.Stoch.Truncated() {
			continue
		}
		if groups[t] == nil {
			order = append(order, t)
		}
		groups[t] = append(groups[t], r)
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := order[a], order[b]
		if p := partlyObserved(m, x); p != partlyObserved(m, y) {
			return !p
		}
		return len(groups[x]) > len(groups[y])
	})
	var out []*block
	order = slices.DeleteFunc(order, func(t *model.Template) bool { return !eligible(m, groups[t]) })
	for len(order) > 0 {
		cur, left := together(m, order, groups)
		out = append(out, components(m, cur)...)
		order = left
	}
	return out
}

// partlyObserved tells a relation with data for some of its nodes.
func partlyObserved(m *model.Model, t *model.Template) bool {
	for i := range t.Rows {
		if m.Kinds[t.Cells(i)[0]] == model.Observed {
			return true
		}
	}
	return false
}

// together adds relations to the first as long as the children allow it; left
// are the others. As many are tried at once as have gone well before, so that
// thousands of relations cost little more than one look at all of them.
func together(m *model.Model, order []*model.Template, groups map[*model.Template][]int32) (cur []int32, left []*model.Template) {
	for step := 1; len(order) > 0; {
		step = min(step, len(order))
		try := cur[:len(cur):len(cur)]
		for _, t := range order[:step] {
			try = append(try, groups[t]...)
		}
		switch {
		case len(cur) == 0 && step == 1 || eligible(m, try): // each alone is
			cur, order = try, order[step:]
			step *= 2
		case step > 1:
			step /= 2
		default:
			left, order = append(left, order[0]), order[1:]
		}
	}
	return cur, left
}

func cellsOf(m *model.Model, rows []int32) []int32 {
	cells := make([]int32, len(rows))
	for k, r := range rows {
		t, i := m.TemplateOf(r)
		cells[k] = t.Cells(i)[0]
	}
	return cells
}

func eligible(m *model.Model, rows []int32) bool {
	st, ok := newStructure(m, rows)
	return ok && st.pays(m)
}

// Factoring the precision has to cost less than this many evaluations of the
// rows it would spare: crossed effects can fill the factor.
const payFactor = 30

// pays compares the factor's cost with that of visiting the members' rows one
// member at a time.
func (st *structure) pays(m *model.Model) bool {
	if len(st.cells) < 100 {
		return true
	}
	jac := m.NewJacobian(&st.b, st.forms)
	var cliques [][]int32
	touched := 0
	for k := range st.gauss {
		cliques = append(cliques, gaussMembers(jac, &st.gauss[k]))
		touched += len(cliques[k])
	}
	for _, e := range st.etas {
		idx, _ := jac.Row(e)
		cliques = append(cliques, idx)
		touched += len(idx) * len(st.preds[e])
	}
	q := sparse.New(len(st.cells), cliques)
	return q != nil && q.Flops() < payFactor*float64(touched)
}

// structure is what a set of members looks like to their children.
type structure struct {
	cells []int32
	b     model.Blanket
	forms *model.Forms
	gauss []child // rows with affine means, members' priors included
	preds map[int32][]child
	etas  []int32
}

func newStructure(m *model.Model, rows []int32) (*structure, bool) {
	st := &structure{cells: cellsOf(m, rows), preds: map[int32][]child{}}
	var ok bool
	if st.b, ok = m.BlanketWithin(st.cells, maxBlockRows); !ok {
		return nil, false
	}
	if model.Count(st.b.Stoch)+model.Count(st.b.Det) > maxBlockRows {
		return nil, false
	}
	st.forms = m.Forms(&st.b)
	for k := range rowsOf(m, st.b.Stoch) {
		if !st.adopt(m, k) {
			return nil, false
		}
	}
	for _, r := range rows {
		t, i := m.TemplateOf(r)
		if !contains(m, st.b.Stoch, r) && !st.adopt(m, child{t: t, i: i, in: t.Operands(i), out: t.Cells(i)}) {
			return nil, false
		}
	}
	return st, true
}

// contains looks for a row in runs sorted by row.
func contains(m *model.Model, segs []model.Seg, row int32) bool {
	k := sort.Search(len(segs), func(k int) bool { return m.Templates[segs[k].T].First+segs[k].Hi > row })
	return k < len(segs) && m.Templates[segs[k].T].First+segs[k].Lo <= row
}

func (st *structure) adopt(m *model.Model, k child) bool {
	free := func(c int32) bool { return st.forms.At(c).Kind == model.Free }
	if free(k.out[0]) && !slices.ContainsFunc(k.in, func(c int32) bool { return !free(c) }) {
		return true // it reads another element of a vector of which the members change one
	}
	if n := k.t.Stoch.Name; (n == "dnorm" || n == "dlnorm") && !k.t.Stoch.Truncated() &&
		st.forms.At(k.in[0]).Kind != model.Curved && st.forms.At(k.in[1]).Kind == model.Free {
		st.gauss = append(st.gauss, k)
		return true
	}
	if st.forms.At(k.out[0]).Kind != model.Free {
		return false // a member with another prior
	}
	eta, ok := st.frontier(m, k)
	if !ok {
		return false
	}
	if st.preds[eta] == nil {
		st.etas = append(st.etas, eta)
	}
	st.preds[eta] = append(st.preds[eta], k)
	return true
}

// frontier finds the one affine cell behind all that the members change in a
// child's operands.
func (st *structure) frontier(m *model.Model, k child) (eta int32, ok bool) {
	eta = -1
	several := false
	ancestors(m, k.in, func(c int32) bool {
		switch st.forms.At(c).Kind {
		case model.Affine:
			several = several || eta >= 0 && eta != c
			eta = c
		case model.Curved:
			return true
		}
		return false
	})
	return eta, eta >= 0 && !several
}

// components cuts a set of members into parts that no row connects; parts of
// one member stay with single-site kernels.
func components(m *model.Model, rows []int32) []*block {
	st, _ := newStructure(m, rows)
	jac := m.NewJacobian(&st.b, st.forms)
	sets := newDisjoint(len(rows))
	join := func(idx []int32) {
		for _, k := range idx[1:] {
			sets.join(idx[0], k)
		}
	}
	// A cell that is one of several connects none of them with another: those of a mixture's components move by themselves.
	connect := func(cell int32, all []int32) {
		one := m.Alternatives(cell)
		if own, _ := jac.Row(cell); one == nil || len(all) > len(own) {
			join(all)
			return
		}
		for _, c := range one {
			if idx, _ := jac.Row(c); len(idx) > 0 {
				join(idx)
			}
		}
	}
	for _, g := range st.gauss {
		connect(g.in[0], gaussMembers(jac, &g))
	}
	for _, e := range st.etas {
		idx, _ := jac.Row(e)
		connect(e, idx)
	}
	var out []*block
	parts, _ := sets.parts(rows)
	for _, part := range parts {
		if len(part) > 1 {
			if b := newBlock(m, part); b != nil {
				out = append(out, b)
			}
		}
	}
	return out
}

// item remembers the block's rows; the first chain builds the rest for all. Squares are those of a block whose proposals come from a mixture.
func (b *block) item(squares *logSquares) Item {
	m, rows := b.m, b.rows
	once := sync.OnceValue(func() *block {
		b := newBlock(m, rows)
		b.val, b.squares = make([]float64, len(b.idx)), squares
		return b
	})
	if len(b.preds) == 0 {
		return Item{Kernel: blockNormal, Rows: rows, make: func([]kernel) kernel { return newGaussBlock(once().own()) }}
	}
	name := blockGLM
	if squares != nil {
		name = blockVolatility
	}
	return Item{Kernel: name, Rows: rows, squares: squares, make: func([]kernel) kernel { return newGLMBlock(once().own()) }}
}

// gaussMembers are the members in a normal row's residual: those of its mean,
// and the node itself if it is one.
func gaussMembers(jac *model.Jacobian, k *child) []int32 {
	idx, _ := jac.Row(k.in[0])
	idx = append([]int32(nil), idx...)
	if p, ok := jac.Pos(k.out[0]); ok {
		idx = append(idx, jac.Idx[jac.Ptr[p]])
	}
	return idx
}

func newBlock(m *model.Model, rows []int32) *block {
	st, ok := newStructure(m, rows)
	if !ok {
		return nil
	}
	b := &block{m: m, cells: st.cells, rows: rows, det: st.b.Det, jac: m.NewJacobian(&st.b, st.forms), fixed: new(sync.Once)}
	cliques := make([][]int32, 0, len(st.gauss)+len(st.etas))
	n := 0
	for _, k := range st.gauss {
		n += len(gaussMembers(b.jac, &k))
	}
	for _, e := range st.etas {
		idx, _ := b.jac.Row(e)
		n += len(idx)
	}
	b.idx = make([]int32, 0, n)
	add := func(idx []int32) (lo, hi int32) {
		lo = int32(len(b.idx))
		b.idx = append(b.idx, idx...)
		cliques = append(cliques, idx)
		return lo, int32(len(b.idx))
	}
	for _, k := range st.gauss {
		g := gaussRow{y: k.out[0], mu: k.in[0], tau: k.in[1], log: k.t.Stoch.Name == "dlnorm", pos: -1, self: -1}
		if p, ok := b.jac.Pos(g.y); ok {
			g.self = b.jac.Idx[b.jac.Ptr[p]]
		}
		if p, ok := b.jac.Pos(g.mu); ok {
			g.pos = p
		}
		g.lo, g.hi = add(gaussMembers(b.jac, &k))
		b.varying = b.varying || st.forms.At(g.mu).Varying
		b.gauss = append(b.gauss, g)
	}
	for _, e := range st.etas {
		p := predictor{eta: e, kids: st.preds[e]}
		p.pos, _ = b.jac.Pos(e)
		idx, _ := b.jac.Row(e)
		p.lo, p.hi = add(idx)
		p.path = pathOf(m, e, st)
		p.family = familyOf(m, &p, st.forms)
		b.varying = b.varying || st.forms.At(e).Varying
		b.preds = append(b.preds, p)
	}
	b.spread = b.spreads(st.forms)
	if b.q = sparse.New(len(rows), cliques); b.q == nil {
		return nil
	}
	b.place()
	return b
}

// pathOf are the logical rows between a predictor and its children.
func pathOf(m *model.Model, eta int32, st *structure) []model.Seg {
	all := m.Blanket([]int32{eta})
	var out []model.Seg
	for _, g := range all.Det {
		t := m.Templates[g.T]
		for i := g.Lo; i < g.Hi; i++ {
			curved := false
			for _, o := range t.Cells(int(i)) {
				curved = curved || st.forms.At(o).Kind == model.Curved
			}
			if !curved {
				continue
			}
			if n := len(out); n > 0 && out[n-1].T == g.T && out[n-1].Hi == i && i > g.Lo {
				out[n-1].Hi++
			} else {
				out = append(out, model.Seg{T: g.T, Lo: i, Hi: i + 1})
			}
		}
	}
	return out
}

// place finds where each row's products go in the precision. Rows with the
// same members share one list.
func (b *block) place() {
	known := map[string]int32{}
	var key []byte
	slot := func(lo, hi int32) int32 {
		idx := b.idx[lo:hi]
		key = key[:0]
		for _, k := range idx {
			key = binary.LittleEndian.AppendUint32(key, uint32(k))
		}
		if s, ok := known[string(key)]; ok {
			return s
		}
		s := int32(len(b.slots))
		known[string(key)] = s
		for x, i := range idx {
			for _, j := range idx[:x+1] {
				b.slots = append(b.slots, b.q.Slot(i, j))
			}
		}
		return s
	}
	for k := range b.gauss {
		b.gauss[k].slot = slot(b.gauss[k].lo, b.gauss[k].hi)
	}
	for k := range b.preds {
		b.preds[k].slot = slot(b.preds[k].lo, b.preds[k].hi)
	}
}

// own is a copy of the block with values of its own. Slopes that never change it shares.
func (b *block) own() *block {
	c := *b
	c.q = b.q.Clone()
	if b.varying {
		j := *b.jac
		j.Val = slices.Clone(b.jac.Val)
		c.jac = &j
		c.jac.Detach()
		c.val = make([]float64, len(b.val))
	}
	return &c
}
