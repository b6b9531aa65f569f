package bugs

import (
	"math"
	"slices"
)

// autoregression is an intrinsic autoregression being written.
type autoregression struct {
	c      *compiler
	b      builder
	st     *Relation
	g      *neighbours
	tau    Expr
	weight Expr // by place in adj; nil where all are 1
	add    func(l lowered, loops ...*For)
	vector bool // mv.car
	l1     bool
	k      *VarRef // the counter of its loops
}

// intrinsic is x[1:n] ~ car.normal(adj, weights, num, tau): the density
//
//	tau^((n−c)/2) exp(−tau/2 Σ w_ij (x_i − x_j)²)
//
// over the pairs of neighbours, c being the number of islands, where Σ x = 0 in each
// (Besag, York and Mollié, 1991); car.l1 has tau^(n−c) exp(−tau Σ w_ij |x_i − x_j|). It is x
// = u less its mean, with u ~ N(0, 1) at a root of each island, independent of u's
// differences: those along a tree are normal given their parents, and the other edges are
// factors exp(−·), the probability that a Poisson variable is 0. NIMBLE's dcar_normal without
// zero_mean has a flat density at the roots and no mean taken off.
func (c *compiler) intrinsic(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	d := st.Dist
	c.untruncated(d)
	params := []string{"adj", "weights", "num", "tau"}
	others := map[string]Expr{}
	if d.Name == "dcar_normal" {
		params = append(params, "c", "zero_mean")
		others = map[string]Expr{"weights": nil, "c": nil, "zero_mean": b.num(0)}
	}
	arg := c.arguments(d, params, others)
	centred := true
	if z := arg["zero_mean"]; z != nil {
		x, ok := c.given(z)
		if !ok || len(x) != 1 {
			c.fail(z.Position(), "Write 0 or 1.", "zero_mean = %s must be a number", z)
		}
		centred = x[0] != 0
	}
	a := &autoregression{c: c, b: b, st: st, g: c.graphOf(d, arg["adj"], arg["num"]), tau: arg["tau"], add: add,
		vector: d.Name == "mv.car", l1: d.Name == "car.l1", k: b.element("k" + hiddenMark)}
	signed := a.setWeights(arg["weights"])
	roots, child, parent, edge, rest := a.g.islands()
	deficient := float64(len(roots))
	if e := arg["c"]; e != nil {
		x, ok := c.given(e)
		if !ok || len(x) != 1 {
			c.fail(e.Position(), "Write a number, or leave it out.", "c = %s must be a number", e)
		}
		deficient = x[0]
	}
	rank := float64(len(a.g.members)) - deficient
	if !centred {
		for i, id := range a.g.island {
			if id == 0 {
				roots = append(roots, float64(i+1))
			}
		}
	}
	a.roots(roots, centred)
	if signed {
		a.signed(child, rank)
	} else {
		a.tree(child, parent, edge)
		a.factors("dpois", 0.5, rest)
		if extra := rank - float64(len(child)); extra != 0 {
			a.power(0.5 * extra)
		}
	}
	if centred {
		a.centre()
	} else {
		a.plain()
	}
}

// setWeights keeps the weights unless all are 1, leaves out edges whose weight is 0, and
// tells whether any is negative.
func (a *autoregression) setWeights(e Expr) (signed bool) {
	if e == nil {
		return false
	}
	w, ok := a.c.given(e)
	if x, all := a.c.filled(e); !ok && all {
		w, ok = slices.Repeat([]float64{x}, len(a.g.at)*2), true
	}
	if !ok {
		a.weight = e
		return false
	}
	g := a.g
	k, one := 0, true
	for i, at := range g.at {
		if int(at) > len(w) {
			a.c.fail(e.Position(), "It has an element for each of adj.", "%s has %d elements, fewer than adj", e, len(w))
		}
		x := w[int(at)-1]
		one, signed = one && x == 1, signed || x < 0
		if x != 0 {
			g.from[k], g.to[k], g.at[k] = g.from[i], g.to[i], at
			k++
		}
	}
	g.from, g.to, g.at = g.from[:k], g.to[:k], g.at[:k]
	if !one {
		a.weight = e
	}
	if signed && (a.vector || a.l1) {
		a.c.fail(e.Position(), "Give weights of 0 or more.", "%s of %s has negative elements", e, a.st.Dist.Name)
	}
	return signed
}

