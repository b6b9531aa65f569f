package plan

import (
	"slices"
	"sync"

	"github.com/ergodic-mcmc/ergodic/model"
)

// countPools are counts that depend on one another such that the sum over all of them is one along trees. A pool is some counts of which all else sees the sum: survivors and
// recruits of an open population (Dail and Madsen 2011). Two pools are neighbours where one's counts depend on the other, as binomial among its members or Poisson with a rate that it moves, or
// where both are among the trials of the same binomial row. A pool is summed over, after those that come before it, as a function of the one neighbour that comes after it: see [poolSums].
type countPools struct {
	m     *model.Model
	pools []countPool // each after those that come before it
	cells []int32     // of the counts
	summedRows
	stoch []model.Seg // the same
	det   []model.Seg // logical rows that do
}

type countPool struct {
	gate   int32 // the cell of the sum, in which there may be what stands still
	counts []pooledCount
	next   int         // the pool that comes after it; −1
	from   int         // the pool on which counts depend; −1
	alone  []trialsRow // binomial rows of trials from this pool alone
	any    []poolRow   // other rows that depend on it
	pairs  []poolPair
}

// pooledCount is a count with the cells that its law reads: as [countWeights.law] takes them.
type pooledCount struct {
	row, cell int32
	law       countLaw
	a, b      int32
	linked    bool        // the number of trials or the rate depends on the pool from which it comes
	affine    bool        // so does the rate
	rate      []model.Seg // logical rows from there to the rate
}

// countLaw is a distribution of counts.
type countLaw uint8

const (
	poissonCount countLaw = iota
	binomialCount
	negbinCount
)

// trialsRow is a binomial row: x successes with probability p in the trials.
type trialsRow struct {
	seg          []model.Seg
	x, p, trials int32
}

// poolRow is a row with the logical ones between a pool and it.
type poolRow struct{ det, self []model.Seg }

// poolPair are the binomial rows of trials from a pool and one that comes before it.
type poolPair struct {
	with int
	rows []trialsRow
}

const (
	mostPooled = 512 // pools of a tree
)

// lawOfCount is that of a node; false where it has none.
func lawOfCount(t *model.Template) (law countLaw, ok bool) {
	if t.Stoch == nil || t.Stoch.Truncated() {
		return 0, false
	}
	switch t.Stoch.Name {
	case "dpois":
		return poissonCount, true
	case "dbin":
		return binomialCount, true
	case "dnegbin":
		return negbinCount, true
	}
	return 0, false
}

// pooling finds trees of pools.
type pooling struct {
	m     *model.Model
	slope *unitSlopes
	pools []*pooled
	on    map[int32][]int // pools on which a row depends
	own   map[int32]int   // the pool of a count's row
}

func newPooling(m *model.Model) *pooling {
	return &pooling{m: m, slope: newUnitSlopes(m), on: map[int32][]int{}, own: map[int32]int{}}
}

// pooled is a pool while trees are found.
type pooled struct {
	gate   int32
	counts []int32
	around model.Blanket
	forms  *model.Forms

	now  bool  // in a tree
	from int   // the pool in trees on which its counts depend; −1
	near []int // neighbours in trees
}

// poolCounts finds trees among the counts that are left, which come deepest first, and how counts start; nil where one that depends on those of a tree, or they on it, finds no place in it: given that one, the
// others and what is above them would hardly move.
func poolCounts(m *model.Model, rows []int32) (*countPools, *countStart) {
	p := newPooling(m)
	if !p.find(rows) {
		return nil, nil
	}
	b := p.take()
	if b == nil {
		return nil, nil
	}
	for _, r := range b.rows {
		on := p.on[r]
		if k, ok := p.own[r]; ok {
			on = append(slices.Clone(on), k)
		}
		if slices.ContainsFunc(on, func(k int) bool { return !p.pools[k].now }) {
			return nil, nil
		}
	}
	return b, newCountStart(p, shortSums(b))
}

