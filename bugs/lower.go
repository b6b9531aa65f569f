package bugs

import (
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// What other dialects say in one relation, and BUGS in several with arrays of
// their own, is written so before the compiler sees it. The names of these arrays
// hold an apostrophe, which no program can.

// hiddenMark stands in the names of arrays that the compiler adds.
const hiddenMark = "'"

// Hidden tells the name of an array that the compiler added from those of the program.
func Hidden(name string) bool { return strings.Contains(name, hiddenMark) }

// lowered is a relation as the compiler takes it.
type lowered struct {
	ast *Relation
	// latent: the relation holds only where this variable is not data; given: only where it is.
	latent, given *VarRef
	sum           bool   // the density of the node that an observed sum leaves no choice
	drawn         string // the distribution after ~ in the program, of what is computed here
}

// builder writes expressions at one place of the program.
type builder struct{ pos Pos }

func (b builder) num(x float64) Expr { return &Number{Value: x, Pos: b.pos} }
func (b builder) call(f string, args ...Expr) Expr {
	return &Call{Func: f, Args: args, Pos: b.pos}
}
func (b builder) op(op string, l, r Expr) Expr { return &Binary{Op: op, L: l, R: r, Pos: b.pos} }
func (b builder) element(name string, index ...Expr) *VarRef {
	return &VarRef{Name: name, Index: index, HasIndex: len(index) > 0, Pos: b.pos}
}
func (b builder) define(lhs *VarRef, e Expr) *Relation {
	return &Relation{LHS: lhs, Expr: e, Pos: b.pos}
}
func (b builder) draw(lhs *VarRef, name string, args ...Expr) *Relation {
	return &Relation{LHS: lhs, Stochastic: true, Dist: &DistCall{Name: name, Args: args, Pos: b.pos}, Pos: b.pos}
}

// beside names the element of an array of the compiler's that goes with a left side:
// it has the subscripts that are single numbers, and 1 where there is none.
func (b builder) beside(lhs *VarRef, what string, more ...Expr) *VarRef {
	var index []Expr
	for _, e := range lhs.Index {
		if r, ok := e.(*Binary); e != nil && !(ok && r.Op == ":") {
			index = append(index, e)
		}
	}
	if index = append(index, more...); len(index) == 0 {
		index = []Expr{b.num(1)}
	}
	return b.element(lhs.Name+hiddenMark+what, index...)
}

// lower writes a relation of the model in those that the compiler has, with the loops
// around it that some of them need.
func (c *compiler) lower(st *Relation, add func(l lowered, loops ...*For)) {
	if !st.Stochastic {
		add(lowered{ast: st})
		return
	}
	d := c.respell(st.Dist)
	if d != st.Dist {
		r := *st
		r.Dist = d
		st = &r
	}
	b := builder{d.Pos}
	if c.censors(d) {
		c.censor(st, add)
		return
	}
	switch d.Name {
	case "dflat":
		c.wants(d)
		r := *st
		r.Dist = &DistCall{Name: "dflat", Args: []Expr{b.num(math.Inf(-1)), b.num(math.Inf(1))}, Pos: d.Pos}
		if t := d.Trunc; t != nil && t.Lo != nil {
			r.Dist.Args[0] = t.Lo
		}
		if t := d.Trunc; t != nil && t.Hi != nil {
			r.Dist.Args[1] = t.Hi
		}
		add(lowered{ast: &r})
	case "dinvwish": // NIMBLE
		c.wants(d, "S", "df")
		c.untruncated(d)
		x := b.beside(st.LHS, "inverse", nil, nil)
		p := &VarRef{Name: x.Name, Index: slices.Clone(x.Index), HasIndex: true, Pos: b.pos}
		c.ranges(st, p)
		add(lowered{ast: b.draw(p, "dwish", d.Args...)})
		add(lowered{ast: b.define(st.LHS, b.call("inverse", x))})
	case "dround":
		c.wants(d, "t", "digits")
		c.untruncated(d)
		c.rounded(b, st, add)
	case "sum", "dsum":
		c.untruncated(d)
		add(lowered{ast: st})
		zero := b.beside(st.LHS, "sum")
		r := b.draw(zero, "dloglik", st.LHS)
		add(lowered{ast: b.define(zero, b.num(0))})
		add(lowered{ast: r, given: st.LHS, sum: true})
	case "dnormmix":
		c.wants(d, "mu", "tau", "pi")
		c.normalMixture(b, st, add)
	case "dmstate":
		c.wants(d, "state", "time", "Q")
		c.untruncated(d)
		p := b.beside(st.LHS, "mexp", nil, nil)
		add(lowered{ast: b.define(p, b.call("mexp", b.op("*", d.Args[2], d.Args[1])))})
		row := b.beside(st.LHS, "mexp", d.Args[0], nil)
		add(lowered{ast: &Relation{LHS: st.LHS, Stochastic: true, Dist: &DistCall{Name: "dcat", Args: []Expr{row}, Pos: d.Pos}, Pos: st.Pos}})
	case "car.normal", "dcar_normal", "car.l1", "mv.car":
		c.intrinsic(b, st, add)
	case "car.proper", "dcar_proper":
		c.properCAR(b, st, add)
	case "spatial.exp":
		c.spatial(b, st, add)
	case "spatial.pred", "spatial.unipred":
		c.predicted(b, st, add)
	case "drw1":
		c.randomWalk(b, st, add)
	case "dpick":
		c.pick(b, st, add)
	case "dCRP":
		c.restaurant(b, st, add)
	case "dlkj_corr_cholesky", "dlkj_corr":
		c.correlations(b, st, add)
	case "dscaled.wishart":
		c.wants(d, "s", "df")
		c.untruncated(d)
		c.scaledWishart(b, st, add)
	default:
		add(lowered{ast: st})
	}
}

// ranges gives the ranges of a matrix on the left to the compiler's own beside it.
func (c *compiler) ranges(st *Relation, p *VarRef) {
	k := len(p.Index) - 2
	for _, e := range st.LHS.Index {
		if r, ok := e.(*Binary); e == nil || ok && r.Op == ":" {
			if k < len(p.Index) {
				p.Index[k] = e
			}
			k++
		}
	}
	if st.LHS.HasIndex && k != len(p.Index) {
		c.fail(st.LHS.Pos, "Write it as x[1:p,1:p].", "%s is not seen to be a matrix", st.LHS)
	}
}

// wants holds a distribution to its number of parameters.
func (c *compiler) wants(d *DistCall, params ...string) {
	if len(d.Args) != len(params) {
		c.fail(d.Pos, "It is "+d.Name+"("+strings.Join(params, ", ")+").", "%s takes %s, not %d", d.Name, plural(len(params), "parameter"), len(d.Args))
	}
}

func (c *compiler) untruncated(d *DistCall) {
	if d.Trunc != nil {
		c.fail(d.Trunc.Pos, untruncatedHint(d.Name), "%s cannot be truncated", d.Name)
	}
}

// untruncatedHint says what to write in place of T(,).
func untruncatedHint(name string) string {
	if name == "dunif" {
		return "Write dunif(max(a, lo), min(b, hi))."
	}
	if slices.Contains(ofReals, name) {
		return "C(lo[], hi[]) bounds its elements, as in OpenBUGS: without a normalising constant."
	}
	if _, many := dist.LookupMulti(name); many {
		return vectorBoundsHint
	}
	return truncHint
}

// within adds an observed dinterval.
func (c *compiler) within(b builder, lhs *VarRef, what string, value float64, l lowered, add func(l lowered, loops ...*For), args ...Expr) {
	between := b.beside(lhs, what)
	l.ast = b.draw(between, "dinterval", args...)
	add(lowered{ast: b.define(between, b.num(value))})
	add(l)
}

// rounded is y ~ dround(t, digits): where y is observed, t lies in the interval whose
// numbers round to it, half away from zero; its ends are moved by 1e-9 of its width so
// that they belong to it as rounding wants it.
func (c *compiler) rounded(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	add(lowered{ast: st})
	y := Expr(st.LHS)
	half := b.op("*", b.num(0.5), b.op("^", b.num(10), &Unary{Op: "-", X: st.Dist.Args[1], Pos: b.pos}))
	sign := b.op("-", b.call("step", y), b.call("step", &Unary{Op: "-", X: y, Pos: b.pos}))
	at := b.op("-", y, b.op("*", b.op("*", b.num(1e-9), half), sign))
	cuts := b.call("c", b.op("-", at, half), b.op("+", at, half))
	c.within(b, st.LHS, "rounded", 1, lowered{given: st.LHS}, add, st.Dist.Args[0], cuts)
}

// normalMixture is y ~ dnormmix(mu, tau, pi), with the component as a node of its own.
func (c *compiler) normalMixture(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	d := st.Dist
	z := b.beside(st.LHS, "component")
	add(lowered{ast: b.draw(z, "dcat", d.Args[2])})
	r := *st
	r.Dist = &DistCall{Name: "dnorm", Pos: d.Pos, Trunc: d.Trunc, Args: []Expr{c.chosen(b, d, 0, z), c.chosen(b, d, 1, z)}}
	c.untruncated(d)
	add(lowered{ast: &r})
}

// chosen is the element of a vector argument at an index.
func (c *compiler) chosen(b builder, d *DistCall, k int, at Expr) Expr {
	v, ok := d.Args[k].(*VarRef)
	if !ok {
		c.fail(d.Args[k].Position(), "Give the vector a name with <- first.", "%s of %s is no variable", d.Args[k], d.Name)
	}
	return c.elementOf(b, v, d.Name, at)
}

// elementOf is the element of a vector at an index, or of a matrix at two.
func (c *compiler) elementOf(b builder, v *VarRef, of string, at ...Expr) *VarRef {
	if !v.HasIndex {
		return &VarRef{Name: v.Name, Index: at, HasIndex: true, Pos: v.Pos}
	}
	out := &VarRef{Name: v.Name, HasIndex: true, Pos: v.Pos}
	found := 0
	for _, e := range v.Index {
		r, ok := e.(*Binary)
		if e == nil || ok && r.Op == ":" {
			i := at[min(found, len(at)-1)]
			found++
			if e != nil && !isOne(r.L) {
				i = b.op("+", b.op("-", r.L, b.num(1)), i)
			}
			e = i
		}
		out.Index = append(out.Index, e)
	}
	switch {
	case found == len(at):
	case len(at) == 1:
		c.fail(v.Pos, "Write it as v[1:K] or v[].", "%s of %s is not seen to be a vector", v, of)
	default:
		c.fail(v.Pos, "Write it as v[1:K,1:N] or v[,].", "%s of %s is not seen to be a matrix", v, of)
	}
	return out
}

func isOne(e Expr) bool {
	n, ok := e.(*Number)
	return ok && n.Value == 1
}

// scaledWishart is Omega ~ dscaled.wishart(s, df): given b with components
// Gamma(1/2, 1/s²) it is Wishart with p + df − 1 degrees of freedom and the scale
// 2 df diag(b), so that standard deviations are half-t with df degrees of freedom
// and scales s (Huang and Wand, 2013, Simple marginally noninformative prior
// distributions for covariance matrices, equation 2).
func (c *compiler) scaledWishart(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	s, ok := st.Dist.Args[0].(*VarRef)
	if !ok {
		c.fail(st.Dist.Args[0].Position(), "Give the vector a name with <- first.", "%s of dscaled.wishart is no variable", st.Dist.Args[0])
	}
	df := st.Dist.Args[1]
	i, j := b.element("i"+hiddenMark), b.element("j"+hiddenMark)
	p := b.call("length", s)
	loop := func(v *VarRef) *For { return &For{Var: v.Name, Range: b.op(":", b.num(1), p), Pos: b.pos} }
	scale := func(k Expr) *VarRef { return b.beside(st.LHS, "scale", k) }
	add(lowered{ast: b.draw(scale(i), "dgamma", b.num(0.5), b.op("/", b.num(1), b.op("^", c.chosen(b, st.Dist, 0, i), b.num(2))))}, loop(i))
	diagonal := b.op("*", b.op("*", b.call("equals", i, j), b.op("*", b.num(2), df)), scale(i))
	add(lowered{ast: b.define(b.beside(st.LHS, "R", i, j), diagonal)}, loop(i), loop(j))
	r := *st
	r.Dist = &DistCall{Name: "dwish", Pos: st.Dist.Pos, Args: []Expr{b.beside(st.LHS, "R", nil, nil), b.op("-", b.op("+", p, df), b.num(1))}}
	add(lowered{ast: &r})
}

// fixedParameters tells whether data and loop counters alone decide the parameters of
// a distribution.
func (c *compiler) fixedParameters(d *DistCall) bool {
	seen := map[string]bool{}
	for _, e := range d.Args {
		if !c.fixedBy(e, seen) {
			return false
		}
	}
	return true
}

func (c *compiler) fixedBy(e Expr, seen map[string]bool) bool {
	all := func(es ...Expr) bool {
		for _, e := range es {
			if e != nil && !c.fixedBy(e, seen) {
				return false
			}
		}
		return true
	}
	switch e := e.(type) {
	case *VarRef:
		if _, ok := c.values[e.Name]; ok {
			return all(e.Index...)
		}
		if was, ok := seen[e.Name]; ok {
			return was && all(e.Index...)
		}
		seen[e.Name] = true // what leans on itself is an error elsewhere
		fixed := all(e.Index...)
		eachRelation(c.stmts, func(r *Relation) {
			if r.LHS.Name == e.Name && fixed {
				fixed = !r.Stochastic && c.fixedBy(r.Expr, seen)
			}
		})
		seen[e.Name] = fixed
		return fixed
	case *Call:
		return all(e.Args...)
	case *Binary:
		return all(e.L, e.R)
	case *Unary:
		return all(e.X)
	}
	return true
}

// eachLoop goes through the loops of some statements.
func eachLoop(stmts []Stmt, f func(*For)) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *For:
			f(st)
			eachLoop(st.Body, f)
		case *If:
			eachLoop(st.Then, f)
			eachLoop(st.Else, f)
		}
	}
}

// eachRelation goes through the relations of some statements.
func eachRelation(stmts []Stmt, f func(*Relation)) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *For:
			eachRelation(st.Body, f)
		case *If:
			eachRelation(st.Then, f)
			eachRelation(st.Else, f)
		case *Relation:
			f(st)
		}
	}
}
