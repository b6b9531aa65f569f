package model

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
	few  map[int32]Form
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
	if f.many != nil {
		return f.many[c]
	}
	return f.few[c]
}

func (f *Forms) has(c int32) bool {
	if f.many != nil {
		return f.many[c].set
	}
	_, ok := f.few[c]
	return ok
}

func (f *Forms) put(c int32, x Form) {
	x.set = true
	if f.many != nil {
		f.many[c] = x
		return
	}
	f.few[c] = x
}

// manyRows is the size from which a blanket's forms are kept by cell.
const manyRows = 1 << 14

// Forms classifies the logical cells of a blanket by how they depend on the
// blanket's cells.
func (m *Model) Forms(b *Blanket) *Forms {
	f := &Forms{}
	if Count(b.Det) > manyRows {
		f.many = make([]Form, len(m.Init))
	} else {
		f.few = map[int32]Form{}
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
		for i := g.Lo; i < g.Hi; i++ {
			m.rowForms(t, int(i), f, reg[:t.Prog.NReg])
			for k, c := range t.out(int(i)) {
				f.put(c, reg[t.Prog.Out[k]])
			}
		}
	}
	return f
}

func (m *Model) cellForm(c int32, f *Forms) Form {
	if f.has(c) {
		return f.At(c)
	}
	return Form{Varying: m.changes(c)}
}

func (m *Model) rowForms(t *Template, i int, f *Forms, reg []Form) {
	for k, c := range t.in(i) {
		reg[k] = m.cellForm(c, f)
	}
	p := t.Prog
	for _, in := range p.Code {
		switch {
		case in.Op == OpGather:
			reg[in.Dst] = m.gatherForm(&p.Gathers[in.A], t.addr(i), f, reg)
		case in.Op.Block():
			z := curvedOr(reg, p.Args[in.A:in.A+in.B])
			for k := range in.B {
				reg[in.Dst+k] = z
			}
		case in.Op.Nary():
			reg[in.Dst] = naryForm(&in, reg, p.Args[in.A:in.A+in.B])
		default:
			reg[in.Dst] = scalarForm(&in, reg)
		}
	}
}

func curvedOr(reg []Form, args []int32) Form {
	z := Form{}
	for _, a := range args {
		z.Varying = z.Varying || reg[a].Varying
		if reg[a].Kind != Free {
			z.Kind = Curved
		}
	}
	return z
}

func scalarForm(in *Instr, reg []Form) Form {
	a := reg[in.A]
	switch in.Op {
	case OpAdd, OpSub:
		return addForms(a, reg[in.B])
	case OpMul:
		return mulForms(a, reg[in.B])
	case OpDiv:
		b := reg[in.B]
		if b.Kind != Free {
			return Form{Kind: Curved}
		}
		return mulForms(a, b)
	case OpNeg:
		return a
	case OpIfElse:
		return ifElseForm(a, reg[in.B], reg[in.C])
	}
	z := Form{Varying: a.Varying}
	curved := a.Kind != Free
	if n := in.Op.Arity(); n > 1 {
		z.Varying = z.Varying || reg[in.B].Varying
		curved = curved || reg[in.B].Kind != Free
	}
	if curved {
		z.Kind = Curved
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

func naryForm(in *Instr, reg []Form, args []int32) Form {
	switch in.Op {
	case OpSum, OpMean:
		z := reg[args[0]]
		for _, a := range args[1:] {
			z = addForms(z, reg[a])
		}
		return z
	case OpDot:
		h := len(args) / 2
		z := mulForms(reg[args[0]], reg[args[h]])
		for k := 1; k < h; k++ {
			z = addForms(z, mulForms(reg[args[k]], reg[args[h+k]]))
		}
		return z
	}
	return curvedOr(reg, args)
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

// Tangents computes, for runs of affine logical rows, the derivative of every
// cell along the direction already in s.T, which it extends to the rows' cells.
func (s *State) Tangents(segs []Seg) {
	for _, g := range segs {
		t := s.M.Templates[g.T]
		for i := g.Lo; i < g.Hi; i++ {
			s.tangentRow(t, int(i))
		}
	}
}

// Direction readies s.T, all zero.
func (s *State) Direction() []float64 {
	if s.T == nil {
		s.T = make([]float64, len(s.V))
		s.dreg = make([]float64, len(s.reg))
	}
	return s.T
}

// ClearTangents zeroes the direction on a node's cells and on runs of rows.
func (s *State) ClearTangents(cells []int32, segs []Seg) {
	for _, c := range cells {
		s.T[c] = 0
	}
	for _, g := range segs {
		t := s.M.Templates[g.T]
		for _, c := range t.Out[int(g.Lo)*t.NOut : int(g.Hi)*t.NOut] {
			s.T[c] = 0
		}
	}
}

func (s *State) tangentRow(t *Template, i int) {
	p := t.Prog
	reg, d := s.reg[:p.NReg], s.dreg[:p.NReg]
	for k, c := range t.in(i) {
		reg[k], d[k] = s.V[c], s.T[c]
	}
	p.run(reg, s.V, t.addr(i), &s.sc)
	for k := range p.Code {
		s.tangentOp(p, &p.Code[k], reg, d, t.addr(i))
	}
	for k, c := range t.out(i) {
		s.T[c] = d[p.Out[k]]
	}
}

func (s *State) tangentOp(p *Program, in *Instr, reg, d []float64, addr []int32) {
	switch in.Op {
	case OpAdd:
		d[in.Dst] = d[in.A] + d[in.B]
	case OpSub:
		d[in.Dst] = d[in.A] - d[in.B]
	case OpMul:
		d[in.Dst] = slopeOf(d[in.A], reg[in.B]) + slopeOf(d[in.B], reg[in.A])
	case OpDiv:
		d[in.Dst] = d[in.A] / reg[in.B]
	case OpNeg:
		d[in.Dst] = -d[in.A]
	case OpIfElse:
		d[in.Dst] = d[in.C]
		if reg[in.A] != 0 {
			d[in.Dst] = d[in.B]
		}
	case OpGather:
		d[in.Dst] = 0
		if c := p.Gathers[in.A].cell(reg, addr); c >= 0 {
			d[in.Dst] = s.T[c]
		}
	case OpSum, OpMean, OpDot:
		s.tangentSum(p, in, reg, d)
	default:
		n := int32(1)
		if in.Op.Block() {
			n = in.B
		}
		for k := range n {
			d[in.Dst+k] = 0
		}
	}
}

// slopeOf is a slope times a factor, 0 where the slope is 0 and the factor is infinite or not known.
func slopeOf(slope, factor float64) float64 {
	if slope == 0 {
		return 0
	}
	return float64(slope * factor)
}

func (s *State) tangentSum(p *Program, in *Instr, reg, d []float64) {
	args := p.Args[in.A : in.A+in.B]
	sum := 0.0
	if in.Op == OpDot {
		h := len(args) / 2
		for k, a := range args[:h] {
			b := args[h+k]
			sum += slopeOf(d[a], reg[b]) + slopeOf(d[b], reg[a])
		}
		d[in.Dst] = sum
		return
	}
	for _, a := range args {
		sum += d[a]
	}
	if in.Op == OpMean {
		sum /= float64(len(args))
	}
	d[in.Dst] = sum
}
