package model

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// Kind says what a cell of the value vector is.
type Kind uint8

const (
	Undefined  Kind = iota // never defined
	Constant               // data, or computed from data alone
	Logical                // deterministic, changes while sampling
	Unobserved             // stochastic, to be sampled
	Observed               // stochastic, with data
)

// Array is a named array of the program; its cells lie contiguously from Base
// in column-major order.
type Array struct {
	Name string
	Dims []int // nil for a scalar
	Base int32
	Size int
	// Prior marks observations that are no data but factors of a prior density: the
	// pointwise log likelihood leaves them out.
	Prior bool
}

// Place is where in the program text a template comes from.
type Place struct {
	Line, Col int
	Text      string
}

// Template is one relation over its loop indices. Row i reads the cells
// In[i*NIn:] and defines the cells Out[i*NOut:].
type Template struct {
	Place Place
	NIn   int
	NOut  int
	Rows  int
	In    []int32
	Out   []int32
	Addr  []int32 // first cells of gathered tables, Prog.NAddr a row
	First int32   // id of the first row; ids follow one another

	Prog  *Program // of a logical template
	Stoch *Stoch   // of a stochastic one
	level []int32  // depth of each logical row in the deterministic graph; nil when all are flat
	flat  int32
	steps []int32 // how far each operand's cell moves from row to row, or uneven; nil where rows are few

	changing []int32 // the operands whose cells change in some row: the others are data in all
	onward   *onward
}

// Stoch is what a stochastic template adds: its distribution and how the row's
// operands are dealt out to its parameters and bounds.
type Stoch struct {
	Name         string
	Scalar       *dist.Scalar
	Multi        *dist.Multi
	PDims        [][]int // shape of each parameter
	POff         []int   // first operand of each parameter, then the end
	HasLo, HasHi bool    // truncation; the bounds are the last operands
	Interval     bool    // the observable function dinterval
	fast         fastDist
	eta          []int32 // linear predictor of each row, where fast uses it
	probit       []int32 // of rows of dbern with probit link: blocks of columns use it
}

// NPar is the number of operands that are parameters.
func (s *Stoch) NPar() int { return s.POff[len(s.POff)-1] }

// Truncated tells whether the node has a T(,) clause.
func (s *Stoch) Truncated() bool { return s.HasLo || s.HasHi }

// Seg is a run of consecutive rows of one template.
type Seg struct {
	T      int32
	Lo, Hi int32
}

// Model is a compiled program with its data. It is not changed by sampling and
// serves all chains.
type Model struct {
	Arrays    []Array
	Templates []*Template
	Init      []float64 // values of all cells; NaN where unknown
	Kinds     []Kind
	held      int     // cells that states hold: see [Model.Held]
	def       []int32 // row that defines a held cell, −1 for none
	byName    map[string]int
	rowStart  []int32 // First of each template, then the number of rows

	childPtr []int32 // compressed rows: runs of rows that read a cell
	childRun []Seg

	live     []uint64 // bitset of logical rows that lead to a stochastic row
	liveSegs []Seg    // all live logical rows, by depth
	walkers  sync.Pool
	informed []uint64 // bitset of stochastic rows with an observed descendant or observed themselves
}

// Rows is the number of rows of all templates.
func (m *Model) Rows() int { return int(m.rowStart[len(m.rowStart)-1]) }

// TemplateOf finds the template and the index in it of a row.
func (m *Model) TemplateOf(row int32) (*Template, int) {
	t := sort.Search(len(m.Templates), func(i int) bool { return m.rowStart[i+1] > row })
	return m.Templates[t], int(row - m.rowStart[t])
}

func (m *Model) templateIndex(row int32) int {
	return sort.Search(len(m.Templates), func(i int) bool { return m.rowStart[i+1] > row })
}

// DefRow is the row that defines a cell, or −1.
func (m *Model) DefRow(cell int32) int32 {
	if int(cell) >= m.held {
		return -1
	}
	return m.def[cell]
}

