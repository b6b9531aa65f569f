package model

import (
	"cmp"
	"slices"
)

// Block is the log density of some stochastic rows as a function of cells that move together, compiled: rows that are alike are computed as columns, an
// operation at a time, with their derivatives. It is not changed by its use and serves all chains; each has an [Evaluator] of its own.
type Block struct {
	m         *Model
	oracle    *Gradient
	priors    []prior
	priorRuns []cellRange // of the first of them, cells that follow one another
	det       []blockPart
	stoch     []blockPart
	clear     []cellRange // cells whose derivatives the parts add to
}

// blockPart is a group; where it is nil, rows that go one by one.
type blockPart struct {
	group *colGroup
	rows  Seg
}

// cellRange are cells next to one another.
type cellRange struct{ lo, hi int32 }

// NewBlock compiles the density of the rows stoch, through the logical rows det in the order of a [Blanket], for a kernel that moves the given cells.
func (m *Model) NewBlock(cells []int32, det, stoch []Seg) *Block {
	c := &blockBuilder{m: m, member: newBits(len(m.Init)), inDet: newBits(m.Rows()), gone: newBits(m.Rows()), readers: map[int32]int32{}}
	for _, x := range cells {
		setBit(c.member, x)
	}
	for _, seg := range det {
		for i := seg.Lo; i < seg.Hi; i++ {
			setBit(c.inDet, m.Templates[seg.T].First+i)
		}
	}
	c.countReaders(det, stoch)
	c.scalars = c.newGroup(1)
	c.scalars.g.den.y, c.scalars.g.den.root = -1, -1
	k := &Block{m: m, oracle: m.NewGradient(det, stoch)}
	for _, seg := range stoch {
		for _, rest := range c.priors(k, seg) {
			k.stoch = append(k.stoch, c.stochParts(rest)...)
		}
	}
	k.sortPriors()
	if len(c.scalars.g.den.roots) > 0 {
		k.stoch = append(k.stoch, blockPart{group: c.scalars.finish()})
	}
	for _, seg := range slices.Backward(det) {
		k.det = append(k.det, c.detParts(seg)...)
	}
	slices.Reverse(k.det)
	k.clear = c.ranges(k, cells)
	return k
}

// blockBuilder compiles a block.
type blockBuilder struct {
	m       *Model
	member  []uint64        // cells that move
	inDet   []uint64        // logical rows that they reach
	gone    []uint64        // logical rows that nothing reads, or that are computed where they are read
	readers map[int32]int32 // rows that read each of these
	scalars *groupBuilder   // single rows with formulas
}

func (c *blockBuilder) moves(cell int32) bool {
	return bit(c.member, cell) || c.m.Kinds[cell] == Logical && c.m.def[cell] >= 0 && bit(c.inDet, c.m.def[cell])
}

// countReaders counts the rows that need each logical one, from the densities up; what no density needs is left out.
func (c *blockBuilder) countReaders(det, stoch []Seg) {
	m := c.m
	add := func(cell int32, by int32) {
		if r := m.DefRow(cell); m.Kinds[cell] == Logical && r >= 0 && bit(c.inDet, r) {
			c.readers[r] += by
		}
	}
	for _, seg := range stoch {
		t := m.Templates[seg.T]
		if !c.compiles(t, int(seg.Lo), int(seg.Hi)) {
			for _, cell := range t.In[int(seg.Lo)*t.NIn : int(seg.Hi)*t.NIn] {
				add(cell, 2)
			}
			if t.Stoch.eta != nil {
				for _, cell := range t.Stoch.eta[seg.Lo:seg.Hi] {
					add(cell, 2)
				}
			}
			continue
		}
		for i := seg.Lo; i < seg.Hi; i++ {
			c.reads(t, int(i), func(cell int32) { add(cell, 1) })
		}
	}
	for _, seg := range slices.Backward(det) {
		t := m.Templates[seg.T]
		for i := int(seg.Hi) - 1; i >= int(seg.Lo); i-- {
			if c.readers[t.First+int32(i)] == 0 {
				setBit(c.gone, t.First+int32(i))
				continue
			}
			by := int32(1)
			if !t.compiles() {
				by = 2
			}
			for _, cell := range t.in(i) {
				add(cell, by)
			}
			t.tableCells(i, func(cell int32) { add(cell, 2) })
		}
	}
}

