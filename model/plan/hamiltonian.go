package plan

import (
	"encoding"
	"slices"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Kernels of package hmc, by the names to ask for them. nuts alone is taken without being asked for.
const (
	nutsName     = "nuts"
	walnutsName  = "walnuts"
	cheesName    = "chees"
	staticName   = "static"
	langevinName = "mala"
)

// mostStatic is how many steps a trajectory of the kernel static has at most: each has a number from 1 on, drawn afresh.
const mostStatic = 16

// byGradients are all of them.
func byGradients() []string {
	return []string{nutsName, walnutsName, cheesName, staticName, langevinName}
}

// hamiltonian moves a point by gradients.
type hamiltonian interface {
	mcmc.Adapter[*mcmc.Point]
	mcmc.Teller
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// newHamiltonian is the kernel of a name, with its usual settings.
func newHamiltonian(name string, t hmc.Target, dim int) (hamiltonian, error) {
	switch name {
	case walnutsName:
		return hmc.NewWALNUTS(t, dim, hmc.WALNUTSSettings{})
	case cheesName:
		return hmc.NewChEES(t, dim, hmc.ChEESSettings{})
	case staticName:
		return hmc.NewStatic(t, dim, hmc.StaticSettings{Steps: mostStatic, Random: true})
	case langevinName:
		return hmc.NewStatic(t, dim, hmc.StaticSettings{Steps: 1})
	}
	return hmc.NewNUTS(t, dim, hmc.Settings{})
}

// HasTrajectories tells whether a kernel of the plan has steps that diverge, tree depths, energies and step sizes.
func (p *Plan) HasTrajectories() bool {
	return slices.ContainsFunc(p.Items, func(it Item) bool { return slices.Contains(byGradients(), it.Kernel) })
}