// Array finds an array by name.
func (m *Model) Array(name string) (*Array, bool) {
	i, ok := m.byName[name]
	if !ok {
		return nil, false
	}
	return &m.Arrays[i], true
}

// arrayOf is the array that a cell is an element of; nil for an intermediate value.
func (m *Model) arrayOf(cell int32) *Array {
	i := sort.Search(len(m.Arrays), func(i int) bool { return m.Arrays[i].Base+int32(m.Arrays[i].Size) > cell })
	if i < len(m.Arrays) && cell >= m.Arrays[i].Base {
		return &m.Arrays[i]
	}
	return nil
}

// Named tells whether a cell is an element of an array of the program.
func (m *Model) Named(cell int32) bool { return m.arrayOf(cell) != nil }

// CellName is the name of a cell as BUGS writes it; an intermediate value has
// the text of its expression.
func (m *Model) CellName(cell int32) string {
	if a := m.arrayOf(cell); a != nil {
		return a.ElementName(int(cell - a.Base))
	}
	if r := m.DefRow(cell); r >= 0 {
		t, _ := m.TemplateOf(r)
		return t.Place.Text
	}
	return fmt.Sprintf("%.6g", m.Init[cell])
}

// ElementName is the name of the k-th element in column-major order.
func (a *Array) ElementName(k int) string {
	if len(a.Dims) == 0 {
		return a.Name
	}
	var sb strings.Builder
	sb.WriteString(a.Name)
	for i, d := range a.Dims {
		sep := ","
		if i == 0 {
			sep = "["
		}
		fmt.Fprintf(&sb, "%s%d", sep, k%d+1)
		k /= d
	}
	sb.WriteByte(']')
	return sb.String()
}

func (t *Template) depth(i int) int32 {
	if t.level == nil {
		return t.flat
	}
	return t.level[i]
}

// In and Out of a row.
func (t *Template) in(i int) []int32   { return t.In[i*t.NIn : (i+1)*t.NIn] }
func (t *Template) out(i int) []int32  { return t.Out[i*t.NOut : (i+1)*t.NOut] }
func (t *Template) addr(i int) []int32 { return t.Addr[i*t.nAddr() : (i+1)*t.nAddr()] }

func (t *Template) nAddr() int {
	if t.Prog == nil {
		return 0
	}
	return t.Prog.NAddr
}

// Operands are the cells that row i of the template reads, Cells those it
// defines.
func (t *Template) Operands(i int) []int32 { return t.in(i) }

// Cells are the cells row i defines.
func (t *Template) Cells(i int) []int32 { return t.out(i) }

// tableCells calls f with every cell a gather of row i may read.
func (t *Template) tableCells(i int, f func(cell int32)) {
	if t.Prog == nil {
		return
	}
	addr := t.addr(i)
	for _, g := range t.Prog.Gathers {
		walkTable(addr[g.Slot], g.Extent, g.Stride, f)
	}
}

func walkTable(base int32, extent, stride []int32, f func(cell int32)) {
	if len(extent) == 0 {
		f(base)
		return
	}
	for k := int32(0); k < extent[0]; k++ {
		walkTable(base+k*stride[0], extent[1:], stride[1:], f)
	}
}

func bit(b []uint64, i int32) bool { return b[i>>6]>>(uint(i)&63)&1 == 1 }
func setBit(b []uint64, i int32)   { b[i>>6] |= 1 << (uint(i) & 63) }
func newBits(n int) []uint64       { return make([]uint64, (n+63)/64) }

// Live tells whether the logical row leads to a stochastic one that data reach.
func (m *Model) Live(r int32) bool { return bit(m.live, r) }

// Informed tells whether data reach the stochastic row: it is observed or has
// an observed descendant.
func (m *Model) Informed(r int32) bool { return bit(m.informed, r) }