// compiles tells whether logical rows can be computed by columns.
func (t *Template) compiles() bool { return t.NOut == 1 && !t.Prog.blocks }

// inlines is the template of the row that computes a cell which one other row reads, if it may be computed there; nil otherwise.
func (c *blockBuilder) inlines(cell int32) *Template {
	if !c.inlinesFor(cell, 1) {
		return nil
	}
	return c.m.logicalOf(cell)
}

// inlinesFor tells whether a cell that so many rows read, all of one group, may be computed there.
func (c *blockBuilder) inlinesFor(cell int32, readers int) bool {
	r := c.m.DefRow(cell)
	if c.m.Kinds[cell] != Logical || r < 0 || !bit(c.inDet, r) || bit(c.gone, r) || c.readers[r] != int32(readers) {
		return false
	}
	t, _ := c.m.TemplateOf(r)
	return t.compiles()
}

// logicalOf is the template that computes a cell, or nil.
func (m *Model) logicalOf(cell int32) *Template {
	if m.Kinds[cell] != Logical || m.def[cell] < 0 {
		return nil
	}
	t, _ := m.TemplateOf(m.def[cell])
	return t
}

// leastRun is how many rows a run has, in the mean, where a template is cut into runs to compute what they read where they read it.
const leastRun = 8

// stochParts cuts rows where what they read comes from other templates.
func (c *blockBuilder) stochParts(seg Seg) []blockPart {
	t := c.m.Templates[seg.T]
	if !c.compiles(t, int(seg.Lo), int(seg.Hi)) {
		return []blockPart{{rows: seg}}
	}
	var cuts []int32
	var last []*Template
	for i := seg.Lo; i < seg.Hi; i++ {
		k, same := 0, true
		c.reads(t, int(i), func(cell int32) {
			from := c.inlines(cell)
			if k == len(last) {
				last = append(last, from)
			}
			same = same && last[k] == from
			last[k] = from
			k++
		})
		if i > seg.Lo && !same {
			cuts = append(cuts, i)
		}
	}
	inline := true
	if len(cuts)*leastRun > int(seg.Hi-seg.Lo) && len(cuts) > 1 {
		cuts, inline = nil, false
	}
	var parts []blockPart
	from := seg.Lo
	for _, to := range append(cuts, seg.Hi) {
		rows := make([]int32, 0, to-from)
		for i := from; i < to; i++ {
			rows = append(rows, i)
		}
		if to > from+1 || !c.alone(t, from) {
			parts = append(parts, blockPart{group: c.stochGroup(t, rows, inline).finish()})
		}
		from = to
	}
	return parts
}

// prior is a normal row whose mean and precision stand still.
type prior struct{ cell, mean, precision int32 }

// priors takes the rows of normal nodes of the block whose parameters stand still, and returns the others.
func (c *blockBuilder) priors(k *Block, seg Seg) (rest []Seg) {
	t := c.m.Templates[seg.T]
	if t.Stoch.fast != fastNorm {
		return []Seg{seg}
	}
	for i := seg.Lo; i < seg.Hi; i++ {
		y, in := t.Out[i], t.in(int(i))
		if bit(c.member, y) && !c.moves(in[0]) && !c.moves(in[1]) {
			k.priors = append(k.priors, prior{y, in[0], in[1]})
			continue
		}
		if n := len(rest); n > 0 && rest[n-1].Hi == i {
			rest[n-1].Hi++
			continue
		}
		rest = append(rest, Seg{seg.T, i, i + 1})
	}
	return rest
}

// longRun is how many cells that follow one another go as a column.
const longRun = 8

