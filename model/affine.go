package model

import "math/bits"

// Form is how a value depends on a node x while everything else stands still.
// The kinds are ordered: an operation's result is at least as irregular as its
// operands.
type Form struct {
	Kind    FormKind
	Varying bool // slope (or the value itself, if free of x) changes as other nodes change
	// Scale: the value is slope·x, without an intercept.
	Scale bool
	// Select: the value is either as above or, under other values of the
	// indices that pick it, free of x.
	Select bool

	set bool // in the dense store: the cell is in the blanket
}

// FormKind tells no dependence from a linear and from any other one.
type FormKind uint8

const (
	Free   FormKind = iota // x does not enter
	Affine                 // intercept + slope·x
	Curved                 // anything else
)

// Forms are the forms of the cells of a blanket; a cell that is not in the
// blanket is free of its members.
type Forms struct {
	few  cellTable
	many []Form // by cell, for large blankets

	tables [4]tableForm // met last: the rows of a mixture read the same ones
	next   int
}

// tableForm is the form of whatever a gather may read. It stays: all of that comes before the rows that read it.
type tableForm struct {
	g    *Gather
	base int32
	form Form
}

// At is the form of a cell.
func (f *Forms) At(c int32) Form {
	if f.many == nil {
		return f.few.at(c)
	}
	if int(c) >= len(f.many) {
		return Form{}
	}
	return f.many[c]
}

func (f *Forms) put(c int32, x Form) {
	x.set = true
	if f.many != nil {
		f.many[c] = x
		return
	}
	f.few.put(c, x)
}

// cellTable has forms by cell, in a table that is hashed by open addressing: it is asked for every operand of every row of a blanket.
type cellTable struct {
	cells []int32
	forms []Form // without set where there is none
	shift int    // from 32 bits to the size of the table
}

// newCellTable has room for n cells.
func newCellTable(n int) cellTable {
	k := bits.Len(uint(n + n/2))
	return cellTable{make([]int32, 1<<k), make([]Form, 1<<k), 32 - k}
}

// place is where a cell is, or is to go.
func (t *cellTable) place(c int32) int {
	k := int(uint32(c) * 2654435769 >> t.shift) // Knuth's multiplicative hashing
	for t.forms[k].set && t.cells[k] != c {
		k = (k + 1) & (len(t.cells) - 1)
	}
	return k
}

func (t *cellTable) at(c int32) Form { return t.forms[t.place(c)] }

func (t *cellTable) put(c int32, x Form) {
	k := t.place(c)
	t.cells[k], t.forms[k] = c, x
}

// manyRows is the size from which a blanket's forms are kept by cell.
const manyRows = 1 << 14

// Forms classifies the logical cells of a blanket by how they depend on the
// blanket's cells.
func (m *Model) Forms(b *Blanket) *Forms {
	f := &Forms{}
	if Count(b.Det) > manyRows {
		f.many = make([]Form, m.held)
	} else {
		n := len(b.Cells)
		for _, g := range b.Det {
			n += int(g.Hi-g.Lo) * m.Templates[g.T].NOut
		}
		f.few = newCellTable(n)
	}
	for _, c := range b.Cells {
		f.put(c, Form{Kind: Affine, Scale: true})
	}
	var reg []Form
	for _, g := range b.Det {
		t := m.Templates[g.T]
		if cap(reg) < t.Prog.NReg {
			reg = make([]Form, t.Prog.NReg)
		}
		reg = reg[:t.Prog.NReg]
		clear(reg) // operands that are data stay as they are
		for i := g.Lo; i < g.Hi; i++ {
			if like := m.operandForms(t, int(i), f, reg); !like || i == g.Lo || len(t.Prog.Gathers) > 0 {
				m.rowForms(t, int(i), f, reg)
			}
			for k, c := range t.out(int(i)) {
				f.put(c, reg[t.Prog.Out[k]])
			}
		}
	}
	return f
}

func (m *Model) cellForm(c int32, f *Forms) Form {
	if x := f.At(c); x.set {
		return x
	}
	return Form{Varying: m.changes(c)}
}

// operandForms puts the forms of a row's operands in registers, and tells whether they were there already.
func (m *Model) operandForms(t *Template, i int, f *Forms, reg []Form) (like bool) {
	like = true
	in := t.in(i)
	for _, k := range t.changing {
		x := m.cellForm(in[k], f)
		like = like && x == reg[k]
		reg[k] = x
	}
	return like
}

// rowForms computes a row's forms from those of its operands.
func (m *Model) rowForms(t *Template, i int, f *Forms, reg []Form) {
	p := t.Prog
	for k := range p.Code {
		in := &p.Code[k]
		row := &operations[in.Op]
		switch {
		case in.Op == OpGather:
			reg[in.Dst] = m.gatherForm(&p.Gathers[in.A], t.addr(i), f, reg)
		case row.form != nil:
			reg[in.Dst] = row.form(reg, in, p.Args)
		default:
			z := p.curvedOr(in, reg)
			reg[in.Dst] = z
			for k := int32(1); row.block && k < in.B; k++ {
				reg[in.Dst+k] = z
			}
		}
	}
}

