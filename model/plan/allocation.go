package plan

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// allocation is nodes that allocate to components, with the parameters of each component and what weighs them.
type allocation struct {
	m       *model.Model
	z       []allocated
	nodes   [][]*node // parameters by component and place, parents first
	places  [][]int   // items that move one of them alone, or −1
	forms   []lineForm
	prior   [][]model.Seg // the parameters' own rows
	det     []model.Seg
	union   []model.Seg // densities that allocations and parameters change
	weights []func(before []kernel) allocationWeights
	rows    []int32
}

// allocated is a node that allocates.
type allocated struct {
	n       *node
	of      int     // which weights
	weights []int32 // their cells
}

// lineForm takes a parameter to the line: by its logarithm where it has a fixed least value and no greatest.
type lineForm struct {
	log bool
	lo  float64
}

func (f lineForm) forward(x float64) float64 {
	if f.log {
		return vec.Log(x - f.lo)
	}
	return x
}

func (f lineForm) back(u float64) float64 {
	if f.log {
		return f.lo + vec.Exp(u)
	}
	return u
}

const (
	mostAllocated = 1 << 14
	pickedCells   = 1 << 22 // of tables that are looked at for components, all together
)

// splitMerges adds the kernel to dcat nodes that pick parameters of components from tables, those with the same tables together. What is picked may be computed from parameters that no other component has:
// as many in each, of the same distributions, which all have a law to propose them from. Neither the parameters nor the allocations may have a part in the weights. Whatever else depends on either is in the
// ratio.
func splitMerges(p *planner, _ []int32) {
	alone := map[int32]int{}
	for k, it := range p.Items {
		if len(it.Rows)-it.drawn == 1 {
			alone[it.Rows[0]] = k
		}
	}
	var keys []string
	groups := map[string][]int32{}
	left := pickedCells
	for _, r := range slices.Backward(p.rows) {
		t, i := p.Model.TemplateOf(r)
		if t.Stoch.Name != "dcat" || t.Stoch.Truncated() || p.asked[r] != nil {
			continue
		}
		k := t.Stoch.NPar()
		picked := p.Model.Picked(t.Cells(i)[0], k)
		if picked == nil {
			continue
		}
		if left -= k * len(picked[0]); left < 0 {
			return
		}
		slices.Sort(picked[0])
		key := binary.LittleEndian.AppendUint32(nil, uint32(k))
		for _, c := range slices.Compact(picked[0]) {
			key = binary.LittleEndian.AppendUint32(key, uint32(c))
		}
		if groups[string(key)] == nil {
			keys = append(keys, string(key))
		}
		groups[string(key)] = append(groups[string(key)], r)
	}
	for _, key := range keys {
		if rows := groups[key]; len(rows) > 1 && len(rows) <= mostAllocated {
			if a := p.allocation(rows, alone); a != nil {
				p.add(Item{Kernel: splitMergeName, Rows: a.rows, make: a.forChain})
			}
		}
	}
}

// allocation finds parameters and weights of some nodes that allocate by the same tables; nil where there are none.
func (p *planner) allocation(rows []int32, alone map[int32]int) *allocation {
	a := &allocation{m: p.Model, rows: slices.Clone(rows)}
	if !a.parameters(p, rows[0], alone) {
		return nil
	}
	own := map[int32]bool{} // cells that move
	var cells []int32
	for _, r := range rows {
		t, i := p.Model.TemplateOf(r)
		cells = append(cells, t.Cells(i)[0])
	}
	for _, nodes := range a.nodes {
		for _, n := range nodes {
			cells = append(cells, n.cells...)
		}
	}
	for _, c := range cells {
		own[c] = true
	}
	given, ok := a.weigh(p, rows, own, alone)
	if !ok {
		return nil
	}
	b := p.Model.Blanket(cells)
	a.det, a.union = b.Det, slices.Clone(b.Stoch)
	for _, nodes := range a.nodes {
		var prior []int32
		for _, n := range nodes {
			prior = append(prior, n.row)
		}
		slices.Sort(prior)
		a.prior = append(a.prior, runs(p.Model, prior))
		given = append(given, prior...)
		a.rows = append(a.rows, prior...)
	}
	slices.Sort(given)
	given = slices.DeleteFunc(given, func(r int32) bool { return contains(p.Model, b.Stoch, r) })
	a.union = append(a.union, runs(p.Model, given)...)
	return a
}

