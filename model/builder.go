package model

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// Builder assembles a model. Cells are given out first; a row may be added
// once the rows that define its logical operands have been.
type Builder struct {
	m      Model
	consts map[uint64]int32
	rowOf  []int32 // 1 + the number in rows of the row that defines a cell, 0 for none
	rows   []rowID

	Rows int // that the relation has which is compiled now: its templates will have no more, if all are alike
}

// rowID is a row of a template.
type rowID struct{ t, i int32 }

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	return &Builder{m: Model{byName: map[string]int{}}, consts: map[uint64]int32{}}
}

// AddArray gives an array its cells.
func (b *Builder) AddArray(name string, dims []int) *Array {
	n := size(dims)
	base := b.grow(n)
	b.m.byName[name] = len(b.m.Arrays)
	b.m.Arrays = append(b.m.Arrays, Array{Name: name, Dims: dims, Base: base, Size: n})
	return &b.m.Arrays[len(b.m.Arrays)-1]
}

// Reserve readies memory for n cells more.
func (b *Builder) Reserve(n int) {
	b.m.Init, b.m.Kinds, b.rowOf = slices.Grow(b.m.Init, n), slices.Grow(b.m.Kinds, n), slices.Grow(b.rowOf, n)
}

func (b *Builder) grow(n int) int32 {
	base := len(b.m.Init)
	b.m.Init = slices.Grow(b.m.Init, n)[:base+n]
	b.m.Kinds = slices.Grow(b.m.Kinds, n)[:base+n]
	b.rowOf = slices.Grow(b.rowOf, n)[:base+n]
	for i := base; i < base+n; i++ {
		b.m.Init[i] = math.NaN()
		b.m.Kinds[i], b.rowOf[i] = Undefined, 0
	}
	return int32(base)
}

// NewCell gives out an anonymous cell for an intermediate value.
func (b *Builder) NewCell() int32 { return b.grow(1) }

// Const is a cell that holds x.
func (b *Builder) Const(x float64) int32 {
	k := math.Float64bits(x)
	if c, ok := b.consts[k]; ok {
		return c
	}
	c := b.grow(1)
	b.Fix(c, x)
	b.consts[k] = c
	return c
}

// Fix makes a cell data.
func (b *Builder) Fix(cell int32, x float64) {
	b.m.Init[cell] = x
	b.m.Kinds[cell] = Constant
}

// Kind is what a cell is so far.
func (b *Builder) Kind(cell int32) Kind { return b.m.Kinds[cell] }

// SetKind declares what a cell is before the row that defines it is added.
func (b *Builder) SetKind(cell int32, k Kind) { b.m.Kinds[cell] = k }

// Value is the value of a fixed or observed cell.
func (b *Builder) Value(cell int32) float64 { return b.m.Init[cell] }

// AddTemplate opens a template; rows are added to it by AddRow.
func (b *Builder) AddTemplate(t *Template) int {
	b.m.Templates = append(b.m.Templates, t)
	return len(b.m.Templates) - 1
}

// Template returns a template opened before.
func (b *Builder) Template(i int) *Template { return b.m.Templates[i] }

// AddRow appends a row to template ti.
func (b *Builder) AddRow(ti int, in, addr, out []int32) {
	t := b.m.Templates[ti]
	if cap(t.In)-len(t.In) < len(in) {
		t.In = slices.Grow(t.In, len(in)*b.more(t))
	}
	t.In = append(t.In, in...)
	t.Addr = append(t.Addr, addr...)
	t.Out = append(t.Out, out...)
	b.rows = append(b.rows, rowID{int32(ti), int32(t.Rows)})
	t.Rows++
	for _, c := range out {
		b.rowOf[c] = int32(len(b.rows))
	}
	if t.Prog != nil {
		t.level = append(t.level, b.depth(t, t.Rows-1))
	}
}

// more is for how many rows more a template that is full gets memory: as many as it has, or as its relation has left, where these are not
// many more.
func (b *Builder) more(t *Template) int {
	n := max(t.Rows, 4)
	if left := b.Rows - t.Rows; left > 0 && left < 4*n {
		return left
	}
	return n
}

func (b *Builder) depth(t *Template, i int) int32 {
	d := int32(0)
	see := func(c int32) {
		if b.m.Kinds[c] != Logical {
			return
		}
		if b.rowOf[c] == 0 {
			return
		}
		r := b.rows[b.rowOf[c]-1]
		if l := b.m.Templates[r.t].level; int(r.i) < len(l) {
			d = max(d, l[r.i]+1)
		}
	}
	for _, c := range t.in(i) {
		see(c)
	}
	t.tableCells(i, see)
	return d
}

// NewStoch prepares the stochastic part of a template.
func NewStoch(name string, pdims [][]int, hasLo, hasHi bool) *Stoch {
	s := &Stoch{Name: name, PDims: pdims, HasLo: hasLo, HasHi: hasHi, POff: make([]int, len(pdims)+1)}
	for i, d := range pdims {
		s.POff[i+1] = s.POff[i] + size(d)
	}
	s.Scalar, _ = dist.Lookup(name)
	s.Multi, _ = dist.LookupMulti(name)
	s.Interval = name == "dinterval"
	s.fast = fastOf(s)
	return s
}

// Build closes the model and makes its index.
func (b *Builder) Build() *Model {
	m := &b.m
	b.park()
	m.rowStart = make([]int32, len(m.Templates)+1)
	for i, t := range m.Templates {
		t.First = m.rowStart[i]
		m.rowStart[i+1] = t.First + int32(t.Rows)
		t.In, t.Out, t.Addr = fit(t.In), fit(t.Out), fit(t.Addr)
		t.flatten()
	}
	m.def = make([]int32, m.held)
	for c := range m.def {
		m.def[c] = -1
		if k := b.rowOf[c]; k > 0 {
			m.def[c] = m.rowStart[b.rows[k-1].t] + b.rows[k-1].i
		}
	}
	b.rowOf, b.rows = nil, nil
	m.Init, m.Kinds = fit(m.Init), fit(m.Kinds)
	b.consts = nil
	for _, t := range m.Templates {
		m.findChanging(t)
	}
	m.indexChildren()
	m.linkPredictors()
	m.markInformed()
	m.markLive()
	for _, t := range m.Templates {
		t.onward = m.onwardOf(t)
	}
	m.liveSegs = m.segments(m.liveRows(), true)
	for _, t := range m.Templates {
		if t.Prog != nil {
			t.Prog.plain = t.Prog.hasPlainTangents(t.NIn)
			t.Prog.blocks = slices.ContainsFunc(t.Prog.Code, func(in Instr) bool { return in.Op.Block() })
			if t.Prog.batchable = t.Rows >= batchMin && t.Prog.mayBatch(); t.Prog.batchable {
				t.step()
			}
		}
	}
	return m
}

// flatten keeps one depth for a template whose rows all have the same.
func (t *Template) flatten() {
	for _, l := range t.level {
		if l != t.level[0] {
			t.level = slices.Clip(t.level)
			return
		}
	}
	if len(t.level) > 0 {
		t.flat, t.level = t.level[0], nil
	}
}

// fit gives back what growing by appending took in excess.
func fit[T any](s []T) []T {
	if cap(s)-len(s) <= len(s)/32 {
		return s
	}
	return append(make([]T, 0, len(s)), s...)
}
