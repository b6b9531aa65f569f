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
//	dpar shape 1, c·log(y/c₀); dbeta(1, ·) 1, −c·log(1−y); dbeta(·, 1) 1, −c·log y.
type conjGamma struct {
	n    *node
	runs []gammaRun
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
	byBetaBelow
	byBetaAbove
)

var gammaChildren = map[string]struct {
	kind  gammaKind
	param int
}{
	"dnorm": {byNorm, 1}, "dlnorm": {byLnorm, 1}, "dpois": {byPois, 0}, "dexp": {byExp, 0},
	"dgamma": {byGamma, 1}, "dweib": {byWeib, 1}, "ddexp": {byDexp, 1}, "dpar": {byPar, 0},
}

// gammaRun is a run of children of one kind.
type gammaRun struct {
	t            *model.Template
	lo, hi       int
	kind         gammaKind
	param, other int // places of the node's parameter and the other one; −1 for none
}

func newConjGamma(n *node) *conjGamma {
	switch n.dist() {
	case "dgamma", "dexp", "dchisqr":
	default:
		return nil
	}
	n.analyse()
	c := &conjGamma{n: n, one: true}
	for k := range n.kids() {
		if n.isInterval(&k) {
			c.cut = append(c.cut, k)
			continue
		}
		row, ok := gammaChildren[k.t.Stoch.Name]
		if k.t.Stoch.Name == "dbeta" {
			row.kind, row.param, ok = n.betaChild(&k)
		}
		if !ok || k.t.Stoch.Truncated() || !n.only(&k, row.param, row.param+1) {
			return nil
		}
		p := k.in[row.param]
		f := n.form(p)
		if f.Kind != model.Affine || !f.Scale {
			return nil
		}
		c.sel = c.sel || f.Select
		c.one = c.one && p == n.cells[0]
		if n := len(c.runs); n > 0 && c.runs[n-1].t == k.t && c.runs[n-1].hi == k.i {
			c.runs[n-1].hi++
			continue
		}
		g := gammaRun{t: k.t, lo: k.i, hi: k.i + 1, kind: row.kind, param: row.param, other: -1}
		if len(k.in) > 1 {
			g.other = 1 - row.param
		}
		c.runs = append(c.runs, g)
	}
	if c.sel {
		c.n = n.guarded()
	}
	return c
}

// betaChild tells which parameter of a beta child the node is; the other has to be 1. Children that can be integrated out are left to [collapsed].
func (n *node) betaChild(k *child) (kind gammaKind, param int, ok bool) {
	kind, param = byBetaBelow, 1
	if n.form(k.in[0]).Kind != model.Free {
		kind, param = byBetaAbove, 0
	}
	other := k.in[1-param]
	one := n.m.Kinds[other] == model.Constant && n.m.Init[other] == 1
	return kind, param, one && n.marginalOf(*k, &usedRows{m: n.m}) == nil
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

// Step draws the node.
func (c *conjGamma) Step(s *model.State, r *rand.Rand) mcmc.Info {
	shape, rate := c.prior(s.V)
	ds, dr, bad := c.evidence(s)
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

// evidence sums what the children add. A child's factor is the ratio of its
// parameter to the node, or the tangent where the child may be free of the node
// or the node is 0; bad tells a factor below 0, which no draw could follow.
func (c *conjGamma) evidence(s *model.State) (shape, rate float64, bad bool) {
	c.n.begin(s)
	x := s.V[c.n.cells[0]]
	factor := s.V
	scale := 1 / x
	tangent := c.sel || !(x > 1e-280)
	if tangent && !c.one {
		factor, scale = s.Direction(), 1
		factor[c.n.cells[0]] = 1
		s.Tangents(c.n.det())
		defer s.ClearTangents(c.n.cells, c.n.det())
	}
	if c.one {
		factor = nil
	}
	for k := range c.runs {
		ds, dr, b := c.runs[k].sum(s.V, factor, scale)
		shape, rate, bad = shape+ds, rate+dr, bad || b
	}
	return shape, rate, bad
}

// sum adds up a run; factor nil stands for ones.
func (g *gammaRun) sum(v, factor []float64, scale float64) (shape, rate float64, bad bool) {
	if g.kind == byNorm && factor == nil {
		return g.sumSquares(v)
	}
	n, half := g.t.NIn, 0
	for i := g.lo; i < g.hi; i++ {
		f := 1.0
		if factor != nil {
			f = factor[g.t.In[i*n+g.param]] * scale
		}
		if f == 0 {
			continue
		}
		bad = bad || f < 0
		y, o := v[g.t.Out[i]], 0.0
		if g.other >= 0 {
			o = v[g.t.In[i*n+g.other]]
		}
		switch g.kind {
		case byNorm:
			half++
			rate += float64(0.5 * f * (y - o) * (y - o))
		case byLnorm:
			d := vec.Log(y) - o
			half++
			rate += float64(0.5 * f * d * d)
		case byPois:
			shape += y
			rate += f
		case byExp:
			shape++
			rate += float64(f * y)
		case byGamma:
			shape += o
			rate += float64(f * y)
		case byWeib:
			shape++
			rate += float64(f * vec.Pow(y, o))
		case byDexp:
			shape++
			rate += float64(f * math.Abs(y-o))
		case byPar:
			shape++
			rate += float64(f * vec.Log(y/o))
		case byBetaBelow:
			shape++
			rate -= float64(f * vec.Log1p(-y))
		case byBetaAbove:
			shape++
			rate -= float64(f * vec.Log(y))
		}
	}
	return shape + float64(0.5*float64(half)), rate, bad
}

func (g *gammaRun) sumSquares(v []float64) (shape, rate float64, bad bool) {
	in, ss := g.t.In, 0.0
	for i := g.lo; i < g.hi; i++ {
		d := v[g.t.Out[i]] - v[in[2*i]]
		ss += float64(d * d)
	}
	return 0.5 * float64(g.hi-g.lo), 0.5 * ss, false
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
