package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// conjGamma draws a gamma node (also exponential and chi-squared) whose
// children have it, times a factor, as precision, rate or Poisson mean. A child
// with factor c adds to the shape and to the rate:
//
//	dnorm precision ½, ½c(y−μ)²; dlnorm likewise with log y; dpois y, c;
//	dexp 1, cy; dgamma rate r, cy; dweib 1, cy^v; ddexp 1, c|y−μ|;
//	dpar shape 1, c·log(y/c₀).
type conjGamma struct {
	n    *node
	kids []gammaChild
	cut  []child
	sel  bool // some child may be free of the node, as the indices now stand
	// one is set when every child has the node itself as its parameter, so
	// that no factor needs computing.
	one bool
	par [2]float64 // parameters on their way to a truncated draw
}

type gammaKind uint8

const (
	byNorm gammaKind = iota
	byLnorm
	byPois
	byExp
	byGamma
	byWeib
	byDexp
	byPar
)

var gammaChildren = map[string]struct {
	kind  gammaKind
	param int
}{
	"dnorm": {byNorm, 1}, "dlnorm": {byLnorm, 1}, "dpois": {byPois, 0}, "dexp": {byExp, 0},
	"dgamma": {byGamma, 1}, "dweib": {byWeib, 1}, "ddexp": {byDexp, 1}, "dpar": {byPar, 0},
}

type gammaChild struct {
	kind     gammaKind
	y, param int32
	other    int32 // the other parameter
	slope    float64
}

func newConjGamma(n *node) *conjGamma {
	switch n.dist() {
	case "dgamma", "dexp", "dchisqr":
	default:
		return nil
	}
	n.analyse()
	c := &conjGamma{n: n, one: true}
	for _, k := range n.kids {
		if n.isInterval(&k) {
			c.cut = append(c.cut, k)
			continue
		}
		row, ok := gammaChildren[k.t.Stoch.Name]
		if !ok || k.t.Stoch.Truncated() || !n.only(&k, row.param, row.param+1) {
			return nil
		}
		p := k.in[row.param]
		f := n.form(p)
		if f.Kind != model.Affine || !f.Scale {
			return nil
		}
		g := gammaChild{kind: row.kind, y: k.out[0], param: p, other: -1}
		if len(k.in) > 1 {
			g.other = k.in[1-row.param]
		}
		c.sel = c.sel || f.Select
		c.one = c.one && p == n.cells[0]
		c.kids = append(c.kids, g)
	}
	return c
}

func (c *conjGamma) prior(v []float64) (shape, rate float64) {
	in := c.n.t.Operands(c.n.i)
	switch c.n.dist() {
	case "dexp":
		return 1, v[in[0]]
	case "dchisqr":
		return v[in[0]] / 2, 0.5
	}
	return v[in[0]], v[in[1]]
}

// factors finds each child's factor: the ratio of its parameter to the node,
// or the tangent where a child may be free of it or the node is 0.
func (c *conjGamma) factors(s *model.State, x float64) {
	if c.one {
		for k := range c.kids {
			c.kids[k].slope = 1
		}
		return
	}
	if !c.sel && x > 1e-280 {
		for k := range c.kids {
			c.kids[k].slope = s.V[c.kids[k].param] / x
		}
		return
	}
	T := s.Direction()
	T[c.n.cells[0]] = 1
	s.Tangents(c.n.b.Det)
	for k := range c.kids {
		c.kids[k].slope = T[c.kids[k].param]
	}
	s.ClearTangents(c.n.cells, c.n.b.Det)
}

// Step draws the node.
func (c *conjGamma) Step(s *model.State, r *rand.Rand) mcmc.Info {
	x := s.V[c.n.cells[0]]
	c.factors(s, x)
	shape, rate := c.prior(s.V)
	ds, dr, bad := c.evidence(s.V)
	shape, rate = shape+ds, rate+dr
	if bad || !(shape > 0) || !(rate > 0) || math.IsInf(rate, 1) {
		return mcmc.Info{}
	}
	nx := c.draw(s, r, shape, rate)
	if !(nx > 0) || math.IsInf(nx, 1) {
		return mcmc.Info{}
	}
	c.n.set(s, nx)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// evidence sums what the children add; bad tells a factor below 0, which no
// draw could follow.
func (c *conjGamma) evidence(v []float64) (shape, rate float64, bad bool) {
	half := 0
	for k := range c.kids {
		h := &c.kids[k]
		if h.slope == 0 {
			continue
		}
		if h.slope < 0 {
			return 0, 0, true
		}
		switch h.kind {
		case byNorm:
			d := v[h.y] - v[h.other]
			half++
			rate += float64(0.5 * h.slope * d * d)
		case byLnorm:
			d := vec.Log(v[h.y]) - v[h.other]
			half++
			rate += float64(0.5 * h.slope * d * d)
		case byPois:
			shape += v[h.y]
			rate += h.slope
		case byExp:
			shape++
			rate += float64(h.slope * v[h.y])
		case byGamma:
			shape += v[h.other]
			rate += float64(h.slope * v[h.y])
		case byWeib:
			shape++
			rate += float64(h.slope * vec.Pow(v[h.y], v[h.other]))
		case byDexp:
			shape++
			rate += float64(h.slope * math.Abs(v[h.y]-v[h.other]))
		case byPar:
			shape++
			rate += float64(h.slope * vec.Log(v[h.y]/v[h.other]))
		}
	}
	return shape + float64(0.5*float64(half)), rate, false
}

func (c *conjGamma) draw(s *model.State, r *rand.Rand, shape, rate float64) float64 {
	if !c.n.t.Stoch.Truncated() && len(c.cut) == 0 {
		return dist.Gamma(r, shape, rate)
	}
	lo, hi := ownBounds(s, c.n)
	if len(c.cut) > 0 {
		l, h := interval(s, c.cut)
		lo, hi = max(lo, l), min(hi, h)
	}
	d, _ := dist.Lookup("dgamma")
	c.par = [2]float64{shape, rate}
	return d.SampleT(r, c.par[:], lo, hi)
}
