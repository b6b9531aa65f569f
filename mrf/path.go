package mrf

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Path is a family of distributions from one that can be drawn exactly to the model. The factors are split into those of the base and
// the rest,
//
//	f_β(x) = Π_{a ∈ base} f_a(x_a) · Π_{a ∈ rest} f_a(x_a)^β,
//
// and the base is as much of the model as elimination within limits can draw: with the smallest limit all factors of single
// variables. A 0 of a factor in the rest counts as exp(−s β/(1−β)), which is 1 in the base and 0 in the model, so that
// replicas pass between states that zeros part.
type Path struct {
	f       *Field
	rest    []int32 // factors
	isRest  []bool  // by factor
	drawn   *block  // the base, with its tables made: what remains of a draw is the backward pass
	logBase float64
	blocks  []*blockPlan
}

// softness is s of [Path]: at β = 1/2 a violated zero costs a factor of exp(−3).
const softness = 3

// PathSettings are the limits of a [Path]. The zero value works.
type PathSettings struct {
	Entries int // of a table of the elimination in the base; 0: 2¹⁷
	Total   int // of all of them; 0: 2²²
	// Blocks are those that are drawn at β > 0, beside single variables. Trees and Entries as for [Blocks].
	Blocks BlockSettings
}

// NewPath splits the factors.
func NewPath(f *Field, set PathSettings) (*Path, error) {
	p := &Path{f: f, isRest: make([]bool, len(f.factors))}
	lim := limits{entries: float64(cmp.Or(set.Entries, 1<<17)), total: float64(cmp.Or(set.Total, 1<<22))}
	for memory.Room(roomPerEntry*lim.total) != nil && lim.total > 1<<12 {
		lim.entries, lim.total = max(lim.entries/2, 1), lim.total/2
	}
	if n := len(f.free); n > manyVariables { // a few large tables are not to take all the room
		lim.entries = min(lim.entries, max(4*lim.total/float64(n), 64))
	}
	b := newBase(f, lim)
	for a, in := range b.in {
		if p.isRest[a] = !in; !in {
			p.rest = append(p.rest, int32(a))
		}
	}
	if err := p.prepare(b); err != nil {
		return nil, err
	}
	if len(p.rest) == 0 {
		return p, nil
	}
	var err error
	p.blocks, err = f.cover(set.Blocks)
	return p, err
}

// roomPerEntry is the bytes that an entry of a table takes while it is made: itself, and the places of its inputs.
const roomPerEntry = 32

// prepare makes the tables of the base.
func (p *Path) prepare(b *base) error {
	plan, err := b.plan()
	if err != nil {
		return err
	}
	p.drawn = newBlock(plan)
	w := p.f.weights(func(int) float64 { return 1 }, func(int) float64 { return math.Inf(-1) }, false)
	logZ, ok := p.drawn.forward(&State{X: make([]int32, len(p.f.cards))}, &w, false)
	if !ok {
		return &ImpossibleError{fmt.Sprintf("every state has probability 0: %d of the factors leave none", len(b.factors()))}
	}
	p.logBase = logZ + p.f.scale
	p.drawn.message = nil
	for t := range plan.steps {
		plan.steps[t].inputs = nil
	}
	return nil
}

// base is a kernel of independent draws from the base.
func (p *Path) base() *pathKernel {
	return &pathKernel{p: p, whole: &block{blockPlan: p.drawn.blockPlan, table: p.drawn.table, thresholds: make([]uint64, len(p.drawn.thresholds))}}
}

// Exact tells whether the base is all of the model: draws from it are then independent draws from the model.
func (p *Path) Exact() bool { return len(p.rest) == 0 }

// LogZBase is log Z at β = 0; that of the model if the path is [Path.Exact].
func (p *Path) LogZBase() float64 { return p.logBase }

// Rest is the number of factors that are not in the base.
func (p *Path) Rest() int { return len(p.rest) }

func penalty(beta float64) float64 { return float64(softness*beta) / (1 - beta) }

// at are the weights at β.
func (p *Path) at(beta float64) weights {
	w := weights{make([]float64, p.f.entries), make([]float64, p.f.entries)}
	p.weigh(&w, beta)
	return w
}

// weigh is at in the memory of earlier ones.
func (p *Path) weigh(w *weights, beta float64) {
	p.f.weigh(w, func(a int) float64 {
		if p.isRest[a] {
			return beta
		}
		return 1
	}, func(a int) float64 {
		if p.isRest[a] {
			return -penalty(beta)
		}
		return math.Inf(-1)
	}, true)
}

// energy notes what the rest says of a state.
func (p *Path) energy(s *State) {
	if s.known {
		return
	}
	s.rest, s.holes, s.known = 0, 0, true
	for _, a := range p.rest {
		h := &p.f.factors[a]
		if x := h.log[h.index(s.X)]; math.IsInf(x, -1) {
			s.holes++
		} else {
			s.rest += x
		}
	}
}

// LogDensity is log f_β.
func (p *Path) LogDensity(s *State, beta float64) float64 {
	sum := p.f.scale
	for a := range p.f.factors {
		if h := &p.f.factors[a]; !p.isRest[a] {
			sum += h.log[h.index(s.X)]
		}
	}
	return sum + p.LogRatio(s, 0, beta)
}

// LogRatio is log f_to − log f_from.
func (p *Path) LogRatio(s *State, from, to float64) float64 {
	p.energy(s)
	x := float64((to - from) * s.rest)
	if s.holes > 0 {
		x -= float64(float64(s.holes) * (penalty(to) - penalty(from)))
	}
	return x
}

// pathKernel leaves f_β invariant: at 0 it draws independently, elsewhere it draws one of the blocks and then every variable by itself.
type pathKernel struct {
	p      *Path
	whole  *block // at 0
	single *Gibbs
	blocks *Blocks
}

// Kernel returns a kernel that leaves f_β invariant.
func (p *Path) Kernel(beta float64) (mcmc.Kernel[*State], error) {
	if beta == 0 || p.Exact() {
		return p.base(), nil
	}
	w := p.at(beta)
	single, err := newGibbs(p.f, w, gibbs.Systematic)
	if err != nil {
		return nil, err
	}
	return &pathKernel{p: p, single: single, blocks: newBlocks(p.f, p.blocks, w)}, nil
}

func (k *pathKernel) Step(s *State, r *rand.Rand) mcmc.Info {
	if k.whole != nil {
		k.p.f.settle(s)
		k.whole.backward(s, r)
		return mcmc.Info{Accepted: true, AcceptProb: 1}
	}
	k.blocks.one(s, r)
	return k.single.Step(s, r)
}
