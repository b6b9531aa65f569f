package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// conjWishart draws a Wishart precision whose children are multivariate normal:
// R + Σ(y−μ)(y−μ)ᵀ and k + the number of children.
type conjWishart struct {
	n    *node
	kids []wishartChild
	d    int
	r, x []float64
	res  []float64
	p    [][]float64
	wish *dist.Multi
	work dist.Work
}

type wishartChild struct{ y, mu []int32 }

func newConjWishart(n *node) *conjWishart {
	if n.dist() != "dwish" {
		return nil
	}
	n.analyse()
	d := int(math.Sqrt(float64(len(n.cells))))
	c := &conjWishart{n: n, d: d, r: make([]float64, d*d), x: make([]float64, d*d), res: make([]float64, d), p: make([][]float64, 2), wish: n.t.Stoch.Multi}
	c.p[0], c.p[1] = c.r, make([]float64, 1)
	for k := range n.kids() {
		if k.t.Stoch.Name != "dmnorm" || len(k.out) != d || !slices.Equal(k.in[d:], n.cells) || !n.only(&k, d, d+d*d) {
			return nil
		}
		c.kids = append(c.kids, wishartChild{y: k.out, mu: k.in[:d]})
	}
	return c
}

// conditional finds the parameters of the full conditional.
func (c *conjWishart) conditional(s *model.State) bool {
	v, d := s.V, c.d
	in := c.n.t.Operands(c.n.i)
	for j := range c.r {
		c.r[j] = v[in[j]]
	}
	c.p[1][0] = v[in[d*d]] + float64(len(c.kids))
	for k := range c.kids {
		h := &c.kids[k]
		for j := range d {
			c.res[j] = v[h.y[j]] - v[h.mu[j]]
		}
		for b := range d {
			for a := range d {
				c.r[a+b*d] += float64(c.res[a] * c.res[b])
			}
		}
	}
	return c.wish.Check(c.p, c.n.t.Stoch.PDims) == ""
}

// Step draws the node.
func (c *conjWishart) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if !c.conditional(s) {
		return mcmc.Info{}
	}
	c.wish.Sample(c.x, r, c.p, c.n.t.Stoch.PDims, &c.work)
	for j, cell := range c.n.cells {
		s.V[cell] = c.x[j]
	}
	s.Run(c.n.b.Det)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}
