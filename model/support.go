package model

import (
	"math"
	"slices"
)

// supports finds what the cells may hold on which indices and sizes depend.
type supports struct {
	m         *Model
	deep      bool // evaluates probabilities too
	feeds     [][]int32
	marks     [][]bool
	id        []int32 // by cell: 1 + its place in vals
	vals      []Values
	reg       []Values
	undefined map[*Gather]tableUndefined
	stack     []int32
}

// prepare finds the cells that indices and sizes are made of; false where there
// are none.
func (w *supports) prepare() bool {
	m := w.m
	w.feeds, w.marks = make([][]int32, len(m.Templates)), make([][]bool, len(m.Templates))
	found := false
	for ti, t := range m.Templates {
		if t.Prog != nil && len(t.Prog.Gathers) > 0 {
			w.feeds[ti], w.marks[ti] = indexFeeds(t.Prog)
			found = true
		}
		if t.Stoch != nil && len(t.Stoch.sizes()) > 0 {
			found = true
		}
	}
	return found
}

// indexFeeds are the operands, and the registers, from which a program's
// indices are computed.
func indexFeeds(p *Program) (operands []int32, mark []bool) {
	mark = make([]bool, p.NReg)
	for _, g := range p.Gathers {
		for _, r := range g.Idx {
			mark[r] = true
		}
	}
	for k := len(p.Code) - 1; k >= 0; k-- {
		in := &p.Code[k]
		if writes(in, mark) {
			var three [3]int32
			for _, r := range p.reads(in, &three) {
				mark[r] = true
			}
		}
	}
	for k := range int32(p.NIn) {
		if mark[k] {
			operands = append(operands, k)
		}
	}
	return operands, mark
}

// sizes are the parameters that count something: a number of trials.
func (s *Stoch) sizes() []int {
	switch s.Name {
	case "dbin":
		return []int{1}
	case "dbetabin":
		return []int{2}
	case "dhyper":
		return []int{0, 1, 2}
	case "dmulti":
		return []int{1}
	}
	return nil
}

// of is what a cell may hold; the whole line where that was not asked for.
func (w *supports) of(c int32) Values {
	switch w.m.Kinds[c] {
	case Constant, Observed:
		if x := w.m.Init[c]; x == x {
			return only(x)
		}
	case Logical, Unobserved:
		if id := w.id[c]; id > 0 {
			return w.vals[id-1]
		}
	}
	return realLine()
}

func (w *supports) set(c int32, v Values) {
	if n := len(w.vals); n == 0 || !w.vals[n-1].same(&v) {
		w.vals = append(w.vals, v)
	}
	w.id[c] = int32(len(w.vals))
}

