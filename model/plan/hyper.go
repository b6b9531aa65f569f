package plan

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// hyperMove moves a scalar node on which a block depends, such as the precision
// of its effects, together with the block: a random walk of the node on the
// line, logarithm or logit, then the block from the Gaussian that belongs to the
// new value (Knorr-Held & Rue 2002). With normal children only this samples the
// node from its marginal, the block integrated out. It costs several
// factorisations, so it is made often only where the node moves slowly without it.
type hyperMove struct {
	*expansion
	theta  *adaptive // the node and its transformation to the line
	from   *glmBlock // whose reference point is used; nil for an exact block
	union  []model.Seg
	w      *work
	old    []float64
	scale  float64
	tried  float64
	rate   float64
	share  float64 // of the iterations in which the move is made
	alone  lagged  // the node without the move
	frozen bool
}

const (
	hyperTarget = 0.35 // acceptance of a random walk in one dimension, a little below 0.44 because the block adds noise
	slowLag     = 0.55 // lag-1 autocorrelation above which a node moves with its block in every iteration
	brisk       = 0.15 // and below which it does so in few, to leave the rare corner it may stick in
	maxHyper    = 8    // nodes that move with one block
)

const jointName = "joint-with-block"

// jointMoves moves nodes with the blocks that they or their children touch, beside their own kernels.
func jointMoves(p *planner, _ []int32) {
	if len(p.blocks) == 0 {
		return
	}
	near, with := p.nearBlocks(), map[int][]*node{}
	for _, row := range p.mayJoin() {
		n := newNode(p.Model, row)
		if newAdaptive(n) == nil {
			continue
		}
		for k := range rowsOf(p.Model, n.b.Stoch) {
			for b := range near(k.row()) {
				if q := p.Items[b].squares; q != nil && q.rows[k.row()] {
					continue // given the block, what else is in its data's law moves without it
				}
				if c := len(with[b]); c == 0 || c < maxHyper && with[b][c-1] != n {
					with[b] = append(with[b], n)
				}
			}
		}
	}
	labelled := p.labelled()
	for _, b := range p.blocks {
		first := len(p.Items)
		var rows []int32
		for _, n := range with[b] {
			rows = append(rows, n.row)
			p.add(Item{Kernel: jointName, Rows: []int32{n.row}, make: func(before []kernel) kernel { return newHyperMove(before[b], n) }})
		}
		if len(rows) > 1 && (p.Items[b].Kernel == blockNormal || p.Items[b].Kernel == blockVolatility) && !labelled(p.Items[b].Rows) {
			p.add(Item{Kernel: allWithBlockName, Rows: rows, make: func(before []kernel) kernel {
				var alone []*hyperMove
				for _, k := range before[first : first+len(rows)] {
					alone = append(alone, k.(*hyperMove))
				}
				return newAllWithBlock(before[b].(interface{ own() *block }), alone)
			}})
		}
	}
}

// labelled tells whether a density depends on one of some nodes and on a discrete one that is sampled. Where components of a mixture change their members, no one fit serves the
// nodes of their block.
func (p *planner) labelled() func(rows []int32) bool {
	by := map[int32]bool{}
	for _, r := range p.rows {
		if continuous(p.Model, r) {
			continue
		}
		for d := range densitiesOf(p.Model, r) {
			by[d] = true
		}
	}
	return func(rows []int32) bool {
		return len(by) > 0 && anyDensity(p.Model, rows, func(d int32) bool { return by[d] })
	}
}

// nearBlocks gives the blocks of which a row is a member or a member's child: to look through all blocks
// for every node takes minutes where there are thousands of both.
func (p *planner) nearBlocks() func(row int32) iter.Seq[int] {
	type entry struct{ block, next int32 }
	list := []entry{{}}
	head := make([]int32, p.Model.Rows()) // a row's first entry; 0 for none
	for _, b := range p.blocks {
		rows := p.Items[b].Rows
		near := slices.Clone(rows)
		for k := range rowsOf(p.Model, p.Model.Densities(cellsOf(p.Model, rows))) {
			near = append(near, k.row())
		}
		for _, r := range near {
			list = append(list, entry{int32(b), head[r]})
			head[r] = int32(len(list) - 1)
		}
	}
	return func(row int32) iter.Seq[int] {
		return func(yield func(int) bool) {
			for e := head[row]; e > 0 && yield(int(list[e].block)); e = list[e].next {
			}
		}
	}
}

// mayJoin are the nodes that may move with a block. Many missing values among data are
// not worth it: the block depends little on each.
func (p *planner) mayJoin() []int32 {
	nodes := map[*model.Template]int{}
	for _, r := range p.rows {
		if t, _ := p.Model.TemplateOf(r); p.asked[r] == nil {
			nodes[t]++
		}
	}
	missing := map[*model.Template]bool{}
	for t, k := range nodes {
		missing[t] = k > maxHyper && partlyObserved(p.Model, t)
	}
	return slices.DeleteFunc(p.apart, func(r int32) bool { t, _ := p.Model.TemplateOf(r); return missing[t] })
}

// newHyperMove works on a copy of the kernel's block.
func newHyperMove(of kernel, n *node) *hyperMove {
	b := of.(interface{ own() *block }).own()
	from, _ := of.(*glmBlock)
	d := len(b.cells)
	all := b.m.Blanket(append(append([]int32(nil), b.cells...), n.cells...))
	union := all.Stoch
	for _, r := range append(append([]int32(nil), b.rows...), n.row) {
		if !contains(b.m, all.Stoch, r) {
			union = append(union, b.m.Seg(r))
		}
	}
	return &hyperMove{expansion: newExpansion(b), theta: newAdaptive(n), from: from, union: union, w: newWork(b),
		old: make([]float64, d), scale: 1, share: 1}
}

