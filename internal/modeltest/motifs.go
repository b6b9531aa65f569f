package modeltest

// motif writes relations of a shape that some kernel is made for; what the grammar adds
// around it is what the kernel may not expect.
func (g *writer) motif() {
	switch g.r.IntN(10) {
	case 0, 1:
		g.regression()
	case 2:
		g.conjugate()
	case 3:
		g.mixture()
	case 4:
		g.hierarchy()
	case 5:
		g.population()
	case 6:
		g.entry()
	case 7:
		g.openPopulation()
	case 8:
		g.guessers()
	default:
		g.markovChain()
	}
	g.turns = 0
}

// put adds a stochastic relation, in a loop of n turns where n > 0.
func (g *writer) put(dist string, dom domain, n int, args ...*Expr) *Var {
	r := &Rel{dist: dist, v: &Var{Name: g.name(), dom: dom}, args: args}
	if n > 0 {
		r.v.Dims, r.index, r.from, r.to = []int{n}, []*Expr{counter(0)}, 1, n
	}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	return r.v
}

// at is the element of the loop's turn of an array, or the scalar.
func at(v *Var) *Expr {
	if len(v.Dims) == 0 {
		return elem(v)
	}
	return elem(v, counter(0))
}

func (g *writer) location() *Var {
	return g.put("dnorm", realLine, 0, num(g.pick(0, 1)), num(g.pick(0.5, 1, 2)))
}

// spread is a precision: a gamma node, a function of another, or a number.
func (g *writer) spread() *Expr {
	switch g.r.IntN(5) {
	case 0:
		return elem(g.put("dgamma", positive, 0, num(3), num(2)))
	case 1:
		return apply("pow", elem(g.put("dunif", positive, 0, num(0.3), num(2))), num(-2))
	case 2:
		return or(g.ref(positive), num(2))
	}
	return num(g.pick(1, 2))
}

// regression is normal coefficients under a likelihood of their linear predictor.
func (g *writer) regression() {
	n := 2 + g.r.IntN(2)
	a, b := g.location(), g.location()
	tau := g.spread()
	var effect *Var
	if g.chance(0.4) {
		mean := num(0)
		if g.chance(0.4) {
			mean = elem(a)
		}
		effect = g.put("dnorm", realLine, n, mean, tau.clone())
	}
	g.turns = n
	eta := apply("+", elem(a), apply("*", elem(b), g.covariate()))
	if effect != nil {
		eta = apply("+", elem(a), at(effect))
		if g.chance(0.3) {
			eta = apply("+", elem(a), apply("*", elem(b), at(effect)))
		}
	}
	if g.chance(0.4) {
		r := &Rel{v: &Var{Name: g.name(), dom: realLine, Dims: []int{n}}, index: []*Expr{counter(0)}, from: 1, to: n, args: []*Expr{eta}}
		g.p.add(r.v)
		g.p.Rels = append(g.p.Rels, r)
		eta = at(r.v)
	}
	g.response(n, eta, tau)
	if g.chance(0.3) {
		g.response(n, eta.clone(), num(1))
	}
}

// response is children of a linear predictor.
func (g *writer) response(n int, eta, tau *Expr) {
	rate := func() *Expr { return apply("exp", apply("*", num(0.5), eta)) }
	if g.chance(0.3) {
		tau = apply("/", num(2), apply("+", apply("^", eta.clone(), num(2)), num(0.5)))
	}
	switch g.r.IntN(12) {
	case 0, 1:
		g.put("dnorm", realLine, n, eta, tau)
	case 2:
		g.put("dlnorm", positive, n, eta, apply("+", tau, num(1)))
	case 3:
		g.put("dt", realLine, n, eta, tau, or(g.ref(positive), num(4)))
	case 4:
		g.put("dpois", count, n, rate())
	case 5:
		g.put("dbern", binary, n, apply("ilogit", eta))
	case 6:
		g.put("dbin", count, n, apply([]string{"ilogit", "phi", "icloglog"}[g.r.IntN(3)], eta), g.size())
	case 7:
		g.put("dgamma", positive, n, num(2), rate())
	case 8:
		g.put("dweib", positive, n, num(1.5), rate())
	case 9:
		g.put("dlogis", realLine, n, eta, tau)
	case 10:
		g.put("dnorm", realLine, n, or(g.ref(realLine), num(0)), rate())
	default:
		g.put("dnegbin", count, n, apply("+", apply("*", num(0.8), apply("ilogit", eta)), num(0.1)), num(2))
	}
}

