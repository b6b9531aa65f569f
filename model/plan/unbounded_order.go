package plan

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// bounder finds what bounds the nodes of a block, and in which order they can be placed. Bounds are those of the distribution (of dunif and dpar they
// are parameters) and of T(,), the cut points around what dinterval says to lie between them, and what other nodes have to leave room for: where a node of the density lies between
// bounds a and b, b is above a; and where other kernels move it, or it is data, a is below it.
//
// Bounds may be nodes of the block, or logical functions of them. These nodes must be placed before. The graph of the model has no cycles, but what
// dinterval and the children add could close one: a bound that would is left to the density, which is zero beyond it.
type bounder struct {
	m       *model.Model
	nodes   []bounded
	at      map[int32]int32 // which node a cell of the block is
	member  map[int32]bool  // rows of the block
	after   [][]int32       // the nodes that a node's bounds move with
	origins map[int32][]int32
	seen    []int32 // marks of the last walk over nodes
	stamp   int32
	known   map[by]bool
	own     bool          // bounds are the nodes' own, which close no cycle
	deep    map[int32]int // of the logical rows between
	field   *field
}

// by is a cell that bounds a node and does not move.
type by struct {
	end  *bound
	cell int32
}

func newBounder(m *model.Model, rows []int32) *bounder {
	w := &bounder{m: m, at: map[int32]int32{}, member: map[int32]bool{}, origins: map[int32][]int32{}, deep: map[int32]int{}, known: map[by]bool{}}
	for _, row := range rows {
		w.member[row] = true
		t, i := m.TemplateOf(row)
		for _, c := range t.Cells(i) {
			w.at[c] = int32(len(w.nodes))
			w.nodes = append(w.nodes, bounded{cell: c, placed: t.Stoch.Scalar != nil || everywhere(t.Stoch), low: bound{fixed: math.Inf(-1)}, high: bound{fixed: math.Inf(1)}, depth: unplaced})
		}
	}
	w.after, w.seen = make([][]int32, len(w.nodes)), make([]int32, len(w.nodes))
	for _, search := range []func(n *bounded, t *model.Template, i int){w.ownBounds, w.cutPoints, w.room, w.priors} {
		for _, row := range rows {
			if t, i := m.TemplateOf(row); t.Stoch.Scalar != nil {
				search(w.node(t.Cells(i)[0]), t, i)
			}
		}
	}
	for _, search := range []func(n *bounded, t *model.Template, i int){w.cutPoints, w.room} {
		for _, row := range rows {
			t, i := m.TemplateOf(row)
			for _, c := range t.Cells(i) {
				if n := w.node(c); n.placed && t.Stoch.Scalar == nil {
					search(n, t, i)
				}
			}
		}
	}
	return w
}

// everywhere tells a vector whose elements may have any values.
func everywhere(st *model.Stoch) bool {
	return st.Name == "dmnorm" || st.Name == "dmnorm.vcov" || st.Name == "dmt"
}

// node is that of a cell.
func (w *bounder) node(c int32) *bounded { return &w.nodes[w.at[c]] }

// limits are what bounds a row's value: numbers, and cells that are not constant.
type limits struct {
	lo, hi    float64
	low, high []int32
}

func limitsOf(m *model.Model, t *model.Template, i int) limits {
	st, in := t.Stoch, t.Operands(i)
	sup := limits{lo: math.Inf(-1), hi: math.Inf(1)}
	n := st.NPar()
	switch st.Name {
	case "dunif", "dflat":
		sup.low, sup.high = []int32{in[0]}, []int32{in[1]}
	case "dtrapez":
		sup.low, sup.high = []int32{in[0]}, []int32{in[3]}
	case "dpar":
		sup.low = []int32{in[1]}
	case "dgpar":
		sup.low = []int32{in[0]} // an upper end, at a negative shape, and the end of dgev are left to the density
	case "dgev":
	default:
		if !st.Scalar.Discrete { // of these a child's room is asked for, which T(,) alone bounds
			sup.lo, sup.hi = st.Scalar.Support(make([]float64, n))
		}
	}
	if st.HasLo {
		sup.low = append(sup.low, in[n])
		n++
	}
	if st.HasHi {
		sup.high = append(sup.high, in[n])
	}
	constant := func(c int32) bool { return m.Kinds[c] == model.Constant }
	for _, c := range sup.low {
		if constant(c) {
			sup.lo = max(sup.lo, m.Init[c])
		}
	}
	for _, c := range sup.high {
		if constant(c) {
			sup.hi = min(sup.hi, m.Init[c])
		}
	}
	sup.low, sup.high = slices.DeleteFunc(sup.low, constant), slices.DeleteFunc(sup.high, constant)
	return sup
}

