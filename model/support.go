package model

import (
	"math"
	"slices"
)

// IndexFault is an index or a size that may take a value for which there is no
// element, or that no count can have.
type IndexFault struct {
	Row    int32   // that uses it
	Gather *Gather // nil where it is a size of the row's distribution
	Dim    int     // of the gather's indices, or the distribution's parameter
	Cell   int32   // of the size; −1 for an index
	Hole   int32   // the element that is read but not defined, −1 where the value leaves the range
	Value  float64
	Values Values   // all that the index or size may be
	Nodes  []int32  // cells of the unobserved nodes it comes from
	Takes  []Values // what these may be
}

// IndexFaults looks for an index that may leave its array or meet a hole there
// with positive probability, and for a size that may be no whole number. The
// first found is returned, nil where there is none.
func (m *Model) IndexFaults() *IndexFault {
	w := &supports{m: m}
	if !w.prepare() {
		return nil
	}
	f := w.search()
	if f == nil {
		return nil
	}
	// That a probability is zero may take its expression to see.
	w = &supports{m: m, deep: true}
	w.prepare()
	return w.search()
}

// supports finds what the cells may hold on which indices and sizes depend.
type supports struct {
	m     *Model
	deep  bool // evaluates probabilities too
	feeds [][]int32
	marks [][]bool
	id    []int32 // by cell: 1 + its place in vals
	vals  []Values
	reg   []Values
	holes map[*Gather]tableHoles
	stack []int32
}

// tableHoles remembers whether the table a gather read last has holes.
type tableHoles struct {
	base int32
	any  bool
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
			p.eachArg(in, func(r int32) { mark[r] = true })
		}
	}
	for k := range int32(p.NIn) {
		if mark[k] {
			operands = append(operands, k)
		}
	}
	return operands, mark
}

// eachArg calls f with the registers an instruction reads.
func (p *Program) eachArg(in *Instr, f func(r int32)) {
	switch {
	case in.Op == OpGather:
		for _, r := range p.Gathers[in.A].Idx {
			f(r)
		}
	case in.Op.Nary():
		for _, r := range p.Args[in.A : in.A+in.B] {
			f(r)
		}
	default:
		f(in.A)
		if in.Op.Arity() > 1 {
			f(in.B)
		}
		if in.Op.Arity() > 2 {
			f(in.C)
		}
	}
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

func (w *supports) search() *IndexFault {
	w.id = make([]int32, len(w.m.Init))
	w.holes = map[*Gather]tableHoles{}
	for ti, t := range w.m.Templates {
		if t.Prog != nil && w.marks[ti] == nil {
			continue
		}
		if t.Stoch != nil && len(t.Stoch.sizes()) == 0 {
			continue
		}
		last := -1 // row whose indices have been found right
		for i := range t.Rows {
			if t.Stoch != nil {
				if f := w.sizeFault(t, i); f != nil {
					return f
				}
				continue
			}
			for _, k := range w.feeds[ti] {
				w.know(t.in(i)[k])
			}
			w.eachIndexTable(ti, t, i, w.know)
			if last >= 0 && w.sameIndex(ti, t, i, last) {
				continue
			}
			if f := w.rowFault(ti, t, i); f != nil {
				return f
			}
			last = i
		}
	}
	return nil
}

// eachIndexTable visits the cells of tables whose elements are indices.
func (w *supports) eachIndexTable(ti int, t *Template, i int, f func(c int32)) {
	for k := range t.Prog.Code {
		if in := &t.Prog.Code[k]; in.Op == OpGather && w.marks[ti][in.Dst] {
			g := &t.Prog.Gathers[in.A]
			walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, f)
		}
	}
}

// sameIndex tells rows whose indices have the same values, in tables without
// holes.
func (w *supports) sameIndex(ti int, t *Template, i, last int) bool {
	for _, k := range w.feeds[ti] {
		a, b := w.of(t.in(i)[k]), w.of(t.in(last)[k])
		if !a.same(&b) {
			return false
		}
	}
	for k := range t.Prog.Gathers {
		g := &t.Prog.Gathers[k]
		if w.hasHoles(t.addr(i)[g.Slot], g) {
			return false
		}
	}
	for k := range t.Prog.Code {
		if in := &t.Prog.Code[k]; in.Op == OpGather && w.marks[ti][in.Dst] {
			return false // an index read from a table
		}
	}
	return true
}

