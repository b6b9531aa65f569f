package modeltest

import "math/rand/v2"

// RandomConstructs writes a program with what the compiler writes anew (observed sums, rounding, restaurants, ordered categories, densities of one's own, vectors observed
// in part) or a kernel is made for (Gaussian processes), amid what else the grammar writes.
func RandomConstructs(seed uint64) *Program {
	g := &writer{p: &Program{}, r: rand.New(rand.NewPCG(seed, 0x636f6e73))}
	g.macros, g.nothing = g.chance(0.4), g.chance(0.3)
	for range g.r.IntN(3) {
		g.node(0)
	}
	g.construct()
	if g.chance(0.3) {
		g.construct()
	}
	for range g.r.IntN(2) {
		g.logical()
	}
	for range 1 + g.r.IntN(2) {
		g.node(2)
	}
	g.observe()
	g.p.nothing = g.nothing
	if g.chance(0.3) {
		g.p.Print = g.r.Perm(len(g.p.Rels))
	}
	return g.p
}

func (g *writer) construct() {
	switch g.r.IntN(14) {
	case 11:
		g.belowCounts()
	case 12:
		g.belowStates()
	case 13:
		g.belowLabels()
	case 0:
		g.process()
	case 1:
		g.restaurant()
	case 2:
		g.observedSum()
	case 3:
		g.rounded()
	case 4:
		g.orderedCuts()
	case 5:
		g.ownDensity()
	case 6:
		g.inPart()
	case 7:
		g.ranks()
	case 8:
		g.movingZeros()
	case 9:
		g.normalMixture()
	default:
		g.chosenElement()
	}
	g.turns = 0
}

// process is a Gaussian process with an unknown length, its scale perhaps, and what is seen of it.
func (g *writer) process() {
	n := 8
	d, one := make([]float64, n*n), make([]float64, n*n)
	place := make([]float64, n)
	for i := range place {
		place[i] = float64(i) * g.pick(0.3, 0.5, 1)
	}
	for i := range n {
		for j := range n {
			d[i+j*n] = (place[i] - place[j]) * (place[i] - place[j])
		}
		one[i+i*n] = 0.2
	}
	square := []int{n, n}
	dv := g.p.add(&Var{Name: g.name(), Dims: square, dom: realLine, data: d})
	iv := g.p.add(&Var{Name: g.name(), Dims: square, dom: realLine, data: one})
	length := g.put("dgamma", positive, 0, num(3), num(g.pick(1, 3)))
	if g.chance(0.5) {
		length = g.put("dunif", positive, 0, num(0.2), num(2))
	}
	scale := num(g.pick(0.5, 1))
	if g.chance(0.6) {
		scale = elem(g.put("dgamma", positive, 0, num(3), num(2)))
	}
	cov := apply("+", apply("*", scale, apply("exp", apply("*", apply("*", num(-0.5), elem(length)), part(dv, nil, nil)))), part(iv, nil, nil))
	s := &Rel{v: &Var{Name: g.name(), Dims: square, dom: realLine}, index: []*Expr{nil, nil}, args: []*Expr{cov}}
	g.p.add(s.v)
	g.p.Rels = append(g.p.Rels, s)
	mean := make([]float64, n)
	mv := g.p.add(&Var{Name: g.name(), Dims: []int{n}, dom: realLine, data: mean})
	mu := part(mv, nil)
	if g.chance(0.4) {
		mu = apply("+", elem(g.location()), mu)
	}
	f := &Rel{dist: "dmnorm.vcov", v: &Var{Name: g.name(), Dims: []int{n}, dom: realLine}, index: []*Expr{nil}, args: []*Expr{mu, part(s.v, nil, nil)}}
	g.p.add(f.v)
	g.p.Rels = append(g.p.Rels, f)
	g.turns = n
	tau := g.spread()
	switch g.r.IntN(3) {
	case 0:
		g.put("dnorm", realLine, n, at(f.v), tau)
	case 1:
		g.put("dpois", count, n, apply("exp", apply("*", num(0.5), at(f.v))))
	default:
		g.put("dbern", binary, n, apply("ilogit", at(f.v)))
	}
	if g.chance(0.2) { // another child of the length
		g.turns = 0
		g.put("dpois", count, 0, elem(length))
	}
	if g.chance(0.2) { // and of an element
		g.turns = 0
		g.put("dnorm", realLine, 0, apply("^", elem(f.v, num(float64(1+g.r.IntN(n)))), num(2)), num(1))
	}
}

