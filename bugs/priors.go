package bugs

import "math"

// randomWalk is x[1:n] ~ drw1(tau, t[]) of JAGS: steps normal with precision tau over the steps of t, the first
// element being flat.
func (c *compiler) randomWalk(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	d := st.Dist
	c.wants(d, "tau", "t")
	c.untruncated(d)
	at, ok := d.Args[1].(*VarRef)
	if !ok {
		c.fail(d.Args[1].Position(), "Give the vector a name with <- first.", "%s of %s is no variable", d.Args[1], d.Name)
	}
	i := b.element("i" + hiddenMark)
	before := b.op("-", i, b.num(1))
	left := func(i Expr) *VarRef { return c.elementOf(b, st.LHS, d.Name, i) }
	time := func(i Expr) Expr { return c.elementOf(b, at, d.Name, i) }
	add(lowered{ast: b.draw(left(b.num(1)), "dflat", b.num(math.Inf(-1)), b.num(math.Inf(1)))})
	steps := &For{Var: i.Name, Range: b.op(":", b.num(2), b.call("length", at)), Pos: b.pos}
	add(lowered{ast: b.draw(left(i), "dnorm", left(before), b.op("/", d.Args[0], b.op("-", time(i), time(before))))}, steps)
}

// pick is y ~ dpick(p, v1, v2) of JAGS: v1 with probability p, else v2.
func (c *compiler) pick(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	d := st.Dist
	c.wants(d, "p", "v1", "v2")
	c.untruncated(d)
	if v := c.values[st.LHS.Name]; v != nil {
		c.pickObserved(b, st, v, add)
		return
	}
	p, v1, v2 := d.Args[0], d.Args[1], d.Args[2]
	first := b.beside(st.LHS, "first")
	add(lowered{ast: b.draw(first, "dbern", p)})
	add(lowered{ast: b.define(st.LHS, b.call("ifelse", first, v1, v2))})
}

// pickObserved is that of data: a factor of its own.
func (c *compiler) pickObserved(b builder, st *Relation, v *Value, add func(l lowered, loops ...*For)) {
	d := st.Dist
	if anyNaN(v.Data) {
		c.fail(st.LHS.Pos, "Give those that are missing a name of their own.", "%s is observed in part, and dpick is for data or for what is not", st.LHS.Name)
	}
	same := func(v Expr) Expr { return b.call("equals", st.LHS, v) }
	chance := b.op("+", b.op("*", d.Args[0], same(d.Args[1])), b.op("*", b.op("-", b.num(1), d.Args[0]), same(d.Args[2])))
	seen := b.beside(st.LHS, "picked")
	add(lowered{ast: b.define(seen, b.num(1))})
	add(lowered{ast: b.draw(seen, "dbern", chance)})
}

// restaurant is xi[1:n] ~ dCRP(conc, size = n) of NIMBLE: labels of 1 … n, each a node of its own, with the probability
// of logdensity.CRP.
func (c *compiler) restaurant(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	d := st.Dist
	c.untruncated(d)
	arg := c.arguments(d, []string{"conc", "size"}, nil)
	i, j := b.element("i"+hiddenMark), b.element("j"+hiddenMark)
	loop := func(v *VarRef) *For { return &For{Var: v.Name, Range: b.op(":", b.num(1), arg["size"]), Pos: b.pos} }
	even := b.element(ownName(b, st.LHS.Name+hiddenMark+"even"), j)
	c.addWithin(lowered{ast: b.define(even, b.num(1))}, []*For{loop(j)}, nil, scope{})
	add(lowered{ast: b.draw(c.elementOf(b, st.LHS, d.Name, i), "dcat", b.element(even.Name, nil))}, loop(i))
	zero := b.beside(st.LHS, "prior")
	all := c.elementOf(b, st.LHS, d.Name, b.op(":", b.num(1), arg["size"]))
	add(lowered{ast: b.define(zero, b.num(0))})
	add(lowered{ast: b.draw(zero, "dloglik", b.op("+", b.call("logdensity.CRP", all, arg["conc"]), b.op("*", arg["size"], b.call("log", arg["size"]))))})
}

// correlations is U[1:p,1:p] ~ dlkj_corr_cholesky(eta, p) of NIMBLE, the upper Cholesky factor of a correlation matrix R with density
// proportional to |R|^(eta−1), and dlkj_corr(eta, p), R itself. Partial correlations of i and j given those before i
// are 2 beta − 1, with both parameters eta + (p − 1 − i)/2 (Lewandowski, Kurowicka and Joe, 2009, section 2.4).
func (c *compiler) correlations(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	d := st.Dist
	c.untruncated(d)
	arg := c.arguments(d, []string{"eta", "p"}, nil)
	p := arg["p"]
	i, j := b.element("i"+hiddenMark), b.element("j"+hiddenMark)
	one := b.num(1)
	from := func(v *VarRef, lo, hi Expr) *For { return &For{Var: v.Name, Range: b.op(":", lo, hi), Pos: b.pos} }
	before := b.op("-", j, one)
	beta, left := b.beside(st.LHS, "beta", i, j), b.beside(st.LHS, "left", i, j)
	shape := b.op("+", arg["eta"], b.op("/", b.op("-", b.op("-", p, one), i), b.num(2)))
	add(lowered{ast: b.draw(beta, "dbeta", shape, shape)}, from(j, b.num(2), p), from(i, one, before))
	// left[i,j] is what 1 … i − 1 leave of the length of column j.
	add(lowered{ast: b.define(b.beside(st.LHS, "left", one, j), one)}, from(j, one, p))
	rest := b.call("sqrt", b.op("*", b.op("*", b.num(4), beta), b.op("-", one, beta)))
	add(lowered{ast: b.define(b.beside(st.LHS, "left", b.op("+", i, one), j), b.op("*", left, rest))}, from(j, b.num(2), p), from(i, one, before))
	u := func(i, j Expr) *VarRef { return c.elementOf(b, st.LHS, d.Name, i, j) }
	if d.Name == "dlkj_corr" {
		u = func(i, j Expr) *VarRef { return b.beside(st.LHS, "factor", i, j) }
	}
	partial := b.op("-", b.op("*", b.num(2), beta), one)
	add(lowered{ast: b.define(u(i, j), b.op("*", left, partial))}, from(j, b.num(2), p), from(i, one, before))
	add(lowered{ast: b.define(u(j, j), b.beside(st.LHS, "left", j, j))}, from(j, one, p))
	add(lowered{ast: b.define(u(j, i), b.num(0))}, from(j, b.num(2), p), from(i, one, before))
	if d.Name == "dlkj_corr" {
		c.product(b, st, p, add)
	}
}

// product is R = UᵀU for the factor beside R.
func (c *compiler) product(b builder, st *Relation, p Expr, add func(l lowered, loops ...*For)) {
	i, j := b.element("i"+hiddenMark), b.element("j"+hiddenMark)
	rows := b.op(":", b.num(1), p)
	column := func(k Expr) Expr { return b.beside(st.LHS, "factor", nil, k) }
	all := func(v *VarRef) *For { return &For{Var: v.Name, Range: rows, Pos: b.pos} }
	r := c.elementOf(b, st.LHS, st.Dist.Name, i, j)
	same := b.call("equals", i, j)
	dot := b.call("inprod", column(i), column(j))
	add(lowered{ast: b.define(r, b.op("+", b.op("*", b.op("-", b.num(1), same), dot), same))}, all(j), all(i))
}
