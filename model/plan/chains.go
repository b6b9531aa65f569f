package plan

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// chains are unobserved discrete nodes of few values in groups: within a group they depend on one another, given all other nodes, in such a way that
// sums over all their values can be taken node by node (variable elimination; a hidden Markov chain's are its forward algorithm). What the sums are
// made of is found once: it is shared by all chains of a run, and rows and groups that are alike share one table and one sum.
type chains struct {
	m       *model.Model
	nodes   []finiteNode
	sums    elimination
	tables  []factorTable
	all     part
	entries int // of all tables and messages

	summedRows
	linked int         // the sum of the numbers of nodes that they depend on
	det    []model.Seg // logical rows that do
	data   []int32     // observed cells whose values the tables share

	singles []bool // buckets of nodes that depend on no other
	linear  []bool // tables of which other buckets take products
}

// part are tables and the sums that depend on them.
type part struct {
	classes []class
	alone   []int32 // tables that are in no class
	buckets []int32
	singles []int32 // buckets of nodes that depend on no other
}

// finiteNode is a discrete node whose values are lo, lo+1, …, lo+size−1 whatever the other nodes are.
type finiteNode struct {
	row, cell int32
	size      int
	lo        float64

	past  *history // of a node that is a state of a history, which has no row or cell, and whose values are those of the first nodes of the history
	level int      // how many these are
}

// factorTable holds the log density of a stochastic row as a function of the nodes on which it depends, the first the fastest; or, without a row, what is fixed of the states of a history.
type factorTable struct {
	row   int32
	t     *model.Template
	i     int
	nodes []int32
	at    int // of its first entry
	n     int
	own   bool        // nodes[0] is the row's own node
	logic []int32     // logical rows between the nodes and the row
	det   []model.Seg // the same, where it is in no class
	back  *model.Gradient
	fixed []float64
}

// class are tables with one node, beside the row's own, of a number of values: they are filled together, value by value.
type class struct {
	size   int
	cells  []int32
	lo     []float64
	states []*finiteNode // of histories, whose nodes the cells then are
	past   []float64     // the values of these that lead to each state, state by state
	det    []model.Seg
	back   *model.Gradient // through det
	tables []int32
	others []int32     // tables of rows that are no nodes, ascending
	stoch  []model.Seg // these rows
}

const (
	// maxFactor bounds the entries of a row's table, and maxShare their number as a multiple of the values of its nodes one by one.
	maxFactor = 1 << 12
	maxShare  = 32
	// maxEntries bounds what a chain holds: 64 MB.
	maxEntries = 1 << 23
	// maxRounds bounds how often nodes are left out before all are.
	maxRounds = 8
)

// finiteOf tells the values of a node, if they are few and do not depend on others.
func finiteOf(m *model.Model, row int32) (finiteNode, bool) {
	t, i := m.TemplateOf(row)
	st := t.Stoch
	if st.Interval || st.Scalar == nil || !st.Scalar.Discrete || t.NOut != 1 {
		return finiteNode{}, false
	}
	lo, hi := m.FixedBounds(t, i)
	if n := hi - lo + 1; !(n >= 1) || n > maxFactor || n > maxEnumerate && st.Name != "dcat" || math.Abs(lo) > 1<<30 {
		return finiteNode{}, false
	}
	return finiteNode{row: row, cell: t.Cells(i)[0], size: int(hi-lo) + 1, lo: lo}, true
}

// chainsOf finds the groups among nodes, deepest first. Nodes that would make sums too large are left out, and single nodes that single does not
// want; nil where nothing is left. Rows with equal data share tables where data is true.
func chainsOf(m *model.Model, rows []int32, single func(row int32) bool, data bool) *chains {
	var nodes []finiteNode
	for _, row := range rows {
		if n, ok := finiteOf(m, row); ok {
			nodes = append(nodes, n)
		}
	}
	for range maxRounds {
		if len(nodes) == 0 {
			return nil
		}
		b := dependence(m, nodes)
		b.histories()
		out := b.tooMany()
		if out == nil {
			out = b.order()
		}
		if out == nil {
			out = b.alone(single)
		}
		if out == nil {
			return b.build(data)
		}
		for v, n := range b.nodes {
			if n.past != nil && out[v] {
				for _, h := range n.past.nodes {
					out[h] = true
				}
			}
		}
		kept := nodes[:0]
		for v, n := range nodes {
			if !out[v] {
				kept = append(kept, n)
			}
		}
		nodes = kept
	}
	return nil
}

// grouping is chains while they are found.
type grouping struct {
	m     *model.Model
	nodes []finiteNode
	links []link // sorted
	ends  []int  // of each row's links
	elimination

	hist   []*history
	first  []int32           // the state after the first node of each
	states map[int32]stateOf // by the rows of histories
	linked int               // links without those by histories
}

// link says that a stochastic row depends on a node.
type link struct{ row, node int32 }

