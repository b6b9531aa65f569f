package model

import (
	"slices"
)

// changes tells whether a cell's value may change while sampling.
func (m *Model) changes(c int32) bool { k := m.Kinds[c]; return k == Logical || k == Unobserved }

// eachParent calls f with every changing cell a row reads, repeats included.
func (m *Model) eachParent(t *Template, i int, f func(c int32)) {
	in := t.in(i)
	for _, k := range t.changing {
		if c := in[k]; m.changes(c) {
			f(c)
		}
	}
	t.tableCells(i, func(c int32) {
		if m.changes(c) {
			f(c)
		}
	})
}

// findChanging finds the operands that are not data in all rows.
func (m *Model) findChanging(t *Template) {
	for k := range t.NIn {
		for i := k; i < len(t.In); i += t.NIn {
			if m.changes(t.In[i]) {
				t.changing = append(t.changing, int32(k))
				break
			}
		}
	}
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

// segments sorts rows, logical ones by depth, and joins neighbours to runs.
func (m *Model) segments(rows []int32, byLevel bool) []Seg {
	slices.Sort(rows)
	segs := m.join(rows)
	if byLevel {
		return m.byDepth(segs)
	}
	return segs
}

// join makes runs of consecutive rows of one template.
func (m *Model) join(rows []int32) []Seg {
	var segs []Seg
	for k := 0; k < len(rows); {
		ti := m.templateIndex(rows[k])
		first, end := m.rowStart[ti], m.rowStart[ti+1]
		j := k + 1
		for j < len(rows) && rows[j] == rows[j-1]+1 && rows[j] < end {
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
	return m.join(rows)
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
