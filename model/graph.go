package model

import (
	"slices"
)

// changes tells whether a cell's value may change while sampling.
func (m *Model) changes(c int32) bool { k := m.Kinds[c]; return k == Logical || k == Unobserved }

// eachParent calls f with every changing cell a row reads, repeats included.
func (m *Model) eachParent(t *Template, i int, f func(c int32)) {
	for _, c := range t.in(i) {
		if m.changes(c) {
			f(c)
		}
	}
	t.tableCells(i, func(c int32) {
		if m.changes(c) {
			f(c)
		}
	})
}

// indexChildren builds the compressed rows of children: for each cell the runs
// of rows that read it. Two passes over the rows, so cost and memory are linear.
func (m *Model) indexChildren() {
	n := m.held
	last := make([]int32, n) // 1 + the last row seen reading the cell
	m.childPtr = make([]int32, n+1)
	m.eachRow(func(ti int, t *Template, i int) {
		row := t.First + int32(i)
		m.eachParent(t, i, func(c int32) {
			if last[c] == row+1 {
				return
			}
			if last[c] != row || row == t.First {
				m.childPtr[c+1]++
			}
			last[c] = row + 1
		})
	})
	for c := range n {
		m.childPtr[c+1] += m.childPtr[c]
	}
	m.childRun = make([]Seg, m.childPtr[n])
	next := slices.Clone(m.childPtr[:n])
	clear(last)
	m.eachRow(func(ti int, t *Template, i int) {
		row := t.First + int32(i)
		m.eachParent(t, i, func(c int32) {
			if last[c] == row+1 {
				return
			}
			if last[c] == row && row != t.First {
				m.childRun[next[c]-1].Hi++
			} else {
				m.childRun[next[c]] = Seg{T: int32(ti), Lo: int32(i), Hi: int32(i) + 1}
				next[c]++
			}
			last[c] = row + 1
		})
	})
}

func (m *Model) eachRow(f func(ti int, t *Template, i int)) {
	for ti, t := range m.Templates {
		for i := range t.Rows {
			f(ti, t, i)
		}
	}
}

// Children are the runs of rows that read a cell.
func (m *Model) Children(c int32) []Seg {
	if int(c) >= m.held {
		return nil
	}
	return m.childRun[m.childPtr[c]:m.childPtr[c+1]]
}

// markLive finds the logical rows that lead to a stochastic one that data
// reach; the others matter only to who monitors them.
func (m *Model) markLive() {
	m.live = newBits(m.Rows())
	var stack []int32
	mark := func(c int32) {
		if m.Kinds[c] != Logical {
			return
		}
		if r := m.DefRow(c); r >= 0 && !bit(m.live, r) {
			setBit(m.live, r)
			stack = append(stack, r)
		}
	}
	m.eachRow(func(ti int, t *Template, i int) {
		if t.Stoch == nil || !bit(m.informed, t.First+int32(i)) {
			return
		}
		m.eachParent(t, i, mark)
		for len(stack) > 0 {
			r := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			pt, pi := m.TemplateOf(r)
			m.eachParent(pt, pi, mark)
		}
	})
}

func (m *Model) liveRows() []int32 {
	var rows []int32
	for r := range int32(m.Rows()) {
		if bit(m.live, r) {
			rows = append(rows, r)
		}
	}
	return rows
}

// markInformed finds the stochastic rows that data reach: going up from each
// observed row, every ancestor is informed.
func (m *Model) markInformed() {
	m.informed = newBits(m.Rows())
	seen := newBits(m.Rows())
	var stack []int32
	push := func(c int32) {
		if r := m.DefRow(c); r >= 0 && !bit(seen, r) {
			setBit(seen, r)
			stack = append(stack, r)
		}
	}
	m.eachRow(func(ti int, t *Template, i int) {
		if t.Stoch == nil || m.Kinds[t.out(i)[0]] != Observed {
			return
		}
		row := t.First + int32(i)
		if bit(seen, row) {
			return
		}
		setBit(seen, row)
		stack = append(stack, row)
		for len(stack) > 0 {
			r := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			pt, pi := m.TemplateOf(r)
			if pt.Stoch != nil {
				setBit(m.informed, r)
			}
			m.eachParent(pt, pi, push)
		}
	})
}

