package bugs

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// properCAR is x[1:n] ~ car.proper(mu, C, adj, num, M, tau, gamma): normal with the mean mu and
// the precision tau M⁻¹ (I − gamma C), M being diagonal and M⁻¹ C symmetric. It is
// independent normal variables with the precisions tau/M_i, a factor exp(tau gamma C_ij/M_i
// (x_i − mu_i)(x_j − mu_j)) for each pair of neighbours, and the determinant's root, from the
// eigenvalues of C.
func (c *compiler) properCAR(b builder, st *Relation, add func(l lowered, loops ...*For)) {
	d := st.Dist
	c.untruncated(d)
	var others map[string]Expr
	if d.Name == "dcar_proper" {
		others = map[string]Expr{"C": nil, "M": nil}
	}
	arg := c.arguments(d, []string{"mu", "C", "adj", "num", "M", "tau", "gamma"}, others)
	g := c.graphOf(d, arg["adj"], arg["num"])
	if arg["C"] == nil || arg["M"] == nil {
		c.defaultCAR(b, arg)
	}
	a := &autoregression{c: c, b: b, st: st, g: g, add: add, k: b.element("k" + hiddenMark)}
	take := func(name string, i Expr) Expr {
		return c.chosen(b, &DistCall{Name: d.Name, Args: []Expr{arg[name]}}, 0, i)
	}
	add(lowered{ast: b.draw(a.left(a.k), "dnorm", take("mu", a.k), b.op("/", arg["tau"], take("M", a.k)))}, a.loop(g.n))
	rest := func(i Expr) Expr { return b.op("-", a.left(i), take("mu", i)) }
	if len(g.from) > 0 {
		i, j := a.at("from", g.from), a.at("to", g.to)
		scale := b.op("/", b.op("*", b.op("*", arg["tau"], arg["gamma"]), take("C", a.at("at", g.at))), take("M", i))
		a.factor("edge", "dloglik", b.op("*", scale, b.op("*", rest(i), rest(j))), a.loop(len(g.from)))
	}
	values := b.element(ownName(b, st.LHS.Name+hiddenMark+"eigenvalue"), b.op(":", b.num(1), b.num(float64(g.n))))
	c.lonely(lowered{ast: b.define(values, b.call("car.eigenvalues", arg["C"], arg["adj"], arg["num"], arg["M"]))})
	of := b.op("-", b.num(1), b.op("*", arg["gamma"], b.element(values.Name, a.k)))
	a.factor("determinant", "dloglik", b.op("*", b.num(0.5), b.call("log", b.call("max", b.num(0), of))), a.loop(g.n))
}

// lonely adds a relation outside all loops.
func (c *compiler) lonely(l lowered) { c.addRelation(l, nil, scope{}) }

// defaultCAR are NIMBLE's C and M where they are left out: the neighbours of an area have
// equal shares of it, and M is 1/num.
func (c *compiler) defaultCAR(b builder, arg map[string]Expr) {
	num, _ := c.given(arg["num"])
	var cs, ms []float64
	for _, k := range num {
		ms = append(ms, 1/max(k, 1))
		cs = append(cs, slices.Repeat([]float64{1 / k}, int(k))...)
	}
	for name, x := range map[string][]float64{"C": cs, "M": ms} {
		if arg[name] == nil {
			arg[name] = b.element(c.table(b, "car"+hiddenMark+name, x))
		}
	}
}

// emitCAR is a function of the neighbours and weights of an autoregression, which data decide:
// the eigenvalues, or the bounds of gamma, between which the precision is positive definite.
func (c *compiler) emitCAR(w *row, n *node) val {
	var x [4][]float64
	for i, arg := range n.args {
		v := c.emit(w, arg)
		for j := range v.n() {
			it := v.at(j)
			if !it.fixed {
				c.fail(arg.pos, "Give it in the data, or compute it from data.", "%s of %s must be data", arg.src, n.fn.name)
			}
			x[i] = append(x[i], it.x)
		}
	}
	values := c.carEigenvalues(n, x[0], x[1], x[2], x[3])
	switch n.fn.name {
	case "min.bound", "carMinBound":
		return scalarVal(fixedItem(1 / values[0]))
	case "max.bound", "carMaxBound":
		return scalarVal(fixedItem(1 / values[len(values)-1]))
	}
	items := make([]item, len(values))
	for i, v := range values {
		items[i] = fixedItem(v)
	}
	return vectorVal([]int{len(items)}, items)
}

// carEigenvalues are those of the symmetric M^(−1/2) C M^(1/2), ascending.
func (c *compiler) carEigenvalues(n *node, cs, adj, num, m []float64) []float64 {
	k := len(num)
	if len(m) != k || len(cs) != len(adj) {
		c.fail(n.pos, "C has an element for each of adj, and M one for each of num.", "%s gives %d weights for %d neighbours and %d variances for %d areas", n.src, len(cs), len(adj), len(m), k)
	}
	c.count(n.pos, k*k*max(k/8, 1))
	a := make([]float64, k*k)
	next := 0
	for i, deg := range num {
		for range int(deg) {
			if next == len(adj) || !(adj[next] >= 1 && adj[next] <= float64(k)) {
				c.fail(n.pos, "adj lists the neighbours of each area, as many as num says.", "%s has no neighbours that go together", n.src)
			}
			j := int(adj[next]) - 1
			a[i+j*k] = cs[next] * math.Sqrt(m[j]/m[i])
			next++
		}
	}
	for j := range k {
		for i := range j {
			if x, y := a[i+j*k], a[j+i*k]; !(math.Abs(x-y) <= 1e-6*(math.Abs(x)+math.Abs(y))) {
				c.fail(n.pos, "C[i,j] M[j] must be C[j,i] M[i].", "C and M of areas %d and %d give no symmetric precision", i+1, j+1)
			}
		}
	}
	values := make([]float64, k)
	if !columns.Eigen(values, a, make([]float64, k), k) {
		c.fail(n.pos, "Correct the weights C and M: they must be finite.", "%s has no eigenvalues", n.src)
	}
	return values
}
