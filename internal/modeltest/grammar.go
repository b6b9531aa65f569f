package modeltest

import "math/rand/v2"

// Random writes a program from the stream of seed.
func Random(seed uint64) *Program {
	g := &writer{p: &Program{}, r: rand.New(rand.NewPCG(seed, 0x6d6f64656c))}
	shaped := g.chance(0.6)
	for range 1 + g.r.IntN(3) {
		if !shaped || g.chance(0.3) {
			g.node(0)
		}
	}
	if shaped {
		g.motif()
	}
	for range g.r.IntN(3) {
		g.logical()
	}
	for range 1 + g.r.IntN(3) {
		g.node(2)
		if g.chance(0.25) {
			g.logical()
		}
	}
	for len(g.p.Rels) < 9 && len(g.unread(g.p.Vars)) > 2 {
		g.node(1)
	}
	g.observe()
	if g.chance(0.3) {
		g.p.Print = g.r.Perm(len(g.p.Rels))
	}
	return g.p
}

// family is a distribution that a node may have.
type family struct {
	name string
	dom  domain
	cuts bool // may have T(,); not where its tails take long
	args func(g *writer, d int) []*Expr
}

// above is more than x, or, often, a node as it is.
func (g *writer) above(x float64, depth int) *Expr {
	if e := g.ref(positive); e != nil && x < 1 && g.chance(0.3) {
		return e
	}
	return apply("+", g.pos(depth), num(x))
}

func families() []family {
	rp := func(g *writer, d int) []*Expr { return []*Expr{g.real(d), g.pos(d)} }
	pp := func(g *writer, d int) []*Expr { return []*Expr{g.pos(d), g.pos(d)} }
	p := func(g *writer, d int) []*Expr { return []*Expr{g.pos(d)} }
	rpk := func(g *writer, d int) []*Expr { return []*Expr{g.real(d), g.pos(d), g.above(2, d-1)} }
	return []family{
		{"dnorm", realLine, true, rp}, {"dnorm", realLine, true, rp}, {"dnorm", realLine, true, rp}, {"dnorm", realLine, true, rp},
		{"dgamma", positive, true, pp}, {"dgamma", positive, true, pp},
		{"dbeta", probability, true, pp}, {"dbeta", probability, true, pp},
		{"dlnorm", positive, true, func(g *writer, d int) []*Expr {
			return []*Expr{apply("*", num(0.5), g.real(d)), g.above(0.5, d)}
		}},
		{"dexp", positive, true, p},
		{"dchisqr", positive, true, p},
		{"dunif", realLine, false, func(g *writer, d int) []*Expr {
			lo := g.real(d - 1)
			return []*Expr{lo, apply("+", lo.clone(), g.pos(d-1))}
		}},
		{"dunif", probability, false, func(*writer, int) []*Expr { return []*Expr{num(0), num(1)} }},
		{"dunif", positive, false, func(g *writer, d int) []*Expr { return []*Expr{num(0.2), g.above(0.3, d)} }},
		{"dt", realLine, true, rpk},
		{"ddexp", realLine, true, rp},
		{"dlogis", realLine, true, rp},
		{"dweib", positive, true, func(g *writer, d int) []*Expr { return []*Expr{g.above(0.3, d-1), g.pos(d)} }},
		{"dgen.gamma", positive, true, func(g *writer, d int) []*Expr {
			return []*Expr{g.above(0.3, d-1), g.pos(d - 1), num(g.pick(0.5, 1, 2))}
		}},
		{"dpar", positive, true, func(g *writer, d int) []*Expr { return []*Expr{g.above(1, d), g.pos(d - 1)} }},
		{"df", positive, true, func(g *writer, d int) []*Expr { return []*Expr{g.above(1, d-1), g.above(4, d-1)} }},
		{"dnchisqr", positive, false, func(g *writer, d int) []*Expr { return []*Expr{g.above(1, d-1), g.pos(d - 1)} }},
		{"dnt", realLine, false, func(g *writer, d int) []*Expr { return []*Expr{g.real(0), num(1), g.above(3, d-1)} }},
		{"dscaled.gamma", positive, true, func(g *writer, _ int) []*Expr { return []*Expr{num(g.pick(1, 2)), num(g.pick(3, 5))} }},
		{"dbern", binary, false, func(g *writer, d int) []*Expr { return []*Expr{g.prob(d)} }},
		{"dbern", binary, false, func(g *writer, d int) []*Expr { return []*Expr{g.prob(d)} }},
		{"dbin", count, true, func(g *writer, d int) []*Expr { return []*Expr{g.prob(d), g.size()} }},
		{"dbin", count, true, func(g *writer, d int) []*Expr { return []*Expr{g.prob(d), g.size()} }},
		{"dpois", count, true, p}, {"dpois", count, true, p},
		{"dnegbin", count, true, func(g *writer, d int) []*Expr {
			return []*Expr{apply("+", apply("*", num(0.8), g.prob(d)), num(0.1)), g.pos(d)}
		}},
		{"dbetabin", count, true, func(g *writer, d int) []*Expr { return append(pp(g, d), g.size()) }},
		{"dhyper", count, false, func(g *writer, d int) []*Expr {
			return []*Expr{num(4), num(3), num(float64(2 + g.r.IntN(3))), g.pos(d)}
		}},
		{"dcat", index, false, nil}, {"dcat", index, false, nil}, {"dcat", index, false, nil},
	}
}

