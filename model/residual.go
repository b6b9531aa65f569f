package model

import (
	"encoding/binary"
	"math"
)

// Residuals tell what is left of stochastic rows where some nodes have values that are known: rows whose residuals are equal are the same function of all other nodes. What follows from
// 0 and 1 in products, sums and choices is taken out, so that a product over a history in which there is a 0 is a 0, whatever else is in it. Where two numbers are not finite, what is
// equal here may differ.
type Residuals struct {
	l     *Likeness
	known map[int32]float64
	rows  map[int32][]residual // of touched logical rows, by what is known
	buf   []byte
}

// residual is a number, or what has been met as id.
type residual struct {
	known bool
	x     float64
	id    int32
}

func knownAs(x float64) residual { return residual{known: true, x: x} }

// NewResiduals serves rows that depend on nodes, a cell each.
func (m *Model) NewResiduals(cells []int32) *Residuals {
	return &Residuals{l: m.NewLikeness(cells, make([]uint64, len(cells)), false), rows: map[int32][]residual{}}
}

// Know sets what the following calls of Row take as known.
func (r *Residuals) Know(known map[int32]float64) {
	r.known = known
	clear(r.rows)
}

// Row is the key of what is left of a stochastic row.
func (r *Residuals) Row(row int32) int32 {
	t, i := r.l.m.TemplateOf(row)
	var parts []residual
	for _, c := range t.out(i) {
		parts = append(parts, r.cell(c))
	}
	for _, c := range t.in(i) {
		parts = append(parts, r.cell(c))
	}
	return r.made('d', uint64(r.l.m.templateIndex(row)), parts).id
}

// made is what an operation makes of parts.
func (r *Residuals) made(kind byte, op uint64, parts []residual) residual {
	b := binary.AppendUvarint(append(r.buf[:0], kind), op)
	for _, p := range parts {
		if p.known {
			b = binary.LittleEndian.AppendUint64(append(b, 'k'), math.Float64bits(p.x))
			continue
		}
		b = binary.AppendUvarint(append(b, 'i'), uint64(p.id))
	}
	r.buf = b
	return residual{id: r.l.id(b)}
}

func (r *Residuals) cell(c int32) residual {
	m := r.l.m
	if x, ok := r.known[c]; ok {
		return knownAs(x)
	}
	switch {
	case m.Kinds[c] == Constant:
		return knownAs(m.Init[c])
	case m.Kinds[c] == Logical && m.DefRow(c) >= 0 && bit(r.l.touched, m.def[c]):
		row := m.def[c]
		out, ok := r.rows[row]
		if !ok {
			out = r.logic(row)
			r.rows[row] = out
		}
		t, i := m.TemplateOf(row)
		for k, x := range t.out(i) {
			if x == c {
				return out[k]
			}
		}
	}
	return r.made('v', uint64(c), nil)
}

// logic are the results of a logical row.
func (r *Residuals) logic(row int32) []residual {
	t, i := r.l.m.TemplateOf(row)
	reg := make([]residual, t.Prog.NReg)
	for k, c := range t.in(i) {
		reg[k] = r.cell(c)
	}
	var three [3]int32
	for k := range t.Prog.Code {
		in := &t.Prog.Code[k]
		var parts []residual
		for _, a := range t.Prog.reads(in, &three) {
			parts = append(parts, reg[a])
		}
		switch {
		case in.Op == OpGather:
			reg[in.Dst] = r.gather(t, i, &t.Prog.Gathers[in.A], parts)
		case in.Op.Block():
			all := r.made('b', uint64(in.Op), parts)
			for j := range in.B {
				reg[in.Dst+j] = r.made('e', uint64(j), []residual{all})
			}
		case in.Op == OpDist:
			reg[in.Dst] = r.made('f', uint64(in.C), append(parts, knownAs(float64(r.l.m.templateIndex(row)))))
		case in.Op.Nary():
			reg[in.Dst] = r.fold(in.Op, parts)
		default:
			reg[in.Dst] = r.scalar(in.Op, parts)
		}
	}
	out := make([]residual, len(t.Prog.Out))
	for k, a := range t.Prog.Out {
		out[k] = reg[a]
	}
	return out
}

// gather is the element of a table.
func (r *Residuals) gather(t *Template, i int, g *Gather, idx []residual) residual {
	at, all := t.addr(i)[g.Slot], true
	for k, x := range idx {
		if all = all && x.known && x.x >= 1 && x.x <= float64(g.Extent[k]) && x.x == math.Trunc(x.x); all {
			at += (int32(x.x) - 1) * g.Stride[k]
		}
	}
	if all {
		return r.cell(at)
	}
	parts := idx
	walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, func(c int32) { parts = append(parts, r.cell(c)) })
	return r.made('g', uint64(len(idx)), parts)
}