// fed is a node whose prior a discrete one decides, and a child of both.
func (g *writer) fed(n int, by, other *Expr) {
	var x *Var
	switch g.r.IntN(4) {
	case 0:
		x = g.put("dexp", positive, n, apply("+", num(0.2), by))
	case 1:
		x = g.put("dgamma", positive, n, apply("+", num(0.5), by), num(g.pick(1, 2)))
	case 2:
		x = g.put("dunif", positive, n, num(0.1), apply("+", num(0.5), by))
	default:
		x = g.put("dnorm", realLine, n, by, apply("+", num(0.3), by.clone()))
		g.put("dnorm", realLine, n, apply("+", at(x), other), num(1))
		return
	}
	switch g.r.IntN(3) {
	case 0:
		g.put("dpois", count, n, apply("*", at(x), apply("+", other, num(0.1))))
	case 1:
		g.put("dnorm", realLine, n, apply("*", at(x), other), num(1))
	default:
		g.put("dexp", positive, n, apply("/", at(x), apply("+", other, num(1))))
	}
}

// belowCounts is counts that depend on one another, and nodes whose priors they decide.
func (g *writer) belowCounts() {
	rate := num(g.pick(1, 2))
	if g.chance(0.6) {
		rate = elem(g.put("dgamma", positive, 0, num(3), num(2)))
	}
	p := num(0.6)
	if g.chance(0.6) {
		p = elem(g.put("dbeta", probability, 0, num(2), num(2)))
	}
	a := elem(g.put("dpois", count, 0, rate))
	b := elem(g.put("dbin", count, 0, p, a))
	if g.chance(0.5) {
		b = apply("+", b, elem(g.put("dpois", count, 0, num(g.pick(0.5, 1)))))
	}
	g.fed([]int{0, 2}[g.r.IntN(2)], b, []*Expr{a.clone(), b.clone(), num(1)}[g.r.IntN(3)])
	if g.chance(0.6) {
		g.put("dbin", count, 0, or(g.ref(probability), num(0.5)), b.clone())
	}
	if g.chance(0.3) {
		g.put("dbin", count, 0, p.clone(), a.clone())
	}
}

// belowStates is a chain of states, and nodes whose priors they decide.
func (g *writer) belowStates() {
	stay := elem(g.put("dbeta", probability, 0, num(3), num(2)))
	z := g.p.add(&Var{Name: g.name(), Dims: []int{3}, dom: binary})
	g.p.Rels = append(g.p.Rels,
		&Rel{dist: "dbern", v: z, index: []*Expr{num(1)}, args: []*Expr{num(0.7)}},
		&Rel{dist: "dbern", v: z, index: []*Expr{counter(0)}, from: 2, to: 3, args: []*Expr{apply("+", num(0.05), apply("*", elem(z, counter(-1)), apply("*", num(0.9), stay)))}})
	m := g.put("dnorm", realLine, 2, num(0), num(1))
	g.fed(3, at(z), apply("^", elem(m, apply("+", at(z), num(1))), num(2)))
}

// belowLabels is labels of a mixture, and nodes whose priors they decide.
func (g *writer) belowLabels() {
	z := g.put("dcat", index, 3, g.weights(2))
	z.top = 2
	m := g.put("dgamma", positive, 2, num(2), num(1))
	other := []*Expr{num(1), elem(m, at(z)), at(z)}[g.r.IntN(3)]
	g.fed(3, elem(m, at(z)), other)
	if g.chance(0.4) {
		g.put("dpois", count, 3, elem(m, at(z)))
	}
}

