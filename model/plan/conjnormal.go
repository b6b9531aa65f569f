package plan

import (
	"math"
	"math/rand/v2"
	"slices"

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
	runs    []normRun
	slope   []float64 // of the rows of the runs, one after the other
	joint   []jointChild
	cut     []child
	det     []slopeCell
	varying bool // slopes are computed anew in each step
	bounded bool
}

// normRun is a run of normal or lognormal children.
type normRun struct {
	t      *model.Template
	lo, hi int
	log    bool // lognormal: the residual is log y − μ
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
	if n.dist() != "dnorm" || n.hasOther(normalChild) {
		return nil
	}
	n.analyse()
	c := &conjNormal{n: n, bounded: n.t.Stoch.Truncated()}
	for k := range n.kids() {
		if !c.adopt(k) {
			return nil
		}
	}
	c.bounded = c.bounded || len(c.cut) > 0
	if c.varying {
		c.n = n.guarded()
	}
	return c
}

// normalChild tells a template of which a row may be a child of conjNormal.
func normalChild(st *model.Stoch) bool {
	return st.Interval || !st.Truncated() && slices.Contains([]string{"dnorm", "dlnorm", "dmnorm"}, st.Name)
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
		c.extend(k)
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

// extend adds a child to the last run or opens one.
func (c *conjNormal) extend(k child) {
	if n := len(c.runs); n > 0 && c.runs[n-1].t == k.t && c.runs[n-1].hi == k.i {
		c.runs[n-1].hi++
		return
	}
	c.runs = append(c.runs, normRun{t: k.t, lo: k.i, hi: k.i + 1, log: k.t.Stoch.Name == "dlnorm"})
}

// maxIncrements is the number of logical cells up to which adding increments
// beats running their rows.
const maxIncrements = 1 << 12

// prepare computes slopes that never change. The state must be complete.
func (c *conjNormal) prepare(s *model.State) {
	n := 0
	for _, g := range c.runs {
		n += g.hi - g.lo
	}
	c.slope = make([]float64, n)
	if c.varying {
		s.Direction()
		return
	}
	c.slopes(s)
	if model.Count(c.n.b.Det) <= maxIncrements {
		c.det = c.increments(s)
	}
	s.ClearTangents(c.n.cells, c.n.b.Det)
}

// increments lists the logical cells that follow the node with their slopes; nil where
// one is no straight line in it, as a cell beside a child's mean in a vector may be.
func (c *conjNormal) increments(s *model.State) []slopeCell {
	det := []slopeCell{}
	for k := range rowsOf(c.n.m, c.n.b.Det) {
		for _, o := range k.out {
			f := c.n.form(o)
			if f.Kind == model.Curved || f.Kind == model.Affine && f.Varying {
				return nil
			}
			if a := s.T[o]; a != 0 {
				det = append(det, slopeCell{o, a})
			}
		}
	}
	return det
}

func (c *conjNormal) slopes(s *model.State) {
	c.n.begin(s)
	T := s.Direction()
	T[c.n.cells[0]] = 1
	s.Tangents(c.n.det())
	k := 0
	for _, g := range c.runs {
		for i := g.lo; i < g.hi; i++ {
			c.slope[k] = T[g.t.In[i*g.t.NIn]]
			k++
		}
	}
	for k := range c.joint {
		for d, m := range c.joint[k].mu {
			c.joint[k].slope[d] = T[m]
		}
	}
}

// Step draws the node.
func (c *conjNormal) Step(s *model.State, r *rand.Rand) mcmc.Info {
	mean, prec := c.conditional(s)
	return c.drawFrom(s, r, mean, prec)
}

// drawFrom draws the node where its full conditional is known.
func (c *conjNormal) drawFrom(s *model.State, r *rand.Rand, mean, prec float64) mcmc.Info {
	x := s.V[c.n.cells[0]]
	nx := c.draw(s, r, mean, 1/math.Sqrt(prec))
	if math.IsNaN(nx) || math.IsInf(nx, 0) {
		return mcmc.Info{}
	}
	c.move(s, nx-x, nx)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// conditional is the mean and the precision of the full conditional, but for bounds.
func (c *conjNormal) conditional(s *model.State) (mean, prec float64) {
	if c.varying {
		c.slopes(s)
		s.ClearTangents(c.n.cells, c.n.det())
	}
	v := s.V
	in := c.n.t.Operands(c.n.i)
	x := v[c.n.cells[0]]
	prec = v[in[1]]
	pull := prec * (v[in[0]] - x)
	at := 0
	for k := range c.runs {
		g := &c.runs[k]
		a := c.slope[at : at+g.hi-g.lo]
		at += len(a)
		p, q := g.weigh(v, a)
		prec += p
		pull += q
	}
	for k := range c.joint {
		p, g := c.joint[k].weigh(v)
		prec += p
		pull += g
	}
	return x + pull/prec, prec
}

// weigh sums what a run adds to the precision and to its pull.
func (g *normRun) weigh(v, slope []float64) (prec, pull float64) {
	n := g.t.NIn
	in, out := g.t.In[g.lo*n:g.hi*n], g.t.Out[g.lo:g.hi]
	for i, a := range slope {
		if a == 0 {
			continue
		}
		y := v[out[i]]
		if g.log {
			y = vec.Log(y)
		}
		w := a * v[in[i*n+1]]
		prec += float64(w * a)
		pull += float64(w * (y - v[in[i*n]]))
	}
	return prec, pull
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
	if c.det == nil {
		s.Run(c.n.det())
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