// conjugate is a node under children that its kernel can integrate, and others.
func (g *writer) conjugate() {
	switch g.r.IntN(3) {
	case 0:
		g.underGamma()
	case 1:
		g.underBeta()
	default:
		g.underNormal()
	}
}

func (g *writer) underGamma() {
	const n = 2
	x := elem(g.put("dgamma", positive, 0, num(g.pick(1, 2, 3)), num(g.pick(1, 2))))
	c := func() *Expr { return apply("*", num(g.pick(0.5, 2)), x.clone()) }
	for range 1 + g.r.IntN(3) {
		switch g.r.IntN(8) {
		case 0:
			g.put("dpois", count, n, c())
		case 1:
			g.put("dexp", positive, n, x.clone())
		case 2:
			g.put("dgamma", positive, n, g.pos(0), c())
		case 3:
			g.put("dnorm", realLine, n, g.real(0), c())
		case 4:
			g.put("dweib", positive, n, num(1.5), x.clone())
		case 5:
			g.put("ddexp", realLine, n, g.real(0), x.clone())
		case 6:
			g.put("dlnorm", positive, n, g.real(0), apply("+", x.clone(), num(0)))
		default:
			g.put("dpar", positive, n, x.clone(), num(1))
		}
	}
}

// guessers are individuals with a probability of success for each value of a switch, and what is above these; data may have a part in which it is none.
func (g *writer) guessers() {
	n := 2 + g.r.IntN(2)
	above := func() *Expr {
		if g.chance(0.3) {
			return num(g.pick(1, 2))
		}
		return or(g.ref(positive), num(2))
	}
	if g.chance(0.8) {
		g.put("dgamma", positive, 0, num(3), num(g.pick(1, 2)))
	}
	q := num(0.4)
	if g.chance(0.6) {
		q = elem(g.put("dbeta", probability, 0, num(2), above()))
	}
	z := g.put("dbern", binary, n, q)
	x, v := g.put("dbeta", probability, n, above(), above()), g.put("dbeta", probability, n, num(2), above())
	not := func(e *Expr) *Expr { return apply("-", num(1), e) }
	for range 1 + g.r.IntN(2) {
		var p *Expr
		switch g.r.IntN(4) {
		case 0:
			p = apply("*", at(z), at(x))
		case 1:
			p = apply("+", apply("*", at(z), at(x)), apply("*", num(0.5), not(at(z))))
		case 2:
			p = apply("+", apply("*", at(z), at(x)), apply("*", not(at(z)), not(at(v))))
		default:
			p = apply("+", apply("*", at(z), at(x)), apply("*", not(at(z)), at(v)))
		}
		if g.chance(0.2) {
			p = apply("*", or(g.ref(probability), num(0.5)), p)
		}
		if g.chance(0.5) {
			g.put("dbern", binary, n, p)
		} else {
			g.put("dbin", count, n, p, g.size())
		}
	}
	if g.chance(0.2) {
		g.turns = 0
		g.put("dbern", binary, 0, apply("*", elem(z, num(1)), elem(x, num(2))))
	}
}

// openPopulation is counts that survive and have recruits, seen in some years, alone or with another.
func (g *writer) openPopulation() {
	stay := elem(g.put("dbeta", probability, 0, num(g.pick(1, 2, 3)), num(g.pick(1, 2))))
	seen := func() *Expr { return or(g.ref(probability), num(g.pick(0.3, 0.5, 1))) }
	n := elem(g.put("dpois", count, 0, or(g.ref(positive), num(g.pick(1, 2)))))
	for range 1 + g.r.IntN(3) {
		if g.chance(0.7) {
			g.put("dbin", count, 0, seen(), n.clone())
		}
		last := n
		n = elem(g.put("dbin", count, 0, stay.clone(), last.clone()))
		if g.chance(0.8) {
			rate := []*Expr{num(0.7), or(g.ref(positive), num(1)), apply("*", num(0.4), last.clone()), apply("exp", apply("-", num(0), last.clone()))}[g.r.IntN(4)]
			n = apply("+", n, elem(g.put("dpois", count, 0, rate)))
		}
		if g.chance(0.2) {
			g.put("dbin", count, 0, seen(), apply("+", n.clone(), last.clone()))
		}
	}
	g.put("dbin", count, 0, seen(), n.clone())
}