// find makes the pools, in an order in which each comes after those on which it depends; false where no count depends on another.
func (p *pooling) find(rows []int32) bool {
	counts := map[int32]int32{} // rows by cell
	var cells []int32
	for _, r := range slices.Backward(rows) {
		if t, i := p.m.TemplateOf(r); !p.m.IsCut(r) {
			if _, ok := lawOfCount(t); ok {
				counts[t.Cells(i)[0]] = r
				cells = append(cells, t.Cells(i)[0])
			}
		}
	}
	behind := map[int32][]int32{}
	var gates []int32
	for _, c := range cells {
		g := p.gateOf(c)
		if behind[g] == nil {
			gates = append(gates, g)
		}
		behind[g] = append(behind[g], c)
	}
	for _, g := range gates {
		if p.closed(g, behind[g], counts) {
			p.addPool(g, behind[g])
			continue
		}
		for _, c := range behind[g] {
			p.addPool(c, []int32{c})
		}
	}
	return slices.ContainsFunc(p.pools, func(n *pooled) bool {
		return slices.ContainsFunc(n.counts, func(r int32) bool { return len(p.on[r]) > 0 })
	})
}

// gateOf follows a count through the sums that alone read it.
func (p *pooling) gateOf(cell int32) int32 {
	around := p.m.Blanket([]int32{cell})
	det := rowSet(p.m, around.Det)
	for c := cell; ; {
		next := int32(-1)
		for k := range rowsOf(p.m, p.m.Children(c)) {
			switch r := k.row(); {
			case k.t.Stoch != nil && !p.m.Informed(r) || k.t.Stoch == nil && !det[r]:
			case k.t.Stoch != nil || next >= 0 || len(k.out) != 1 || !p.slope.of(&around, k.out[0]):
				return c
			default:
				next = k.out[0]
			}
		}
		if next < 0 {
			return c
		}
		c = next
	}
}

// closed tells whether a cell depends on no counts but some.
func (p *pooling) closed(gate int32, some []int32, counts map[int32]int32) bool {
	if len(some) == 1 && some[0] == gate {
		return true
	}
	ok := true
	ancestors(p.m, []int32{gate}, func(c int32) bool {
		if _, count := counts[c]; count {
			ok = ok && slices.Contains(some, c)
			return false
		}
		return p.m.Kinds[c] == model.Logical
	})
	return ok
}

func (p *pooling) addPool(gate int32, cells []int32) {
	n := &pooled{gate: gate, around: p.m.Blanket([]int32{gate})}
	n.forms = p.m.Forms(&n.around)
	for k := range rowsOf(p.m, n.around.Stoch) {
		p.on[k.row()] = append(p.on[k.row()], len(p.pools))
	}
	for _, c := range cells {
		r := p.m.DefRow(c)
		n.counts = append(n.counts, r)
		p.own[r] = len(p.pools)
	}
	p.pools = append(p.pools, n)
}

// take finds trees of two pools and more; nil where there are none.
func (p *pooling) take() *countPools {
	var mine []int
	for k, n := range p.pools {
		if p.join(k) {
			n.now = true
			mine = append(mine, k)
		}
	}
	mine = slices.DeleteFunc(mine, func(k int) bool {
		p.pools[k].now = len(p.pools[k].near) > 0
		return !p.pools[k].now
	})
	if len(mine) == 0 {
		return nil
	}
	return p.build(mine)
}

// join adds a pool to the trees as the root of its own, unless it does not fit.
func (p *pooling) join(k int) bool {
	n := p.pools[k]
	n.from, n.near = -1, nil
	for _, r := range n.counts {
		if slices.Contains(p.on[r], k) {
			return false
		}
	}
	var ok bool
	if n.from, ok = p.parentOf(n); !ok {
		return false
	}
	for d := range rowsOf(p.m, n.around.Stoch) {
		if o, ok := p.own[d.row()]; ok && p.pools[o].now {
			return false
		}
		in := p.inTrees(d.row())
		for _, j := range in {
			if len(in) > 1 || j == n.from || !p.trialsOf(d, n) || !p.trialsOf(d, p.pools[j]) {
				return false
			}
			if !slices.Contains(n.near, j) {
				n.near = append(n.near, j)
			}
		}
	}
	if n.from >= 0 {
		n.near = append(n.near, n.from)
	}
	if !p.leadsTo(k) {
		return false
	}
	for _, j := range n.near {
		p.pools[j].near = append(p.pools[j].near, k)
	}
	return true
}