// restaurant is labels of a Chinese restaurant process and what they pick.
func (g *writer) restaurant() {
	n := 3 + g.r.IntN(2)
	conc := num(g.pick(0.5, 1, 2))
	if g.chance(0.5) {
		conc = elem(g.put("dgamma", positive, 0, num(2), num(1)))
	}
	r := &Rel{dist: "dCRP", v: &Var{Name: g.name(), Dims: []int{n}, dom: index, top: n}, index: []*Expr{nil}, args: []*Expr{conc, num(float64(n))}}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	z := elem(r.v, counter(0))
	switch g.r.IntN(3) {
	case 0:
		m := g.put("dgamma", positive, n, num(2), num(1))
		g.put("dpois", count, n, elem(m, z))
	case 1:
		m := g.put("dbeta", probability, n, num(1), num(1))
		g.put("dbin", count, n, elem(m, z), num(3))
	default:
		m := g.put("dnorm", realLine, n, num(0), num(g.pick(0.3, 1)))
		tau := g.spread()
		if g.chance(0.4) {
			tau = elem(g.put("dgamma", positive, n, num(3), num(2)), z.clone())
		}
		g.put("dnorm", realLine, n, elem(m, z), tau)
		if g.chance(0.2) { // a parameter that is read without its label
			g.put("dnorm", realLine, 0, elem(m, num(2)), num(1))
		}
	}
	if g.chance(0.2) {
		g.put("dbin", count, 0, num(0.5), apply("sum", apply("==", part(r.v, nil), num(1))))
	}
}

// observedSum is counts of which a sum is known, alone or with what is seen of one of them.
func (g *writer) observedSum() {
	a := g.put("dpois", count, 0, or(g.ref(positive), num(g.pick(1, 2))))
	b := g.put("dbin", count, 0, or(g.ref(probability), num(0.5)), num(float64(2+g.r.IntN(3))))
	args := []*Expr{elem(a), elem(b)}
	if g.chance(0.4) {
		args = append(args, elem(g.put("dpois", count, 0, num(1))))
	}
	r := &Rel{dist: "sum", v: &Var{Name: g.name(), dom: count}, args: args, observed: true}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	if g.chance(0.5) {
		g.put("dbin", count, 0, or(g.ref(probability), num(0.3)), elem(a))
	}
}

// rounded is numbers of which only the rounded values are known.
func (g *writer) rounded() {
	n := 1 + g.r.IntN(2)
	x := g.put("dnorm", realLine, n, g.real(0), num(g.pick(0.5, 1, 2)))
	r := &Rel{dist: "dround", v: &Var{Name: g.name(), dom: realLine, Dims: []int{n}}, index: []*Expr{counter(0)}, from: 1, to: n, args: []*Expr{at(x), num(0)}, observed: true}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	if g.chance(0.4) {
		g.put("dnorm", realLine, n, at(x), num(1))
	}
}

// orderedCuts is numbers each above the one before, and categories between them.
func (g *writer) orderedCuts() {
	k := 2 + g.r.IntN(2)
	c := g.p.add(&Var{Name: g.name(), Dims: []int{k}, dom: realLine})
	first := &Rel{dist: "dnorm", v: c, index: []*Expr{num(1)}, args: []*Expr{num(0), num(1)}}
	rest := &Rel{dist: "dnorm", v: c, index: []*Expr{counter(0)}, from: 2, to: k, args: []*Expr{num(0), num(1)}, lo: elem(c, counter(-1))}
	g.p.Rels = append(g.p.Rels, first, rest)
	n := 2 + g.r.IntN(2)
	g.turns = n
	eta := g.real(1)
	r := &Rel{dist: []string{"dordered.logit", "dordered.probit"}[g.r.IntN(2)], v: &Var{Name: g.name(), Dims: []int{n}, dom: index, top: k + 1}, index: []*Expr{counter(0)}, from: 1, to: n, args: []*Expr{eta, part(c, nil)}}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	g.turns = 0
	if g.chance(0.3) {
		g.put("dnorm", realLine, 0, elem(c, num(float64(1+g.r.IntN(k)))), num(1))
	}
}

// ownDensity adds to the log density, at most a little.
func (g *writer) ownDensity() {
	x := g.location()
	for range 1 + g.r.IntN(2) {
		e := apply("*", num(-0.5), apply("^", apply("-", elem(x), g.real(1)), num(2)))
		if g.chance(0.4) {
			e = apply("log", g.prob(1))
		}
		r := &Rel{dist: "target", v: &Var{Name: g.name(), dom: nowhere}, args: []*Expr{e}}
		if g.chance(0.3) {
			r.v.Dims, r.index, r.from, r.to = []int{2}, []*Expr{counter(0)}, 1, 2
		}
		g.p.add(r.v)
		g.p.Rels = append(g.p.Rels, r)
	}
}