func (g *writer) underBeta() {
	const n = 2
	x := elem(g.put("dbeta", probability, 0, num(g.pick(1, 2, 3)), num(g.pick(1, 2))))
	if g.chance(0.3) {
		x = elem(g.put("dunif", probability, 0, num(0), num(1)))
	}
	for range 1 + g.r.IntN(3) {
		q := []*Expr{x.clone(), apply("-", num(1), x.clone()), apply("*", g.bool(1), x.clone())}[g.r.IntN(3)]
		switch g.r.IntN(3) {
		case 0:
			g.put("dbern", binary, n, q)
		case 1:
			g.put("dbin", count, n, q, g.size())
		default:
			g.put("dnegbin", count, n, x.clone(), num(2))
		}
	}
}

// underNormal is one normal node, so that no block takes it, under children that are linear
// in it, and some that are not.
func (g *writer) underNormal() {
	const n = 2
	v := g.location()
	if r := g.p.Rels[len(g.p.Rels)-1]; g.chance(0.3) {
		g.truncate(r)
	} else if g.chance(0.2) {
		g.censor(r)
	}
	x := elem(v)
	c := func() *Expr { return apply("*", num(g.pick(-1, 0.5, 2)), x.clone()) }
	for range 1 + g.r.IntN(3) {
		g.turns = n
		switch g.r.IntN(7) {
		case 0, 1:
			g.put("dnorm", realLine, n, c(), g.spread())
		case 2:
			g.put("dnorm", realLine, n, apply("*", x.clone(), g.covariate()), g.spread())
		case 3:
			g.put("dlnorm", positive, n, c(), num(2))
		case 4:
			g.put("dt", realLine, n, c(), num(1), num(4))
		case 5:
			g.curve(x)
		default:
			y := &Rel{dist: "dmnorm", v: &Var{Name: g.name(), Dims: []int{2}, dom: realLine}, index: []*Expr{nil}, args: []*Expr{apply("c", x.clone(), c()), g.precision()}}
			g.p.add(y.v)
			g.p.Rels = append(g.p.Rels, y)
		}
	}
}

// curve is a vector of which a node reaches one element by its square, and children of both.
func (g *writer) curve(x *Expr) {
	g.turns = 0
	m := &Rel{v: &Var{Name: g.name(), Dims: []int{2}, dom: realLine}, index: []*Expr{nil}, args: []*Expr{apply("c", x.clone(), apply("*", x.clone(), x.clone()))}}
	g.p.add(m.v)
	g.p.Rels = append(g.p.Rels, m)
	g.put("dnorm", realLine, 0, elem(m.v, num(1)), num(1))
	g.put("dnorm", realLine, 0, elem(m.v, num(2)), num(g.pick(1, 10)))
}

// mixture is parameters picked by an index that moves.
func (g *writer) mixture() {
	k := 2 + g.r.IntN(2)
	n := 2 + g.r.IntN(2)
	p := g.weights(k)
	if g.chance(0.5) {
		d := &Rel{dist: "ddirch", v: &Var{Name: g.name(), Dims: []int{k}, dom: simplexCell}, index: []*Expr{nil}, args: []*Expr{g.concentration(k, 0)}}
		g.p.add(d.v)
		g.p.Rels = append(g.p.Rels, d)
		p = part(d.v, nil)
	} else if g.chance(0.6) {
		p = g.sticks(k)
	}
	z := g.put("dcat", index, n, p)
	z.top = k
	switch g.r.IntN(4) {
	case 0:
		m := g.put("dgamma", positive, k, num(2), num(1))
		g.put("dpois", count, n, elem(m, at(z)))
	case 1:
		m := g.put("dbeta", probability, k, num(2), num(1))
		g.put("dbin", count, n, elem(m, at(z)), g.size())
	case 2:
		d := &Rel{dist: "ddirch", v: &Var{Name: g.name(), Dims: []int{k, k}, dom: simplexCell}, index: []*Expr{counter(0), nil}, from: 1, to: k, args: []*Expr{g.concentration(k, 0)}}
		g.p.add(d.v)
		g.p.Rels = append(g.p.Rels, d)
		row := part(d.v, at(z), nil)
		if g.chance(0.4) {
			row = part(d.v, nil, at(z))
		}
		y := g.put("dcat", index, n, row)
		y.top = k
	default:
		mean, tau := num(0), g.spread()
		if g.chance(0.3) {
			mean = elem(g.location())
		}
		m := g.put("dnorm", realLine, k, mean, num(0.5))
		if g.chance(0.4) {
			tau = elem(g.put("dgamma", positive, k, num(3), num(2)), at(z))
		}
		g.put("dnorm", realLine, n, elem(m, at(z)), tau)
		if g.chance(0.3) { // another of each
			g.put("dnorm", realLine, n, apply("*", num(2), elem(m, at(z))), num(1))
		}
	}
}

