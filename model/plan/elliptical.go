package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/slice"
)

// elliptical is elliptical slice sampling (Murray, Adams & MacKay 2010) of a
// multivariate normal node under any likelihood.
type elliptical struct {
	n         *node
	mu, nu    []float64
	omega, l  []float64
	from, dev []float64
	vcov      bool
}

func newElliptical(n *node) *elliptical {
	if n.dist() != "dmnorm" && n.dist() != "dmnorm.vcov" {
		return nil
	}
	d := len(n.cells)
	return &elliptical{n: n, mu: make([]float64, d), nu: make([]float64, d), from: make([]float64, d), dev: make([]float64, d),
		omega: make([]float64, d*d), l: make([]float64, d*d), vcov: n.dist() == "dmnorm.vcov"}
}

// Step moves the node.
func (e *elliptical) Step(s *model.State, r *rand.Rand) mcmc.Info {
	d := len(e.mu)
	in := e.n.t.Operands(e.n.i)
	for j := range d {
		e.mu[j] = s.V[in[j]]
		e.from[j] = s.V[e.n.cells[j]]
		e.nu[j] = dist.StdNormal(r)
	}
	for j := range e.omega {
		e.omega[j] = s.V[in[d+j]]
	}
	if !vec.Chol(e.l, e.omega, d) {
		return mcmc.Info{}
	}
	if e.vcov {
		vec.MulTriVec(e.dev, e.l, e.nu, d)
	} else {
		vec.TriSolveLowerT(e.dev, e.l, e.nu, d)
	}
	f0 := e.n.below(s)
	if math.IsInf(f0, 0) {
		return mcmc.Info{Evals: 1}
	}
	level := f0 - dist.StdExp(r)
	evals, ok := slice.Turn(r, func(angle float64) bool {
		e.place(s, vec.Cos(angle), vec.Sin(angle))
		return e.n.below(s) > level
	})
	if !ok {
		e.place(s, 1, 0)
		return mcmc.Info{Evals: 1 + evals}
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: 1 + evals}
}

func (e *elliptical) place(s *model.State, c, sn float64) {
	for j, cell := range e.n.cells {
		if sn == 0 {
			s.V[cell] = e.from[j]
			continue
		}
		s.V[cell] = e.mu[j] + float64((e.from[j]-e.mu[j])*c) + float64(e.dev[j]*sn)
	}
	s.Run(e.n.b.Det)
}
