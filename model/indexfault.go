package model

import "math"

// IndexFault is an index or a size that may take a value for which there is no
// element, or that no count can have.
type IndexFault struct {
	Row       int32   // that uses it
	Gather    *Gather // nil where it is a size of the row's distribution
	Dim       int     // of the gather's indices, or the distribution's parameter
	Cell      int32   // of the size; −1 for an index
	Undefined int32   // the element that is read but not defined, −1 where the value leaves the range
	Value     float64
	Values    Values   // all that the index or size may be
	Nodes     []int32  // cells of the unobserved nodes it comes from
	Takes     []Values // what these may be
}

// IndexFaults looks for an index that may leave its array or reach an undefined element there
// with positive probability, and for a size that may be no whole number. The
// first found is returned, nil where there is none.
func (m *Model) IndexFaults() *IndexFault {
	w := &supports{m: m}
	if !w.prepare() {
		return nil
	}
	f := w.search()
	if f == nil {
		return nil
	}
	// That a probability is zero may take its expression to see.
	w = &supports{m: m, deep: true}
	w.prepare()
	return w.search()
}

// tableUndefined remembers whether the table a gather read last has undefined elements.
type tableUndefined struct {
	base int32
	any  bool
}

func (w *supports) search() *IndexFault {
	w.id = make([]int32, len(w.m.Init))
	w.undefined = map[*Gather]tableUndefined{}
	for ti, t := range w.m.Templates {
		if t.Prog != nil && w.marks[ti] == nil {
			continue
		}
		if t.Stoch != nil && len(t.Stoch.sizes()) == 0 {
			continue
		}
		last := -1 // row whose indices have been found right
		for i := range t.Rows {
			if t.Stoch != nil {
				if f := w.sizeFault(t, i); f != nil {
					return f
				}
				continue
			}
			for _, k := range w.feeds[ti] {
				w.know(t.in(i)[k])
			}
			w.eachIndexTable(ti, t, i, w.know)
			if last >= 0 && w.sameIndex(ti, t, i, last) {
				continue
			}
			if f := w.rowFault(ti, t, i); f != nil {
				return f
			}
			last = i
		}
	}
	return nil
}

// eachIndexTable visits the cells of tables whose elements are indices.
func (w *supports) eachIndexTable(ti int, t *Template, i int, f func(c int32)) {
	for k := range t.Prog.Code {
		if in := &t.Prog.Code[k]; in.Op == OpGather && w.marks[ti][in.Dst] {
			g := &t.Prog.Gathers[in.A]
			walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, f)
		}
	}
}

// sameIndex tells rows whose indices have the same values, in tables without
// undefined elements.
func (w *supports) sameIndex(ti int, t *Template, i, last int) bool {
	for _, k := range w.feeds[ti] {
		a, b := w.of(t.in(i)[k]), w.of(t.in(last)[k])
		if !a.same(&b) {
			return false
		}
	}
	for k := range t.Prog.Gathers {
		g := &t.Prog.Gathers[k]
		if w.hasHoles(t.addr(i)[g.Slot], g) {
			return false
		}
	}
	for k := range t.Prog.Code {
		if in := &t.Prog.Code[k]; in.Op == OpGather && w.marks[ti][in.Dst] {
			return false // an index read from a table
		}
	}
	return true
}

func (w *supports) hasHoles(base int32, g *Gather) bool {
	h, ok := w.undefined[g]
	if !ok || h.base != base {
		h = tableUndefined{base: base}
		walkTable(base, g.Extent, g.Stride, func(c int32) { h.any = h.any || w.m.Kinds[c] == Undefined })
		w.undefined[g] = h
	}
	return h.any
}

// rowFault looks for an index of a row that may leave its array or reach an undefined element.
func (w *supports) rowFault(ti int, t *Template, i int) (f *IndexFault) {
	check := func(g *Gather, idx []Values) bool {
		for d, v := range idx {
			if x, bad := outside(v, float64(g.Extent[d])); bad {
				f = &IndexFault{Gather: g, Dim: d, Value: x, Values: v, Undefined: -1}
				return false
			}
		}
		if !w.hasHoles(t.addr(i)[g.Slot], g) {
			return true
		}
		eachPicked(t.addr(i)[g.Slot], g, idx, func(c int32) {
			if w.m.Kinds[c] == Undefined && f == nil {
				f = &IndexFault{Gather: g, Values: idx[0], Value: idx[0].Lo, Undefined: c}
			}
		})
		return f == nil
	}
	w.rowValues(t, i, w.marks[ti], check, func([]Values) {})
	if f != nil {
		f.Row, f.Cell = t.First+int32(i), -1
		var from []int32
		for _, k := range w.feeds[ti] {
			from = append(from, t.in(i)[k])
		}
		w.eachIndexTable(ti, t, i, func(c int32) { from = append(from, c) })
		w.nodes(f, from)
	}
	return f
}

// outside finds a value that is no index from 1 to n.
func outside(v Values, n float64) (x float64, bad bool) {
	switch {
	case v.empty():
		return 0, false
	case v.Lo < 1:
		if v.has(0) {
			return 0, true
		}
		return v.Lo, true
	case v.Hi > n:
		if v.has(n + 1) {
			return n + 1, true
		}
		return v.Hi, true
	case v.Whole:
		return 0, false
	}
	for _, x := range v.List {
		if x != math.Trunc(x) {
			return x, true
		}
	}
	return v.Lo, v.List == nil
}

// sizeFault looks for a size that changes and may be no whole number.
func (w *supports) sizeFault(t *Template, i int) *IndexFault {
	for _, k := range t.Stoch.sizes() {
		c := t.in(i)[t.Stoch.POff[k]]
		if !w.m.changes(c) {
			continue
		}
		w.know(c)
		v := w.of(c)
		if v.Whole || v.empty() {
			continue
		}
		x := v.Lo
		for _, y := range v.List {
			if y != math.Trunc(y) {
				x = y
			}
		}
		f := &IndexFault{Row: t.First + int32(i), Dim: k, Cell: c, Undefined: -1, Value: x, Values: v}
		w.nodes(f, []int32{c})
		return f
	}
	return nil
}

// maxNamed bounds the nodes that a fault names.
const maxNamed = 3

// nodes names the nearest unobserved nodes that cells come from, those without
// whole numbers first.
func (w *supports) nodes(f *IndexFault, from []int32) {
	seen := map[int32]bool{}
	var discrete []int32
	for len(from) > 0 && len(f.Nodes) < maxNamed {
		c := from[0]
		from = from[1:]
		if seen[c] || !w.m.changes(c) {
			continue
		}
		seen[c] = true
		w.know(c)
		switch v := w.of(c); {
		case w.m.Kinds[c] == Logical:
			w.m.Parents(w.m.DefRow(c), func(p int32) { from = append(from, p) })
		case v.Whole:
			discrete = append(discrete, c)
		default:
			f.Nodes = append(f.Nodes, c)
		}
	}
	f.Nodes = append(f.Nodes, discrete...)
	f.Nodes = f.Nodes[:min(len(f.Nodes), maxNamed)]
	for _, c := range f.Nodes {
		f.Takes = append(f.Takes, w.of(c))
	}
}
