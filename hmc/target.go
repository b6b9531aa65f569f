package hmc

import (
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Target is a density over vectors with its gradient.
type Target interface {
	mcmc.Target
	// Gradient writes ∇ log π(x) to grad and returns log π(x). What grad holds does not matter where the density is not finite. It
	// must not keep or change x.
	Gradient(x, grad []float64) (logp float64)
}

// TargetFunc is a function of both kinds as a [Target]: where grad is nil only the log density is asked for.
type TargetFunc func(x, grad []float64) (logp float64)

// LogDensity calls the function without a gradient.
func (f TargetFunc) LogDensity(x []float64) float64 { return f(x, nil) }

// Gradient calls the function.
func (f TargetFunc) Gradient(x, grad []float64) float64 { return f(x, grad) }

// phase is a point of phase space with what the integrator needs there. Momentum and gradient are those of A⁻¹x, in which the metric
// is the unit.
type phase struct {
	x, r []float64
	grad []float64 // ∇ log π(x)
	h    []float64 // Aᵀ grad
	logp float64

	all, chosen []float64 // all of these, and x with grad, as one
}

func newPhase(dim int) phase {
	all := make([]float64, 4*dim)
	return phase{x: all[:dim:dim], grad: all[dim : 2*dim : 2*dim], r: all[2*dim : 3*dim : 3*dim], h: all[3*dim:], all: all, chosen: all[: 2*dim : 2*dim]}
}

func (p *phase) copy(from *phase) {
	copy(p.all, from.all)
	p.logp = from.logp
}

// energy is H.
func (p *phase) energy() float64 { return float64(0.5*dot(p.r, p.r)) - p.logp }

func dot(x, y []float64) float64 {
	if len(x) >= long {
		return columns.Dot(x, y)
	}
	return vec.Dot(x, y)
}

// push adds eps·h to a momentum.
func push(r, h []float64, eps float64) {
	if len(r) >= long {
		columns.AddScaled(r, h, eps)
		return
	}
	for i, v := range h {
		r[i] += float64(eps * v)
	}
}

// pushed is push, and returns |r|² after it.
func pushed(r, h []float64, eps float64) (norm2 float64) {
	if len(r) >= long {
		return columns.AddScaledNorm(r, h, eps)
	}
	push(r, h, eps)
	return vec.Dot(r, r)
}

// leapfrog takes one step, against the time where eps is negative, and returns the energy where it ends.
func (p *phase) leapfrog(t Target, m metric, eps float64) (energy float64) {
	m.drift(p, eps)
	p.logp = t.Gradient(p.x, p.grad)
	return float64(0.5*m.kick(p, eps)) - p.logp
}

// finite tells whether a density and its gradient are numbers.
func (p *phase) finite() bool { return vec.Finite(p.logp) && vec.AllFinite(p.grad) }
