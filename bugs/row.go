package bugs

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// row is the program of one instance while it is being written. Temporaries
// are numbered −1, −2, … until the number of operands is known.
type row struct {
	code    []model.Instr
	args    []int32
	gathers []model.Gather
	fns     []model.DistFn
	ins     []int32
	addrs   []int32
	temps   int32
}

func (w *row) reset() {
	*w = row{code: w.code[:0], args: w.args[:0], gathers: w.gathers[:0], fns: w.fns[:0], ins: w.ins[:0], addrs: w.addrs[:0]}
}

// entry is a template and the program text that its rows share.
type entry struct {
	tmpl int
	w    row
	outs []int32

	rows          map[uint64]int32 // hash of a row's operands to the row
	twins, unlike int
}

func (c *compiler) newRow() *row {
	if n := len(c.free); n > 0 {
		w := c.free[n-1]
		c.free = c.free[:n-1]
		w.reset()
		return w
	}
	return &row{}
}

func (c *compiler) release(w *row) { c.free = append(c.free, w) }

// tempBase separates temporaries from operands in the row being written.
const tempBase = -2

func (w *row) temp() int32 {
	w.temps++
	return tempBase - (w.temps - 1)
}

// addLogical adds a row that computes items into cells, to the template with
// the same program or to a new one.
func (c *compiler) addLogical(entries *[]entry, w *row, items []item, cells []int32, place model.Place) {
	outs := c.results[:0]
	for _, it := range items {
		outs = append(outs, c.operand(w, it))
	}
	c.results = outs
	for _, cell := range cells {
		c.b.SetKind(cell, model.Logical)
	}
	for k := len(*entries) - 1; k >= 0; k-- {
		if e := &(*entries)[k]; e.same(w, outs) {
			if twin := e.twin(c.b.Template(e.tmpl), w); twin != nil {
				c.alias(twin, cells, place)
				return
			}
			c.b.AddRow(e.tmpl, w.ins, w.addrs, cells)
			return
		}
	}
	c.spendCode(Pos{place.Line, place.Col}, w)
	t := &model.Template{Place: place, NIn: len(w.ins), NOut: len(cells), Prog: w.program(outs)}
	ti := c.b.AddTemplate(t)
	*entries = append(*entries, entry{tmpl: ti, w: w.clone(), outs: slices.Clone(outs)})
	c.b.AddRow(ti, w.ins, w.addrs, cells)
}

// giveUpTwins is how many rows of a template may differ before looking for
// equal ones stops: regressions have none, tables over sites little else.
const giveUpTwins = 512

// twin finds an earlier row of the template with the same operands, and so the
// same values, and remembers this one.
func (e *entry) twin(t *model.Template, w *row) []int32 {
	if e.unlike > giveUpTwins && e.twins*8 < e.unlike {
		e.rows = nil
		return nil
	}
	if e.rows == nil {
		e.rows = map[uint64]int32{}
		for i := range t.Rows {
			e.rows[hashCells(t.Operands(i), t.Addr[i*len(w.addrs):(i+1)*len(w.addrs)])] = int32(i)
		}
	}
	h := hashCells(w.ins, w.addrs)
	if i, ok := e.rows[h]; ok {
		k := int(i)
		if slices.Equal(t.Operands(k), w.ins) && slices.Equal(t.Addr[k*len(w.addrs):(k+1)*len(w.addrs)], w.addrs) {
			e.twins++
			return t.Cells(k)
		}
	}
	e.rows[h] = int32(t.Rows)
	e.unlike++
	return nil
}

// hashCells is FNV-1a over cell numbers.
func hashCells(a, b []int32) uint64 {
	h := uint64(14695981039346656037)
	for _, x := range a {
		h = (h ^ uint64(uint32(x))) * 1099511628211
	}
	for _, x := range b {
		h = (h ^ uint64(uint32(x)) ^ 1<<40) * 1099511628211
	}
	return h
}

// alias makes cells copies of others: whoever reads them by name reads the
// originals, so that the copies cost nothing unless they are monitored.
func (c *compiler) alias(of, cells []int32, place model.Place) {
	for k, cell := range cells {
		orig := c.canonical(of[k])
		c.canon[cell] = orig
		if c.copies == nil {
			c.copies = map[Pos]int{}
		}
		pos := Pos{place.Line, place.Col}
		ti, ok := c.copies[pos]
		if !ok {
			ti = c.b.AddTemplate(&model.Template{Place: place, NIn: 1, NOut: 1, Prog: &model.Program{NIn: 1, NReg: 1, Out: []int32{0}}})
			c.copies[pos] = ti
		}
		c.b.AddRow(ti, []int32{orig}, nil, []int32{cell})
	}
}

func (c *compiler) canonical(cell int32) int32 {
	if o, ok := c.canon[cell]; ok {
		return o
	}
	return cell
}

func (e *entry) same(w *row, outs []int32) bool {
	return len(e.w.ins) == len(w.ins) && slices.Equal(e.w.code, w.code) && slices.Equal(e.w.args, w.args) &&
		slices.Equal(e.outs, outs) && len(e.w.gathers) == len(w.gathers) &&
		slices.EqualFunc(e.w.gathers, w.gathers, sameGather) && slices.EqualFunc(e.w.fns, w.fns, sameFn)
}

func sameGather(a, b model.Gather) bool {
	return a.Slot == b.Slot && slices.Equal(a.Idx, b.Idx) && slices.Equal(a.Extent, b.Extent) && slices.Equal(a.Stride, b.Stride)
}

func sameFn(a, b model.DistFn) bool {
	return a.Kind == b.Kind && a.Name == b.Name && slices.EqualFunc(a.PDims, b.PDims, slices.Equal)
}

func (w *row) clone() row {
	return row{code: slices.Clone(w.code), args: slices.Clone(w.args), gathers: slices.Clone(w.gathers), fns: slices.Clone(w.fns), ins: slices.Clone(w.ins)}
}

// program numbers temporaries after the operands.
func (w *row) program(outs []int32) *model.Program {
	n := int32(len(w.ins))
	reg := func(r int32) int32 {
		if r <= tempBase {
			return n + (tempBase - r)
		}
		return r
	}
	p := &model.Program{NIn: int(n), NReg: int(n + w.temps), NAddr: len(w.addrs), Fns: slices.Clone(w.fns)}
	for _, in := range w.code {
		in.Dst = reg(in.Dst)
		if !in.Op.Nary() && in.Op != model.OpGather {
			in.A, in.B, in.C = reg(in.A), reg(in.B), reg(in.C)
		}
		p.Code = append(p.Code, in)
	}
	for _, a := range w.args {
		p.Args = append(p.Args, reg(a))
	}
	for _, g := range w.gathers {
		g.Idx = slices.Clone(g.Idx)
		for k := range g.Idx {
			g.Idx[k] = reg(g.Idx[k])
		}
		p.Gathers = append(p.Gathers, g)
	}
	for _, o := range outs {
		p.Out = append(p.Out, reg(o))
	}
	return p
}
