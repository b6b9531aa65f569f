package plan

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// countGraph are counts that depend on one another in cycles too, such as classes of an open population that feed one another: Poisson ones, whose rates are linear in other counts, binomial ones,
// whose trials are sums of other counts, and negative binomial ones that depend on no other. All else that depends on them are binomial rows whose trials are such sums.
// A part are counts that are dependent given all else, as those of a site; [countFilter] estimates the sum over their values. It takes parts of which all counts and rows are such, and of which a
// count depends on another, where [poolCounts] finds no trees that hold all counts.
type countGraph struct {
	m          *model.Model
	around     model.Blanket // of all counts
	forms      *model.Forms
	parts      []graphPart
	cells      []int32 // of the counts, part by part
	summedRows         // and the counts' own
}

type graphPart struct {
	first  int // of its counts among all
	counts []graphCount
	seen   []seenSum
	steps  []graphStep
}

// graphCount is a count. Its rate or its trials are what stands still and a linear combination of counts before it.
type graphCount struct {
	row, cell int32
	law       countLaw
	a, b      int32
	on        []countLink
}

// countLink is a count on which another depends.
type countLink struct {
	from int   // its number in the part
	at   int32 // the place of the slope in the Jacobian
}

// seenSum are the binomial rows whose trials have the same counts among them.
type seenSum struct {
	of   []int
	rows []trialsRow
}

// graphStep are counts that are drawn next, and what is seen of the counts so far thereafter.
type graphStep struct {
	counts, seen []int
	live         []int // counts so far that later ones, or what is seen of these, depend on
}

const mostInPart = 512 // counts

// graphing finds graphs of counts.
type graphing struct {
	g     *countGraph
	jac   *model.Jacobian
	count map[int32]int // numbers of counts by cell
	cells []int32
	rows  []int32
	on    [][]int     // counts on which a count depends
	leaf  []graphLeaf // other rows that depend on counts
	part  []int       // a count's representative
	bad   map[int]bool
}

type graphLeaf struct {
	child
	on    []int
	depth int
}

// graphCounts finds parts among the counts that are left, which come deepest first; and how counts start; nil where there are none in which a count depends on another.
func graphCounts(m *model.Model, rows []int32) (*countGraph, *countStart) {
	f := &graphing{g: &countGraph{m: m}, count: map[int32]int{}, bad: map[int]bool{}}
	for _, r := range slices.Backward(rows) {
		if t, i := m.TemplateOf(r); !m.IsCut(r) {
			if _, ok := lawOfCount(t); ok {
				f.count[t.Cells(i)[0]] = len(f.cells)
				f.cells, f.rows = append(f.cells, t.Cells(i)[0]), append(f.rows, r)
			}
		}
	}
	if len(f.cells) == 0 {
		return nil, nil
	}
	f.look()
	members := make([][]int, len(f.cells))
	linked := make([]bool, len(f.cells))
	for k := range f.cells {
		p := f.find(k)
		members[p] = append(members[p], k)
		linked[p] = linked[p] || len(f.on[k]) > 0
	}
	var good []int
	for p, list := range members {
		if linked[p] && !f.bad[p] && len(list) <= mostInPart {
			good = append(good, p)
			for _, k := range list {
				f.g.cells = append(f.g.cells, f.cells[k])
			}
		}
	}
	if len(good) == 0 {
		return nil, nil
	}
	f.g.around = m.Blanket(f.g.cells)
	f.g.forms = m.Forms(&f.g.around)
	f.jac = m.NewJacobian(&f.g.around, f.g.forms)
	f.g.cells = nil
	leaves := make([][]graphLeaf, len(f.cells))
	for _, d := range f.leaf {
		p := f.find(d.on[0])
		leaves[p] = append(leaves[p], d)
	}
	for _, p := range good {
		f.add(members[p], leaves[p])
	}
	slices.Sort(f.g.rows)
	f.g.rows = slices.Compact(f.g.rows)
	p := newPooling(m)
	p.find(slices.DeleteFunc(slices.Clone(rows), func(r int32) bool {
		t, i := m.TemplateOf(r)
		return !slices.Contains(f.g.cells, t.Cells(i)[0])
	}))
	start := newCountStart(p, nil)
	start.short = start.few
	return f.g, start
}

// look finds which counts depend on one another, and parts with a row that the filter does not take.
func (f *graphing) look() {
	m := f.g.m
	around := m.Blanket(f.cells)
	forms := m.Forms(&around)
	jac := m.NewJacobian(&around, forms)
	jac.Eval(m.NewState())
	f.on, f.part = make([][]int, len(f.cells)), make([]int, len(f.cells))
	for k := range f.part {
		f.part[k] = k
	}
	var wrong []int
	for d := range rowsOf(m, around.Stoch) {
		var on []int
		ancestors(m, d.in, func(c int32) bool {
			if k, ok := f.count[c]; ok {
				on = append(on, k)
				return false
			}
			return m.Kinds[c] == model.Logical
		})
		k, own := f.count[d.out[0]]
		if own && m.DefRow(d.out[0]) == d.row() {
			f.on[k] = on
			f.join(append([]int{k}, on...))
		} else {
			f.leaf = append(f.leaf, graphLeaf{child: d, on: on})
			f.join(on)
			own = false
		}
		if len(on) > 0 && !f.takes(d, forms, jac, own) {
			wrong = append(wrong, on[0])
		}
	}
	f.leaf = slices.DeleteFunc(f.leaf, func(d graphLeaf) bool { return len(d.on) == 0 })
	for _, k := range wrong {
		f.bad[f.find(k)] = true
	}
}

