package bugs

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// priorMark stands in the names of observations of the compiler's own that are factors of a
// prior: their log densities are no pointwise log likelihood.
const priorMark = hiddenMark + "prior"

// carMark stands in the names of the nodes from which those of an intrinsic
// autoregression are computed.
const carMark = hiddenMark + "car"

// neighbours is a graph as GeoBUGS writes it: num[i] neighbours of each i, listed in adj.
type neighbours struct {
	n        int
	from, to []float64 // of the edges, from < to
	at       []float64 // where each stands in adj, in the list of from
	island   []float64 // of each node, from 1; 0 for a node without neighbours
	members  []float64 // island by island
	first    []float64 // place in members where an island begins; one more than islands
}

// graphOf reads the neighbours that two arguments of a distribution give, which are data.
func (c *compiler) graphOf(d *DistCall, adj, num Expr) *neighbours {
	a, ok := c.given(adj)
	k, ok2 := c.given(num)
	for i, known := range []bool{ok, ok2} {
		if !known {
			e := []Expr{adj, num}[i]
			c.fail(e.Position(), "Give it in the data, or compute it in a data { } block.", "the neighbours of %s must be data, and %s is not", d.Name, e)
		}
	}
	for _, e := range []Expr{adj, num} {
		if v, is := e.(*VarRef); is {
			c.lookedAt[v.Name] = true
		}
	}
	g := &neighbours{n: len(k), island: make([]float64, len(k))}
	where := make([]map[int]int, len(k)) // by area, of each neighbour its place in adj
	next := 0
	for i, m := range k {
		if !(m >= 0 && m <= float64(len(a)-next)) || m != math.Trunc(m) {
			c.fail(num.Position(), sumOfNum, "num[%d] = %v does not go with the %d elements of adj", i+1, m, len(a))
		}
		where[i] = make(map[int]int, int(m))
		for range int(m) {
			x := a[next]
			if !(x >= 1 && x <= float64(len(k))) || x != math.Trunc(x) || int(x) == i+1 || where[i][int(x)-1] > 0 {
				c.fail(adj.Position(), fmt.Sprintf("The neighbours of each area are others of 1:%d, each once.", len(k)), "%v cannot be a neighbour of area %d", x, i+1)
			}
			next++
			where[i][int(x)-1] = next
		}
	}
	if next != len(a) {
		c.fail(num.Position(), sumOfNum, "num gives %d neighbours, and adj has %d", next, len(a))
	}
	c.spend(d.Pos, len(a)+len(k))
	next = 0
	for i, m := range k {
		for range int(m) {
			j := int(a[next]) - 1
			next++
			if where[j][i] == 0 {
				c.fail(adj.Position(), "Neighbourhood is mutual.", "area %d has the neighbour %d, which does not have it", i+1, j+1)
			}
			if i < j {
				g.from, g.to, g.at = append(g.from, float64(i+1)), append(g.to, float64(j+1)), append(g.at, float64(next))
			}
		}
	}
	return g
}

const sumOfNum = "Each element of num is the number of neighbours of an area, and their sum is the length of adj."

// islands numbers the connected parts of a graph, and picks a tree in each: tree holds the
// edges that are in one, as child and parent, by their numbers among the edges.
func (g *neighbours) islands() (roots, child, parent, edge, rest []float64) {
	type end struct{ node, edge int }
	ends := make([][]end, g.n)
	for e := range g.from {
		i, j := int(g.from[e])-1, int(g.to[e])-1
		ends[i], ends[j] = append(ends[i], end{j, e}), append(ends[j], end{i, e})
	}
	used := make([]bool, len(g.from))
	for i := range g.n {
		if g.island[i] != 0 || len(ends[i]) == 0 {
			continue
		}
		roots = append(roots, float64(i+1))
		id := float64(len(roots))
		g.island[i] = id
		g.first = append(g.first, float64(len(g.members)+1))
		queue := []int{i}
		for len(queue) > 0 {
			k := queue[0]
			queue = queue[1:]
			g.members = append(g.members, float64(k+1))
			for _, to := range ends[k] {
				if g.island[to.node] != 0 {
					continue
				}
				g.island[to.node], used[to.edge] = id, true
				child, parent, edge = append(child, float64(to.node+1)), append(parent, float64(k+1)), append(edge, float64(to.edge))
				queue = append(queue, to.node)
			}
		}
	}
	g.first = append(g.first, float64(len(g.members)+1))
	for e, in := range used {
		if !in {
			rest = append(rest, float64(e))
		}
	}
	return roots, child, parent, edge, rest
}