// sortPriors puts long runs of cells first.
func (k *Block) sortPriors() {
	slices.SortStableFunc(k.priors, func(a, b prior) int { return int(a.cell) - int(b.cell) })
	var long, short []prior
	for from := 0; from < len(k.priors); {
		to := from + 1
		for to < len(k.priors) && k.priors[to].cell == k.priors[to-1].cell+1 {
			to++
		}
		run := k.priors[from:to]
		if from = to; len(run) < longRun {
			short = append(short, run...)
			continue
		}
		long = append(long, run...)
		k.priorRuns = append(k.priorRuns, cellRange{run[0].cell, run[len(run)-1].cell + 1})
	}
	k.priors = append(long, short...)
}

// detParts are the rows that are not computed elsewhere.
func (c *blockBuilder) detParts(seg Seg) []blockPart {
	t := c.m.Templates[seg.T]
	var parts []blockPart
	for i := seg.Lo; i < seg.Hi; i++ {
		if bit(c.gone, t.First+i) {
			continue
		}
		from := i
		for i < seg.Hi && !bit(c.gone, t.First+i) {
			i++
		}
		part := blockPart{rows: Seg{seg.T, from, i}}
		if t.compiles() {
			part.group = c.detGroup(t, from, i)
		}
		parts = append(parts, part)
	}
	slices.Reverse(parts) // they are put in order with all others
	return parts
}

// detGroup makes the group of logical rows.
func (c *blockBuilder) detGroup(t *Template, lo, hi int32) *colGroup {
	b := c.newGroup(int(hi - lo))
	rows := make([]int32, 0, hi-lo)
	for i := lo; i < hi; i++ {
		rows = append(rows, i)
	}
	// In the order of their cells, which mostly follow one another then: rows of a run do not read each other.
	slices.SortFunc(rows, func(i, j int32) int { return cmp.Compare(t.Out[i], t.Out[j]) })
	b.g.out = b.program(t, rows)
	b.g.cells = permuted(t.Out, rows)
	b.g.even = consecutive(b.g.cells)
	return b.finish()
}

// ranges are the block's cells and those whose derivatives the parts add to, with small gaps.
func (c *blockBuilder) ranges(k *Block, cells []int32) []cellRange {
	m := c.m
	touched := slices.Clone(cells)
	for _, p := range slices.Concat(k.det, k.stoch) {
		if p.group == nil {
			t := m.Templates[p.rows.T]
			touched = append(touched, t.In[int(p.rows.Lo)*t.NIn:int(p.rows.Hi)*t.NIn]...)
			touched = append(touched, t.Out[int(p.rows.Lo)*t.NOut:int(p.rows.Hi)*t.NOut]...)
			if t.Stoch != nil && t.Stoch.eta != nil {
				touched = append(touched, t.Stoch.eta[p.rows.Lo:p.rows.Hi]...)
			}
			for i := p.rows.Lo; i < p.rows.Hi; i++ {
				t.tableCells(int(i), func(c int32) { touched = append(touched, c) })
			}
			continue
		}
		touched = append(touched, p.group.cells...)
		for i := range p.group.nodes {
			n := &p.group.nodes[i]
			if n.slope && (n.kind == cellNode || n.kind == cellsNode) {
				touched = append(touched, n.cells...)
			}
			if n.kind == gatherNode {
				g := &n.prog.Gathers[n.in.A]
				for j, a := range n.addr {
					if j == 0 || a != n.addr[j-1] {
						walkTable(a, g.Extent, g.Stride, func(c int32) { touched = append(touched, c) })
					}
				}
			}
		}
	}
	slices.Sort(touched)
	var ranges []cellRange
	const gap = 16
	for _, cell := range slices.Compact(touched) {
		if n := len(ranges); n > 0 && cell < ranges[n-1].hi+gap {
			ranges[n-1].hi = cell + 1
			continue
		}
		ranges = append(ranges, cellRange{cell, cell + 1})
	}
	return ranges
}
