package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// conjDirichlet draws a Dirichlet node whose children are categorical or
// multinomial with the node as their probabilities, directly or picked by an
// index: counts add to the parameters.
type conjDirichlet struct {
	n     *node
	kids  []dirichletChild
	alpha []float64
	x     []float64
}

type dirichletChild struct {
	out  []int32
	cat  bool
	via  *model.Template // logical row that picks the probabilities, or nil
	viaI int
}

func newConjDirichlet(n *node) *conjDirichlet {
	if n.dist() != "ddirch" {
		return nil
	}
	n.analyse()
	d := len(n.cells)
	c := &conjDirichlet{n: n, alpha: make([]float64, d), x: make([]float64, d)}
	for k := range n.kids() {
		name := k.t.Stoch.Name
		if (name != "dcat" && name != "dmulti") || !n.only(&k, 0, d) || k.t.Stoch.POff[1] != d {
			return nil
		}
		h := dirichletChild{out: k.out, cat: name == "dcat"}
		if !slices.Equal(k.in[:d], n.cells) {
			if h.via, h.viaI = n.m.PickRow(k.in[:d]); h.via == nil || !n.picked(&h) {
				return nil
			}
		}
		c.kids = append(c.kids, h)
	}
	return c
}

// picked tells whether the child's probabilities are the node or free of it, whatever the
// indices: not a part of the node, nor an index that moves with it.
func (n *node) picked(h *dirichletChild) bool {
	for _, c := range h.via.Cells(h.viaI) {
		if n.form(c).Kind != model.Affine {
			return false
		}
	}
	return h.via.PicksWhole(h.viaI, n.cells, func(c int32) bool { return n.form(c).Kind != model.Free })
}

// direct tells whether all children have the node itself as their probabilities.
func (c *conjDirichlet) direct() bool {
	return !slices.ContainsFunc(c.kids, func(h dirichletChild) bool { return h.via != nil })
}

// Step draws the node.
func (c *conjDirichlet) Step(s *model.State, r *rand.Rand) mcmc.Info {
	c.count(s)
	dist.Dirichlet(c.x, r, c.alpha)
	for j, x := range c.x {
		s.V[c.n.cells[j]] = x
	}
	s.Run(c.n.b.Det)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// count finds the parameters of the full conditional.
func (c *conjDirichlet) count(s *model.State) {
	v := s.V
	for k, a := range c.n.t.Operands(c.n.i) {
		c.alpha[k] = v[a]
	}
	for k := range c.kids {
		h := &c.kids[k]
		if h.via != nil && !s.Picks(h.via, h.viaI, c.n.cells) {
			continue
		}
		if h.cat {
			if j := int(v[h.out[0]]); j >= 1 && j <= len(c.alpha) {
				c.alpha[j-1]++
			}
			continue
		}
		for j, o := range h.out {
			c.alpha[j] += v[o]
		}
	}
}
