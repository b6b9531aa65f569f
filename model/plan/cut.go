package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// cutName is the kernel of dcut nodes.
const cutName = "cut"

// cutNode gives a dcut node the value that it is given. It leaves no joint density invariant, for a
// cut model has none: nodes above a cut follow their own posterior, and those below the conditional
// one given what the cut passes on (Plummer, 2015, Cuts in Bayesian graphical models; where those below are not drawn from
// their full conditionals they lag behind).
type cutNode struct{ n *node }

// cuts tells whether the model has any.
func (p *Plan) cuts() bool {
	return slices.ContainsFunc(p.Items, func(it Item) bool { return it.Kernel == cutName })
}

// cuts covers the dcut nodes, which no other kernel can move.
func cuts(p *planner, _ []int32) {
	for _, row := range p.rows {
		if p.Model.IsCut(row) {
			p.add(Item{Kernel: cutName, Rows: []int32{row}, Why: "it passes values on and nothing back", make: func([]kernel) kernel { return &cutNode{p.node(row)} }})
		}
	}
}

// Step copies the value.
func (k *cutNode) Step(s *model.State, _ *rand.Rand) mcmc.Info {
	s.V[k.n.cells[0]] = s.V[k.n.t.Operands(k.n.i)[0]]
	s.Run(k.n.b.Det)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}
