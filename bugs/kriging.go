package bugs

// exponential is a vector with exponentially decaying covariances, x[1:n] ~ spatial.exp(mu, x, y, tau, phi, kappa): normal with the covariances
// exp(−(phi d_ij)^kappa)/tau at the distances d_ij of points in the plane.
type exponential struct {
	c               *compiler
	b               builder
	lhs             *VarRef
	of              string // its distribution's name
	mu, x, y        Expr
	tau, phi, kappa Expr
}

func (c *compiler) exponentialOf(b builder, st *Relation) *exponential {
	d := st.Dist
	c.untruncated(d)
	arg := c.arguments(d, []string{"mu", "x", "y", "tau", "phi", "kappa"}, nil)
	return &exponential{c: c, b: b, lhs: st.LHS, of: d.Name, mu: arg["mu"], x: arg["x"], y: arg["y"], tau: arg["tau"], phi: arg["phi"], kappa: arg["kappa"]}
}

// element is that of a vector argument.
func (s *exponential) element(e, i Expr) Expr {
	return s.c.chosen(s.b, &DistCall{Name: s.of, Args: []Expr{e}}, 0, i)
}

// places is how many there are in a vector argument.
func (s *exponential) places(x Expr) Expr {
	v, ok := x.(*VarRef)
	if !ok {
		s.c.fail(x.Position(), "Give the vector a name with <- first.", "%s of %s is no variable", x, s.of)
	}
	return s.b.call("length", v)
}

// covariance is that at two places.
func (s *exponential) covariance(x1, y1, x2, y2 Expr) Expr {
	b := s.b
	square := func(p, q Expr) Expr { return b.op("^", b.op("-", p, q), b.num(2)) }
	far := b.call("sqrt", b.op("+", square(x1, x2), square(y1, y2)))
	decay := b.call("exp", &Unary{Op: "-", X: b.call("pow", b.op("*", s.phi, far), s.kappa), Pos: b.pos})
	return b.op("/", decay, s.tau)
}

// matrix is the covariance matrix that stands beside the vector.
func (s *exponential) matrix(i, j Expr) *VarRef { return s.b.beside(s.lhs, "covariance", i, j) }

// spatial writes spatial.exp as dmnorm.vcov.
func (c *compiler) spatial(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	s := c.exponentialOf(b, st)
	s.fill(s.x, s.y, s.places(s.x), s.matrix, add)
	r := *st
	r.Dist = &DistCall{Name: "dmnorm.vcov", Args: []Expr{s.mu, s.matrix(nil, nil)}, Pos: st.Dist.Pos}
	add(lowered{ast: &r})
}

// fill computes the covariances of n places with each other.
func (s *exponential) fill(x, y, n Expr, to func(i, j Expr) *VarRef, add func(l lowered, loops ...*For)) {
	b := s.b
	i, j := b.element("i"+hiddenMark), b.element("j"+hiddenMark)
	outer := &For{Var: i.Name, Range: b.op(":", b.num(1), n), Pos: b.pos}
	inner := &For{Var: j.Name, Range: b.op(":", b.num(1), b.op("-", i, b.num(1))), Pos: b.pos}
	add(lowered{ast: b.define(to(i, i), b.op("/", b.num(1), s.tau))}, outer)
	add(lowered{ast: b.define(to(i, j), s.covariance(s.element(x, i), s.element(y, i), s.element(x, j), s.element(y, j)))}, outer, inner)
	add(lowered{ast: b.define(to(j, i), to(i, j))}, outer, inner)
}

// predicted writes T[1:m] ~ spatial.pred(mu, x, y, S[]) and T ~ spatial.unipred(mu, x, y, S[]): the normal distribution of new places given
// the vector S of spatial.exp.
func (c *compiler) predicted(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	d := st.Dist
	c.untruncated(d)
	c.wants(d, "mu", "x", "y", "S")
	s := c.vectorOf(b, d)
	outside := func(l lowered, loops ...*For) { c.addWithin(l, loops, nil, scope{}) }
	own := func(what string, index ...Expr) *VarRef {
		return b.element(ownName(b, st.LHS.Name+hiddenMark+what), index...)
	}
	n := s.places(s.x)
	all := b.op(":", b.num(1), n)
	inverse, rest := own("inverse", all, all), own("residual", all)
	outside(lowered{ast: b.define(inverse, b.call("inverse", s.matrix(nil, nil)))})
	outside(lowered{ast: b.define(rest, b.op("-", s.lhs, s.mu))})
	j := b.element("j" + hiddenMark)
	each := &For{Var: j.Name, Range: all, Pos: b.pos}
	at := func(v Expr, k Expr) Expr { return s.element(v, k) }
	if d.Name == "spatial.unipred" {
		with, weights := b.beside(st.LHS, "with", j), b.beside(st.LHS, "weights", all)
		add(lowered{ast: b.define(with, s.covariance(d.Args[1], d.Args[2], at(s.x, j), at(s.y, j)))}, each)
		add(lowered{ast: b.define(weights, b.op("%*%", inverse, b.beside(st.LHS, "with", all)))})
		left := b.op("-", b.op("/", b.num(1), s.tau), b.call("inprod", weights, b.beside(st.LHS, "with", all)))
		r := *st
		r.Dist = &DistCall{Name: "dnorm", Args: []Expr{b.op("+", d.Args[0], b.call("inprod", weights, rest)), b.op("/", b.num(1), left)}, Pos: d.Pos}
		add(lowered{ast: &r})
		return
	}
	m := s.places(d.Args[1])
	i := b.element("i" + hiddenMark)
	news := b.op(":", b.num(1), m)
	with, weights, among, left := func(i, j Expr) *VarRef { return b.beside(st.LHS, "with", i, j) }, b.beside(st.LHS, "weights", news, all),
		func(i, j Expr) *VarRef { return b.beside(st.LHS, "among", i, j) }, b.beside(st.LHS, "left", news, news)
	add(lowered{ast: b.define(with(i, j), s.covariance(at(d.Args[1], i), at(d.Args[2], i), at(s.x, j), at(s.y, j)))},
		&For{Var: i.Name, Range: news, Pos: b.pos}, each)
	s.fill(d.Args[1], d.Args[2], m, among, add)
	add(lowered{ast: b.define(weights, b.op("%*%", with(news, all), inverse))})
	add(lowered{ast: b.define(left, b.op("-", among(news, news), b.op("%*%", weights, b.call("t", with(news, all)))))})
	mean := b.beside(st.LHS, "mean", news)
	add(lowered{ast: b.define(mean, b.op("+", d.Args[0], b.op("%*%", weights, rest)))})
	r := *st
	r.Dist = &DistCall{Name: "dmnorm.vcov", Args: []Expr{mean, left}, Pos: d.Pos}
	add(lowered{ast: &r})
}

// vectorOf finds the vector of spatial.exp that a prediction is from.
func (c *compiler) vectorOf(b builder, d *DistCall) *exponential {
	v, ok := d.Args[3].(*VarRef)
	if !ok {
		c.fail(d.Args[3].Position(), "Name a vector that has spatial.exp.", "%s of %s is no variable", d.Args[3], d.Name)
	}
	for _, st := range c.stmts {
		if r, ok := st.(*Relation); ok && r.Stochastic && r.LHS.Name == v.Name && r.Dist.Name == "spatial.exp" {
			return c.exponentialOf(builder{r.Dist.Pos}, r)
		}
	}
	c.fail(v.Pos, "Name a vector that has spatial.exp outside all loops.", "%s of %s has not the distribution spatial.exp", v.Name, d.Name)
	return nil
}
