package model

import (
	"encoding/binary"
	"slices"
)

// Guards tells of the rows of a blanket of one cell which depend on the cell as indices now stand: of a mixture's component, the rows that are allocated to it. A row that reads
// the cell, or what is computed from it, at an index that no row of the blanket moves is guarded by the value of that index.
type Guards struct {
	when  []condition
	sets  [][]int32   // conditions any of which opens a guard; the first guard is always open
	only  []condition // that of each guard with one; a cell of −1 where there is not one
	open  []bool
	det   []guardedSeg
	stoch []guardedSeg
}

// condition is that a cell has a value.
type condition struct {
	cell  int32
	value float64
}

type guardedSeg struct {
	Seg
	guard int32
	first bool // of a run of the blanket: those before it may have to come first
}

// mostConditions is how many conditions a guard may have; a row with more of them is always looked at.
const mostConditions = 4

// Guards finds the guards of a blanket of one cell; nil where fewer than half of its rows have one.
func (m *Model) Guards(b *Blanket) *Guards {
	if len(b.Cells) != 1 || !slices.ContainsFunc(b.Det, func(s Seg) bool { return len(m.Templates[s.T].Prog.Gathers) > 0 }) {
		return nil
	}
	w := guardWalk{m: m, g: &Guards{sets: [][]int32{nil}}, of: map[int32]int32{b.Cells[0]: 0}, ids: map[condition]int32{}, guards: map[string]int32{}}
	w.g.det = w.rows(b.Det)
	w.g.stoch = w.rows(b.Stoch)
	for _, set := range w.g.sets {
		c := condition{cell: -1}
		if len(set) == 1 {
			c = w.g.when[set[0]]
		}
		w.g.only = append(w.g.only, c)
	}
	if 2*w.guarded < Count(b.Det)+Count(b.Stoch) {
		return nil
	}
	return w.g
}

// guardWalk finds the guards of rows, each after its operands.
type guardWalk struct {
	m       *Model
	g       *Guards
	of      map[int32]int32 // guards of the cells that move
	ids     map[condition]int32
	guards  map[string]int32
	set     []int32
	always  bool
	guarded int // rows
}

func (w *guardWalk) rows(segs []Seg) (out []guardedSeg) {
	for _, seg := range segs {
		t := w.m.Templates[seg.T]
		for i := seg.Lo; i < seg.Hi; i++ {
			guard := w.row(t, int(i))
			if guard > 0 {
				w.guarded++
			}
			if k := len(out) - 1; k >= 0 && i > seg.Lo && out[k].guard == guard {
				out[k].Hi++
				continue
			}
			out = append(out, guardedSeg{Seg{T: seg.T, Lo: i, Hi: i + 1}, guard, i == seg.Lo})
		}
	}
	return out
}

func (w *guardWalk) row(t *Template, i int) int32 {
	w.set, w.always = w.set[:0], false
	for _, c := range t.in(i) {
		if guard, moves := w.of[c]; moves {
			w.add(guard)
		}
	}
	if t.Prog != nil {
		for k := range t.Prog.Gathers {
			w.gather(t, i, &t.Prog.Gathers[k])
		}
	}
	guard := w.guard()
	if t.Stoch == nil {
		for _, c := range t.out(i) {
			w.of[c] = guard
		}
	}
	return guard
}

// add opens the row's guard wherever another is open.
func (w *guardWalk) add(guard int32) {
	w.always = w.always || guard == 0
	for _, k := range w.g.sets[guard] {
		w.open(k)
	}
}

func (w *guardWalk) open(condition int32) {
	if !slices.Contains(w.set, condition) {
		w.set = append(w.set, condition)
	}
}

// gather opens the guard where the first index is that of a cell which moves.
func (w *guardWalk) gather(t *Template, i int, g *Gather) {
	if len(g.Idx) == 0 {
		walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, func(c int32) {
			if guard, moves := w.of[c]; moves {
				w.add(guard)
			}
		})
		return
	}
	base := t.addr(i)[g.Slot]
	for k := range g.Extent[0] {
		met := false
		walkTable(base+k*g.Stride[0], g.Extent[1:], g.Stride[1:], func(c int32) {
			_, moves := w.of[c]
			met = met || moves
		})
		if !met {
			continue
		}
		if int(g.Idx[0]) >= t.NIn {
			w.always = true
			return
		}
		index := t.in(i)[g.Idx[0]]
		if _, moves := w.of[index]; moves || int(index) >= w.m.held {
			w.always = true
			return
		}
		c := condition{index, float64(k + 1)}
		id, ok := w.ids[c]
		if !ok {
			id = int32(len(w.g.when))
			w.ids[c], w.g.when = id, append(w.g.when, c)
		}
		w.open(id)
	}
}

// guard is the number of the row's.
func (w *guardWalk) guard() int32 {
	if w.always || len(w.set) > mostConditions {
		return 0
	}
	slices.Sort(w.set)
	var key []byte
	for _, k := range w.set {
		key = binary.LittleEndian.AppendUint32(key, uint32(k))
	}
	if len(key) == 0 {
		return 0 // it reads another element of a vector of which the cell is one
	}
	guard, ok := w.guards[string(key)]
	if !ok {
		guard = int32(len(w.g.sets))
		w.guards[string(key)] = guard
		w.g.sets = append(w.g.sets, slices.Clone(w.set))
	}
	return guard
}

// Now leaves in now the rows that depend on the cell while the indices are as they are in s. It is not safe for concurrent use.
func (g *Guards) Now(s *State, now *Blanket) {
	g.open = slices.Grow(g.open[:0], len(g.sets))[:len(g.sets)]
	for k, c := range g.only {
		if c.cell >= 0 {
			g.open[k] = s.V[c.cell] == c.value
			continue
		}
		g.open[k] = k == 0 || slices.ContainsFunc(g.sets[k], func(c int32) bool { return s.V[g.when[c].cell] == g.when[c].value })
	}
	now.Det = g.keep(now.Det[:0], g.det)
	now.Stoch = g.keep(now.Stoch[:0], g.stoch)
}

// keep appends the runs whose guards are open; parts of one run that follow one another become one again.
func (g *Guards) keep(to []Seg, segs []guardedSeg) []Seg {
	next := -1
	for i := range segs {
		s := &segs[i]
		if !g.open[s.guard] {
			continue
		}
		if k := len(to) - 1; k >= 0 && next == i && !s.first {
			to[k].Hi = s.Hi
		} else {
			to = append(to, s.Seg)
		}
		next = i + 1
	}
	return to
}
