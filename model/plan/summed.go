package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// summed is the log density of the stochastic rows that depend on the nodes of chains, with these summed out, as a function of other cells:
//
//	log Σ_z ∏ p(row | z, cells)
//
// Its derivatives are those of the rows' log densities, each weighted with the probability of its nodes' values given everything else (Fisher's
// identity; Louis 1982): the sums' own derivatives by the entries of the tables.
type summed struct {
	c    *chains
	part part // tables that depend on the cells
	up   upstream
}

// by is what cells move of the chains.
func (c *chains) by(cells []int32) *summed {
	m := c.m
	around := m.Blanket(cells)
	k := &summed{c: c}
	k.part = c.partOf(func(f *factorTable) bool {
		return contains(m, around.Stoch, f.row) || slices.Contains(cells, f.t.Cells(f.i)[0])
	})
	var read []int32
	for _, t := range k.part.tables() {
		f := &c.tables[t]
		read = append(read, parents(m, append([]int32{f.row}, f.logic...)...)...)
	}
	k.up = newUpstream(m, cells, c.det, read)
	return k
}

// tables are those of the part.
func (p *part) tables() []int32 {
	all := slices.Clone(p.alone)
	for k := range p.classes {
		all = append(all, p.classes[k].tables...)
	}
	return all
}

func rowSet(m *model.Model, segs []model.Seg) map[int32]bool {
	set := map[int32]bool{}
	for k := range rowsOf(m, segs) {
		set[k.row()] = true
	}
	return set
}

// summing computes a summed density along the steps of one chain.
type summing struct {
	k    *summed
	f    *filter
	d    []float64 // derivatives of the density by the logs of entries
	work []float64
}

func newSumming(k *summed, f *filter) *summing {
	return &summing{k: k, f: f, d: make([]float64, len(f.tab))}
}

func (g *summing) begin(s *model.State) {
	g.f.save(s)
	g.f.fill(s, &g.f.c.all)
	g.f.sum(&g.f.c.all)
}

func (g *summing) value(s *model.State) float64 {
	s.Run(g.k.up.rows)
	g.f.fill(s, &g.k.part)
	g.f.sum(&g.k.part)
	return g.f.total()
}

// total is the log of the product of all groups' sums; −Inf where it is not finite.
func (f *filter) total() float64 {
	e := &f.c.sums
	sum := 0.0
	for _, r := range e.roots {
		sum += float64(float64(r.groups) * f.tab[e.buckets[r.bucket].msg])
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return math.Inf(-1)
	}
	return sum
}

func (g *summing) slopes(s *model.State) {
	g.weigh()
	zero(s, g.k.up.outs)
	c, p := g.f.c, &g.k.part
	for k := range p.classes {
		l := &p.classes[k]
		for x := range l.size {
			l.set(s, x)
			c.zeroOut(s, l.det)
			for _, t := range l.tables {
				g.row(s, &c.tables[t], x)
			}
			l.back.Pull(s)
		}
	}
	for _, k := range p.alone {
		t := &c.tables[k]
		for e := range c.configurations(t) {
			c.set(s, t, e)
			c.zeroOut(s, t.det)
			g.row(s, t, e)
			t.back.Pull(s)
		}
	}
	g.k.up.back.Pull(s)
}

func zero(s *model.State, cells []int32) {
	for _, c := range cells {
		s.A[c] = 0
	}
}

// zeroOut clears the derivatives by what logical rows write.
func (c *chains) zeroOut(s *model.State, segs []model.Seg) {
	for _, g := range segs {
		t := c.m.Templates[g.T]
		zero(s, t.Out[int(g.Lo)*t.NOut:int(g.Hi)*t.NOut])
	}
}

// row adds those of a table's row at value number x of the nodes beside its own.
func (g *summing) row(s *model.State, t *factorTable, x int) {
	if !t.own {
		if w := g.d[t.at+x]; w != 0 {
			g.work = s.RowSlopes(t.t, t.i, w, g.work)
		}
		return
	}
	n := &g.f.c.nodes[t.nodes[0]]
	was := s.V[n.cell]
	for k, w := range g.d[t.at+x*n.size:][:n.size] {
		if w != 0 {
			s.V[n.cell] = n.lo + float64(k)
			g.work = s.RowSlopes(t.t, t.i, w, g.work)
		}
	}
	s.V[n.cell] = was
}

// weigh computes the derivatives by entries of tables and messages, from the groups' sums down: an entry's is the expected number of rows of its
// table that have its values.
func (g *summing) weigh() {
	f := g.f
	e := &f.c.sums
	clear(g.d)
	for _, r := range e.roots {
		g.d[e.buckets[r.bucket].msg] += float64(r.groups)
	}
	for _, k := range g.k.part.singles {
		b := &e.buckets[k]
		m := g.d[b.msg]
		for _, t := range b.terms {
			for x, p := range f.p[b.prob:][:b.size] {
				g.d[int(t.at)+x] += float64(m * p)
			}
		}
	}
	for _, k := range slices.Backward(g.k.part.buckets) {
		b := &e.buckets[k]
		flat := f.w[:b.size]
		clear(flat)
		shaped := b.terms
		for len(shaped) > 0 && shaped[0].shape < 0 {
			shaped = shaped[1:]
		}
		for c := range b.cfg {
			m := g.d[b.msg+c]
			if m == 0 {
				continue
			}
			for x, p := range f.p[b.prob+c*b.size:][:b.size] {
				w := float64(m * p)
				flat[x] += w
				for _, t := range shaped {
					g.d[t.at+e.shapes[t.shape][c*b.size+x]] += w
				}
			}
		}
		for _, t := range b.terms[:len(b.terms)-len(shaped)] {
			for x, w := range flat {
				g.d[int(t.at)+x] += w
			}
		}
	}
}

