package modeltest

import "math/rand/v2"

// RandomRows writes a program with a likelihood of so many rows that compiled blocks know it by its shape: a linear predictor under counts, categories or numbers, whose rows repeat
// where covariates have few values, amid what else the grammar writes.
func RandomRows(seed uint64) *Program {
	g := &writer{p: &Program{}, r: rand.New(rand.NewPCG(seed, 0x726f7773))}
	for range g.r.IntN(3) {
		g.node(0)
	}
	g.manyRows()
	for range 1 + g.r.IntN(2) {
		g.node(1)
	}
	g.observe()
	for _, r := range g.p.Rels { // a likelihood is one of data, all or most of them
		if r.dist != "" && r.to > few {
			r.observed = true
		}
	}
	return g.p
}

// few is more turns than other loops have.
const few = 10

// manyRows is one or two likelihoods of a predictor. It has a standard deviation of about 0.7: by rows, 1 − Φ(x) is rounded to 2⁻⁵³, so that farther out the passes,
// which take the other tail, say something else, and better.
func (g *writer) manyRows() {
	narrow := func() *Var { return g.put("dnorm", realLine, 0, num(0), num(g.pick(9, 16))) }
	a, b := narrow(), []*Var{narrow(), narrow()}
	groups := 2 + g.r.IntN(3)
	effect := g.put("dnorm", realLine, groups, []*Expr{num(0), elem(a)}[g.r.IntN(2)], apply("+", g.spread(), num(9)))
	n := few + 1 + g.r.IntN(60)
	g.turns = n
	levels := []float64{-1, 0, 0.5, 1}
	if g.chance(0.5) {
		levels = levels[1:3]
	}
	if g.chance(0.3) {
		levels = nil // each its own
	}
	eta := apply("+", elem(a), apply("*", elem(b[0]), g.column(n, levels)))
	if g.chance(0.5) {
		eta = apply("+", eta, apply("*", g.column(n, levels), elem(b[1])))
	}
	if g.chance(0.6) {
		of := make([]float64, groups)
		for k := range of {
			of[k] = float64(k + 1)
		}
		eta = apply([]string{"+", "-"}[g.r.IntN(2)], eta, elem(effect, g.column(n, of)))
	}
	if g.chance(0.6) {
		eta = at(g.define(n, "", eta))
	}
	for range 1 + g.r.IntN(2) {
		g.likelihood(n, eta.clone())
	}
	g.turns = 0
}

// column is data of the loop's turns, with few values or each its own.
func (g *writer) column(n int, levels []float64) *Expr {
	x := make([]float64, n)
	for i := range x {
		if levels == nil {
			x[i] = float64(g.r.IntN(200)-100) / 100
			continue
		}
		x[i] = levels[g.r.IntN(len(levels))]
	}
	return elem(g.p.add(&Var{Name: g.name(), Dims: []int{n}, dom: realLine, data: x}), counter(0))
}

// define is an array of n elements that an expression gives, through a link where there is one.
func (g *writer) define(n int, link string, e *Expr) *Var {
	r := &Rel{v: &Var{Name: g.name(), dom: realLine, Dims: []int{n}}, index: []*Expr{counter(0)}, from: 1, to: n, args: []*Expr{e}, link: link}
	switch link {
	case "log":
		r.v.dom = positive
	case "":
	default:
		r.v.dom = probability
	}
	g.p.add(r.v)
	g.p.Rels = append(g.p.Rels, r)
	return r.v
}

// chanceOf is a probability by a predictor: by a relation with a link, or a function.
func (g *writer) chanceOf(n int, eta *Expr, links ...string) *Expr {
	link := links[g.r.IntN(len(links))]
	if g.chance(0.5) {
		return at(g.define(n, link, eta))
	}
	return apply(map[string]string{"logit": "ilogit", "probit": "phi", "cloglog": "icloglog", "log": "exp"}[link], eta)
}

// likelihood is n children of a predictor.
func (g *writer) likelihood(n int, eta *Expr) {
	half := apply("*", num(0.5), eta)
	var r *Var
	switch g.r.IntN(9) {
	case 0, 1:
		r = g.put("dnorm", realLine, n, eta, g.spread())
	case 2:
		r = g.put("dbern", binary, n, g.chanceOf(n, eta, "logit", "probit", "cloglog"))
	case 3:
		trials := []*Expr{num(4), g.column(n, []float64{1, 3, 8})}[g.r.IntN(2)]
		r = g.put("dbin", count, n, g.chanceOf(n, eta, "logit", "logit", "probit", "cloglog"), trials)
	case 4:
		r = g.put("dpois", count, n, g.chanceOf(n, half, "log"))
	case 5:
		mu, size := g.chanceOf(n, half, "log"), or(g.ref(positive), num(2))
		r = g.put("dnegbin", count, n, apply("/", size, apply("+", size.clone(), mu)), size.clone())
	case 6:
		r = g.put("dt", realLine, n, eta, g.spread(), num(4))
	case 7:
		r = g.ordered(n, eta)
	default:
		r = g.softmax(n, half)
	}
	if g.chance(0.2) { // some data are missing
		last := g.p.Rels[len(g.p.Rels)-1]
		if last.v == r && last.dist != "dcat" {
			last.missing = make([]bool, n)
			last.missing[g.r.IntN(n)] = true
		}
	}
}

// ordered is categories by differences of probabilities at three points.
func (g *writer) ordered(n int, eta *Expr) *Var {
	const k = 4
	of := []string{"ilogit", "phi"}[g.r.IntN(2)]
	step := []*Expr{num(0.7), elem(g.put("dgamma", positive, 0, num(3), num(3)))}[g.r.IntN(2)]
	g.turns = n
	below := func(j int) *Expr {
		return apply(of, apply("-", apply("*", num(float64(j)), step.clone()), eta.clone()))
	}
	p := g.p.add(&Var{Name: g.name(), Dims: []int{n, k}, dom: probability})
	share := func(j int, e *Expr) {
		g.p.Rels = append(g.p.Rels, &Rel{v: p, index: []*Expr{counter(0), num(float64(j))}, from: 1, to: n, args: []*Expr{e}})
	}
	share(1, below(-1))
	share(2, apply("-", below(0), below(-1)))
	share(3, apply("-", below(2), below(0)))
	share(4, apply("-", num(1), below(2)))
	return g.categories(n, k, p)
}

// softmax is categories by exponentials of multiples of a predictor.
func (g *writer) softmax(n int, eta *Expr) *Var {
	const k = 3
	p := g.p.add(&Var{Name: g.name(), Dims: []int{n, k}, dom: positive})
	for j := 1; j <= k; j++ {
		e := num(1)
		if j > 1 {
			e = apply("exp", apply("*", num(float64(j)-1.5), eta.clone()))
		}
		g.p.Rels = append(g.p.Rels, &Rel{v: p, index: []*Expr{counter(0), num(float64(j))}, from: 1, to: n, args: []*Expr{e}})
	}
	return g.categories(n, k, p)
}

func (g *writer) categories(n, k int, p *Var) *Var {
	y := g.put("dcat", index, n, part(p, counter(0), nil))
	y.top = k
	return y
}
