package model

import (
	"cmp"
	"math/bits"
	"slices"
)

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
	return w.blanket(cells)
}

// Densities is the Stoch of [Model.Blanket], found in less time.
func (m *Model) Densities(cells []int32) []Seg {
	w := m.walk(cells, m.Rows())
	defer m.walkers.Put(w)
	return append([]Seg(nil), inOrder(w.stoch)...)
}

// BlanketWithin is [Model.Blanket], unless its Det has more rows than most.
func (m *Model) BlanketWithin(cells []int32, most int) (b Blanket, ok bool) {
	w := m.walk(cells, most)
	defer m.walkers.Put(w)
	if w.logical > most {
		return b, false
	}
	return w.blanket(cells), true
}

// IsCut tells whether a row is a dcut: a node that is what it is given, and keeps from it
// what is learnt of the node.
func (m *Model) IsCut(row int32) bool {
	t, _ := m.TemplateOf(row)
	return t.isCut()
}

func (t *Template) isCut() bool { return t.Stoch != nil && t.Stoch.Name == "dcut" }

// walker has the memory of a walk through the graph, by runs of rows. It is used again: nodes that many rows read are looked at many times.
type walker struct {
	m       *Model
	seen    []uint64 // bitset of rows
	det     []Seg    // logical rows as they are met
	stoch   []Seg
	logical int // the number of rows in det
}

// walk finds what depends on some cells, as long as the logical rows are no more than most.
func (m *Model) walk(cells []int32, most int) *walker {
	w, _ := m.walkers.Get().(*walker)
	if w == nil {
		w = &walker{m: m, seen: newBits(m.Rows())}
	}
	w.det, w.stoch, w.logical = w.det[:0], w.stoch[:0], 0
	for _, c := range cells {
		w.readers(c)
	}
	for k := 0; k < len(w.det); k++ {
		t := m.Templates[w.det[k].T]
		for i := w.det[k].Lo; i < w.det[k].Hi && w.logical <= most; { // the last run may grow meanwhile
			if o := t.onward; o != nil {
				hi := w.det[k].Hi
				w.add(Seg{o.t, i + o.by, hi + o.by})
				i = hi
				continue
			}
			for _, c := range t.out(int(i)) {
				w.readers(c)
			}
			i++
		}
	}
	w.forget()
	return w
}

// readers takes the rows that read a cell.
func (w *walker) readers(c int32) {
	for _, s := range w.m.Children(c) {
		w.add(s)
	}
}

// add takes the rows of a run that matter.
func (w *walker) add(s Seg) {
	switch of := w.m.mattering(w.m.Templates[s.T]); {
	case of == nil:
	case w.m.Templates[s.T].Stoch == nil:
		w.logical += w.take(&w.det, s, of)
	default:
		w.take(&w.stoch, s, of)
	}
}

// mattering tells the rows of a template that are in blankets: logical ones that lead to a density, and stochastic ones that data reach; nil where none is.
func (m *Model) mattering(t *Template) []uint64 {
	switch {
	case t.Stoch == nil:
		return m.live
	case t.isCut():
		return nil
	}
	return m.informed
}

// onward is where the rows of a template of logical rows lead, where each of those that matter is read by one that does, as many rows further on in another
// template: row i by row i + by.
type onward struct{ t, by int32 }

// onwardOf finds it, nil where rows have other readers.
func (m *Model) onwardOf(t *Template) (o *onward) {
	if t.Stoch != nil || t.NOut != 1 {
		return nil
	}
	for i := range int32(t.Rows) {
		if !bit(m.live, t.First+i) {
			continue
		}
		n := 0
		for _, s := range m.Children(t.Out[i]) {
			of := m.mattering(m.Templates[s.T])
			for j := s.Lo; j < s.Hi && of != nil; j++ {
				if !bit(of, m.rowStart[s.T]+j) {
					continue
				}
				if o == nil {
					o = &onward{s.T, j - i}
				}
				if n++; *o != (onward{s.T, j - i}) {
					return nil
				}
			}
		}
		if n == 0 {
			return nil
		}
	}
	return o
}

// take adds the wanted rows of a run that are not in yet, and tells how many they are.
func (w *walker) take(to *[]Seg, s Seg, wanted []uint64) (n int) {
	first := w.m.rowStart[s.T]
	for at, end := first+s.Lo, first+s.Hi; at < end; {
		word, from := at>>6, uint(at)&63
		count := min(uint(end-at), 64-from)
		fresh := (wanted[word] &^ w.seen[word]) >> from << (64 - count) >> (64 - count)
		w.seen[word] |= fresh << from
		n += bits.OnesCount64(fresh)
		for lo := at - first; fresh != 0; {
			skip := bits.TrailingZeros64(fresh)
			fresh >>= skip
			run := bits.TrailingZeros64(^fresh)
			fresh >>= run
			lo += int32(skip)
			extend(to, Seg{s.T, lo, lo + int32(run)})
			lo += int32(run)
		}
		at += int32(count)
	}
	return n
}

// extend adds a run, or lengthens the last by it.
func extend(to *[]Seg, s Seg) {
	if k := len(*to) - 1; k >= 0 && (*to)[k].T == s.T && (*to)[k].Hi == s.Lo {
		(*to)[k].Hi = s.Hi
		return
	}
	*to = append(*to, s)
}

// forget makes seen empty again.
func (w *walker) forget() {
	for _, runs := range [][]Seg{w.det, w.stoch} {
		for _, s := range runs {
			first := w.m.rowStart[s.T]
			clear(w.seen[(first+s.Lo)>>6 : (first+s.Hi-1)>>6+1])
		}
	}
}

// blanket gives what has been found memory of its own.
func (w *walker) blanket(cells []int32) Blanket {
	return Blanket{Cells: cells, Det: w.m.byDepth(inOrder(w.det)), Stoch: append([]Seg(nil), inOrder(w.stoch)...)}
}

// inOrder sorts runs by their rows, in place, and joins neighbours.
func inOrder(runs []Seg) []Seg {
	slices.SortFunc(runs, func(a, b Seg) int { return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.Lo, b.Lo)) })
	joined := runs[:0]
	for _, s := range runs {
		extend(&joined, s)
	}
	return joined
}

// byDepth are the runs of logical rows, in the order of their rows, cut where rows differ in depth and sorted by it: rows of a run must not depend on one another.
func (m *Model) byDepth(runs []Seg) []Seg {
	var out []Seg
	for _, s := range runs {
		t := m.Templates[s.T]
		for lo := s.Lo; lo < s.Hi; {
			hi := s.Hi
			if t.level != nil {
				for hi = lo + 1; hi < s.Hi && t.level[hi] == t.level[lo]; hi++ {
				}
			}
			out = append(out, Seg{s.T, lo, hi})
			lo = hi
		}
	}
	deep := func(s Seg) int32 { return m.Templates[s.T].depth(int(s.Lo)) }
	slices.SortStableFunc(out, func(a, b Seg) int { return cmp.Compare(deep(a), deep(b)) })
	return fit(out)
}