// takes tells whether a count, or a row that is not one, depends on counts as the filter takes it.
func (f *graphing) takes(d child, forms *model.Forms, jac *model.Jacobian, count bool) bool {
	switch law, ok := lawOfCount(d.t); {
	case ok && law == poissonCount && count:
		rate := forms.At(d.in[0])
		return rate.Kind == model.Affine && !rate.Select
	case ok && law == binomialCount:
		n := forms.At(d.in[1])
		_, slopes := jac.Row(d.in[1])
		return forms.At(d.in[0]).Kind == model.Free && n.Kind == model.Affine && !n.Varying && !n.Select && !slices.ContainsFunc(slopes, func(x float64) bool { return x != 1 })
	}
	return false
}

func (f *graphing) find(k int) int {
	for f.part[k] != k {
		f.part[k] = f.part[f.part[k]]
		k = f.part[k]
	}
	return k
}

func (f *graphing) join(all []int) {
	for _, k := range all[min(1, len(all)):] {
		a, b := f.find(all[0]), f.find(k)
		f.part[max(a, b)] = min(a, b)
	}
}

// add makes a part: what is seen in the order of how many counts that depend on one another lead there, and each count before what is first seen of it.
func (f *graphing) add(members []int, leaves []graphLeaf) {
	p := graphPart{first: len(f.g.cells)}
	depth := map[int]int{}
	var depthOf func(k int) int
	depthOf = func(k int) int {
		d, ok := depth[k]
		if !ok {
			for _, o := range f.on[k] {
				d = max(d, depthOf(o)+1)
			}
			depth[k] = d
		}
		return d
	}
	for j := range leaves {
		for _, k := range leaves[j].on {
			leaves[j].depth = max(leaves[j].depth, depthOf(k))
		}
		slices.Sort(leaves[j].on)
	}
	slices.SortStableFunc(leaves, func(a, b graphLeaf) int {
		if a.depth != b.depth {
			return a.depth - b.depth
		}
		return slices.Compare(a.on, b.on)
	})
	at := map[int]int{}
	step := graphStep{}
	var visit func(k int)
	visit = func(k int) {
		if _, met := at[k]; met {
			return
		}
		for _, o := range f.on[k] {
			visit(o)
		}
		at[k] = len(p.counts)
		step.counts = append(step.counts, len(p.counts))
		p.counts = append(p.counts, f.countOf(k, at))
		f.g.cells = append(f.g.cells, f.cells[k])
		f.g.rows = append(f.g.rows, f.rows[k])
	}
	var last []int
	for _, d := range leaves {
		if last == nil || !slices.Equal(d.on, last) {
			if len(step.seen) > 0 {
				p.steps, step = append(p.steps, step), graphStep{}
			}
			h := seenSum{}
			for _, k := range d.on {
				visit(k)
				h.of = append(h.of, at[k])
			}
			step.seen = append(step.seen, len(p.seen))
			p.seen = append(p.seen, h)
			last = d.on
		}
		h := &p.seen[len(p.seen)-1]
		h.rows = append(h.rows, trialsRow{x: d.out[0], p: d.in[0], trials: d.in[1]})
		f.g.rows = append(f.g.rows, d.row())
	}
	if len(step.seen) > 0 {
		p.steps, step = append(p.steps, step), graphStep{}
	}
	for _, k := range members {
		visit(k)
	}
	if len(step.counts) > 0 {
		p.steps = append(p.steps, step)
	}
	p.findLive()
	f.g.parts = append(f.g.parts, p)
}

func (f *graphing) countOf(k int, at map[int]int) graphCount {
	t, i := f.g.m.TemplateOf(f.rows[k])
	in := t.Operands(i)
	c := graphCount{row: f.rows[k], cell: f.cells[k], a: in[0], b: in[0]}
	c.law, _ = lawOfCount(t)
	if len(in) > 1 {
		c.b = in[1]
	}
	from := c.a
	if c.law == binomialCount {
		from = c.b
	}
	if pos, ok := f.jac.Pos(from); ok {
		for e := f.jac.Ptr[pos]; e < f.jac.Ptr[pos+1]; e++ {
			c.on = append(c.on, countLink{at[f.count[f.g.around.Cells[f.jac.Idx[e]]]], e})
		}
	}
	return c
}

// findLive finds what is still needed after each step.
func (p *graphPart) findLive() {
	need := make([]bool, len(p.counts))
	for j := len(p.steps) - 1; j >= 0; j-- {
		s := &p.steps[j]
		for k, live := range need {
			if live {
				s.live = append(s.live, k)
			}
		}
		for _, h := range s.seen {
			for _, k := range p.seen[h].of {
				need[k] = true
			}
		}
		for _, c := range slices.Backward(s.counts) {
			need[c] = false
			for _, l := range p.counts[c].on {
				need[l.from] = true
			}
		}
	}
}

func (g *countGraph) nodeRows() (rows []int32) {
	for i := range g.parts {
		for _, c := range g.parts[i].counts {
			rows = append(rows, c.row)
		}
	}
	slices.Sort(rows)
	return rows
}