// Blanket is what a change of some cells touches: the logical rows to compute
// again, in an order in which each comes after its operands, and the stochastic
// rows whose density changes.
type Blanket struct {
	Cells []int32
	Det   []Seg
	Stoch []Seg
}

// Blanket collects the live descendants of cells up to the first stochastic
// rows. Stochastic rows that no data reach are left out: summed or integrated
// over, they contribute one. So are cuts, whose density tells nothing of what they
// are given.
func (m *Model) Blanket(cells []int32) Blanket {
	w := m.walk(cells, m.Rows())
	defer m.walkers.Put(w)
	return Blanket{Cells: cells, Det: m.segments(w.det, true), Stoch: w.densities()}
}

// Densities is the Stoch of [Model.Blanket], found in less time.
func (m *Model) Densities(cells []int32) []Seg {
	w := m.walk(cells, m.Rows())
	defer m.walkers.Put(w)
	return w.densities()
}

// BlanketWithin is [Model.Blanket], unless its Det has more rows than most.
func (m *Model) BlanketWithin(cells []int32, most int) (b Blanket, ok bool) {
	w := m.walk(cells, most)
	defer m.walkers.Put(w)
	if len(w.det) > most {
		return b, false
	}
	return Blanket{Cells: cells, Det: m.segments(w.det, true), Stoch: w.densities()}, true
}

// walk finds what depends on some cells, as long as the logical rows are no more than most.
func (m *Model) walk(cells []int32, most int) *walker {
	w, _ := m.walkers.Get().(*walker)
	if w == nil {
		w = &walker{m: m, seen: newBits(m.Rows())}
	}
	w.det, w.stoch = w.det[:0], w.stoch[:0]
	for _, c := range cells {
		if w.visit(c, most); len(w.det) > most {
			break
		}
	}
	w.forget()
	return w
}

// densities are those of the stochastic rows that data reach.
func (w *walker) densities() []Seg {
	m := w.m
	w.stoch = slices.DeleteFunc(w.stoch, func(r int32) bool { return !bit(m.informed, r) })
	return slices.DeleteFunc(m.segments(w.stoch, false), func(g Seg) bool { return m.Templates[g.T].isCut() })
}

// IsCut tells whether a row is a dcut: a node that is what it is given, and keeps from it
// what is learnt of the node.
func (m *Model) IsCut(row int32) bool {
	t, _ := m.TemplateOf(row)
	return t.isCut()
}

func (t *Template) isCut() bool { return t.Stoch != nil && t.Stoch.Name == "dcut" }

// walker has the memory of a walk through the graph. It is used again: nodes that many rows read are looked at many times.
type walker struct {
	m     *Model
	seen  []uint64 // bitset of rows
	det   []int32
	stoch []int32
	stack []int32
}

func (w *walker) first(r int32) bool {
	if bit(w.seen, r) {
		return false
	}
	setBit(w.seen, r)
	return true
}

// forget makes seen empty again.
func (w *walker) forget() {
	for _, rows := range [][]int32{w.det, w.stoch} {
		for _, r := range rows {
			w.seen[r>>6] = 0
		}
	}
}

func (w *walker) visit(c int32, most int) {
	w.stack = append(w.stack[:0], c)
	for len(w.stack) > 0 && len(w.det) <= most {
		c := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		for _, s := range w.m.Children(c) {
			t := w.m.Templates[s.T]
			for i := s.Lo; i < s.Hi; i++ {
				w.child(t, i)
			}
		}
	}
}

func (w *walker) child(t *Template, i int32) {
	r := t.First + i
	if t.Stoch != nil {
		if w.first(r) {
			w.stoch = append(w.stoch, r)
		}
		return
	}
	if !bit(w.m.live, r) || !w.first(r) {
		return
	}
	w.det = append(w.det, r)
	if t.NOut == 1 {
		w.stack = append(w.stack, t.Out[i])
		return
	}
	w.stack = append(w.stack, t.out(int(i))...)
}

// segments sorts rows, logical ones by depth, and joins neighbours to runs.
func (m *Model) segments(rows []int32, byLevel bool) []Seg {
	if !byLevel {
		slices.Sort(rows)
		return m.join(rows, func(a, b int32) bool { return true })
	}
	deep := func(r int32) int32 { t, i := m.TemplateOf(r); return t.depth(i) }
	slices.Sort(rows)
	if byDepth := func(a, b int32) int { return int(deep(a)) - int(deep(b)) }; !slices.IsSortedFunc(rows, byDepth) {
		slices.SortStableFunc(rows, byDepth)
	}
	return m.join(rows, func(a, b int32) bool { return deep(a) == deep(b) })
}