// scalar is what an operation of one to three numbers makes of them.
func (r *Residuals) scalar(op Op, x []residual) residual {
	all := true
	for _, p := range x {
		all = all && p.known
	}
	if all {
		var v [3]float64
		for k, p := range x {
			v[k] = p.x
		}
		if y := Apply(op, v[0], v[1], v[2]); y == y {
			return knownAs(y)
		}
		return r.made('o', uint64(op), x)
	}
	is := func(k int, y float64) bool { return x[k].known && x[k].x == y }
	switch {
	case op == OpMul && (is(0, 0) || is(1, 0)):
		return knownAs(0)
	case op == OpMul && is(0, 1), op == OpAdd && is(0, 0):
		return x[1]
	case (op == OpMul || op == OpDiv) && is(1, 1), (op == OpAdd || op == OpSub) && is(1, 0), op == OpPow && is(1, 1):
		return x[0]
	case op == OpPow && is(1, 0), op == OpOr && (x[0].known && x[0].x != 0 || x[1].known && x[1].x != 0):
		return knownAs(1)
	case op == OpAnd && (is(0, 0) || is(1, 0)):
		return knownAs(0)
	case op == OpIfElse && x[0].known:
		if x[0].x != 0 {
			return x[1]
		}
		return x[2]
	}
	return r.made('o', uint64(op), x)
}

// fold is what an operation makes of a list; what is known of sums, products and extremes counts once.
func (r *Residuals) fold(op Op, x []residual) residual {
	if op == OpDot {
		half := len(x) / 2
		var terms []residual
		for k := range half {
			terms = append(terms, r.scalar(OpMul, []residual{x[k], x[half+k]}))
		}
		op, x = OpSum, terms
	}
	row := &operations[op]
	name := op.String()
	if row.fold == nil || name != "sum" && name != "prod" && name != "max" && name != "min" {
		return r.made('n', uint64(op), x)
	}
	var numbers []float64
	var order []int32
	var left []residual
	for _, p := range x {
		if p.known {
			order = append(order, int32(len(numbers)))
			numbers = append(numbers, p.x)
			continue
		}
		left = append(left, p)
	}
	if len(numbers) == 0 {
		return r.made('n', uint64(op), left)
	}
	y := row.fold(numbers, order)
	switch {
	case y != y:
		return r.made('n', uint64(op), x)
	case len(left) == 0, name == "prod" && y == 0:
		return knownAs(y)
	case name == "sum" && y == 0 || name == "prod" && y == 1:
		if len(left) == 1 {
			return left[0]
		}
		return r.made('n', uint64(op), left)
	}
	return r.made('n', uint64(op), append(left, knownAs(y)))
}

// Shape is the same for lists of rows that differ in nothing but which cells they read: those of nodes, in their order, and others in the order in which they are met. What is left of
// the rows of one, where values of its nodes are known, is left of those of another.
func (r *Residuals) Shape(rows, nodes []int32) string {
	w := shaping{r: r, cells: map[int32]int{}, rows: map[int32]int{}}
	for _, c := range nodes {
		w.number(c)
	}
	for _, row := range rows {
		t, i := r.l.m.TemplateOf(row)
		w.b = binary.AppendUvarint(append(w.b, 'd'), uint64(r.l.m.templateIndex(row)))
		for _, c := range t.out(i) {
			w.cell(c)
		}
		for _, c := range t.in(i) {
			w.cell(c)
		}
	}
	return string(w.b)
}

type shaping struct {
	r     *Residuals
	cells map[int32]int
	rows  map[int32]int
	b     []byte
}

func (w *shaping) number(c int32) int {
	k, ok := w.cells[c]
	if !ok {
		k = len(w.cells)
		w.cells[c] = k
	}
	return k
}

func (w *shaping) cell(c int32) {
	m := w.r.l.m
	switch {
	case m.Kinds[c] == Constant:
		w.b = binary.LittleEndian.AppendUint64(append(w.b, 'c'), math.Float64bits(m.Init[c]))
	case m.Kinds[c] == Logical && m.DefRow(c) >= 0 && bit(w.r.l.touched, m.def[c]):
		w.logic(m.def[c])
		t, i := m.TemplateOf(m.def[c])
		for k, x := range t.out(i) {
			if x == c {
				w.b = binary.AppendUvarint(w.b, uint64(k))
			}
		}
	default:
		w.b = binary.AppendUvarint(append(w.b, 'v'), uint64(w.number(c)))
	}
}

func (w *shaping) logic(row int32) {
	if k, ok := w.rows[row]; ok {
		w.b = binary.AppendUvarint(append(w.b, 'r'), uint64(k))
		return
	}
	w.rows[row] = len(w.rows)
	m := w.r.l.m
	w.b = binary.AppendUvarint(append(w.b, 'l'), uint64(m.templateIndex(row)))
	t, i := m.TemplateOf(row)
	for _, c := range t.in(i) {
		w.cell(c)
	}
	for k := range t.Prog.Gathers {
		g := &t.Prog.Gathers[k]
		walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, w.cell)
	}
}