// node writes a stochastic relation; depth is that of its parameters' expressions.
func (g *writer) node(depth int) {
	if g.chance(0.22) {
		g.multivariate(depth)
		return
	}
	all := families()
	f := all[g.r.IntN(len(all))]
	if f.name == "dnt" && g.chance(0.8) { // its density takes long
		f = all[g.r.IntN(len(all))]
	}
	r := &Rel{dist: f.name, v: &Var{Name: g.name(), dom: f.dom}}
	g.turns = 0
	if g.chance(0.45) {
		g.turns = 2 + g.r.IntN(2)
		r.v.Dims, r.index = []int{g.turns}, []*Expr{counter(0)}
		r.from, r.to = 1, g.turns
	}
	if f.dom == index {
		r.v.top = 2 + g.r.IntN(2)
		r.args = []*Expr{g.weights(r.v.top)}
	} else {
		if g.chance(0.35) {
			depth = 0 // plain parents, as conjugate kernels want them
		}
		r.args = f.args(g, depth)
	}
	if f.cuts && g.chance(0.15) {
		g.truncate(r)
	}
	walkable := r.to > 0 && f.name == "dnorm" && g.chance(0.25)
	g.p.add(r.v)
	if walkable {
		g.randomWalk(r)
	} else {
		g.p.Rels = append(g.p.Rels, r)
	}
	if (f.dom == realLine || f.dom == positive) && g.chance(0.08) {
		g.censor(r)
	}
	g.turns = 0
}

// randomWalk makes later elements of an array of normal nodes depend on the one before.
func (g *writer) randomWalk(r *Rel) {
	first := r.clone()
	first.index, first.from, first.to = []*Expr{num(1)}, 0, 0
	for _, a := range append(first.args, first.lo, first.hi) {
		walk(a, func(e *Expr) {
			if e.kind == loop {
				*e = *num(1)
			}
		})
	}
	g.p.Rels = append(g.p.Rels, first)
	r.from = 2
	step := elem(r.v, counter(-1))
	if g.chance(0.5) {
		r.args[0] = apply("+", step, apply("*", num(0.5), r.args[0]))
	} else {
		r.args[0] = step
	}
	g.p.Rels = append(g.p.Rels, r)
}

// truncate cuts a node's support, at numbers or at nodes.
func (g *writer) truncate(r *Rel) {
	discrete := r.v.dom == count
	bound := func() *Expr {
		if discrete {
			return num(g.pick(0, 0.5, 1, 1.5))
		}
		if r.v.dom == realLine {
			return g.real(1)
		}
		return apply("*", num(g.pick(0.2, 0.5)), g.prob(1))
	}
	switch g.r.IntN(3) {
	case 0:
		r.lo = bound()
	case 1:
		r.hi = bound()
		if r.v.dom != realLine {
			r.hi = apply("+", r.hi, num(1))
		}
	default:
		r.lo = bound()
		r.hi = apply("+", r.lo.clone(), g.above(0.5, 0))
		if discrete {
			r.hi = num(g.pick(3, 4))
		}
	}
}