// know evaluates a cell after all it depends on.
func (w *supports) know(c int32) {
	if !w.unknown(c) {
		return
	}
	w.stack = append(w.stack[:0], w.m.DefRow(c))
	for len(w.stack) > 0 {
		row := w.stack[len(w.stack)-1]
		t, i := w.m.TemplateOf(row)
		if !w.unknown(t.out(i)[0]) {
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		n := len(w.stack)
		w.parents(t, i, func(c int32) {
			if w.unknown(c) {
				w.stack = append(w.stack, w.m.DefRow(c))
			}
		})
		if len(w.stack) == n {
			w.evaluate(t, i)
			w.stack = w.stack[:n-1]
		}
	}
}

func (w *supports) unknown(c int32) bool { return w.m.changes(c) && w.id[c] == 0 && w.m.def[c] >= 0 }

// parents are the cells on which what a row's cells may hold depends.
func (w *supports) parents(t *Template, i int, f func(c int32)) {
	if t.Prog != nil {
		w.m.eachParent(t, i, f)
		return
	}
	in, st := t.in(i), t.Stoch
	n := st.NPar()
	if w.deep || st.Scalar != nil && st.Scalar.MovingSupport || st.Name == "dhyper" || st.Name == "dcut" {
		for _, c := range in[:n] {
			f(c)
		}
	} else {
		for _, k := range st.sizes() {
			f(in[st.POff[k]])
		}
	}
	for _, c := range in[n:] {
		f(c)
	}
}

func (w *supports) evaluate(t *Template, i int) {
	if t.Prog != nil {
		out := make([]hull, t.NOut)
		w.rowValues(t, i, nil, nil, func(reg []Values) {
			for k, r := range t.Prog.Out {
				out[k].add(reg[r])
			}
		})
		for k, c := range t.out(i) {
			w.set(c, out[k].values())
		}
		return
	}
	if t.Stoch.Multi != nil {
		w.multiValues(t, i)
		return
	}
	w.set(t.out(i)[0], w.scalarValues(t, i))
}

// scalarValues is the support of a scalar node given what its parameters may
// be.
func (w *supports) scalarValues(t *Template, i int) Values {
	in, st := t.in(i), t.Stoch
	n := st.NPar()
	var v Values
	if st.Name == "dcut" {
		return w.of(in[0])
	}
	if st.Name == "dcat" {
		v = w.categories(in[:n])
	} else {
		par := make([]Values, n)
		for k, c := range in[:n] {
			par[k] = w.of(c)
		}
		v = supportOf(st, par)
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	k := n
	if st.HasLo {
		lo = w.of(in[k]).Lo
		k++
	}
	if st.HasHi {
		hi = w.of(in[k]).Hi
	}
	if lo <= v.Lo && hi >= v.Hi {
		return v
	}
	v = limitTo(limitTo(v, OpGe, Values{Lo: lo, Hi: lo}), OpLe, Values{Lo: hi, Hi: hi})
	return span(v.Lo, v.Hi, v.Whole, !v.Whole, !v.Whole)
}

// categories are those whose weight may be positive.
func (w *supports) categories(in []int32) Values {
	zero := func(c int32) bool { p := w.of(c); return p.single() && p.Lo == 0 }
	if !slices.ContainsFunc(in, zero) {
		return span(1, float64(len(in)), true, false, false)
	}
	var list []float64
	for k, c := range in {
		if !zero(c) {
			list = append(list, float64(k+1))
		}
	}
	return listed(list)
}

// supportOf takes a distribution's support at the ends of its parameters, on
// which it depends monotonically, and leaves out what has probability zero when
// they are fixed.
func supportOf(st *Stoch, par []Values) Values {
	d := st.Scalar
	p := make([]float64, len(par))
	lo, hi := math.Inf(1), math.Inf(-1)
	fixed := true
	var ends func(k int)
	ends = func(k int) {
		if k < len(par) {
			p[k] = par[k].Lo
			ends(k + 1)
			if !par[k].single() {
				fixed = false
				p[k] = par[k].Hi
				ends(k + 1)
			}
			return
		}
		l, h := d.Support(p)
		if l != l {
			l = math.Inf(-1)
		}
		if h != h {
			h = math.Inf(1)
		}
		lo, hi = min(lo, l), max(hi, h)
	}
	ends(0)
	v := span(lo, hi, d.Discrete, true, true)
	if !d.Discrete || !fixed {
		return v
	}
	n := v.count(maxList)
	if n > maxList {
		if d.Name == "dpois" && p[0] == 0 {
			return only(0)
		}
		return v
	}
	var list []float64
	for k := range n {
		if x := v.value(k); !math.IsInf(d.LogProb(x, p), -1) {
			list = append(list, x)
		}
	}
	if len(list) == n {
		return v
	}
	return listed(list)
}

// multiValues sets what the elements of a multivariate node may be.
func (w *supports) multiValues(t *Template, i int) {
	in, st := t.in(i), t.Stoch
	for k, c := range t.out(i) {
		v := realLine()
		zero := func() bool { p := w.of(in[k]); return p.single() && p.Lo == 0 }
		switch st.Name {
		case "ddirch":
			if v = span(0, 1, false, true, true); zero() {
				v = only(0)
			}
		case "dsample":
			v = span(0, 1, true, false, false)
		case "dmulti":
			if v = span(0, w.of(in[st.POff[1]]).Hi, true, false, false); zero() {
				v = only(0)
			}
		}
		w.set(c, v)
	}
}

// maxJoint bounds the combinations of values that a row is evaluated for.
const maxJoint = 512

// rowValues runs a row's program on sets of values, once for each combination
// of the values of cells that have few, so that an expression of one node is
// exact. Where mark is not nil only the registers it marks are computed. check is
// asked about each element read, and may end the run.
func (w *supports) rowValues(t *Template, i int, mark []bool, check func(g *Gather, idx []Values) bool, done func(reg []Values)) {
	p, in := t.Prog, t.in(i)
	if cap(w.reg) < p.NReg {
		w.reg = make([]Values, p.NReg)
	}
	reg := w.reg[:p.NReg]
	var free []int // operands to be combined, one for each cell
	counts, joint := []int(nil), 1
	for k, c := range in {
		reg[k] = w.of(c)
		if mark != nil && !mark[k] || slices.Contains(in[:k], c) {
			continue
		}
		if n := reg[k].pieces(); n > 1 && joint*n <= maxJoint {
			joint *= n
			free, counts = append(free, k), append(counts, n)
		}
	}
	sets := slices.Clone(reg[:len(in)])
	for j := range joint {
		rest := j
		for f, k := range free {
			x := sets[k].piece(rest % counts[f])
			rest /= counts[f]
			for o, c := range in {
				if c == in[k] {
					reg[o] = x
				}
			}
		}
		if !w.runSets(t, i, reg, mark, check) {
			return
		}
		done(reg)
	}
}

// runSets evaluates the program once; false where check says to stop.
func (w *supports) runSets(t *Template, i int, reg []Values, mark []bool, check func(g *Gather, idx []Values) bool) bool {
	p := t.Prog
	for k := range p.Code {
		in := &p.Code[k]
		switch {
		case in.Op == OpGather:
			g := &p.Gathers[in.A]
			idx := make([]Values, len(g.Idx))
			for d, r := range g.Idx {
				idx[d] = reg[r]
			}
			if check != nil && !check(g, idx) {
				return false
			}
			if mark != nil && !mark[in.Dst] {
				continue
			}
			var h hull
			eachPicked(t.addr(i)[g.Slot], g, idx, func(c int32) { h.add(w.of(c)) })
			reg[in.Dst] = h.values()
		case mark != nil && !writes(in, mark):
		case in.Op.Nary():
			w.runNarySets(p, in, reg)
		case in.Op == OpIfElse && !reg[in.A].single():
			reg[in.Dst] = ifElseTo(reg[in.A], w.given(t, i, k, in.B, true, reg), w.given(t, i, k, in.C, false, reg))
		default:
			var x [3]Values
			var three [3]int32
			for k, r := range p.reads(in, &three) {
				x[k] = reg[r]
			}
			reg[in.Dst] = applyTo(in.Op, x[0], x[1], x[2])
		}
	}
	return true
}

// writes tells whether an instruction writes a marked register.
func writes(in *Instr, mark []bool) bool {
	if in.Op.Block() {
		return slices.Contains(mark[in.Dst:in.Dst+in.B], true)
	}
	return mark[in.Dst]
}

// eachPicked visits the elements that indices of these values reach.
func eachPicked(base int32, g *Gather, idx []Values, f func(c int32)) {
	if len(idx) == 0 {
		f(base)
		return
	}
	rest := Gather{Extent: g.Extent[1:], Stride: g.Stride[1:]}
	if v := idx[0]; v.single() {
		if v.Lo >= 1 && v.Lo <= float64(g.Extent[0]) && v.Whole {
			eachPicked(base+(int32(v.Lo)-1)*g.Stride[0], &rest, idx[1:], f)
		}
		return
	}
	for k := int32(1); k <= g.Extent[0]; k++ {
		if idx[0].has(float64(k)) {
			eachPicked(base+(k-1)*g.Stride[0], &rest, idx[1:], f)
		}
	}
}

// given is what a branch of ifelse may be when its condition, a comparison, has
// come out as it must: the value that was compared is limited by it.
func (w *supports) given(t *Template, i, at int, branch int32, holds bool, reg []Values) Values {
	p, v := t.Prog, reg[branch]
	cond := p.Code[at].A
	for k := at - 1; k >= 0; k-- {
		in := &p.Code[k]
		if in.Dst != cond {
			continue
		}
		c := operations[in.Op].compares
		if c == nil {
			break
		}
		op := in.Op
		if !holds {
			op = c.not
		}
		if sameOperand(t, i, branch, in.A) {
			v = limitTo(v, op, reg[in.B])
		}
		if sameOperand(t, i, branch, in.B) {
			v = limitTo(v, operations[op].compares.mirrored, reg[in.A])
		}
		break
	}
	return v
}

func sameOperand(t *Template, i int, a, b int32) bool {
	n := int32(t.NIn)
	return a == b || a < n && b < n && t.in(i)[a] == t.in(i)[b]
}

func (w *supports) runNarySets(p *Program, in *Instr, reg []Values) {
	args, row := p.Args[in.A:in.A+in.B], &operations[in.Op]
	x, z := make([]Values, len(args)), realLine()
	for k, r := range args {
		if x[k] = reg[r]; x[k].empty() {
			reg[in.Dst] = x[k]
			return
		}
	}
	switch {
	case in.Op == OpDist:
		z = p.Fns[in.C].values()
	case row.values != nil:
		z = row.values(x)
	}
	reg[in.Dst] = z
	for k := int32(1); row.block && k < in.B; k++ {
		reg[in.Dst+k] = z
	}
}

func (f *DistFn) values() Values {
	switch {
	case f.Kind == 'p':
		return span(0, 1, false, false, false)
	case f.Kind == 'd':
		return span(0, math.Inf(1), false, false, true)
	case f.Kind == 'q' && f.Scalar != nil && f.Scalar.Discrete:
		return span(math.Inf(-1), math.Inf(1), true, false, false)
	}
	return realLine()
}
