package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// rung moves every node that is sampled under the prior times a power of the likelihood, which is the density of all data. Whatever
// the plan has, its kernels are those over densities, one a node: conjugate ones know no power.
type rung struct {
	nodes   []*node
	kernels []kernel
	adapt   []mcmc.Adapter[*model.State] // nil where a kernel does not adapt
	cost    []int                        // rows that an evaluation of each kernel computes
	joint   []*ancillary                 // moves of nodes with their children, on top; a probe has none
	spent   int                          // rows computed so far
}

func newRung(p *Plan) *rung {
	g := &rung{}
	for _, row := range p.sampled() {
		n := newNode(p.Model, row)
		n.temper()
		k := overDensity(n)
		a, _ := k.(mcmc.Adapter[*model.State])
		g.nodes, g.kernels, g.adapt = append(g.nodes, n), append(g.kernels, k), append(g.adapt, a)
		g.cost = append(g.cost, 1+model.Count(n.b.Det)+model.Count(n.b.Stoch)+model.Count(n.data))
	}
	return g
}

// another is a rung over the same nodes, with kernels of its own, and moves of nodes with their children.
func (g *rung) another() *rung {
	c := &rung{cost: g.cost}
	for _, n := range g.nodes {
		own := *n
		k := overDensity(&own)
		a, _ := k.(mcmc.Adapter[*model.State])
		c.nodes, c.kernels, c.adapt = append(c.nodes, &own), append(c.kernels, k), append(c.adapt, a)
		if j := newAncillary(&own); j != nil {
			c.joint = append(c.joint, j)
		}
	}
	return c
}

// sampled are the nodes to move, deepest first.
func (p *Plan) sampled() []int32 { return newPlanner(p.Model).rows }

// temper splits the children into data and others.
func (n *node) temper() {
	var others []model.Seg
	n.data = []model.Seg{}
	for k := range rowsOf(n.m, n.b.Stoch) {
		seg := n.m.Seg(k.row())
		if n.m.Kinds[k.out[0]] == model.Observed {
			n.data = extend(n.data, seg)
			continue
		}
		others = extend(others, seg)
	}
	n.b.Stoch, n.power = others, 1
}

// extend adds a run of rows to others, the last of which it may continue.
func extend(segs []model.Seg, next model.Seg) []model.Seg {
	if n := len(segs); n > 0 && segs[n-1].T == next.T && segs[n-1].Hi == next.Lo {
		segs[n-1].Hi = next.Hi
		return segs
	}
	return append(segs, next)
}

// overDensity is the kernel of a node that needs nothing but its density.
func overDensity(n *node) kernel {
	if k := newEnumerate(n); k != nil {
		return k
	}
	if k := newSlice(n); k != nil {
		return k
	}
	if k := newElliptical(n); k != nil {
		return k
	}
	if k := newSimplexSlice(n); k != nil {
		return k
	}
	return newPrior(n)
}

// to sets the power.
func (g *rung) to(power float64) {
	for _, n := range g.nodes {
		n.power = power
	}
}

// Step moves every node once.
func (g *rung) Step(s *model.State, r *rand.Rand) mcmc.Info {
	return g.total(func(i int) mcmc.Info { return g.kernels[i].Step(s, r) }, func(k *ancillary) mcmc.Info { return k.Step(s, r) })
}

// Adapt moves every node once and lets kernels tune themselves.
func (g *rung) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	return g.total(func(i int) mcmc.Info {
		if a := g.adapt[i]; a != nil {
			return a.Adapt(s, r, w)
		}
		return g.kernels[i].Step(s, r)
	}, func(k *ancillary) mcmc.Info { return k.Adapt(s, r, w) })
}

func (g *rung) total(step func(i int) mcmc.Info, with func(k *ancillary) mcmc.Info) mcmc.Info {
	out := mcmc.Info{Accepted: true}
	for i := range g.kernels {
		info := step(i)
		out.AcceptProb += info.AcceptProb
		out.Evals += info.Evals
		g.spent += info.Evals * g.cost[i]
	}
	for _, k := range g.joint {
		info := with(k)
		out.AcceptProb += info.AcceptProb
		out.Evals += info.Evals
	}
	if n := len(g.kernels) + len(g.joint); n > 0 {
		out.AcceptProb /= float64(n)
	}
	return out
}

// entropy is the sum over the nodes that are enumerated, of the conditionals that they were last drawn from.
func (g *rung) entropy() float64 {
	sum := 0.0
	for _, k := range g.kernels {
		if e, ok := k.(*enumerate); ok {
			sum += e.entropy()
		}
	}
	return sum
}

// Freeze ends the warm-up of every kernel.
func (g *rung) Freeze() {
	for _, a := range g.adapt {
		if a != nil {
			a.Freeze()
		}
	}
}

// MarshalBinary writes the tuning.
func (g *rung) MarshalBinary() ([]byte, error) { return withTunings(nil, g.all()) }

// UnmarshalBinary is the inverse of MarshalBinary.
func (g *rung) UnmarshalBinary(b []byte) error { return tunings.UnmarshalAll(b, g.all()) }

func (g *rung) all() []kernel {
	all := slices.Clone(g.kernels)
	for _, k := range g.joint {
		all = append(all, k)
	}
	return all
}

// fromPrior draws all nodes from their prior, parents first: the likelihood to the power 0.
type fromPrior struct {
	order []int32
	old   []float64
}

func newFromPrior(p *Plan) *fromPrior {
	k := &fromPrior{}
	for _, row := range p.starter(nil, nil).order {
		if t, i := p.Model.TemplateOf(row); t.Stoch == nil || p.Model.Kinds[t.Cells(i)[0]] == model.Unobserved {
			k.order = append(k.order, row)
		}
	}
	return k
}

// draw tells whether the nodes have a prior under the values that were drawn for their parents.
func (k *fromPrior) draw(s *model.State, r *rand.Rand) bool {
	for _, row := range k.order {
		t, i := s.M.TemplateOf(row)
		if t.Stoch == nil {
			s.RunRow(t, i)
		} else if s.SampleRow(t, i, r) != "" {
			return false
		}
	}
	return true
}

// Step leaves the state where it is if a parent's value is outside what a prior allows: the target is the prior where it exists.
func (k *fromPrior) Step(s *model.State, r *rand.Rand) mcmc.Info {
	k.old = append(k.old[:0], s.V...)
	if !k.draw(s, r) {
		copy(s.V, k.old)
		return mcmc.Info{Evals: 1}
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: 1}
}
