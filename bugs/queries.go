package bugs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// OpenBUGS' functions of a node and its distribution, rank(v, k) of two arguments, and cut() are written in what the compiler
// has before it sees them.

// queries are functions of a node, with what they take beside it.
var queries = map[string]int{"cumulative": 1, "density": 1, "deviance": 1, "post.p.value": 0, "replicate.post": 0}

// rewriting is the rewriting of one relation.
type rewriting struct {
	c     *compiler
	loops []*loopVar
	sc    scope
}

// rewritten is a relation without queries and cuts; those that it needs beside it are added.
func (c *compiler) rewritten(st *Relation, loops []*loopVar, sc scope) *Relation {
	w := &rewriting{c, loops, sc}
	if e, ok := st.Expr.(*Call); ok && e.Func == "cut" && st.Link == "" && !st.Target {
		c.cutNote(e)
		b := builder{e.Pos}
		return b.draw(st.LHS, "dcut", w.expr(e.Args[0]))
	}
	r := *st
	if st.Expr != nil {
		r.Expr = w.expr(st.Expr)
	}
	if st.Dist != nil {
		d := *st.Dist
		d.Args = w.list(d.Args)
		if t := d.Trunc; t != nil {
			u := *t
			u.Lo, u.Hi = w.expr(t.Lo), w.expr(t.Hi)
			d.Trunc = &u
		}
		r.Dist = &d
	}
	return &r
}

func (w *rewriting) list(es []Expr) []Expr {
	out := make([]Expr, len(es))
	for i, e := range es {
		out[i] = w.expr(e)
	}
	return out
}

func (w *rewriting) expr(e Expr) Expr {
	switch e := e.(type) {
	case nil:
		return nil
	case *VarRef:
		if !e.HasIndex {
			return e
		}
		return &VarRef{Name: e.Name, Index: w.list(e.Index), HasIndex: true, Pos: e.Pos}
	case *Binary:
		return &Binary{Op: e.Op, L: w.expr(e.L), R: w.expr(e.R), Pos: e.Pos}
	case *Unary:
		return &Unary{Op: e.Op, X: w.expr(e.X), Pos: e.Pos}
	case *Call:
		out := &Call{Func: e.Func, Args: w.list(e.Args), Pos: e.Pos}
		return w.call(out)
	}
	return e
}

func (w *rewriting) call(e *Call) Expr {
	b := builder{e.Pos}
	n, query := queries[e.Func]
	switch {
	case e.Func == "cut":
		w.c.cutNote(e)
		return w.own(b, "cut", func(at *VarRef) *Relation { return b.draw(at, "dcut", e.Args[0]) })
	case e.Func == "rank" && len(e.Args) == 2:
		v, ok := e.Args[0].(*VarRef)
		if !ok {
			w.c.fail(e.Args[0].Position(), "Give the vector a name with <- first.", "%s of rank is no variable", e.Args[0])
		}
		return b.call("sum", b.op("<=", v, w.c.elementOf(b, v, "rank", e.Args[1])))
	case !query:
		return e
	}
	v, ok := (*VarRef)(nil), len(e.Args) == n+1
	if ok {
		v, ok = e.Args[0].(*VarRef)
	}
	if !ok {
		w.c.fail(e.Pos, "It is "+e.Func+"(node"+strings.Repeat(", x", n)+").", "%s asks for the distribution of a node", e)
	}
	d := w.distributionOf(e, v)
	switch e.Func {
	case "cumulative":
		return w.distributionFunction(e, d, "p", e.Args[1])
	case "density":
		return b.call("exp", w.distributionFunction(e, d, "logdensity.", e.Args[1]))
	case "deviance":
		return b.op("*", b.num(-2), w.distributionFunction(e, d, "logdensity.", e.Args[1]))
	}
	again := w.own(b, "replicate", func(at *VarRef) *Relation {
		return &Relation{LHS: at, Stochastic: true, Dist: d, Pos: e.Pos}
	})
	if e.Func == "replicate.post" {
		return again
	}
	return b.op("<", again, v)
}

// own adds a relation of the compiler's, for each turn of the loops around, and names what it defines.
func (w *rewriting) own(b builder, what string, relation func(at *VarRef) *Relation) Expr {
	index := []Expr{b.num(1)}
	for _, name := range w.sc.names {
		if !Hidden(name) {
			index = append(index, b.element(name))
		}
	}
	at := b.element(ownName(b, what), index...)
	w.c.lower(relation(at), func(l lowered, around ...*For) { w.c.addWithin(l, around, w.loops, w.sc) })
	return at
}

// cutNote says once what a cut is.
func (c *compiler) cutNote(e *Call) {
	if len(e.Args) != 1 {
		c.fail(e.Pos, "It is cut(x).", "cut takes one number, not %d", len(e.Args))
	}
	const note = "cut() passes values on and nothing back: the draws are those of a cut model, which has no joint posterior"
	if !slices.Contains(c.warnings, note) {
		c.warnings = append(c.warnings, note)
	}
}