// join makes runs of consecutive rows of one template that same allows side by
// side; rows of a run of logical rows must not depend on one another.
func (m *Model) join(rows []int32, same func(a, b int32) bool) []Seg {
	var segs []Seg
	for k := 0; k < len(rows); {
		ti := m.templateIndex(rows[k])
		first, end := m.rowStart[ti], m.rowStart[ti+1]
		j := k + 1
		for j < len(rows) && rows[j] == rows[j-1]+1 && rows[j] < end && same(rows[j-1], rows[j]) {
			j++
		}
		segs = append(segs, Seg{T: int32(ti), Lo: rows[k] - first, Hi: rows[j-1] - first + 1})
		k = j
	}
	return fit(segs)
}

// Count is the number of rows in the runs.
func Count(segs []Seg) int {
	n := 0
	for _, s := range segs {
		n += int(s.Hi - s.Lo)
	}
	return n
}

// Unobserved lists the stochastic rows to be sampled, in row order.
func (m *Model) Unobserved() []int32 {
	var rows []int32
	m.eachRow(func(_ int, t *Template, i int) {
		if t.Stoch != nil && m.Kinds[t.out(i)[0]] == Unobserved {
			rows = append(rows, t.First+int32(i))
		}
	})
	return rows
}

// SampledCells are those of the nodes that take part in sampling.
func (m *Model) SampledCells() (cells []int32) {
	for _, row := range m.Unobserved() {
		if t, i := m.TemplateOf(row); m.Informed(row) {
			cells = append(cells, t.Cells(i)...)
		}
	}
	return cells
}

// ObservedRows lists the runs of stochastic rows with data.
func (m *Model) ObservedRows() []Seg {
	return m.stochastic(func(t *Template, i int) bool { return m.Kinds[t.out(i)[0]] == Observed })
}

// DataRows lists the runs of stochastic rows with data without the factors of prior densities: what the deviance is of.
func (m *Model) DataRows() []Seg {
	return m.stochastic(func(t *Template, i int) bool {
		c := t.out(i)[0]
		if m.Kinds[c] != Observed {
			return false
		}
		a := m.arrayOf(c)
		return a == nil || !a.Prior
	})
}

// DensityRows lists the rows of the data and of the nodes that data reach.
func (m *Model) DensityRows() []Seg {
	return m.stochastic(func(t *Template, i int) bool {
		return m.Kinds[t.out(i)[0]] == Observed || m.Informed(t.First+int32(i))
	})
}

func (m *Model) stochastic(wanted func(t *Template, i int) bool) []Seg {
	var rows []int32
	m.eachRow(func(_ int, t *Template, i int) {
		if t.Stoch != nil && wanted(t, i) {
			rows = append(rows, t.First+int32(i))
		}
	})
	return m.join(rows, func(a, b int32) bool { return true })
}

// Topological lists all rows so that parents come before children: the order
// of a forward simulation.
func (m *Model) Topological() []int32 {
	order, _ := m.topological()
	return order
}

// Cycle finds a cell that depends on itself, if there is one.
func (m *Model) Cycle() (cell int32, ok bool) {
	_, row := m.topological()
	if row < 0 {
		return 0, false
	}
	t, i := m.TemplateOf(row)
	return t.out(i)[0], true
}

func (m *Model) topological() (order []int32, cycle int32) {
	order = make([]int32, 0, m.Rows())
	done, open := newBits(m.Rows()), newBits(m.Rows())
	cycle = -1
	var stack []int32
	for start := range int32(m.Rows()) {
		stack = append(stack[:0], start)
		for len(stack) > 0 {
			row := stack[len(stack)-1]
			if bit(done, row) {
				stack = stack[:len(stack)-1]
				continue
			}
			if bit(open, row) {
				setBit(done, row)
				order = append(order, row)
				stack = stack[:len(stack)-1]
				continue
			}
			setBit(open, row)
			t, i := m.TemplateOf(row)
			m.eachParent(t, i, func(c int32) {
				r := m.DefRow(c)
				switch {
				case r < 0 || bit(done, r):
				case bit(open, r):
					cycle = r
				default:
					stack = append(stack, r)
				}
			})
		}
	}
	return order, cycle
}