func (w *supports) hasHoles(base int32, g *Gather) bool {
	h, ok := w.holes[g]
	if !ok || h.base != base {
		h = tableHoles{base: base}
		walkTable(base, g.Extent, g.Stride, func(c int32) { h.any = h.any || w.m.Kinds[c] == Hole })
		w.holes[g] = h
	}
	return h.any
}

// of is what a cell may hold; the whole line where that was not asked for.
func (w *supports) of(c int32) Values {
	switch w.m.Kinds[c] {
	case Fixed, Observed:
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
	w.stack = append(w.stack[:0], w.m.def[c])
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
				w.stack = append(w.stack, w.m.def[c])
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
	if w.deep || st.Name == "dunif" || st.Name == "dpar" || st.Name == "dhyper" {
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
			a, b, c := reg[in.A], Values{}, Values{}
			if in.Op.Arity() > 1 {
				b = reg[in.B]
			}
			if in.Op.Arity() > 2 {
				c = reg[in.C]
			}
			reg[in.Dst] = applyTo(in.Op, a, b, c)
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
		op := in.Op
		if op < OpEq || op > OpEquals {
			break
		}
		if !holds {
			op = opposite[op-OpEq]
		}
		if sameOperand(t, i, branch, in.A) {
			v = limitTo(v, op, reg[in.B])
		}
		if sameOperand(t, i, branch, in.B) {
			v = limitTo(v, mirrored[op-OpEq], reg[in.A])
		}
		break
	}
	return v
}

// Comparisons from OpEq to OpEquals when they do not hold, and with their sides
// exchanged.
var (
	opposite = [...]Op{OpNe, OpEq, OpGe, OpGt, OpLe, OpLt, OpNe}
	mirrored = [...]Op{OpEq, OpNe, OpGt, OpGe, OpLt, OpLe, OpEquals}
)

func sameOperand(t *Template, i int, a, b int32) bool {
	n := int32(t.NIn)
	return a == b || a < n && b < n && t.in(i)[a] == t.in(i)[b]
}

func (w *supports) runNarySets(p *Program, in *Instr, reg []Values) {
	args := p.Args[in.A : in.A+in.B]
	x := make([]Values, len(args))
	whole := true
	var all hull
	for k, r := range args {
		x[k] = reg[r]
		if x[k].empty() {
			reg[in.Dst] = x[k]
			return
		}
		whole = whole && x[k].Whole
		all.add(x[k])
	}
	n := float64(len(x))
	switch in.Op {
	case OpSum, OpMean:
		z := only(0)
		for _, v := range x {
			z = applyTo(OpAdd, z, v, Values{})
		}
		if in.Op == OpMean {
			z = applyTo(OpDiv, z, only(n), Values{})
		}
		reg[in.Dst] = z
	case OpProd:
		z := only(1)
		for _, v := range x {
			z = applyTo(OpMul, z, v, Values{})
		}
		reg[in.Dst] = z
	case OpDot:
		z, h := only(0), len(x)/2
		for k := range h {
			z = applyTo(OpAdd, z, applyTo(OpMul, x[k], x[h+k], Values{}), Values{})
		}
		reg[in.Dst] = z
	case OpMax:
		reg[in.Dst] = extreme(x)
	case OpMin:
		for k := range x {
			x[k] = negate(x[k])
		}
		reg[in.Dst] = negate(extreme(x))
	case OpInterval:
		reg[in.Dst] = intervalOf(x)
	case OpRank, OpOrder:
		fillSets(reg[in.Dst:in.Dst+in.B], span(1, n, true, false, false))
	case OpSort:
		v := all.values()
		v.List = nil
		fillSets(reg[in.Dst:in.Dst+in.B], v)
	case OpDist:
		reg[in.Dst] = p.Fns[in.C].values()
	default:
		k := int32(1)
		if in.Op.Block() {
			k = in.B
		}
		fillSets(reg[in.Dst:in.Dst+k], realLine())
	}
}

func fillSets(reg []Values, v Values) {
	for k := range reg {
		reg[k] = v
	}
}

// intervalOf is dinterval(t, c…): how many cut points lie below t.
func intervalOf(x []Values) Values {
	lo, hi := 0.0, 0.0
	for _, c := range x[1:] {
		if c.Hi < x[0].Lo {
			lo++
		}
		if c.Lo < x[0].Hi {
			hi++
		}
	}
	return span(lo, hi, true, false, false)
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

// rowFault looks for an index of a row that may leave its array or meet a hole.
func (w *supports) rowFault(ti int, t *Template, i int) (f *IndexFault) {
	check := func(g *Gather, idx []Values) bool {
		for d, v := range idx {
			if x, bad := outside(v, float64(g.Extent[d])); bad {
				f = &IndexFault{Gather: g, Dim: d, Value: x, Values: v, Hole: -1}
				return false
			}
		}
		if !w.hasHoles(t.addr(i)[g.Slot], g) {
			return true
		}
		eachPicked(t.addr(i)[g.Slot], g, idx, func(c int32) {
			if w.m.Kinds[c] == Hole && f == nil {
				f = &IndexFault{Gather: g, Values: idx[0], Value: idx[0].Lo, Hole: c}
			}
		})
		return f == nil
	}
	w.rowValues(t, i, w.marks[ti], check, func([]Values) {})
	if f != nil {
		f.Row, f.Cell = t.First+int32(i), -1
		var from []int32
		for _, k := range w.feeds[ti] {
			from = append(from, t.in(i)[k])
		}
		w.eachIndexTable(ti, t, i, func(c int32) { from = append(from, c) })
		w.nodes(f, from)
	}
	return f
}

// outside finds a value that is no index from 1 to n.
func outside(v Values, n float64) (x float64, bad bool) {
	switch {
	case v.empty():
		return 0, false
	case v.Lo < 1:
		if v.has(0) {
			return 0, true
		}
		return v.Lo, true
	case v.Hi > n:
		if v.has(n + 1) {
			return n + 1, true
		}
		return v.Hi, true
	case v.Whole:
		return 0, false
	}
	for _, x := range v.List {
		if x != math.Trunc(x) {
			return x, true
		}
	}
	return v.Lo, v.List == nil
}

// sizeFault looks for a size that changes and may be no whole number.
func (w *supports) sizeFault(t *Template, i int) *IndexFault {
	for _, k := range t.Stoch.sizes() {
		c := t.in(i)[t.Stoch.POff[k]]
		if !w.m.changes(c) {
			continue
		}
		w.know(c)
		v := w.of(c)
		if v.Whole || v.empty() {
			continue
		}
		x := v.Lo
		for _, y := range v.List {
			if y != math.Trunc(y) {
				x = y
			}
		}
		f := &IndexFault{Row: t.First + int32(i), Dim: k, Cell: c, Hole: -1, Value: x, Values: v}
		w.nodes(f, []int32{c})
		return f
	}
	return nil
}

// maxNamed bounds the nodes that a fault names.
const maxNamed = 3

// nodes names the nearest unobserved nodes that cells come from, those without
// whole numbers first.
func (w *supports) nodes(f *IndexFault, from []int32) {
	seen := map[int32]bool{}
	var discrete []int32
	for len(from) > 0 && len(f.Nodes) < maxNamed {
		c := from[0]
		from = from[1:]
		if seen[c] || !w.m.changes(c) {
			continue
		}
		seen[c] = true
		w.know(c)
		switch v := w.of(c); {
		case w.m.Kinds[c] == Logical:
			w.m.Parents(w.m.def[c], func(p int32) { from = append(from, p) })
		case v.Whole:
			discrete = append(discrete, c)
		default:
			f.Nodes = append(f.Nodes, c)
		}
	}
	f.Nodes = append(f.Nodes, discrete...)
	f.Nodes = f.Nodes[:min(len(f.Nodes), maxNamed)]
	for _, c := range f.Nodes {
		f.Takes = append(f.Takes, w.of(c))
	}
}