// parentOf is the pool in trees on which the counts of a pool depend, −1 for none; false where sums do not take how they do.
func (p *pooling) parentOf(n *pooled) (from int, ok bool) {
	from = -1
	survivors := 0
	for _, r := range n.counts {
		for _, j := range p.inTrees(r) {
			if from >= 0 && from != j || !p.links(r, p.pools[j]) {
				return -1, false
			}
			if t, _ := p.m.TemplateOf(r); t.Stoch.Name == "dbin" {
				survivors++
			}
			from = j
		}
	}
	return from, survivors <= 1
}

// inTrees are the pools in trees on which a row depends.
func (p *pooling) inTrees(row int32) (in []int) {
	for _, j := range p.on[row] {
		if p.pools[j].now {
			in = append(in, j)
		}
	}
	return in
}

// leadsTo tells whether what is connected with a pool is a tree, not too large, in which dependence leads to that pool.
func (p *pooling) leadsTo(root int) bool {
	type step struct{ at, next int }
	all := []step{{root, -1}}
	seen := map[int]bool{root: true}
	for i := 0; i < len(all); i++ {
		s := all[i]
		for _, j := range p.pools[s.at].near {
			if j == s.next {
				continue
			}
			if seen[j] || len(all) >= mostPooled || p.pools[j].from == s.at {
				return false
			}
			seen[j] = true
			all = append(all, step{j, s.at})
		}
	}
	return true
}

// links tells whether a count's law by a pool is one that sums take.
func (p *pooling) links(row int32, n *pooled) bool {
	t, i := p.m.TemplateOf(row)
	in := t.Operands(i)
	switch t.Stoch.Name {
	case "dpois":
		return true
	case "dbin":
		return n.forms.At(in[0]).Kind == model.Free && p.goesUp(n, in[1])
	}
	return false
}

// trialsOf tells whether a pool is among the trials of a binomial row, and elsewhere not in it.
func (p *pooling) trialsOf(d child, n *pooled) bool {
	return d.t.Stoch.Name == "dbin" && !d.t.Stoch.Truncated() && n.forms.At(d.in[0]).Kind == model.Free && p.goesUp(n, d.in[1])
}

// goesUp tells whether a cell goes up by one with a pool, and what stands still in it does so while continuous nodes move.
func (p *pooling) goesUp(n *pooled, cell int32) bool {
	return cell == n.gate || p.slope.of(&n.around, cell)
}

// build orders the pools.
func (p *pooling) build(mine []int) *countPools {
	b := &countPools{m: p.m}
	at := map[int]int{}
	var visit func(k, next int)
	visit = func(k, next int) {
		for _, j := range p.pools[k].near {
			if j != next {
				visit(j, k)
			}
		}
		at[k] = len(b.pools)
		b.pools = append(b.pools, p.pool(k, at))
		for _, j := range p.pools[k].near {
			if j != next {
				b.pools[at[j]].next = at[k]
			}
		}
	}
	for _, k := range slices.Backward(mine) { // the last of a tree is its root
		if _, met := at[k]; !met {
			visit(k, -1)
		}
	}
	for k := range b.pools {
		n := &b.pools[k]
		for _, c := range n.counts {
			b.cells, b.rows = append(b.cells, c.cell), append(b.rows, c.row)
		}
		for _, d := range n.alone {
			b.rows = append(b.rows, rowNumbers(p.m, d.seg)...)
		}
		for _, d := range n.any {
			b.rows = append(b.rows, rowNumbers(p.m, d.self)...)
		}
		for _, q := range n.pairs {
			for _, d := range q.rows {
				b.rows = append(b.rows, rowNumbers(p.m, d.seg)...)
			}
		}
	}
	slices.Sort(b.rows)
	b.rows = slices.Compact(b.rows)
	b.stoch = runsOf(p.m, b.rows)
	b.det = p.m.Blanket(b.cells).Det
	return b
}

