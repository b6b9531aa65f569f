package plan

import (
	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mode"
	"github.com/ergodic-mcmc/ergodic/model"
)

// ShortenBlocks makes approximating blocks, and the joint moves with them, move in short
// steps, as they learn to where fresh draws are accepted too rarely. It returns how many there are.
func (s *Sweep) ShortenBlocks() int {
	n := 0
	for _, k := range s.kernels {
		if b, ok := k.(*glmBlock); ok {
			b.logStep = -0.7
			n++
		}
	}
	return n
}

// BluntMixtures moves the components away from the law that they approximate, so that all is left to the correction. It returns how many kernels have them.
func (s *Sweep) BluntMixtures() int {
	n := 0
	for _, k := range s.kernels {
		var x *expansion
		switch k := k.(type) {
		case *glmBlock:
			x = k.expansion
		case *hyperMove:
			x = k.expansion
		case *allWithBlock:
			x = k.expansion
		}
		if x == nil || x.mix == nil {
			continue
		}
		n++
		for c := range x.mix.at {
			x.mix.at[c].mean += 1
		}
	}
	return n
}

// MoveFewShares makes the kernels of Dirichlet nodes move so many elements a step, as they
// do of long nodes. It returns how many there are.
func (s *Sweep) MoveFewShares(most int) int {
	n := 0
	for _, k := range s.kernels {
		if b, ok := k.(*simplexSlice); ok {
			b.most = most
			n++
		}
	}
	return n
}

// OfferFewSeats makes labels of restaurant processes weigh so few that nobody has. It returns how many of these there are.
func (s *Sweep) OfferFewSeats(most int) int {
	n := 0
	for _, k := range s.kernels {
		if b, ok := k.(*seat); ok {
			b.fresh = most
			n++
		}
	}
	return n
}

// Unbounded is the target of the sweep's nuts kernel at a state, with the numbers there; nil where the plan has none.
func (s *Sweep) Unbounded(at *model.State) (hmc.Target, []float64) {
	for _, k := range s.kernels {
		if b, ok := k.(*nuts); ok {
			b.s = at
			b.x.read(at, b.point.X, nil)
			b.density.Prepare(at)
			for _, c := range b.sums {
				c.begin(at)
			}
			return b, b.point.X
		}
	}
	return nil, nil
}

// TrySplits makes the splits and mergers of components, one a step, whatever warm-up found. It returns how many kernels there are.
func (s *Sweep) TrySplits() int {
	n := 0
	for _, k := range s.kernels {
		if b, ok := k.(*splitMerge); ok {
			b.share, b.tries = 1, 1
			n++
		}
	}
	return n
}

// KernelAt is the kernel of the plan's item k.
func (s *Sweep) KernelAt(k int) mcmc.Kernel[*model.State] { return s.kernels[k] }

// Rung is the kernel of a tempered replica.
func (p *Plan) Rung(power float64) mcmc.Adapter[*model.State] {
	g := newRung(p).another()
	g.to(power)
	return g
}

// ProbeBudget probes, and returns the rows of the budget that are left, and all of them.
func ProbeBudget(j *Job, v Visited) (left, all int) {
	j.ready()
	p := newProbe(j, v)
	all = p.budget
	if p.scout() && p.anneal() {
		p.judge()
	}
	return p.budget, all
}

// HalfCentred makes the nodes that nuts has as functions of their means and precisions so in some part: k, all alike or by turns more. It returns how many there are.
func (s *Sweep) HalfCentred(k float64, alike bool) int {
	n := 0
	for _, b := range s.kernels {
		if b, ok := b.(*nuts); ok {
			for _, t := range b.forms.parts {
				for j := range t.k {
					if t.k[j] = k; !alike {
						t.k[j] += float64(float64(j%3) / 3 * (1 - k))
					}
				}
				for _, g := range t.groups {
					if g.hi-g.lo == 1 && !alike {
						t.stats[g.lo] = information{prior: 1, all: 0.7}
					}
				}
				t.formed()
				n += len(t.k)
			}
		}
	}
	return n
}