// runs are those of rows in order.
func runs(m *model.Model, rows []int32) (segs []model.Seg) {
	for _, r := range rows {
		segs = extend(segs, m.Seg(r))
	}
	return segs
}

// parameters finds those of each component.
func (a *allocation) parameters(p *planner, row int32, alone map[int32]int) bool {
	m := p.Model
	t, i := m.TemplateOf(row)
	of := map[int32]int{} // component of a node, or −1 of one that several have
	order := map[int32]int{}
	for k, r := range p.rows {
		order[r] = k
	}
	picked := m.Picked(t.Cells(i)[0], t.Stoch.NPar())
	byComponent := make([][]int32, len(picked))
	for h, cells := range picked {
		ancestors(m, cells, func(c int32) bool {
			if m.Kinds[c] != model.Unobserved {
				return m.Kinds[c] == model.Logical
			}
			r := m.DefRow(c)
			switch j, met := of[r]; {
			case !met:
				of[r] = h
				byComponent[h] = append(byComponent[h], r)
			case j != h:
				of[r] = -1
			}
			return false
		})
	}
	for h, rows := range byComponent {
		rows = slices.DeleteFunc(rows, func(r int32) bool { return of[r] != h })
		slices.SortFunc(rows, func(x, y int32) int { return order[y] - order[x] })
		var nodes []*node
		var items []int
		for _, r := range rows {
			n := newNode(m, r)
			item, is := alone[r]
			if !is {
				item = -1
			}
			if p.asked[r] != nil || !m.Informed(r) || !p.proposes(n, item) {
				return false
			}
			nodes, items = append(nodes, n), append(items, item)
		}
		a.nodes, a.places = append(a.nodes, nodes), append(a.places, items)
		if !alike(nodes, a.nodes[0]) {
			return false
		}
	}
	for _, n := range a.nodes[0] {
		f := lineForm{}
		if n.scalar() && n.t.Stoch.Scalar != nil {
			lo, hi, ok := n.fixedSupport()
			f = lineForm{log: ok && !math.IsInf(lo, 0) && math.IsInf(hi, 1), lo: lo}
		}
		a.forms = append(a.forms, f)
	}
	return len(a.nodes[0]) > 0
}

// alike tells whether nodes have the distributions of others.
func alike(nodes, others []*node) bool {
	return slices.EqualFunc(nodes, others, func(n, o *node) bool { return n.dist() == o.dist() && len(n.cells) == len(o.cells) })
}

// proposes tells whether there is a law to propose a node from.
func (p *planner) proposes(n *node, item int) bool {
	if item >= 0 && slices.Contains([]string{"conjugate-normal", "conjugate-gamma", "conjugate-beta", "conjugate-dirichlet", "conjugate-mnormal", "conjugate-wishart"}, p.Items[item].Kernel) {
		return true
	}
	return newConjNormal(n) != nil || newConjMNormal(n) != nil || newAdaptive(n) != nil
}