// curvedOr is the form of what is curved in whatever is not free.
func (p *Program) curvedOr(in *Instr, reg []Form) Form {
	z := Form{}
	var three [3]int32
	for _, r := range p.reads(in, &three) {
		z.Varying = z.Varying || reg[r].Varying
		if reg[r].Kind != Free {
			z.Kind = Curved
		}
	}
	return z
}

func addForm(reg []Form, in *Instr, _ []int32) Form  { return addForms(reg[in.A], reg[in.B]) }
func mulForm(reg []Form, in *Instr, _ []int32) Form  { return mulForms(reg[in.A], reg[in.B]) }
func sameForm(reg []Form, in *Instr, _ []int32) Form { return reg[in.A] }

func divForm(reg []Form, in *Instr, _ []int32) Form {
	if reg[in.B].Kind != Free {
		return Form{Kind: Curved}
	}
	return mulForms(reg[in.A], reg[in.B])
}

func chooseForm(reg []Form, in *Instr, _ []int32) Form {
	return ifElseForm(reg[in.A], reg[in.B], reg[in.C])
}

func sumForm(reg []Form, in *Instr, args []int32) Form {
	args = args[in.A : in.A+in.B]
	z := reg[args[0]]
	for _, a := range args[1:] {
		z = addForms(z, reg[a])
	}
	return z
}

func dotForm(reg []Form, in *Instr, args []int32) Form {
	args = args[in.A : in.A+in.B]
	h := len(args) / 2
	z := mulForms(reg[args[0]], reg[args[h]])
	for k := 1; k < h; k++ {
		z = addForms(z, mulForms(reg[args[k]], reg[args[h+k]]))
	}
	return z
}

func addForms(a, b Form) Form {
	if a.Kind == Curved || b.Kind == Curved {
		return Form{Kind: Curved}
	}
	switch {
	case a.Kind == Free && b.Kind == Free:
		return Form{Varying: a.Varying || b.Varying}
	case a.Kind == Free:
		return Form{Kind: Affine, Varying: b.Varying, Select: b.Select}
	case b.Kind == Free:
		return Form{Kind: Affine, Varying: a.Varying, Select: a.Select}
	}
	return Form{Kind: Affine, Varying: a.Varying || b.Varying, Select: a.Select || b.Select,
		Scale: a.Scale && b.Scale && !a.Select && !b.Select}
}

func mulForms(a, b Form) Form {
	if b.Kind != Free {
		a, b = b, a
	}
	switch {
	case b.Kind != Free || a.Kind == Curved:
		return Form{Kind: Curved}
	case a.Kind == Free:
		return Form{Varying: a.Varying || b.Varying}
	}
	a.Varying = a.Varying || b.Varying
	return a
}

func ifElseForm(c, a, b Form) Form {
	switch {
	case c.Kind == Free && a.Kind == Free && b.Kind == Free:
		return Form{Varying: c.Varying || a.Varying || b.Varying}
	case c.Kind != Free || a.Kind == Curved || b.Kind == Curved:
		return Form{Kind: Curved}
	}
	return pickForm(a, b)
}

// pickForm is the form of a value that is a or b as something else decides.
func pickForm(a, b Form) Form {
	z := Form{Kind: Affine, Varying: true, Select: a.Select || b.Select || a.Kind == Free || b.Kind == Free}
	z.Scale = (a.Scale || a.Kind == Free) && (b.Scale || b.Kind == Free)
	return z
}

func (m *Model) gatherForm(g *Gather, addr []int32, f *Forms, reg []Form) Form {
	z := m.tableForm(g, addr[g.Slot], f)
	for _, r := range g.Idx {
		if reg[r].Kind != Free {
			return Form{Kind: Curved}
		}
		if reg[r].Varying {
			z.Varying = true
		}
	}
	return z
}

// tableForm looks up or finds the form of what a gather may read.
func (m *Model) tableForm(g *Gather, base int32, f *Forms) Form {
	for k := range f.tables {
		if t := &f.tables[k]; t.g == g && t.base == base {
			return t.form
		}
	}
	z, first := Form{}, true
	walkTable(base, g.Extent, g.Stride, func(c int32) {
		x := m.cellForm(c, f)
		switch {
		case first:
			z, first = x, false
		case z.Kind == Curved || x.Kind == Curved:
			z = Form{Kind: Curved}
		case z.Kind == Free && x.Kind == Free:
			z.Varying = z.Varying || x.Varying
		default:
			z = pickForm(z, x)
		}
	})
	f.tables[f.next] = tableForm{g, base, z}
	f.next = (f.next + 1) % len(f.tables)
	return z
}
