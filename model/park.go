package model

import (
	"slices"
	"sort"
)

// States need not hold large data that only logical rows read, each at operands that are data in all rows: such arrays get the last cells.
const (
	parkedArray = 1 << 10 // elements of an array that is worth it
	parkedAll   = 1 << 16 // elements that all such arrays have together, for a model that is
)

// Held is the number of cells that a [State] holds; those from it on are data that are read from the model.
func (m *Model) Held() int { return m.held }

// At is the value of a cell, held or not.
func (s *State) At(c int32) float64 {
	if int(c) < len(s.V) {
		return s.V[c]
	}
	return s.M.Init[c]
}

// parking finds arrays to be parked, and gives their cells the last numbers.
type parking struct {
	b      *Builder
	arrays []int // of Arrays, by ascending Base
	from   []int32
	to     []int32 // the first new cell of each
}

// park renumbers the cells, before the index is made.
func (b *Builder) park() {
	b.m.held = len(b.m.Init)
	p := parking{b: b}
	p.find()
	for _, t := range b.m.Templates {
		p.leaveOut(t)
	}
	total := 0
	for _, k := range p.arrays {
		total += b.m.Arrays[k].Size
	}
	if total < parkedAll {
		return
	}
	b.m.held -= total
	p.number()
	for _, t := range b.m.Templates {
		p.move(t.In)
		p.move(t.Out)
		p.move(t.Addr)
	}
	b.m.Init, b.m.Kinds, b.rowOf = turned(&p, b.m.Init), turned(&p, b.m.Kinds), held(&p, b.rowOf[:p.from[0]], b.rowOf)
	p.sort()
}

// find takes the large arrays of data alone.
func (p *parking) find() {
	for k, a := range p.b.m.Arrays {
		kinds := p.b.m.Kinds[a.Base : int(a.Base)+a.Size]
		if a.Size >= parkedArray && !slices.ContainsFunc(kinds, func(k Kind) bool { return k != Constant }) {
			p.arrays, p.from = append(p.arrays, k), append(p.from, a.Base)
		}
	}
}

// before is the last of the arrays that begin at a cell or before it, −1 for none; in tells whether the cell is one of its.
func (p *parking) before(c int32) (k int, in bool) {
	k = sort.Search(len(p.from), func(k int) bool { return p.from[k] > c }) - 1
	return k, k >= 0 && int(c-p.from[k]) < p.b.m.Arrays[p.arrays[k]].Size
}

// leaveOut takes away the arrays that the rows of a template read otherwise than as operands of logical rows that are data in all of them.
func (p *parking) leaveOut(t *Template) {
	if len(p.arrays) == 0 {
		return
	}
	out := map[int]bool{}
	leave := func(c int32) {
		if k, in := p.before(c); in {
			out[k] = true
		}
	}
	for _, c := range t.Addr {
		leave(c)
	}
	for k := range t.NIn {
		data := t.Stoch == nil
		for i := k; i < len(t.In) && data; i += t.NIn {
			data = p.b.m.Kinds[t.In[i]] == Constant
		}
		for i := k; i < len(t.In) && !data; i += t.NIn {
			leave(t.In[i])
		}
	}
	arrays, from := p.arrays[:0], p.from[:0]
	for k := range p.arrays {
		if !out[k] {
			arrays, from = append(arrays, p.arrays[k]), append(from, p.from[k])
		}
	}
	p.arrays, p.from = arrays, from
}

// number gives the parked arrays their new cells.
func (p *parking) number() {
	next := int32(p.b.m.held)
	for _, k := range p.arrays {
		p.to = append(p.to, next)
		next += int32(p.b.m.Arrays[k].Size)
	}
}

// cell is the new number of a cell.
func (p *parking) cell(c int32) int32 {
	k, in := p.before(c)
	switch {
	case k < 0:
		return c
	case in:
		return p.to[k] + c - p.from[k]
	}
	return c - (p.to[k] - int32(p.b.m.held)) - int32(p.b.m.Arrays[p.arrays[k]].Size)
}

func (p *parking) move(cells []int32) {
	for i, c := range cells {
		cells[i] = p.cell(c)
	}
}

// held appends to the cells before the first parked array those between and behind the arrays.
func held[T any](p *parking, first, s []T) []T {
	for k, a := range p.arrays {
		to := len(s)
		if k+1 < len(p.from) {
			to = int(p.from[k+1])
		}
		first = append(first, s[int(p.from[k])+p.b.m.Arrays[a].Size:to]...)
	}
	return first
}

// turned is a list by cells in their new order, in the same memory.
func turned[T any](p *parking, s []T) []T {
	first := held(p, slices.Clone(s[:p.from[0]]), s)
	for k := len(p.arrays) - 1; k >= 0; k-- { // each moves up
		copy(s[p.to[k]:], s[p.from[k]:int(p.from[k])+p.b.m.Arrays[p.arrays[k]].Size])
	}
	copy(s, first)
	return s
}

// sort puts the arrays in the order of their cells again.
func (p *parking) sort() {
	all := p.b.m.Arrays
	for i := range all {
		all[i].Base = p.cell(all[i].Base)
	}
	slices.SortStableFunc(all, func(a, b Array) int { return int(a.Base) - int(b.Base) })
	for i, a := range all {
		p.b.m.byName[a.Name] = i
	}
}