// dependence finds on which nodes each row depends.
func dependence(m *model.Model, nodes []finiteNode) *grouping {
	b := &grouping{m: m, nodes: nodes}
	for v, n := range nodes {
		for row := range densitiesOf(m, n.row) {
			b.links = append(b.links, link{row, int32(v)})
		}
	}
	slices.SortFunc(b.links, func(a, c link) int {
		if a.row != c.row {
			return int(a.row) - int(c.row)
		}
		return int(a.node) - int(c.node)
	})
	for k := range b.links {
		if k+1 == len(b.links) || b.links[k+1].row != b.links[k].row {
			b.ends = append(b.ends, k+1)
		}
	}
	b.linked = len(b.links)
	return b
}

// eachRow calls f with every row and the nodes that it depends on.
func (b *grouping) eachRow(f func(row int32, nodes []link)) {
	from := 0
	for _, to := range b.ends {
		f(b.links[from].row, b.links[from:to])
		from = to
	}
}

// tooMany are the nodes on whose values together a row depends in too many ways; nil where there are none.
func (b *grouping) tooMany() (out []bool) {
	b.eachRow(func(_ int32, nodes []link) {
		n, alone := 1, 0
		for _, l := range nodes {
			size := b.nodes[l.node].size
			n, alone = min(n*size, maxFactor+1), alone+size
		}
		if n <= maxFactor && n <= maxShare*alone {
			return
		}
		if out == nil {
			out = make([]bool, len(b.nodes))
		}
		for _, l := range nodes {
			out[l.node] = true
		}
	})
	return out
}

// order finds an order of elimination, or the nodes that keep it from being cheap.
func (b *grouping) order() []bool {
	sizes := make([]int, len(b.nodes))
	for v, n := range b.nodes {
		sizes[v] = n.size
	}
	g := newDegrees(sizes)
	b.eachRow(func(_ int32, nodes []link) {
		for k, l := range nodes {
			for _, o := range nodes[:k] {
				g.join(l.node, o.node)
			}
		}
	})
	b.eachStep(func(_ *history, _ int, nodes []int32) {
		for k, v := range nodes {
			for _, u := range nodes[:k] {
				g.join(v, u)
			}
		}
	})
	var out []bool
	b.elimination, out = g.eliminate()
	return out
}

// alone are the nodes that depend on no other and that single does not want; nil where there are none.
func (b *grouping) alone(single func(row int32) bool) (out []bool) {
	for _, g := range b.groups {
		if g.to-g.from == 1 && !single(b.nodes[b.seq[g.from]].row) {
			if out == nil {
				out = make([]bool, len(b.nodes))
			}
			out[b.seq[g.from]] = true
		}
	}
	return out
}

// build makes the tables and the sums; nil where they would take too much memory.
func (b *grouping) build(data bool) *chains {
	c := &chains{m: b.m, nodes: b.nodes, linked: b.linked}
	var cells []int32
	var tags []uint64
	for _, n := range b.nodes {
		if n.past == nil {
			cells, tags = append(cells, n.cell), append(tags, uint64(n.size)<<32|uint64(uint32(int32(n.lo))))
		}
	}
	like := b.m.NewLikeness(cells, tags, data)
	sum := newSummer(&b.elimination)
	type kind struct{ key, auto, level int32 }
	made := map[kind]int{} // tables
	seen := map[int32]bool{}
	b.eachRow(func(row int32, nodes []link) {
		c.rows = append(c.rows, row)
		a := like.Row(row)
		for _, d := range a.Data {
			if !seen[d] {
				seen[d] = true
				c.data = append(c.data, d)
			}
		}
		t, i := b.m.TemplateOf(row)
		of, own := a.Nodes, len(a.Nodes) > 0 && t.Cells(i)[0] == b.nodes[a.Nodes[0]].cell
		by := kind{key: a.Key}
		if st, ok := b.states[row]; ok {
			by.auto, by.level = st.auto, int32(b.nodes[st.node].level)
			if of = []int32{st.node}; own {
				of = []int32{a.Nodes[0], st.node}
			}
		}
		k, ok := made[by]
		if !ok {
			k = len(c.tables)
			made[by] = k
			c.addTable(factorTable{row: row, t: t, i: i, nodes: slices.Clone(of), logic: slices.Clone(a.Logic), own: own})
		}
		sum.add(int32(k), c.tables[k].at, of)
	})
	b.eachStep(func(h *history, j int, nodes []int32) {
		by := kind{key: -1, auto: h.auto.id, level: int32(j)}
		k, ok := made[by]
		if !ok {
			k = len(c.tables)
			made[by] = k
			c.addTable(factorTable{row: -1, nodes: nodes, fixed: h.auto.levels[j].steps(b.nodes[h.nodes[j]].size)})
		}
		sum.add(int32(k), c.tables[k].at, nodes)
	})
	c.entries = sum.finish(len(c.tables), c.entries)
	c.sums = b.elimination
	if c.entries+c.sums.probs > maxEntries {
		return nil
	}
	c.det = b.m.Blanket(cells).Det
	for k := range c.tables {
		if f := &c.tables[k]; f.fixed == nil && len(f.free()) > 1 {
			f.det = c.m.LogicalSegs(slices.Clone(f.logic))
			f.back = c.m.NewGradient(f.det, nil)
		}
	}
	c.findSingles()
	c.all = c.partOf(nil)
	return c
}