// ownBounds are those of the node's distribution and of T(,).
func (w *bounder) ownBounds(n *bounded, t *model.Template, i int) {
	sup := limitsOf(w.m, t, i)
	n.low.fixed, n.high.fixed = sup.lo, sup.hi
	w.own = true
	for _, c := range sup.low {
		w.limit(n, &n.low, c)
	}
	for _, c := range sup.high {
		w.limit(n, &n.high, c)
	}
	w.own = false
}

// limit lets a cell bound a node; not where the node would have to be placed before itself.
func (w *bounder) limit(n *bounded, b *bound, c int32) {
	switch {
	case len(w.from(c)) == 0:
		if !w.known[by{b, c}] {
			w.known[by{b, c}] = true
			b.still = append(b.still, c)
		}
	case !slices.Contains(b.moves, c) && w.follow(n, c):
		b.moves = append(b.moves, c)
	}
}

// follow puts a node after those that a cell depends on; false where it is one of them, or they come after it.
func (w *bounder) follow(n *bounded, cells ...int32) bool {
	self := w.at[n.cell]
	var origins []int32
	for _, c := range cells {
		origins = append(origins, w.from(c)...)
	}
	if !w.own && w.precedes(self, origins) {
		return false
	}
	w.after[self] = append(w.after[self], origins...)
	return true
}

// precedes tells whether one of some nodes is a given one or comes after it.
func (w *bounder) precedes(self int32, nodes []int32) bool {
	w.stamp++
	stack := slices.Clone(nodes)
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if k == self {
			return true
		}
		if w.seen[k] != w.stamp {
			w.seen[k] = w.stamp
			stack = append(stack, w.after[k]...)
		}
	}
	return false
}

// from are the nodes of the block that a cell depends on, itself or through logical rows.
func (w *bounder) from(c int32) []int32 {
	if k, ok := w.at[c]; ok {
		return []int32{k}
	}
	if w.m.Kinds[c] != model.Logical {
		return nil
	}
	if list, ok := w.origins[c]; ok {
		return list
	}
	var list []int32
	ancestors(w.m, []int32{c}, func(c int32) bool {
		if k, ok := w.at[c]; ok {
			list = append(list, k)
			return false
		}
		return w.m.Kinds[c] == model.Logical
	})
	w.origins[c] = list
	return list
}

// observedCuts calls f with the dinterval rows with data that read a cell.
func (w *bounder) observedCuts(c int32, f func(k child)) {
	for _, g := range w.m.Children(c) {
		if st := w.m.Templates[g.T].Stoch; st == nil || !st.Interval {
			continue
		}
		for k := range rowsOf(w.m, []model.Seg{g}) {
			if w.m.Kinds[k.out[0]] == model.Observed {
				f(k)
			}
		}
	}
}

// cutPoints finds the dinterval children that say between which cut points the node lies.
func (w *bounder) cutPoints(n *bounded, _ *model.Template, _ int) {
	w.observedCuts(n.cell, func(k child) {
		if k.in[0] != n.cell || !w.follow(n, k.in[1:]...) {
			return
		}
		cut := cutBy{child: k, point: -1}
		for _, c := range k.in[1:] {
			cut.moves = append(cut.moves, len(w.from(c)) > 0)
		}
		n.cuts = append(n.cuts, cut)
	})
}

// room finds what a node that bounds others has to leave room for.
func (w *bounder) room(n *bounded, _ *model.Template, _ int) {
	w.observedCuts(n.cell, func(k child) {
		if len(w.from(k.in[0])) > 0 {
			return // the block moves what is cut: it has its place by the cut points
		}
		for j, c := range k.in[1:] {
			if c == n.cell {
				n.cuts = append(n.cuts, cutBy{child: k, point: j})
			}
		}
	})
	for _, g := range w.m.Children(n.cell) {
		st := w.m.Templates[g.T].Stoch
		if st == nil || st.Scalar == nil || !st.Truncated() && !st.Scalar.MovingSupport {
			continue
		}
		for k := range rowsOf(w.m, []model.Seg{g}) {
			if w.m.Informed(k.row()) {
				w.leave(n, &k)
			}
		}
	}
}