// inPart is a vector some elements of which are data.
func (g *writer) inPart() {
	r := &Rel{v: &Var{Name: g.name(), Dims: []int{2}, dom: realLine}, index: []*Expr{nil}, observed: true, apart: []bool{false, true}}
	if g.chance(0.5) {
		r.apart = []bool{true, false}
	}
	if g.chance(0.7) {
		r.dist = []string{"dmnorm", "dmnorm.vcov"}[g.r.IntN(2)]
		r.args = []*Expr{g.vector(realLine, 2, 1), g.precision()}
	} else {
		r.dist, r.v.Dims, r.v.dom = "dmulti", []int{3}, count
		r.apart = [][]bool{{true, true, false}, {false, true, true}, {true, false, true}}[g.r.IntN(3)]
		r.args = []*Expr{g.weights(3), num(float64(2 + g.r.IntN(3)))}
	}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	if r.v.dom == realLine && g.chance(0.6) {
		g.put("dnorm", realLine, 2, at(r.v), g.spread())
	}
}

// ranks is the k-th smallest of nodes, their ranks or a sorted vector, and a child.
func (g *writer) ranks() {
	n := 3
	v := g.put("dnorm", realLine, n, g.real(0), num(1))
	k := num(float64(1 + g.r.IntN(n)))
	var e *Expr
	switch g.r.IntN(3) {
	case 0:
		e = apply("ranked", part(v, nil), k)
	case 1:
		e = apply("rank", part(v, nil), k)
	default:
		s := &Rel{v: &Var{Name: g.name(), Dims: []int{n}, dom: realLine}, index: []*Expr{nil}, args: []*Expr{apply("sort", part(v, nil))}}
		g.p.add(s.v)
		g.p.Rels = append(g.p.Rels, s)
		e = elem(s.v, k)
	}
	g.put("dnorm", realLine, 0, e, num(2))
	if g.chance(0.5) {
		g.put("dnorm", realLine, n, at(v), g.spread())
	}
}

// movingZeros is probabilities of categories that are 0 or not with a node.
func (g *writer) movingZeros() {
	b := elem(g.put("dbern", binary, 0, num(0.6)))
	w := apply("c", apply("*", b, g.pos(1)), num(1), g.pos(0))
	switch g.r.IntN(3) {
	case 0:
		r := &Rel{dist: "dmulti", v: &Var{Name: g.name(), Dims: []int{3}, dom: count}, index: []*Expr{nil}, args: []*Expr{w, num(3)}}
		g.p.add(r.v)
		g.p.Rels = append(g.p.Rels, r)
	case 1:
		z := g.put("dcat", index, 2, w)
		z.top = 3
		g.put("dnorm", realLine, 2, apply("*", num(0.5), at(z)), num(1))
	default:
		g.put("dpois", count, 2, apply("*", b.clone(), g.pos(1)))
		g.put("dbin", count, 0, apply("*", b, g.prob(0)), num(3))
	}
}

// normalMixture is dnormmix, observed or not.
func (g *writer) normalMixture() {
	mu := g.put("dnorm", realLine, 2, num(0), num(0.5))
	tau := g.p.add(&Var{Name: g.name(), Dims: []int{2}, dom: positive, data: []float64{g.pick(1, 2), g.pick(1, 4)}})
	p := g.p.add(&Var{Name: g.name(), Dims: []int{2}, dom: simplexCell, data: []float64{0.3, 0.7}})
	g.put("dnormmix", realLine, 2, part(mu, nil), part(tau, nil), part(p, nil))
}

// chosenElement is an element that a condition chooses, with children of all.
func (g *writer) chosenElement() {
	v := g.put("dnorm", realLine, 2, g.real(0), num(1))
	b := g.bool(1)
	if g.chance(0.5) {
		b = apply("step", apply("-", elem(g.location()), num(g.pick(0, 0.5))))
	}
	k := apply("ifelse", b, num(1), num(2))
	if g.chance(0.4) {
		k = apply("+", num(1), b.clone())
	}
	g.put("dnorm", realLine, 0, elem(v, k), num(g.pick(1, 2)))
	if g.chance(0.5) {
		g.put("dnorm", realLine, 2, at(v), g.spread())
	}
}