// sticks are weights of k categories by breaking a stick at beta nodes: with what is left of it last, or without, so that the weights have another sum.
func (g *writer) sticks(k int) *Expr {
	n := k - 1
	if g.chance(0.2) {
		n = k
	}
	a, b := num(g.pick(1, 2)), num(g.pick(0.5, 1, 2))
	if g.chance(0.4) {
		a, b = num(1), elem(g.put("dgamma", positive, 0, num(g.pick(2, 3)), num(g.pick(1, 2))))
	}
	v := g.put("dbeta", probability, n, a, b)
	w := g.p.add(&Var{Name: g.name(), Dims: []int{k}, dom: positive})
	ratio, logs := g.chance(0.3), g.chance(0.2)
	left := func(j int) *Expr { return apply("-", num(1), elem(v, num(float64(j)))) }
	for j := 1; j <= k; j++ {
		e := num(1)
		if j <= n {
			e = elem(v, num(float64(j)))
		}
		switch {
		case ratio && j > 1:
			e = apply("/", apply("*", apply("*", e, left(j-1)), elem(w, num(float64(j-1)))), elem(v, num(float64(j-1))))
		case logs:
			e = apply("log", e)
			for l := 1; l < j; l++ {
				e = apply("+", e, apply("log", left(l)))
			}
			e = apply("exp", e)
		default:
			for l := 1; l < j; l++ {
				e = apply("*", e, left(l))
			}
		}
		g.p.Rels = append(g.p.Rels, &Rel{v: w, index: []*Expr{num(float64(j))}, args: []*Expr{e}})
	}
	if g.chance(0.3) {
		g.put("dbin", count, 0, elem(v, num(1)), g.size())
	}
	return part(w, nil)
}

// hierarchy is parameters with a prior of their own under exchangeable children.
func (g *writer) hierarchy() {
	n := 2 + g.r.IntN(2)
	hyper := func() *Expr {
		switch g.r.IntN(3) {
		case 0:
			return elem(g.put("dunif", positive, 0, num(0.3), num(5)))
		case 1:
			return elem(g.put("dgamma", positive, 0, num(3), num(2)))
		}
		return num(g.pick(1, 2))
	}
	a, b := hyper(), hyper()
	g.turns = n
	if g.chance(0.5) {
		th := g.put("dgamma", positive, n, a, b)
		g.put("dpois", count, n, apply("*", num(g.pick(1, 2)), at(th)))
		if g.chance(0.4) {
			g.turns = 0
			g.put("dpois", count, 0, apply("*", elem(th, num(1)), elem(th, num(2))))
		}
		return
	}
	th := g.put("dbeta", probability, n, a, b)
	g.put("dbin", count, n, at(th), num(float64(1+g.r.IntN(4))))
	if g.chance(0.4) {
		g.turns = 0
		g.put("dbin", count, 0, apply("*", elem(th, num(1)), elem(th, num(2))), num(3))
	}
}