// censor observes only between which cut points a node lies.
func (g *writer) censor(r *Rel) {
	v := &Var{Name: g.name(), Dims: r.v.Dims, dom: count}
	left := r.index
	at := r.v.Dims
	c := &Rel{v: v, dist: "dinterval", from: 1, to: 0, observed: true}
	if len(at) > 0 {
		c.to = at[0]
		left = []*Expr{counter(0)}
	}
	c.index = left
	cut := []float64{g.pick(-0.5, 0, 0.3), g.pick(0.5, 1, 1.5)}
	if g.chance(0.4) {
		cut = cut[1:]
	}
	k := g.p.add(&Var{Name: g.name(), Dims: []int{len(cut)}, dom: realLine, data: cut})
	c.args = []*Expr{elem(r.v, left...), part(k, nil)}
	g.p.add(v)
	g.p.Rels = append(g.p.Rels, c)
}

// censorElements does so with elements of a vector, or of a loop of them.
func (g *writer) censorElements(r *Rel) {
	c := &Rel{v: &Var{Name: g.name(), Dims: []int{2}, dom: count}, index: []*Expr{counter(0)}, dist: "dinterval", from: 1, to: 2, observed: true}
	x := elem(r.v, counter(0))
	if len(r.v.Dims) > 1 {
		x = elem(r.v, counter(0), num(float64(1+g.r.IntN(2))))
	}
	cut := num(g.pick(-0.5, 0, 0.3))
	if g.chance(0.2) {
		cut = or(g.ref(realLine), cut)
	}
	c.args = []*Expr{x, cut}
	g.p.add(c.v)
	g.p.Rels = append(g.p.Rels, c)
}

// weights is a vector of n weights for a categorical node, perhaps with a zero.
func (g *writer) weights(n int) *Expr {
	if g.chance(0.15) {
		x := make([]float64, n)
		for i := range x {
			x[i] = g.pick(0.2, 0.5, 1)
		}
		x[g.r.IntN(n)] = 0
		return part(g.p.add(&Var{Name: g.name(), Dims: []int{n}, dom: simplexCell, data: x}), nil)
	}
	return g.vector(positive, n, 1)
}

// multivariate writes a relation whose node is a vector or a matrix, or a loop of them.
func (g *writer) multivariate(depth int) {
	g.turns = 0
	n := 2 + g.r.IntN(2)
	r := &Rel{v: &Var{Name: g.name(), Dims: []int{n}}, index: []*Expr{nil}}
	if g.chance(0.35) {
		g.turns = 2
		r.v.Dims, r.index, r.from, r.to = []int{2, n}, []*Expr{counter(0), nil}, 1, 2
	}
	switch g.r.IntN(6) {
	case 0, 1:
		r.dist, r.v.dom = "ddirch", simplexCell
		r.args = []*Expr{g.concentration(n, depth)}
	case 2, 3:
		n = 2
		r.v.Dims[len(r.v.Dims)-1] = n
		r.dist, r.v.dom = "dmnorm", realLine
		r.args = []*Expr{g.vector(realLine, n, depth), g.precision()}
		switch g.r.IntN(6) {
		case 0:
			r.dist, r.args = "dmt", append(r.args, num(g.pick(4, 6)))
		case 1:
			r.dist = "dmnorm.vcov"
		case 2:
			r.args[1] = apply("inverse", r.args[1])
		}
	case 4:
		r.dist, r.v.dom = "dmulti", count
		r.args = []*Expr{g.weights(n), num(float64(1 + g.r.IntN(4)))}
	default:
		g.turns = 0
		r.v.Dims, r.index, r.from, r.to = []int{2, 2}, []*Expr{nil, nil}, 0, 0
		r.dist, r.v.dom = "dwish", matrixCell
		r.args = []*Expr{g.matrix(), num(g.pick(2, 3, 5))}
	}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	g.turns = 0
	if r.v.dom == realLine && g.chance(0.3) {
		g.censorElements(r)
	}
}

