package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const truncatedName = "truncated-mnormal"

// truncatedMNormal draws the elements of a multivariate normal node, one after the other, from their full conditionals, where all that keeps the node's from being normal is
// that dinterval children bound elements: latent variables of a multivariate probit (Chib and Greenberg 1998), censored responses. With precision P and derivative g of the log density,
// that of element j is normal with mean x_j + g_j/P_jj and precision P_jj between its bounds (Geweke 1991).
//
// Cut points that are sampled have hardly any room between the elements that they part, and are moved by nuts together with them.
type truncatedMNormal struct{ *conjMNormal }

func newTruncatedMNormal(n *node) *truncatedMNormal {
	if c := newGaussian(n); c != nil && c.cut != nil {
		return &truncatedMNormal{c}
	}
	return nil
}

// Step draws every element.
func (c *truncatedMNormal) Step(s *model.State, r *rand.Rand) mcmc.Info {
	c.conditional(s)
	moved := false
	d := len(c.n.cells)
	for j, cell := range c.n.cells {
		p := c.prec[j+j*d]
		lo, hi := interval(s, c.cut[j])
		x := s.V[cell]
		nx := dist.TruncNormal(r, x+c.pull[j]/p, 1/math.Sqrt(p), lo, hi)
		if math.IsNaN(nx) || math.IsInf(nx, 0) {
			continue
		}
		s.V[cell], moved = nx, true
		for k := range c.pull {
			c.pull[k] -= float64(c.prec[k+j*d] * (nx - x))
		}
	}
	s.Run(c.n.b.Det)
	return mcmc.Info{Accepted: moved, AcceptProb: 1}
}

// sampledCells tells whether one of some cells depends on a node that is sampled.
func sampledCells(m *model.Model, cells []int32) (found bool) {
	ancestors(m, cells, func(c int32) bool {
		found = found || m.Kinds[c] == model.Unobserved
		return m.Kinds[c] == model.Logical
	})
	return found
}