// markovChain is a hidden chain of states under a likelihood.
func (g *writer) markovChain() {
	p := &Rel{dist: "ddirch", v: &Var{Name: g.name(), Dims: []int{2, 2}, dom: simplexCell}, index: []*Expr{counter(0), nil}, from: 1, to: 2, args: []*Expr{g.concentration(2, 0)}}
	g.p.add(p.v)
	g.p.Rels = append(g.p.Rels, p)
	z := g.p.add(&Var{Name: g.name(), Dims: []int{3}, dom: index, top: 2})
	g.p.Rels = append(g.p.Rels,
		&Rel{dist: "dcat", v: z, index: []*Expr{num(1)}, args: []*Expr{apply("c", num(0.5), num(1))}},
		&Rel{dist: "dcat", v: z, index: []*Expr{counter(0)}, from: 2, to: 3, args: []*Expr{part(p.v, elem(z, counter(-1)), nil)}})
	m := g.put("dnorm", realLine, 2, counter(0), num(1))
	g.put("dnorm", realLine, 3, elem(m, elem(z, counter(0))), g.spread())
}

// entry is states each of which depends on all that were before: who has entered and left does not enter again, or what happens depends on how often, or on the largest.
func (g *writer) entry() {
	phi := g.put("dbeta", probability, 0, num(2), num(1))
	nu := g.put("dbeta", probability, 0, num(1), num(2))
	const n = 5
	z := g.p.add(&Var{Name: g.name(), Dims: []int{n}, dom: binary})
	shape := g.r.IntN(4)
	for t := 1; t <= n; t++ {
		q := elem(nu)
		if t > 1 {
			var past []*Expr
			for u := 1; u < t; u++ {
				x := elem(z, num(float64(u)))
				if shape < 2 {
					x = apply("-", num(1), x)
				}
				past = append(past, x)
			}
			list := apply("c", past...)
			switch shape {
			case 2:
				q = apply("*", q, apply("step", apply("-", num(1.5), apply("sum", list))))
			case 3:
				q = apply("*", q, apply("-", num(1), apply("max", list, num(0))))
			default:
				q = apply("*", q, apply("prod", list))
			}
			q = apply("+", apply("*", num(0.5), apply("*", elem(phi), elem(z, num(float64(t-1))))), apply("*", num(0.5), q))
		}
		g.p.Rels = append(g.p.Rels, &Rel{dist: "dbern", v: z, index: []*Expr{num(float64(t))}, args: []*Expr{q}})
	}
	there := num(1)
	if g.chance(0.4) {
		there = elem(g.put("dbern", binary, 0, num(0.6)))
	}
	p := apply("*", apply("*", at(z), there), g.prob(1))
	g.put("dbern", binary, n, p)
	if g.chance(0.3) {
		g.turns = 0
		g.put("dnorm", realLine, 0, apply("+", elem(z, num(2)), elem(z, num(n))), num(1))
	}
}

// population is individuals that are there or not, each with a latent of its own, and what is seen of those that are.
func (g *writer) population() {
	n := 2 + g.r.IntN(2)
	if g.chance(0.3) {
		n = 16 + g.r.IntN(4)
	}
	q := num(0.6)
	if g.chance(0.7) {
		q = elem(g.put("dbeta", probability, 0, num(2), num(1)))
	}
	mu, tau := g.location(), g.spread()
	z := g.put("dbern", binary, n, q)
	var e *Var
	switch g.r.IntN(4) {
	case 0:
		e = g.put("dunif", realLine, n, num(-1), num(2))
	default:
		e = g.put("dnorm", realLine, n, elem(mu), tau)
		if last := g.p.Rels[len(g.p.Rels)-1]; g.chance(0.3) {
			last.lo, last.hi = num(-2), num(3)
		}
	}
	if g.chance(0.3) {
		g.put("dnorm", realLine, n, at(e), num(1))
	}
	for range 1 + g.r.IntN(2) {
		switch g.r.IntN(4) {
		case 0:
			g.put("dnorm", realLine, n, apply("*", at(z), at(e)), num(2))
		case 1:
			g.put("dpois", count, n, apply("*", at(z), apply("exp", apply("*", num(0.5), at(e)))))
		case 2:
			g.put("dbin", count, n, apply("*", at(z), apply("ilogit", at(e))), g.size())
		default:
			g.put("dbern", binary, n, apply("*", at(z), apply("ilogit", at(e))))
		}
	}
	if g.chance(0.2) {
		g.turns = 0
		g.put("dnorm", realLine, 0, apply("*", elem(z, num(1)), elem(e, num(2))), num(1))
	}
}