// addTable takes a table, whose entries lie behind those of the ones before.
func (c *chains) addTable(f factorTable) {
	f.at, f.n = c.entries, 1
	for _, v := range f.nodes {
		f.n *= c.nodes[v].size
	}
	c.entries += f.n
	c.tables = append(c.tables, f)
}

// findSingles tells the buckets of nodes that depend on no other, and the tables that others read.
func (c *chains) findSingles() {
	c.singles, c.linear = make([]bool, len(c.sums.buckets)), make([]bool, len(c.tables))
	for k := range c.sums.buckets {
		b := &c.sums.buckets[k]
		c.singles[k] = b.cfg == 1 && !slices.ContainsFunc(b.terms, func(t term) bool { return t.shape >= 0 || int(t.of) >= len(c.tables) })
		for _, t := range b.terms {
			if int(t.of) < len(c.tables) && !c.singles[k] {
				c.linear[t.of] = true
			}
		}
	}
}

// free are the nodes of a table beside the row's own.
func (f *factorTable) free() []int32 {
	if f.own {
		return f.nodes[1:]
	}
	return f.nodes
}

// partOf are the tables that in tells of, and the sums that depend on them; all where it is nil.
func (c *chains) partOf(in func(f *factorTable) bool) (p part) {
	moved := map[int32]bool{} // by first entries
	of := map[[2]int]int{}    // classes by size and level
	var rows [][]int32
	has := map[int32]bool{}
	for k := range c.tables {
		f := &c.tables[k]
		if in != nil && (f.fixed != nil || !in(f)) {
			continue
		}
		if moved[int32(f.at)] = true; f.fixed != nil {
			continue
		}
		free := f.free()
		if len(free) > 1 {
			p.alone = append(p.alone, int32(k))
			continue
		}
		size, level := 1, 0
		if len(free) == 1 {
			size, level = c.nodes[free[0]].size, c.nodes[free[0]].level
		}
		at, ok := of[[2]int{size, level}]
		if !ok {
			at = len(p.classes)
			of[[2]int{size, level}] = at
			p.classes, rows = append(p.classes, class{size: size}), append(rows, nil)
		}
		g := &p.classes[at]
		g.tables = append(g.tables, int32(k))
		rows[at] = append(rows[at], f.logic...)
		if len(free) == 1 && !has[free[0]] {
			has[free[0]] = true
			g.takes(&c.nodes[free[0]])
		}
	}
	for k := range p.classes {
		g := &p.classes[k]
		g.lay()
		slices.Sort(rows[k])
		g.det = c.m.LogicalSegs(slices.Compact(rows[k]))
		g.back = c.m.NewGradient(g.det, nil)
		var stoch []int32
		for _, t := range g.tables {
			if f := &c.tables[t]; !f.own {
				g.others, stoch = append(g.others, t), append(stoch, f.row)
			}
		}
		g.stoch = runsOf(c.m, stoch)
	}
	for k := range c.sums.buckets {
		b := &c.sums.buckets[k]
		if slices.ContainsFunc(b.terms, func(t term) bool { return moved[t.at] }) {
			moved[int32(b.msg)] = true
			if c.singles[k] {
				p.singles = append(p.singles, int32(k))
			} else {
				p.buckets = append(p.buckets, int32(k))
			}
		}
	}
	return p
}

// takes adds a node to those that get their values together; states of histories with the same number of nodes before them have no node in common.
func (g *class) takes(n *finiteNode) {
	if n.past == nil {
		g.cells, g.lo = append(g.cells, n.cell), append(g.lo, n.lo)
		return
	}
	g.cells = append(g.cells, n.past.cells[:n.level]...)
	g.states = append(g.states, n)
}

// lay writes down the values of the nodes of histories in each state.
func (g *class) lay() {
	for x := 0; x < g.size && len(g.states) > 0; x++ {
		for _, n := range g.states {
			for k, v := range n.past.auto.levels[n.level-1].values[x] {
				g.past = append(g.past, n.past.lo[k]+float64(v))
			}
		}
	}
}

// without are the logical rows of runs that are not in others.
func without(m *model.Model, segs, others []model.Seg) []model.Seg {
	gone := rowSet(m, others)
	var rows []int32
	for k := range rowsOf(m, segs) {
		if r := k.row(); !gone[r] {
			rows = append(rows, r)
		}
	}
	return m.LogicalSegs(rows)
}