func (g *summing) finish(s *model.State, r *rand.Rand) {
	g.value(s)
	g.f.draw(s, r)
}

// sumOut sums by the filter for the data of a state.
type sumOut struct {
	*summing
	k          *summed
	cells      []int32
	own, plain *summing // plain: for states whose data are not the model's
}

func (c *chains) along(cells []int32) func() integral {
	k := c.by(cells)
	return func() integral { return &sumOut{k: k, cells: cells, own: newSumming(k, newFilter(k.c))} }
}

func (c *chains) logic() []model.Seg { return c.det }

func (c *chains) nodeRows() (rows []int32) {
	for _, n := range c.nodes {
		if n.past == nil {
			rows = append(rows, n.row)
		}
	}
	return rows
}

func (o *sumOut) begin(s *model.State) {
	o.summing = o.own
	if !o.k.c.hasData(s) {
		if o.plain == nil {
			c := o.k.c.unshared()
			o.plain = newSumming(c.by(o.cells), newFilter(c))
		}
		o.summing = o.plain
	}
	o.summing.begin(s)
}

// summable are the groups of discrete nodes among rows to sum out of the density of some continuous nodes; nil where there are none. Groups of two
// nodes and more are, and single nodes with latents of their own or that pick more than a spread ([planner.gains]), or where what they share makes the sums no dearer than the density itself.
func (p *planner) summable(members, rows []int32) *chains {
	for range maxRounds {
		c := chainsOf(p.Model, rows, func(int32) bool { return true }, true)
		if c == nil {
			return nil
		}
		out := c.misfits(members, p.gains(c, members))
		if len(out) == 0 {
			return c
		}
		rows = slices.DeleteFunc(rows, func(r int32) bool { return out[r] })
	}
	return nil
}

// drawnAlone are the nodes of some kernels, and that no override asks for.
func (p *planner) drawnAlone(kernels ...string) (rows []int32) {
	has := map[int32]bool{}
	for _, it := range p.Items {
		if slices.Contains(kernels, it.Kernel) {
			for _, r := range it.Rows {
				has[r] = p.asked[r] == nil
			}
		}
	}
	for _, r := range p.rows {
		if has[r] {
			rows = append(rows, r)
		}
	}
	return rows
}

// misfits are the nodes of groups that members do not move, single nodes that gain little and do not share enough, and those on which the support of a member depends.
func (c *chains) misfits(members []int32, gain map[int32]bool) map[int32]bool {
	m := c.m
	var cells []int32
	for _, r := range members {
		t, i := m.TemplateOf(r)
		cells = append(cells, t.Cells(i)...)
	}
	around := m.Blanket(cells)
	group := make([]int32, len(c.nodes)) // of each node
	fits := make([]bool, len(c.sums.groups))
	bad := make([]bool, len(c.sums.groups))
	for k, g := range c.sums.groups {
		for _, v := range c.sums.seq[g.from:g.to] {
			group[v] = int32(k)
		}
	}
	c.eachLink(func(row int32, v int32) {
		t, i := m.TemplateOf(row)
		g := group[v]
		switch own := slices.Contains(members, row); {
		case own && !fixedSupport(m, t, i), t.Stoch.Interval && contains(m, around.Stoch, row):
			bad[g] = true
		case own || contains(m, around.Stoch, row):
			fits[g] = true
		}
	})
	out := map[int32]bool{}
	for k, g := range c.sums.groups {
		if fits[k] && !bad[k] && (g.to-g.from > 1 || c.entries <= c.linked || gain[c.sums.seq[g.from]]) {
			continue
		}
		for _, v := range c.sums.seq[g.from:g.to] {
			out[c.nodes[v].row] = true
		}
	}
	return out
}

// fixedSupport tells whether the support of a node is the same whatever its parents are.
func fixedSupport(m *model.Model, t *model.Template, i int) bool {
	if t.Stoch.Scalar == nil {
		return t.Stoch.Name == "dmnorm" || t.Stoch.Name == "dmnorm.vcov" || t.Stoch.Name == "dmt"
	}
	lo, hi := m.FixedBounds(t, i)
	return lo == lo && hi == hi
}

// eachLink calls f with every stochastic row and node on which it depends.
func (c *chains) eachLink(f func(row, node int32)) {
	for v, n := range c.nodes {
		if n.past != nil {
			continue
		}
		f(n.row, int32(v))
		for k := range rowsOf(c.m, c.m.Densities([]int32{n.cell})) {
			f(k.row(), int32(v))
		}
	}
}

// takeSummed removes the nodes of a sum from the kernels of the plan that move them.
func (p *planner) takeSummed(c summedOut) (rows []int32) {
	rows = c.nodeRows()
	mine := map[int32]bool{}
	for _, r := range rows {
		mine[r] = true
	}
	items := p.Items
	p.Items = nil
	for _, it := range items {
		left := slices.DeleteFunc(slices.Clone(it.Rows), func(r int32) bool { return mine[r] })
		switch {
		case len(left) == len(it.Rows):
			p.Items = append(p.Items, it)
		case len(left) > 0:
			p.addFFBS(chainsOf(p.Model, left, func(int32) bool { return true }, true))
		}
	}
	return rows
}