// leave bounds a node that is a bound of a child by the child's other bound and, where the block does not move the child, by its value.
func (w *bounder) leave(n *bounded, k *child) {
	sup := limitsOf(w.m, k.t, k.i)
	if slices.Contains(sup.low, n.cell) {
		n.high.fixed = min(n.high.fixed, sup.hi)
		for _, c := range sup.high {
			w.limit(n, &n.high, c)
		}
		if w.member[k.row()] {
			w.pass(n, &n.high, &w.node(k.out[0]).high, math.Min)
		} else {
			w.limit(n, &n.high, k.out[0])
		}
	}
	if slices.Contains(sup.high, n.cell) {
		n.low.fixed = max(n.low.fixed, sup.lo)
		for _, c := range sup.low {
			w.limit(n, &n.low, c)
		}
		if w.member[k.row()] {
			w.pass(n, &n.low, &w.node(k.out[0]).low, math.Max)
		} else {
			w.limit(n, &n.low, k.out[0])
		}
	}
}

// pass bounds a node that is an end of a child of the block by what bounds the child on the other side and does not move: data that lie below b, which lies below c,
// lie below c. Children come before the nodes that they depend on.
func (w *bounder) pass(n *bounded, to, from *bound, nearer func(x, y float64) float64) {
	to.fixed = nearer(to.fixed, from.fixed)
	for _, c := range from.still {
		w.limit(n, to, c)
	}
}

// layer is what is placed at a time: first the logical rows between the nodes before and its bounds, then its nodes, in order.
type layer struct {
	det     []model.Seg
	nodes   []bounded
	effects []effect
}

// unplaced is the depth of a node that has none yet.
const unplaced = -1

// layers puts the nodes that have bounds that change in order.
func (w *bounder) layers(det []model.Seg) []layer {
	var order []int32
	for k := range w.nodes {
		order = w.visit(order, int32(k))
	}
	var all []layer
	at := func(depth int) *layer {
		for len(all) <= depth {
			all = append(all, layer{})
		}
		return &all[depth]
	}
	for _, k := range order {
		switch n := &w.nodes[k]; {
		case n.effect != nil:
			l := at(n.depth)
			l.effects = append(l.effects, *n.effect)
		case n.placed && !n.fixed():
			l := at(n.depth)
			l.nodes = append(l.nodes, *n)
		}
	}
	if w.field != nil {
		for _, g := range w.field.scales {
			at(w.depth(g.tau))
		}
	}
	for _, g := range det {
		first := w.m.Templates[g.T].First
		for i := g.Lo; i < g.Hi; i++ {
			d, ok := w.deep[first+i]
			if !ok {
				continue
			}
			l := &all[d]
			if n := len(l.det); n > 0 && i > g.Lo && l.det[n-1].T == g.T && l.det[n-1].Hi == i {
				l.det[n-1].Hi++ // rows of one run do not depend on one another; those of the next run may
				continue
			}
			l.det = append(l.det, model.Seg{T: g.T, Lo: i, Hi: i + 1})
		}
	}
	return all
}

// visit finds the depth of a node and of the logical rows between it and those before it: one more than what these depend on.
func (w *bounder) visit(order []int32, k int32) []int32 {
	n := &w.nodes[k]
	if n.depth != unplaced {
		return order
	}
	n.depth = 0
	for _, before := range w.after[k] {
		order = w.visit(order, before)
	}
	each := func(c int32) { n.depth = max(n.depth, w.depth(c)) }
	for _, c := range n.low.moves {
		each(c)
	}
	for _, c := range n.high.moves {
		each(c)
	}
	if n.effect != nil {
		each(n.effect.mu)
		each(n.effect.tau)
	}
	for _, cut := range n.cuts {
		for j, moves := range cut.moves {
			if moves {
				each(cut.in[1+j])
			}
		}
	}
	return append(order, k)
}

// depth is the layer from which on a cell is in place.
func (w *bounder) depth(c int32) int {
	if k, ok := w.at[c]; ok {
		return w.nodes[k].depth
	}
	if len(w.from(c)) == 0 {
		return 0
	}
	row := w.m.DefRow(c)
	if d, ok := w.deep[row]; ok {
		return d
	}
	d := 1
	w.m.Parents(row, func(c int32) {
		if k, ok := w.at[c]; ok {
			d = max(d, 1+w.nodes[k].depth)
			return
		}
		d = max(d, w.depth(c))
	})
	w.deep[row] = d
	return d
}