// concentration is the parameter of a Dirichlet node, perhaps with a structural zero.
func (g *writer) concentration(n, depth int) *Expr {
	if depth > 0 && g.chance(0.3) {
		return g.vector(positive, n, 1)
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = g.pick(0.1, 0.5, 1, 2)
	}
	if n > 2 && g.chance(0.2) {
		x[g.r.IntN(n)] = 0
	}
	return part(g.p.add(&Var{Name: g.name(), Dims: []int{n}, dom: simplexCell, data: x}), nil)
}

// matrix is a positive definite matrix of order 2 that does not move.
func (g *writer) matrix() *Expr {
	c := g.pick(-0.5, 0, 0.5)
	x := []float64{g.pick(1, 2), c, c, g.pick(1, 1.5)}
	return part(g.p.add(&Var{Name: g.name(), Dims: []int{2, 2}, dom: matrixCell, data: x}), nil, nil)
}

// precision is a precision matrix of order 2: a node's, if there is one.
func (g *writer) precision() *Expr {
	for _, v := range g.p.Vars {
		if v.dom == matrixCell && v.data == nil && g.chance(0.7) {
			return part(v, nil, nil)
		}
	}
	return g.matrix()
}

// logical writes a relation that computes.
func (g *writer) logical() {
	r := &Rel{v: &Var{Name: g.name(), dom: realLine}}
	g.turns = 0
	if g.chance(0.25) {
		g.logicalVector(r)
		return
	}
	if g.chance(0.5) {
		g.turns = 2 + g.r.IntN(2)
		r.v.Dims, r.index = []int{g.turns}, []*Expr{counter(0)}
		r.from, r.to = 1, g.turns
	}
	switch g.r.IntN(5) {
	case 0, 1:
		r.args = []*Expr{g.real(2)}
	case 2:
		r.v.dom, r.args = positive, []*Expr{g.pos(2)}
	case 3:
		r.v.dom, r.args = probability, []*Expr{g.prob(2)}
	default:
		r.link = []string{"log", "logit", "probit", "cloglog"}[g.r.IntN(4)]
		r.v.dom, r.args = probability, []*Expr{g.real(2)}
		if r.link == "log" {
			r.v.dom = positive
			r.args[0] = apply("*", num(0.5), r.args[0])
		}
	}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	g.turns = 0
}

func (g *writer) logicalVector(r *Rel) {
	n := 2
	r.v.Dims, r.index = []int{n}, []*Expr{nil}
	switch g.r.IntN(4) {
	case 0:
		r.args = []*Expr{apply("%*%", g.precision(), g.vector(realLine, n, 1))}
	case 1:
		if e := g.wholeOf(realLine, n); e != nil {
			r.args = []*Expr{apply("sort", e)}
			break
		}
		fallthrough
	case 2:
		r.v.dom = positive
		r.args = []*Expr{apply("c", g.pos(1), g.pos(1))}
	default:
		r.args = []*Expr{apply("c", g.real(2), g.real(2))}
	}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
}

// observe chooses the nodes with data: most of those that nothing reads, a few of the others.
func (g *writer) observe() {
	for k, r := range g.p.Rels {
		if r.dist == "" || r.dist == "dinterval" || r.dist == "sum" || r.dist == "dround" || r.dist == "target" || r.apart != nil {
			continue
		}
		leaf := true
		for j, q := range g.p.Rels {
			leaf = leaf && !(q.reads(r.v) && j >= k)
		}
		switch {
		case leaf && g.chance(0.9), !leaf && k > 0 && g.chance(0.06):
			r.observed = true
		default:
			continue
		}
		if r.to > 0 && g.chance(0.25) {
			r.missing = make([]bool, r.to-r.from+1)
			r.missing[g.r.IntN(len(r.missing))] = true
		}
		r.transformed = r.missing == nil && g.definedOnce(r.v) && scalarNode(r) && g.chance(0.06)
	}
}

func (g *writer) definedOnce(v *Var) bool {
	n := 0
	for _, r := range g.p.Rels {
		if r.v == v {
			n++
		}
	}
	return n == 1
}

// scalarNode tells whether each turn of the relation defines one element.
func scalarNode(r *Rel) bool {
	for _, e := range r.index {
		if e == nil {
			return false
		}
	}
	return len(r.index) == len(r.v.Dims)
}