func (k *hyperMove) ref() []float64 {
	if k.from == nil {
		return nil
	}
	return k.from.ref
}

func (k *hyperMove) keep() float64 {
	if k.from == nil {
		return 0
	}
	return k.from.keep()
}

func (k *hyperMove) move(s *model.State, r *rand.Rand) float64 {
	n := k.theta.slice.n
	x0 := s.V[n.cells[0]]
	u0 := k.theta.forward(x0)
	_, j0 := k.theta.back(u0)
	x1, j1 := k.theta.back(u0 + float64(k.reach(r)*dist.StdNormal(r)))
	if fit := k.theta.proposals; fit.scale > 0 && r.Float64() < fitShare {
		// Independence proposals from where the node was in warm-up.
		u := fit.draw(r)
		x1, j1 = k.theta.back(u)
		j0, j1 = j0-fit.logQ(u0), j1-fit.logQ(u)
	} else if k.theta.kind == logit && r.Float64() < jumpShare {
		// A uniform proposal on a bounded support finds modes far away.
		x1, j0, j1 = k.theta.lo+float64(r.Float64()*(k.theta.hi-k.theta.lo)), 0, 0
	}
	accept := r.Float64()
	for i, c := range k.cells {
		k.old[i] = s.V[c]
	}
	if !(x1 > k.theta.lo && x1 < k.theta.hi) {
		return 0
	}
	lp0 := s.LogProb(k.union) + j0 + k.mix.choose(s, r)
	if math.IsInf(lp0, 0) || !k.centre(s, k.ref(), k.w) {
		return 0
	}
	logBack := k.whiten()
	a := 0.0
	n.set(s, x1)
	if k.centre(s, k.ref(), k.w) {
		logQ := k.draw(r, k.keep())
		k.apply(s, k.delta)
		a = vec.Exp(s.LogProb(k.union) + k.mix.logP(s) + j1 - lp0 + logBack - logQ)
		if math.IsNaN(a) {
			a = 0
		}
	}
	if accept < a {
		return min(1, a)
	}
	for i, c := range k.cells {
		s.V[c] = k.old[i]
	}
	s.V[n.cells[0]] = x0
	s.Run(k.det)
	s.Run(n.b.Det)
	return min(1, a)
}

// fitShare is the share of proposals that are drawn from the fitted Student t.
const fitShare = 0.5

// jumpShare is the share of proposals that reach far, where a node may have
// several modes.
const jumpShare = 0.15

// reach is the scale of the next proposal: now and then ten times the usual.
func (k *hyperMove) reach(r *rand.Rand) float64 {
	if r.Float64() < jumpShare {
		return 10 * k.scale
	}
	return k.scale
}

// Step moves the node and its block.
func (k *hyperMove) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if r.Float64() >= k.share || k.from != nil && k.from.only < 0 {
		return idle()
	}
	a := k.move(s, r)
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

// learnEvery is how often warm-up fits the proposal anew.
const learnEvery = 25

// learn follows the node's mean and spread on the line.
func (k *hyperMove) learn(s *model.State, w mcmc.Warmup) {
	if 8*w.Iteration < w.Total {
		return
	}
	t := k.theta
	t.learn(t.forward(s.V[t.slice.n.cells[0]]))
	if t.count > 50 && w.Iteration%learnEvery == 0 && t.m2 > 0 {
		t.proposals = proposal{loc: t.mean, scale: 1.1 * math.Sqrt(t.m2/t.count)}
	}
}

// Adapt moves both in the first quarter of warm-up, watches the node without
// the move in the second, and then moves both again if that helps.
func (k *hyperMove) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	k.learn(s, w)
	switch quarter := 4 * w.Iteration / max(1, w.Total); {
	case quarter == 1:
		k.alone.add(k.theta.forward(s.V[k.theta.slice.n.cells[0]]))
		return idle()
	case quarter > 1 && !k.frozen:
		k.frozen = true
		switch {
		case k.alone.above(slowLag):
		case k.alone.above(brisk):
			k.share = 0.05
		default:
			k.share = 0.02
		}
	}
	if r.Float64() >= k.share || k.from != nil && k.from.only < 0 {
		return idle()
	}
	a := k.move(s, r)
	k.tried++
	k.rate += a
	// Robbins–Monro with a gain that still learns late in warm-up.
	k.scale *= vec.Exp((a - hyperTarget) / math.Sqrt(1+float64(k.tried/4)))
	k.scale = min(max(k.scale, 1e-3), 10)
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

// Freeze ends the warm-up; a move that is hardly ever accepted is dropped.
func (k *hyperMove) Freeze() {
	if k.rate < 0.02*k.tried {
		k.share = 0
	}
}

// MarshalBinary writes the tuning.
func (k *hyperMove) MarshalBinary() ([]byte, error) {
	f := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	t := k.theta
	return putFloats(k.scale, k.tried, k.rate, k.share, k.alone.n, k.alone.mean, k.alone.m2, k.alone.lag, k.alone.last, f(k.frozen),
		t.count, t.mean, t.m2, t.proposals.loc, t.proposals.scale), nil
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *hyperMove) UnmarshalBinary(b []byte) error {
	var frozen float64
	t := k.theta
	err := getFloats(b, &k.scale, &k.tried, &k.rate, &k.share, &k.alone.n, &k.alone.mean, &k.alone.m2, &k.alone.lag, &k.alone.last, &frozen,
		&t.count, &t.mean, &t.m2, &t.proposals.loc, &t.proposals.scale)
	k.frozen = frozen == 1
	return err
}
