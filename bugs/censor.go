package bugs

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// ofReals are the distributions of vectors whose elements bounds may hold.
var ofReals = []string{"dmnorm", "dmnorm.vcov", "dmt"}

// censors tells bounds that are OpenBUGS' censoring: those of C(,), and of I(,) where it is not T(,).
func (c *compiler) censors(d *DistCall) bool {
	t := d.Trunc
	return t != nil && d.Name != "dflat" && (t.Kind == 'C' || t.Kind == 'I' && (slices.Contains(ofReals, d.Name) || !c.fixedParameters(d)))
}

// censor is OpenBUGS' y ~ d C(lo, hi): where y is not observed it lies between the
// bounds, and its density is not renormalised: a dinterval that is observed.
func (c *compiler) censor(st *Relation, add func(l lowered, loops ...*For)) {
	b, t := builder{st.Dist.Trunc.Pos}, st.Dist.Trunc
	many := slices.Contains(ofReals, st.Dist.Name)
	if _, multi := dist.LookupMulti(st.Dist.Name); multi && !many {
		c.fail(t.Pos, vectorBoundsHint, "%s cannot be censored", st.Dist.Name)
	}
	if t.Kind == 'I' && !c.fixedParameters(st.Dist) {
		c.warnings = append(c.warnings, fmt.Sprintf("I(,) in line %d is taken as censoring, as OpenBUGS does, since parameters of %s are not fixed; T(,) truncates", t.Pos.Line, st.Dist.Name))
	}
	r, d := *st, *st.Dist
	d.Trunc, r.Dist = nil, &d
	add(lowered{ast: &r})
	if many {
		c.censorElements(b, st, add)
		return
	}
	lo := t.Lo
	if known, ok := dist.Lookup(d.Name); ok && known.Discrete && lo != nil { // a bound can be a value of the node
		lo = b.op("-", b.call("trunc", lo), b.op("==", lo, b.call("trunc", lo)))
	}
	c.between(b, st.LHS, lo, t.Hi, add)
}

// censorElements bounds each element of a vector.
func (c *compiler) censorElements(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	k, t := b.element("k"+hiddenMark), st.Dist.Trunc
	all := b.op(":", b.num(1), b.call("length", st.LHS))
	for _, e := range st.LHS.Index {
		if r, ok := e.(*Binary); ok && r.Op == ":" {
			all = b.op(":", b.num(1), b.op("+", b.op("-", r.R, r.L), b.num(1)))
		}
	}
	loop := &For{Var: k.Name, Range: all, Pos: b.pos}
	x := c.elementOf(b, st.LHS, st.Dist.Name, k)
	c.between(b, x, c.boundOf(b, t.Lo, k), c.boundOf(b, t.Hi, k), func(l lowered, _ ...*For) { add(l, loop) })
}

// boundOf is the bound of an element: one number for all, or the element of a vector.
func (c *compiler) boundOf(b builder, e Expr, k Expr) Expr {
	v, ok := e.(*VarRef)
	if !ok {
		return e
	}
	vector := false
	for _, i := range v.Index {
		r, ok := i.(*Binary)
		vector = vector || i == nil || ok && r.Op == ":"
	}
	if given := c.values[v.Name]; !v.HasIndex {
		vector = given == nil || len(given.Data) > 1
	}
	if !vector {
		return e
	}
	return c.elementOf(b, v, "C(,)", k)
}

// between observes that a node that is not data lies between two bounds, either of which may be nil.
func (c *compiler) between(b builder, x *VarRef, lo, hi Expr, add func(l lowered, loops ...*For)) {
	value, cuts := 1.0, lo
	switch {
	case lo == nil && hi == nil:
		return
	case lo == nil:
		value, cuts = 0, hi
	case hi != nil:
		cuts = b.call("c", lo, hi)
	}
	c.within(b, x, "censored", value, lowered{latent: x}, add, x, cuts)
}
