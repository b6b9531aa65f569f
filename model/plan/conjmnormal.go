package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// conjMNormal draws a multivariate normal node whose children are normal or
// multivariate normal with means linear in it. With Jacobian A of a child's
// means, precision T and residual r at the current x,
//
//	precision P = Ω₀ + Σ AᵀTA, mean x + P⁻¹(Ω₀(μ₀−x) + Σ AᵀTr).
type conjMNormal struct {
	n       *node
	uni     []mnormUni
	multi   []mnormMulti
	cut     [][]child // dinterval children of each element; nil where there are none
	varying bool

	prec, chol []float64
	pull, step []float64
	row        []float64
}

// mnormUni is a child with one mean; a is its gradient.
type mnormUni struct {
	y, mu, tau int32
	log        bool
	a          []float64
}

// mnormMulti is a dmnorm child; a is its Jacobian, a row a mean.
type mnormMulti struct {
	y, mu, omega []int32
	a            [][]float64
}

func newConjMNormal(n *node) *conjMNormal {
	if c := newGaussian(n); c != nil && c.cut == nil {
		return c
	}
	return nil
}

// newGaussian is the kernel of a node whose full conditional is a normal distribution within the bounds that dinterval children set to its elements.
func newGaussian(n *node) *conjMNormal {
	if n.dist() != "dmnorm" {
		return nil
	}
	n.analyse()
	d := len(n.cells)
	c := &conjMNormal{n: n, prec: make([]float64, d*d), chol: make([]float64, d*d), pull: make([]float64, d), step: make([]float64, d), row: make([]float64, d)}
	for k := range n.kids() {
		if !c.adopt(k, d) {
			return nil
		}
	}
	return c
}

func (c *conjMNormal) adopt(k child, d int) bool {
	st := k.t.Stoch
	switch {
	case st.Interval:
		e := slices.Index(c.n.cells, k.in[0])
		if e < 0 || !c.n.only(&k, 0, 1) || c.n.asked[c.n.row] == nil && sampledCells(c.n.m, k.in[1:]) {
			return false
		}
		if c.cut == nil {
			c.cut = make([][]child, d)
		}
		c.cut[e] = append(c.cut[e], k)
		return true
	case st.Truncated():
		return false
	case st.Name == "dnorm" || st.Name == "dlnorm":
		f := c.n.form(k.in[0])
		if f.Kind != model.Affine || !c.n.only(&k, 0, 1) {
			return false
		}
		c.varying = c.varying || f.Varying
		c.uni = append(c.uni, mnormUni{y: k.out[0], mu: k.in[0], tau: k.in[1], log: st.Name == "dlnorm", a: make([]float64, d)})
		return true
	case st.Name == "dmnorm":
		e := len(k.out)
		if !c.n.only(&k, 0, e) {
			return false
		}
		h := mnormMulti{y: k.out, mu: k.in[:e], omega: k.in[e : e+e*e]}
		for _, mu := range h.mu {
			f := c.n.form(mu)
			if f.Kind == model.Curved {
				return false
			}
			c.varying = c.varying || (f.Kind == model.Affine && f.Varying)
			h.a = append(h.a, make([]float64, d))
		}
		c.multi = append(c.multi, h)
		return true
	}
	return false
}

func (c *conjMNormal) prepare(s *model.State) {
	c.jacobian(s)
}

// jacobian takes the children's derivatives, one direction for each element.
func (c *conjMNormal) jacobian(s *model.State) {
	T := s.Direction()
	for j, cell := range c.n.cells {
		T[cell] = 1
		s.Tangents(c.n.b.Det)
		for k := range c.uni {
			c.uni[k].a[j] = T[c.uni[k].mu]
		}
		for k := range c.multi {
			for e, mu := range c.multi[k].mu {
				c.multi[k].a[e][j] = T[mu]
			}
		}
		s.ClearTangents(c.n.cells, c.n.b.Det)
	}
}

// conditional finds the precision of the full conditional, and the derivative of its log density.
func (c *conjMNormal) conditional(s *model.State) {
	if c.varying {
		c.jacobian(s)
	}
	d := len(c.n.cells)
	c.prior(s.V, d)
	for k := range c.uni {
		c.addUni(s.V, &c.uni[k], d)
	}
	for k := range c.multi {
		c.addMulti(s.V, &c.multi[k], d)
	}
}

// toMean finds the full conditional: prec, its factor chol, and step, from where the node is to the mean.
func (c *conjMNormal) toMean(s *model.State) bool {
	c.conditional(s)
	d := len(c.n.cells)
	if !vec.Chol(c.chol, c.prec, d) {
		return false
	}
	vec.CholSolve(c.step, c.chol, c.pull, d)
	return true
}

// Step draws the node: x + P⁻¹ pull + L⁻ᵀ z has the full conditional.
func (c *conjMNormal) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if !c.toMean(s) {
		return mcmc.Info{}
	}
	for j := range c.row {
		c.row[j] = dist.StdNormal(r)
	}
	vec.TriSolveLowerT(c.row, c.chol, c.row, len(c.row))
	for j, cell := range c.n.cells {
		s.V[cell] += c.step[j] + c.row[j]
	}
	s.Run(c.n.b.Det)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

func (c *conjMNormal) prior(v []float64, d int) {
	in := c.n.t.Operands(c.n.i)
	for j := range d {
		g := 0.0
		for k := range d {
			o := v[in[d+j+k*d]]
			c.prec[j+k*d] = o
			g += float64(o * (v[in[k]] - v[c.n.cells[k]]))
		}
		c.pull[j] = g
	}
}

func (c *conjMNormal) addUni(v []float64, h *mnormUni, d int) {
	tau, y := v[h.tau], v[h.y]
	if h.log {
		y = vec.Log(y)
	}
	res := y - v[h.mu]
	for j, aj := range h.a {
		w := aj * tau
		if w == 0 {
			continue
		}
		c.pull[j] += float64(w * res)
		for k, ak := range h.a {
			c.prec[k+j*d] += float64(w * ak)
		}
	}
}

func (c *conjMNormal) addMulti(v []float64, h *mnormMulti, d int) {
	e := len(h.y)
	for a := range e {
		for b := range e {
			o := v[h.omega[a+b*e]]
			res := o * (v[h.y[b]] - v[h.mu[b]])
			for j := range d {
				w := h.a[a][j]
				if w == 0 {
					continue
				}
				c.pull[j] += float64(w * res)
				for k := range d {
					c.prec[k+j*d] += float64(float64(w*o) * h.a[b][k])
				}
			}
		}
	}
}
