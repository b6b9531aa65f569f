package plan

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// preparer is a kernel that computes constants from a complete state before
// its first step.
type preparer interface{ prepare(s *model.State) }

// Sweep is one iteration of a chain: every kernel of the plan once.
type Sweep struct {
	kernels []kernel
	stages  []stage
	adapt   []mcmc.Adapter[*model.State] // nil where a kernel does not adapt
	ready   bool
	iter    uint64
}

// Sweep makes the kernels of one chain.
func (p *Plan) Sweep() *Sweep {
	w := &Sweep{stages: p.stages()}
	for _, it := range p.Items {
		k := it.make(w.kernels)
		a, _ := k.(mcmc.Adapter[*model.State])
		w.kernels = append(w.kernels, k)
		w.adapt = append(w.adapt, a)
	}
	return w
}

// refreshEvery is how often logical cells that are kept up to date by adding
// increments are computed afresh, before rounding can build up.
const refreshEvery = 64

func (w *Sweep) begin(s *model.State) {
	if !w.ready {
		for _, k := range w.kernels {
			if p, ok := k.(preparer); ok {
				p.prepare(s)
			}
		}
		w.ready = true
	}
	if w.iter%refreshEvery == 0 {
		s.RunAllLive()
	}
	w.iter++
}

// Step moves every node once.
func (w *Sweep) Step(s *model.State, r *rand.Rand) mcmc.Info {
	w.begin(s)
	return w.total(func(i int, _ bool) mcmc.Info { return w.kernels[i].Step(s, r) })
}

// Adapt moves every node once and lets kernels tune themselves.
func (w *Sweep) Adapt(s *model.State, r *rand.Rand, wu mcmc.Warmup) mcmc.Info {
	w.begin(s)
	return w.total(func(i int, again bool) mcmc.Info {
		if a := w.adapt[i]; a != nil && !again {
			return a.Adapt(s, r, wu)
		}
		return w.kernels[i].Step(s, r)
	})
}

// total carries out the stages: the steps of their kernels, and whether a kernel has had one before.
func (w *Sweep) total(step func(i int, again bool) mcmc.Info) mcmc.Info {
	out := mcmc.Info{Accepted: true}
	n := 0
	for _, g := range w.stages {
		for turn := range g.times {
			for _, i := range g.items {
				info := step(i, turn > 0)
				out.AcceptProb += info.AcceptProb
				out.Evals += info.Evals
				out.Divergent = out.Divergent || info.Divergent
				n++
			}
		}
	}
	if n > 0 {
		out.AcceptProb /= float64(n)
	}
	return out
}

// Freeze ends the warm-up of every kernel.
func (w *Sweep) Freeze() {
	for _, a := range w.adapt {
		if a != nil {
			a.Freeze()
		}
	}
}

// LastLogDensity is that of the state that the last step led to, where one kernel moves all and knows it.
func (w *Sweep) LastLogDensity(s *model.State) (lp float64, ok bool) {
	if len(w.kernels) == 1 {
		if k, is := w.kernels[0].(*nuts); is {
			return k.LastLogDensity(s)
		}
	}
	return 0, false
}

// Statistic is that of the first kernel that knows it.
func (w *Sweep) Statistic(name string) (float64, bool) {
	for _, k := range w.kernels {
		if t, ok := k.(mcmc.Teller); ok {
			if v, ok := t.Statistic(name); ok {
				return v, true
			}
		}
	}
	return 0, false
}