// weigh finds the weights, with the rows of the allocations whose density has them as they are.
func (a *allocation) weigh(p *planner, rows []int32, own map[int32]bool, alone map[int32]int) (given []int32, ok bool) {
	var all [][]int32
	var integrated []bool
	broken := sticks(p)
	free := map[int32]bool{} // cells of weights that are integrated out
	for _, r := range rows {
		t, i := p.Model.TemplateOf(r)
		z := allocated{n: newNode(p.Model, r), weights: t.Operands(i)}
		if item, is := alone[r]; is && p.Items[item].Kernel == seatName {
			seat := newSeat(z.n)
			z.n = seat.n
			z.weights = seat.labels
			if z.of = index(all, z.weights); z.of == len(all) {
				all, integrated = append(all, z.weights), append(integrated, true)
				a.weights = append(a.weights, func([]kernel) allocationWeights {
					return &seatWeights{labels: seat.labels, after: seat.after, counts: make([]float64, len(seat.labels))}
				})
			}
			a.z = append(a.z, z)
			continue
		}
		if z.of = index(all, z.weights); z.of == len(all) {
			w, nodes := p.integrates(z.weights, broken)
			if w == nil {
				w = func([]kernel) allocationWeights { return givenWeights{} }
			}
			all, integrated = append(all, z.weights), append(integrated, nodes != nil)
			a.weights = append(a.weights, w)
			a.rows = append(a.rows, nodes...)
			for _, r := range nodes {
				t, i := p.Model.TemplateOf(r)
				for _, c := range t.Cells(i) {
					free[c] = true
				}
			}
		}
		if !integrated[z.of] {
			given = append(given, r)
		}
		a.z = append(a.z, z)
	}
	ok = true
	ancestors(p.Model, slices.Concat(a.operands()...), func(c int32) bool {
		ok = ok && !own[c]
		return p.Model.Kinds[c] == model.Logical || free[c]
	})
	return given, ok
}

// operands are what the allocations' own rows read.
func (a *allocation) operands() (all [][]int32) {
	for k := range a.z {
		all = append(all, a.z[k].n.t.Operands(a.z[k].n.i))
	}
	return all
}

// index is that of cells, or how many there are.
func index(all [][]int32, cells []int32) int {
	k := slices.IndexFunc(all, func(o []int32) bool { return slices.Equal(o, cells) })
	if k < 0 {
		return len(all)
	}
	return k
}

// integrates finds weights that can be integrated out, with the rows of their nodes; nil where they are not.
func (p *planner) integrates(weights []int32, broken []*labelled) (func(before []kernel) allocationWeights, []int32) {
	for _, k := range broken {
		if !slices.Equal(k.stick.weights, weights) {
			continue
		}
		var rows []int32
		for _, c := range k.fractions {
			rows = append(rows, c.n.row)
		}
		return func([]kernel) allocationWeights {
			return &stickWeights{labels: k.forChain(), at: make([]float64, len(weights)), v: make([]float64, len(rows))}
		}, rows
	}
	row := p.Model.DefRow(weights[0])
	if p.Model.Kinds[weights[0]] != model.Unobserved || p.asked[row] != nil {
		return nil, nil
	}
	c := newConjDirichlet(p.node(row))
	if c == nil || !c.direct() || !slices.Equal(c.n.cells, weights) {
		return nil, nil
	}
	return func([]kernel) allocationWeights {
		c := newConjDirichlet(p.Plan.node(row))
		return &dirichletWeights{c: c, alpha: c.n.t.Operands(c.n.i), counts: make([]float64, len(weights))}
	}, []int32{row}
}

// forChain makes the kernel of a chain.
func (a *allocation) forChain(before []kernel) kernel {
	places := len(a.nodes[0])
	k := &splitMerge{allocation: a, share: 1, tries: min(mostTries, max(1, len(a.nodes)/perTry)), old: make([]int, len(a.z)), size: make([]int, len(a.nodes)), near: make([]float64, len(a.nodes)), anchor: make([]bool, places), start: make([][]pseudoFit, places)}
	for q, n := range a.nodes[0] {
		k.start[q] = make([]pseudoFit, len(n.cells))
		for as := range k.kept {
			k.kept[as] = append(k.kept[as], make([]float64, len(n.cells)))
		}
	}
	for h, nodes := range a.nodes {
		draws := make([]componentDraw, places)
		for q, n := range nodes {
			var moves kernel
			if item := a.places[h][q]; item >= 0 {
				moves = before[item]
			}
			own := *n
			var made kernel
			draws[q], made = newComponentDraw(&own, moves)
			if c, is := made.(preparer); is {
				k.made = append(k.made, c)
			}
			if d, is := draws[q].(*modeDraw); is {
				d.spread = &k.start[q][0]
			}
		}
		k.params = append(k.params, draws)
	}
	for _, w := range a.weights {
		k.weights = append(k.weights, w(before))
	}
	return k
}
