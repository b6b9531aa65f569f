package model

import "slices"

// Components are the parameters of a mixture by component: what allocations pick from tables, and what that is computed from. If two components exchange their values, and allocations to them their
// labels, no density changes but the priors of the components and of the allocations.
type Components struct {
	Nodes [][]int32 // cells of nodes, of each component in the same order
	Logic [][]Seg   // logical rows that compute what is picked
	Prior [][]Seg   // the nodes' own rows
}

// Components finds those of k components to which nodes z allocate; nil where allocations or parameters have another use.
func (m *Model) Components(z []int32, k int) *Components {
	w := componentWalk{m: m, k: k, z: map[int32]bool{}, of: map[int32]int{}, logic: map[int32]int{}, picks: map[int32]bool{}}
	for _, c := range z {
		w.z[c] = true
	}
	for _, c := range z {
		if !w.uses(c) {
			return nil
		}
	}
	for len(w.open) > 0 {
		col := w.open[0]
		w.open = w.open[1:]
		if !w.column(col) {
			return nil
		}
	}
	if len(w.nodes) == 0 || !w.closed() {
		return nil
	}
	return w.result()
}

type componentWalk struct {
	m     *Model
	k     int
	z     map[int32]bool
	of    map[int32]int // component of each cell that differs by component
	nodes [][]int32     // columns of nodes
	open  [][]int32     // columns to look at
	logic map[int32]int // component of logical rows
	picks map[int32]bool
}

// uses looks at what reads an allocation: rows that take it for an index alone.
func (w *componentWalk) uses(c int32) bool {
	for _, seg := range w.m.Children(c) {
		t := w.m.Templates[seg.T]
		for i := int(seg.Lo); i < int(seg.Hi); i++ {
			row := t.First + int32(i)
			switch {
			case t.Stoch == nil && !w.m.Live(row):
			case t.Stoch != nil && !w.m.Informed(row):
			case t.Stoch != nil || !w.pick(t, i):
				return false
			}
		}
	}
	return true
}

// pick adds the columns of a row's tables.
func (w *componentWalk) pick(t *Template, i int) bool {
	w.picks[t.First+int32(i)] = true
	isZ := func(r int32) bool { return int(r) < t.NIn && w.z[t.in(i)[r]] }
	var three [3]int32
	for k := range t.Prog.Code {
		in := &t.Prog.Code[k]
		if in.Op != OpGather && slices.ContainsFunc(t.Prog.reads(in, &three), isZ) {
			return false
		}
	}
	if slices.ContainsFunc(t.Prog.Out, isZ) {
		return false
	}
	for k := range t.Prog.Gathers {
		g := &t.Prog.Gathers[k]
		d := slices.IndexFunc(g.Idx, isZ)
		if d < 0 {
			continue // of what it reads, closed makes sure that it is no parameter
		}
		if int(g.Extent[d]) != w.k || slices.ContainsFunc(g.Idx[d+1:], isZ) {
			return false
		}
		extent := slices.Clone(g.Extent)
		extent[d] = 1
		walkTable(t.addr(i)[g.Slot], extent, g.Stride, func(c int32) {
			col := make([]int32, w.k)
			for j := range col {
				col[j] = c + int32(j)*g.Stride[d]
			}
			w.add(col)
		})
	}
	return true
}

// add queues a column that has not been met.
func (w *componentWalk) add(col []int32) {
	if j, met := w.of[col[0]]; met && j == 0 {
		return
	}
	w.open = append(w.open, col)
	for j, c := range col {
		w.of[c] = j
	}
}

// column looks at what a column is: nodes, rows of one relation, or data that do not differ.
func (w *componentWalk) column(col []int32) bool {
	m, kind := w.m, w.m.Kinds[col[0]]
	if slices.ContainsFunc(col, func(c int32) bool { return m.Kinds[c] != kind || w.z[c] }) {
		return false
	}
	switch kind {
	case Constant:
		for _, c := range col {
			delete(w.of, c)
		}
		return !slices.ContainsFunc(col, func(c int32) bool { return m.Init[c] != m.Init[col[0]] })
	case Unobserved:
		w.nodes = append(w.nodes, col)
		return true
	case Logical:
		return w.computed(col)
	}
	return false
}