// pool is one of them; at tells where those are that come before it.
func (p *pooling) pool(k int, at map[int]int) countPool {
	n := p.pools[k]
	c := countPool{gate: n.gate, from: -1, next: -1}
	if n.from >= 0 {
		c.from = at[n.from]
	}
	for _, r := range n.counts {
		c.counts = append(c.counts, p.count(r, n))
	}
	for d := range rowsOf(p.m, n.around.Stoch) {
		r := d.row()
		if o, ok := p.own[r]; ok && p.pools[o].now {
			continue
		}
		other := -1
		for _, j := range p.inTrees(r) {
			if j != k {
				other = j
			}
		}
		self := []model.Seg{p.m.Seg(r)}
		switch {
		case other >= 0:
			if with, before := at[other]; before {
				j := slices.IndexFunc(c.pairs, func(q poolPair) bool { return q.with == with })
				if j < 0 {
					j, c.pairs = len(c.pairs), append(c.pairs, poolPair{with: with})
				}
				c.pairs[j].rows = append(c.pairs[j].rows, trialsRow{self, d.out[0], d.in[0], d.in[1]})
			}
		case p.trialsOf(d, n):
			c.alone = append(c.alone, trialsRow{self, d.out[0], d.in[0], d.in[1]})
		default:
			c.any = append(c.any, poolRow{p.between(&n.around, d.in), self})
		}
	}
	return c
}

func (p *pooling) count(row int32, n *pooled) pooledCount {
	t, i := p.m.TemplateOf(row)
	in := t.Operands(i)
	c := pooledCount{row: row, cell: t.Cells(i)[0], a: in[0], b: in[0]}
	c.law, _ = lawOfCount(t)
	if len(in) > 1 {
		c.b = in[1]
	}
	if n.from >= 0 && slices.Contains(p.on[row], n.from) {
		from := p.pools[n.from]
		form := from.forms.At(in[0])
		c.linked, c.affine = true, form.Kind == model.Affine && !form.Select
		c.rate = p.between(&from.around, in[:1])
	}
	return c
}

// between are the logical rows of a blanket that lead to cells.
func (p *pooling) between(around *model.Blanket, cells []int32) []model.Seg {
	in := rowSet(p.m, around.Det)
	var rows []int32
	ancestors(p.m, cells, func(c int32) bool {
		r := p.m.DefRow(c)
		if r < 0 || !in[r] {
			return false
		}
		delete(in, r)
		rows = append(rows, r)
		return true
	})
	return p.m.LogicalSegs(rows)
}

func (c *countPools) nodeRows() (rows []int32) {
	for k := range c.pools {
		for _, n := range c.pools[k].counts {
			rows = append(rows, n.row)
		}
	}
	slices.Sort(rows)
	return rows
}

// unitSlopes tells sums that go up by one with a node, and depend on no continuous one.
type unitSlopes struct {
	m  *model.Model
	at func() *model.State
}

func newUnitSlopes(m *model.Model) *unitSlopes { return &unitSlopes{m, sync.OnceValue(m.NewState)} }

func (u *unitSlopes) of(around *model.Blanket, cell int32) bool {
	m := u.m
	forms := m.Forms(around)
	if f := forms.At(cell); f.Kind != model.Affine || f.Varying || f.Select {
		return false
	}
	jac := m.NewJacobian(around, forms)
	jac.Eval(u.at())
	if _, slope := jac.Row(cell); len(slope) != 1 || slope[0] != 1 {
		return false
	}
	discrete := true
	ancestors(m, []int32{cell}, func(c int32) bool {
		discrete = discrete && (m.Kinds[c] != model.Unobserved || !continuous(m, m.DefRow(c)))
		return m.Kinds[c] == model.Logical
	})
	return discrete
}
