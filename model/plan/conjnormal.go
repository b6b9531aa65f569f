package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// conjNormal draws a normal node from its full conditional when all children
// are normal or lognormal with a mean that is linear in the node, or
// multivariate normal with such means. With slope a_k, precision τ_k and
// residual r_k = y_k − μ_k at the current x,
//
//	precision P = τ₀ + Σ a_k² τ_k,  mean x + (τ₀(μ₀−x) + Σ a_k τ_k r_k)/P.
type conjNormal struct {
	n       *node
	kids    []normChild
	joint   []jointChild
	cut     []child
	det     []slopeCell
	varying bool // slopes are computed anew in each step
	bounded bool
}

type normChild struct {
	y, mu, tau int32
	slope      float64
	log        bool // a lognormal child: its residual is log y − μ
}

type slopeCell struct {
	cell  int32
	slope float64
}

// jointChild is a dmnorm child of dimension k.
type jointChild struct {
	y, mu, omega []int32
	slope        []float64
}

func newConjNormal(n *node) *conjNormal {
	if n.dist() != "dnorm" {
		return nil
	}
	n.analyse()
	c := &conjNormal{n: n, bounded: n.t.Stoch.Truncated()}
	for _, k := range n.kids {
		if !c.adopt(k) {
			return nil
		}
	}
	c.bounded = c.bounded || len(c.cut) > 0
	return c
}

func (c *conjNormal) adopt(k child) bool {
	n := c.n
	if n.isInterval(&k) {
		c.cut = append(c.cut, k)
		return true
	}
	st := k.t.Stoch
	switch {
	case st.Truncated():
		return false
	case st.Name == "dnorm" || st.Name == "dlnorm":
		f := n.form(k.in[0])
		if f.Kind != model.Affine || !n.only(&k, 0, 1) {
			return false
		}
		c.varying = c.varying || f.Varying
		c.kids = append(c.kids, normChild{y: k.out[0], mu: k.in[0], tau: k.in[1], log: st.Name == "dlnorm"})
		return true
	case st.Name == "dmnorm":
		d := len(k.out)
		if !n.only(&k, 0, d) {
			return false
		}
		for _, m := range k.in[:d] {
			f := n.form(m)
			if f.Kind == model.Curved {
				return false
			}
			c.varying = c.varying || (f.Kind == model.Affine && f.Varying)
		}
		c.joint = append(c.joint, jointChild{y: k.out, mu: k.in[:d], omega: k.in[d : d+d*d], slope: make([]float64, d)})
		return true
	}
	return false
}

// prepare computes slopes that never change. The state must be complete.
func (c *conjNormal) prepare(s *model.State) {
	if c.varying {
		s.Direction()
		return
	}
	c.slopes(s)
	for _, g := range c.n.b.Det {
		t := c.n.m.Templates[g.T]
		for i := int(g.Lo); i < int(g.Hi); i++ {
			for _, o := range t.Cells(i) {
				if a := s.T[o]; a != 0 {
					c.det = append(c.det, slopeCell{o, a})
				}
			}
		}
	}
	s.ClearTangents(c.n.cells, c.n.b.Det)
}

func (c *conjNormal) slopes(s *model.State) {
	T := s.Direction()
	T[c.n.cells[0]] = 1
	s.Tangents(c.n.b.Det)
	for k := range c.kids {
		c.kids[k].slope = T[c.kids[k].mu]
	}
	for k := range c.joint {
		for d, m := range c.joint[k].mu {
			c.joint[k].slope[d] = T[m]
		}
	}
}

// Step draws the node.
func (c *conjNormal) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if c.varying {
		c.slopes(s)
		s.ClearTangents(c.n.cells, c.n.b.Det)
	}
	v := s.V
	in := c.n.t.Operands(c.n.i)
	cell := c.n.cells[0]
	x := v[cell]
	prec := v[in[1]]
	pull := prec * (v[in[0]] - x)
	for k := range c.kids {
		h := &c.kids[k]
		if h.slope == 0 {
			continue
		}
		y := v[h.y]
		if h.log {
			y = vec.Log(y)
		}
		w := h.slope * v[h.tau]
		prec += float64(w * h.slope)
		pull += float64(w * (y - v[h.mu]))
	}
	for k := range c.joint {
		p, g := c.joint[k].weigh(v)
		prec += p
		pull += g
	}
	mean, sd := x+pull/prec, 1/math.Sqrt(prec)
	nx := c.draw(s, r, mean, sd)
	if math.IsNaN(nx) || math.IsInf(nx, 0) {
		return mcmc.Info{}
	}
	c.move(s, nx-x, nx)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

func (c *conjNormal) draw(s *model.State, r *rand.Rand, mean, sd float64) float64 {
	if !c.bounded {
		return mean + float64(sd*dist.StdNormal(r))
	}
	lo, hi := ownBounds(s, c.n)
	if len(c.cut) > 0 {
		l, h := interval(s, c.cut)
		lo, hi = max(lo, l), min(hi, h)
	}
	return dist.TruncNormal(r, mean, sd, lo, hi)
}

func (c *conjNormal) move(s *model.State, delta, x float64) {
	s.V[c.n.cells[0]] = x
	if c.varying {
		s.Run(c.n.b.Det)
		return
	}
	for _, d := range c.det {
		s.V[d.cell] += float64(d.slope * delta)
	}
}

func (j *jointChild) weigh(v []float64) (prec, pull float64) {
	d := len(j.y)
	for a, sa := range j.slope {
		if sa == 0 {
			continue
		}
		for b := range d {
			o := sa * v[j.omega[a+b*d]]
			prec += float64(o * j.slope[b])
			pull += float64(o * (v[j.y[b]] - v[j.mu[b]]))
		}
	}
	return prec, pull
}