// JoinNormals makes the moves with normal nodes integrated out, whatever warm-up found. It returns how many there are.
func (s *Sweep) JoinNormals() int {
	n := 0
	for _, k := range s.kernels {
		if b, ok := k.(*withNormals); ok {
			b.phase, b.theta.on, b.theta.proposals = kept, true, proposal{scale: 1.2}
			n++
		}
	}
	return n
}

// ShiftOf is the kernel of shifts of all nodes of a plan, with the names of those that move; nil where no direction is found.
func (p *Plan) ShiftOf() (mcmc.Kernel[*model.State], []string) {
	q := newPlanner(p.Model)
	k, rows := newShift(p.Model, q.rows, q.probe())
	if k == nil {
		return nil, nil
	}
	var names []string
	for _, r := range rows {
		t, i := p.Model.TemplateOf(r)
		names = append(names, p.Model.CellName(t.Cells(i)[0]))
	}
	return k, names
}

// JoinAll makes the moves of all nodes of a block or of a density at once, as they have been fitted, and those after nuts, whatever warm-up found. It returns how many there are.
func (s *Sweep) JoinAll() int {
	n := 0
	for _, k := range s.kernels {
		switch b := k.(type) {
		case *allWithBlock:
			if b.fit.settled() {
				b.on = 1
				n++
			}
		case *jointAdaptive:
			if b.fit.settled() {
				b.on = 1
				n++
			}
		case *afterNUTS:
			b.on = 1
			n++
		}
	}
	return n
}

// AllWithBlock tells of the first such kernel whether it is in use and how often it was accepted in warm-up, and how often the moves of single nodes are made at most.
func (s *Sweep) AllWithBlock() (on bool, accepted, alone float64) {
	for _, k := range s.kernels {
		if b, ok := k.(*allWithBlock); ok {
			for _, a := range b.alone {
				alone = max(alone, a.share)
			}
			return b.on == 1, b.rate / b.tried, alone
		}
	}
	return false, 0, 0
}

// JointAdaptive tells of the first such kernel whether it is in use and how often it was accepted in warm-up.
func (s *Sweep) JointAdaptive() (on bool, accepted float64) {
	for _, k := range s.kernels {
		if b, ok := k.(*jointAdaptive); ok {
			return b.on == 1, b.rate / b.tried
		}
	}
	return false, 0
}

// JoinAdaptives puts joint-adaptive kernels whose proposals are learnt to use, however seldom they are accepted, and counts them.
func (s *Sweep) JoinAdaptives() (n int) {
	for _, k := range s.kernels {
		if b, ok := k.(*jointAdaptive); ok && b.fit.settled() {
			b.on = 1
			n++
		}
	}
	return n
}

// Individuals tells whether parameters are proposed with the individuals, and how often they were taken in warm-up.
func (w *Sweep) Individuals() (on bool, taken float64) {
	for _, k := range w.kernels {
		if k, ok := k.(*individuals); ok {
			return k.on > 0, k.rate / k.tried
		}
	}
	return false, 0
}

// LeavesMode tells whether a chain leaves a mode for another, given the log densities and masses of both.
func LeavesMode(density, mass, otherDensity, otherMass float64) bool {
	at := func(f, m float64) *ascent { return &ascent{top: &mode.Top{LogDensity: f}, weighed: true, logMass: m} }
	return (&climber{}).above(at(otherDensity, otherMass), at(density, mass))
}

// HoldInnovations makes moves that hold innovations in every iteration. It returns how many kernels make them.
func (s *Sweep) HoldInnovations() int {
	n := 0
	for _, k := range s.kernels {
		if b, ok := k.(*innovations); ok {
			b.share = 1
			n++
		}
	}
	return n
}