// given evaluates an expression in data alone, before arrays have shapes: arrays whole or by
// a range, and arrays that one relation fills with one number.
func (c *compiler) given(e Expr) ([]float64, bool) {
	switch e := e.(type) {
	case *Number:
		return []float64{e.Value}, true
	case *VarRef:
		return c.givenArray(e)
	case *Binary:
		l, ok := c.given(e.L)
		r, ok2 := c.given(e.R)
		if !ok || !ok2 || len(l) != 1 || len(r) != 1 {
			return nil, false
		}
		switch e.Op {
		case "+":
			return []float64{l[0] + r[0]}, true
		case "-":
			return []float64{l[0] - r[0]}, true
		}
	}
	return nil, false
}

func (c *compiler) givenArray(e *VarRef) ([]float64, bool) {
	v := c.values[e.Name]
	if v == nil || anyNaN(v.Data) {
		return nil, false
	}
	if len(e.Index) == 0 || len(e.Index) == 1 && e.Index[0] == nil {
		return v.Data, true
	}
	if len(e.Index) != 1 {
		return nil, false
	}
	lo, hi := e.Index[0], e.Index[0]
	if r, ok := e.Index[0].(*Binary); ok && r.Op == ":" {
		lo, hi = r.L, r.R
	}
	a, ok := c.given(lo)
	b, ok2 := c.given(hi)
	if !ok || !ok2 || len(a) != 1 || len(b) != 1 || !(a[0] >= 1 && b[0] >= a[0] && b[0] <= float64(len(v.Data))) {
		return nil, false
	}
	return v.Data[int(a[0])-1 : int(b[0])], true
}

// filled is the number that relations of the model give all elements of an array.
func (c *compiler) filled(e Expr) (x float64, ok bool) {
	v, is := e.(*VarRef)
	if !is {
		return 0, false
	}
	eachRelation(c.stmts, func(r *Relation) {
		if n, isNumber := r.Expr.(*Number); r.LHS.Name == v.Name && isNumber && r.Link == "" {
			x, ok = n.Value, true
		}
	})
	return x, ok
}

// ownName is one of the compiler's for what a place of the program needs.
func ownName(b builder, what string) string {
	return fmt.Sprintf("%s%s%d:%d", what, hiddenMark, b.pos.Line, b.pos.Col)
}

// table gives numbers a name in the program.
func (c *compiler) table(b builder, what string, x []float64) string {
	name := ownName(b, what)
	c.values[name] = &Value{Dims: []int{len(x)}, Data: x, File: c.prog.File, Pos: b.pos}
	return name
}

// arguments are those of a distribution by the names of its parameters; others has what
// stands for those that may be left out.
func (c *compiler) arguments(d *DistCall, params []string, others map[string]Expr) map[string]Expr {
	out := map[string]Expr{}
	next := 0
	for i, e := range d.Args {
		name := ""
		if d.Names != nil {
			name = d.Names[i]
		}
		if name == "" {
			for next < len(params) && out[params[next]] != nil {
				next++
			}
			if next < len(params) {
				name = params[next]
			}
		}
		if !slices.Contains(params, name) || out[name] != nil {
			c.wrongArguments(d, params)
		}
		out[name] = e
	}
	for _, p := range params {
		if out[p] == nil {
			e, may := others[p]
			if !may {
				c.wrongArguments(d, params)
			}
			out[p] = e
		}
	}
	return out
}

func (c *compiler) wrongArguments(d *DistCall, params []string) {
	text := ""
	for i, p := range params {
		if i > 0 {
			text += ", "
		}
		text += p
	}
	c.fail(d.Pos, "It is "+d.Name+"("+text+").", "%s has not the parameters of %s", d.String(), d.Name)
}

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