// distributionFunction calls a function of a distribution at a number.
func (w *rewriting) distributionFunction(e *Call, d *DistCall, prefix string, x Expr) Expr {
	if d.Trunc != nil {
		w.c.fail(e.Pos, "Write the function of the distribution with its bounds out.", "%s asks for a distribution with bounds", e)
	}
	name := prefix + strings.TrimPrefix(canonicalName(d.Name), "d")
	if lookupFunction(name) == nil {
		w.c.fail(e.Pos, "Write the function out, with a relation for its value.", "%s asks for %s, which has no such function", e, d.Name)
	}
	return &Call{Func: name, Args: append([]Expr{x}, d.Args...), Pos: e.Pos}
}

// distributionOf is that of the relation that defines a node, in the counters of the loops around the question.
func (w *rewriting) distributionOf(e *Call, v *VarRef) *DistCall {
	var found *DistCall
	eachRelationWithin(w.c.stmts, nil, func(r *Relation, counters []string) {
		if !r.Stochastic || r.LHS.Name != v.Name || found != nil {
			return
		}
		if values, ok := unify(r.LHS, v, counters); ok {
			found = w.c.placed(w.c.respell(r.Dist), values)
		}
	})
	if found == nil {
		w.c.fail(e.Pos, "Index it as the relation with ~ does that defines it.", "%s asks for the distribution of %s, of which no relation with ~ is seen", e, v)
	}
	if _, ok := dist.Lookup(found.Name); !ok {
		if _, ok := dist.LookupMulti(found.Name); !ok {
			w.c.fail(e.Pos, "Ask it of a node with another distribution.", "%s cannot be asked of %s", e.Func, found.Name)
		}
	}
	return found
}

// placed is a distribution with expressions for the counters of its loops.
func (c *compiler) placed(d *DistCall, values map[string]Expr) *DistCall {
	out := *d
	out.Args = make([]Expr, len(d.Args))
	for i, e := range d.Args {
		out.Args[i] = substitute(e, values, e.Position())
	}
	if t := d.Trunc; t != nil {
		u := *t
		if t.Lo != nil {
			u.Lo = substitute(t.Lo, values, t.Pos)
		}
		if t.Hi != nil {
			u.Hi = substitute(t.Hi, values, t.Pos)
		}
		out.Trunc = &u
	}
	return &out
}

// unify finds what the counters of a relation's loops are where its left side is an element.
func unify(left, v *VarRef, counters []string) (map[string]Expr, bool) {
	if len(left.Index) != len(v.Index) {
		return nil, false
	}
	values := map[string]Expr{}
	for k, e := range left.Index {
		if e == nil || v.Index[k] == nil {
			if e != nil || v.Index[k] != nil {
				return nil, false
			}
			continue
		}
		if i, ok := e.(*VarRef); ok && !i.HasIndex && slices.Contains(counters, i.Name) {
			if was := values[i.Name]; was != nil && was.String() != v.Index[k].String() {
				return nil, false
			}
			values[i.Name] = v.Index[k]
			continue
		}
		if e.String() != v.Index[k].String() {
			return nil, false
		}
	}
	return values, len(values) == len(counters)
}

// eachRelationWithin goes through relations with the counters of the loops around them.
func eachRelationWithin(stmts []Stmt, counters []string, f func(*Relation, []string)) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *For:
			eachRelationWithin(st.Body, append(counters[:len(counters):len(counters)], st.Var), f)
		case *If:
			eachRelationWithin(st.Then, counters, f)
			eachRelationWithin(st.Else, counters, f)
		case *Relation:
			f(st, counters)
		}
	}
}

// asks tells whether statements hold a query, so that others are left as they are.
func asks(stmts []Stmt) bool {
	found := false
	var in func(e Expr)
	in = func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			for _, i := range e.Index {
				in(i)
			}
		case *Binary:
			in(e.L)
			in(e.R)
		case *Unary:
			in(e.X)
		case *Call:
			_, query := queries[e.Func]
			found = found || query || e.Func == "cut" || e.Func == "rank" && len(e.Args) == 2
			for _, a := range e.Args {
				in(a)
			}
		}
	}
	eachRelation(stmts, func(r *Relation) {
		in(r.Expr)
		if r.Dist == nil {
			return
		}
		for _, a := range r.Dist.Args {
			in(a)
		}
		if t := r.Dist.Trunc; t != nil {
			in(t.Lo)
			in(t.Hi)
		}
	})
	return found
}

// unsolved are OpenBUGS' functions that solve equations, and what to write instead.
var unsolved = map[string]string{
	"ode":        "Write its solution, or the steps of a Runge-Kutta scheme as relations in a loop; a linear system is mexp(A * t).",
	"ode.block":  "Write its solution, or the steps of a Runge-Kutta scheme as relations in a loop; a linear system is mexp(A * t).",
	"integral":   "Write it as a sum over a grid, such as Simpson's rule: sum(w[] * f[]) with f[k] <- … in a loop.",
	"solution":   "Write it in closed form, or the steps of Newton's method as relations in a loop.",
	"eigen.vals": "Give the eigenvalues in the data; logdet and inverse are there.",
	"det":        "Write exp(logdet(A)).",
	"gammap":     "Write pgamma(x, a, 1).",
	"p.valueM":   "Write step() of the difference of what is compared.",
}

// checkSolved refuses them by name.
func (c *compiler) checkSolved(e *Call) {
	if hint, ok := unsolved[e.Func]; ok {
		c.fail(e.Pos, hint, "%s is not supported", fmt.Sprintf("%s()", e.Func))
	}
}