// computed goes on with what the rows of a column read.
func (w *componentWalk) computed(col []int32) bool {
	m := w.m
	first, i := m.TemplateOf(m.DefRow(col[0]))
	at := slices.Index(first.out(i), col[0])
	var rows [][]int32 // operands
	for j, c := range col {
		t, i := m.TemplateOf(m.DefRow(c))
		if t != first || len(t.Prog.Gathers) > 0 || t.out(i)[at] != c {
			return false
		}
		rows = append(rows, t.in(i))
		w.logic[t.First+int32(i)] = j
	}
	for q := range first.NIn {
		operands := make([]int32, w.k)
		for j := range operands {
			operands[j] = rows[j][q]
		}
		if slices.ContainsFunc(operands, func(c int32) bool { return c != operands[0] }) {
			w.add(operands)
		}
	}
	return true
}

// closed makes sure that nothing but the components' own rows and the picks reads what differs by component.
func (w *componentWalk) closed() bool {
	m := w.m
	for c, j := range w.of {
		if r := m.DefRow(c); m.Kinds[c] == Unobserved {
			t, i := m.TemplateOf(r)
			if !m.Informed(r) || slices.ContainsFunc(t.out(i), func(o int32) bool { k, met := w.of[o]; return !met || k != j }) {
				return false
			}
		}
		for _, seg := range m.Children(c) {
			t := m.Templates[seg.T]
			for i := int(seg.Lo); i < int(seg.Hi); i++ {
				if !w.mayRead(t, i, c, j) {
					return false
				}
			}
		}
	}
	return true
}

// mayRead tells whether a row may read a cell of component j.
func (w *componentWalk) mayRead(t *Template, i int, c int32, j int) bool {
	row := t.First + int32(i)
	switch {
	case t.Stoch != nil:
		k, met := w.of[t.out(i)[0]]
		return !w.m.Informed(row) || met && k == j
	case !w.m.Live(row):
		return true
	case w.picks[row]:
		return !slices.Contains(t.in(i), c) && w.readsByZ(t, i, c)
	}
	k, met := w.logic[row]
	return met && k == j
}

// readsByZ tells whether each gather of a pick that may read a cell has an allocation for an index.
func (w *componentWalk) readsByZ(t *Template, i int, c int32) bool {
	for k := range t.Prog.Gathers {
		g := &t.Prog.Gathers[k]
		if slices.ContainsFunc(g.Idx, func(r int32) bool { return int(r) < t.NIn && w.z[t.in(i)[r]] }) {
			continue
		}
		met := false
		walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, func(x int32) { met = met || x == c })
		if met {
			return false
		}
	}
	return true
}

func (w *componentWalk) result() *Components {
	all := &Components{}
	logic, prior := make([][]int32, w.k), make([][]int32, w.k)
	for row, j := range w.logic {
		logic[j] = append(logic[j], row)
	}
	for j := range w.k {
		var cells []int32
		for _, col := range w.nodes {
			cells, prior[j] = append(cells, col[j]), append(prior[j], w.m.DefRow(col[j]))
		}
		slices.Sort(logic[j])
		slices.Sort(prior[j])
		all.Nodes = append(all.Nodes, cells)
		all.Logic = append(all.Logic, w.m.LogicalSegs(logic[j]))
		all.Prior = append(all.Prior, w.m.segments(slices.Compact(prior[j]), false))
	}
	return all
}

// Picked are the cells that rows read, by index, where a cell with values of 1 … k is one: for each value those of the same places. nil where it is an index into other extents, or none.
func (m *Model) Picked(z int32, k int) [][]int32 {
	picked := make([][]int32, k)
	for _, seg := range m.Children(z) {
		t := m.Templates[seg.T]
		for i := int(seg.Lo); i < int(seg.Hi); i++ {
			if t.Prog == nil || !m.Live(t.First+int32(i)) {
				continue
			}
			for j := range t.Prog.Gathers {
				if !t.picked(i, &t.Prog.Gathers[j], z, picked) {
					return nil
				}
			}
		}
	}
	if len(picked[0]) == 0 {
		return nil
	}
	return picked
}

// picked adds what a gather of a row reads where z is an index; false where that is not of as many values.
func (t *Template) picked(i int, g *Gather, z int32, picked [][]int32) bool {
	for d, r := range g.Idx {
		if int(r) >= t.NIn || t.in(i)[r] != z {
			continue
		}
		if int(g.Extent[d]) != len(picked) {
			return false
		}
		extent := slices.Clone(g.Extent)
		extent[d] = 1
		walkTable(t.addr(i)[g.Slot], extent, g.Stride, func(c int32) {
			for j := range picked {
				picked[j] = append(picked[j], c+int32(j)*g.Stride[d])
			}
		})
	}
	return true
}