// roots gives each island its level.
func (a *autoregression) roots(roots []float64, proper bool) {
	if len(roots) == 0 {
		a.c.fail(a.st.Dist.Pos, "Give areas neighbours, or write a loop over dnorm(0, tau).", "no area of %s has a neighbour", a.st.Dist.Name)
	}
	b := a.b
	root := a.at("root", roots)
	u := a.latent(root)
	switch {
	case a.vector:
		v := b.element("v" + hiddenMark)
		at := slices.Clone(u.Index)
		at[len(at)-2] = v
		one := &For{Var: v.Name, Range: b.op(":", b.num(1), a.variables()), Pos: b.pos}
		a.add(lowered{ast: b.draw(&VarRef{Name: u.Name, Index: at, HasIndex: true, Pos: b.pos}, "dnorm", b.num(0), b.num(1))}, a.loop(len(roots)), one)
	case proper:
		a.add(lowered{ast: b.draw(u, "dnorm", b.num(0), b.num(1))}, a.loop(len(roots)))
	default:
		a.add(lowered{ast: b.draw(u, "dflat", b.num(math.Inf(-1)), b.num(math.Inf(1)))}, a.loop(len(roots)))
	}
}

// variables is how many there are in each area: the rows of the left side.
func (a *autoregression) variables() Expr {
	for _, e := range a.st.LHS.Index {
		if r, ok := e.(*Binary); ok && r.Op == ":" {
			if isOne(r.L) {
				return r.R
			}
			return a.b.op("+", a.b.op("-", r.R, r.L), a.b.num(1))
		}
	}
	a.c.fail(a.st.LHS.Pos, "Write it as S[1:K,1:N].", "%s is not seen to be a matrix", a.st.LHS)
	return nil
}

// centre computes x from u, and 0 where an area has no neighbours.
func (a *autoregression) centre() {
	b, g := a.b, a.g
	var loops []*For
	if a.vector {
		loops = []*For{{Var: "v" + hiddenMark, Range: b.op(":", b.num(1), a.variables()), Pos: b.pos}}
	}
	u := func(i Expr) Expr {
		v := a.latent(i)
		if a.vector {
			v.Index[len(v.Index)-2] = b.element("v" + hiddenMark)
		}
		return v
	}
	islands := len(g.first) - 1
	index := []Expr{a.k}
	if a.vector {
		index = []Expr{b.element("v" + hiddenMark), a.k}
	}
	mean := b.beside(a.st.LHS, "level", index...)
	members := a.c.table(b, a.st.LHS.Name+hiddenMark+"member", g.members)
	ends := make([]float64, islands)
	for i := range ends {
		ends[i] = g.first[i+1] - 1
	}
	part := b.element(members, b.op(":", a.at("first", g.first[:islands]), a.at("last", ends)))
	a.add(lowered{ast: b.define(mean, b.call("mean", u(part)))}, append(loops, a.loop(islands))...)
	var inside, of, alone []float64
	for i, id := range g.island {
		if id == 0 {
			alone = append(alone, float64(i+1))
			continue
		}
		inside, of = append(inside, float64(i+1)), append(of, id)
	}
	level := &VarRef{Name: mean.Name, Index: slices.Clone(mean.Index), HasIndex: true, Pos: b.pos}
	level.Index[len(level.Index)-1] = a.at("island", of)
	i := a.at("inside", inside)
	a.add(lowered{ast: b.define(a.left(i), b.op("-", u(i), level))}, append(loops, a.loop(len(inside)))...)
	if len(alone) > 0 {
		a.add(lowered{ast: b.define(a.left(a.at("alone", alone)), b.num(0))}, append(loops, a.loop(len(alone)))...)
	}
}

// plain gives x the values of u.
func (a *autoregression) plain() {
	a.add(lowered{ast: a.b.define(a.left(a.k), a.latent(a.k))}, a.loop(a.g.n))
}
