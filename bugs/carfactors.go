package bugs

import (
	"math"
	"slices"
)

func (a *autoregression) loop(n int) *For {
	return &For{Var: a.k.Name, Range: a.b.op(":", a.b.num(1), a.b.num(float64(n))), Pos: a.b.pos}
}

// latent is the node u of an area: of all variables where there are several.
func (a *autoregression) latent(i Expr) *VarRef {
	if !a.vector {
		return a.b.beside(a.st.LHS, "car", i)
	}
	u := a.b.beside(a.st.LHS, "car", nil, i)
	u.Index = u.Index[len(u.Index)-2:]
	if more := a.b.beside(a.st.LHS, ""); a.st.LHS.HasIndex && len(a.st.LHS.Index) > 2 {
		u.Index = append(slices.Clone(more.Index), u.Index...)
	}
	return u
}

// at is an element, which goes with the loop, of numbers.
func (a *autoregression) at(what string, x []float64) Expr {
	return a.b.element(a.c.table(a.b, a.st.LHS.Name+hiddenMark+what, x), a.k)
}

// weighted is tau times the weight of an edge.
func (a *autoregression) weighted(place Expr) Expr {
	if a.weight == nil {
		return a.tau
	}
	d := &DistCall{Name: a.st.Dist.Name, Args: []Expr{a.weight}}
	return a.b.op("*", a.c.chosen(a.b, d, 0, place), a.tau)
}

// tree draws what has a parent.
func (a *autoregression) tree(child, parent, edge []float64) {
	name := "dnorm"
	switch {
	case a.vector:
		name = "dmnorm"
	case a.l1:
		name = "ddexp"
	}
	u, mean := a.latent(a.at("child", child)), a.latent(a.at("parent", parent))
	if a.vector {
		rows := a.b.op(":", a.b.num(1), a.variables())
		u.Index[len(u.Index)-2], mean.Index[len(mean.Index)-2] = rows, rows
	}
	a.add(lowered{ast: a.b.draw(u, name, mean, a.weighted(a.at("treeat", a.places(edge))))}, a.loop(len(child)))
}

// places are those in adj of edges.
func (a *autoregression) places(edges []float64) []float64 {
	out := make([]float64, len(edges))
	for i, e := range edges {
		out[i] = a.g.at[int(e)]
	}
	return out
}

// factors are those exp(−share tau w (u_i − u_j)²) of some edges.
func (a *autoregression) factors(name string, share float64, edges []float64) {
	if len(edges) == 0 {
		return
	}
	b := a.b
	from, to := make([]float64, len(edges)), make([]float64, len(edges))
	for i, e := range edges {
		from[i], to[i] = a.g.from[int(e)], a.g.to[int(e)]
	}
	d := b.op("-", a.latent(a.at("from", from)), a.latent(a.at("to", to)))
	w := a.weighted(a.at("at", a.places(edges)))
	var q Expr
	switch {
	case a.vector:
		q = b.op("*", b.num(share), b.call("inprod", d, b.op("%*%", w, d)))
	case a.l1:
		q = b.op("*", w, b.call("abs", d))
	default:
		q = b.op("*", b.op("*", b.num(share), w), b.op("^", d, b.num(2)))
	}
	a.factor("edge", name, q, a.loop(len(edges)))
}

// factor is one of the prior, for each turn of a loop.
func (a *autoregression) factor(what, name string, e Expr, loops ...*For) {
	var index []Expr
	for range loops {
		index = append(index, a.k)
	}
	zero := a.b.beside(a.st.LHS, "prior"+what, index...)
	a.add(lowered{ast: a.b.define(zero, a.b.num(0))}, loops...)
	a.add(lowered{ast: a.b.draw(zero, name, e)}, loops...)
}

// power is a power of tau.
func (a *autoregression) power(p float64) {
	if a.vector || a.l1 {
		return
	}
	a.factor("power", "dloglik", a.b.op("*", a.b.num(p), a.b.call("log", a.tau)))
}

// signed is the density where weights may be negative, as those of random walks of the
// second order: no tree tells it.
func (a *autoregression) signed(child []float64, rank float64) {
	a.add(lowered{ast: a.b.draw(a.latent(a.at("child", child)), "dflat", a.b.num(math.Inf(-1)), a.b.num(math.Inf(1)))}, a.loop(len(child)))
	all := make([]float64, len(a.g.from))
	for e := range all {
		all[e] = float64(e)
	}
	a.factors("dloglik", -0.5, all)
	a.power(0.5 * rank)
}

// left is an element of the left side.
func (a *autoregression) left(i Expr) *VarRef {
	if a.vector {
		return a.c.elementOf(a.b, a.st.LHS, a.st.Dist.Name, a.b.element("v"+hiddenMark), i)
	}
	return a.c.elementOf(a.b, a.st.LHS, a.st.Dist.Name, i)
}
