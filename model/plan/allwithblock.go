package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const allWithBlockName = "all-with-block"

// allWithBlock moves all nodes on which a block with normal children only depends, such as its precisions, at once: an independence proposal (Tierney 1994, section 2.3.3) from
// the multivariate Student t that fits them in warm-up, on the line, logarithm or logit, then the block from its full conditional. So it samples the nodes from their posterior with
// the block integrated out. It costs two factorisations. The moves of single nodes ([hyperMove]) tell whether nodes are slow by themselves, and become rare where it serves.
type allWithBlock struct {
	*expansion
	nodes onLine
	alone []*hyperMove // of the same nodes
	det   []model.Seg  // what depends on the nodes
	union []model.Seg
	fit   studentFit
	off   []float64 // block before a move
	from  []float64 // nodes before a move, and there on the line
	u0, u []float64

	on    float64 // 1 where it is in use
	tried float64
	rate  float64
}

const (
	leastSlow      = 0.25 // lag-1 autocorrelation of the slowest node below which all of them are quick enough
	takenOften     = 0.4  // acceptance from which on moves of single nodes become rare. Given components, which tell nearly as much of the nodes as the block itself does, no fit to their posterior is accepted so often
	takenSometimes = 0.15 // and below which the move does not pay
)

// newAllWithBlock works on a copy of the kernel's block; alone are the moves of single nodes with it.
func newAllWithBlock(of interface{ own() *block }, alone []*hyperMove) *allWithBlock {
	b, d := of.own(), len(alone)
	k := &allWithBlock{expansion: newExpansion(b), alone: alone, fit: newStudentFit(d), off: make([]float64, len(b.cells)),
		from: make([]float64, d), u0: make([]float64, d), u: make([]float64, d)}
	rows := append([]int32(nil), b.rows...)
	var cells []int32
	for _, a := range alone {
		n := a.theta.slice.n
		k.nodes = append(k.nodes, a.theta)
		rows, cells = append(rows, n.row), append(cells, n.cells[0])
	}
	k.det = b.m.Blanket(cells).Det
	k.union = b.m.Blanket(append(cells, b.cells...)).Stoch
	around := k.union
	for _, r := range rows {
		if !contains(b.m, around, r) {
			k.union = append(k.union, b.m.Seg(r))
		}
	}
	return k
}

func (k *allWithBlock) cell(j int) int32 { return k.nodes[j].slice.n.cells[0] }

// place puts the nodes at u, and tells the log of the Jacobian; not where that is at the end of a support.
func (k *allWithBlock) place(s *model.State, u []float64) (logJ float64, ok bool) {
	if logJ, ok = k.nodes.place(s, u); ok {
		s.Run(k.det)
	}
	return logJ, ok
}

// undo restores nodes and block.
func (k *allWithBlock) undo(s *model.State) {
	for i, c := range k.cells {
		s.V[c] = k.off[i]
	}
	for j, x := range k.from {
		s.V[k.cell(j)] = x
	}
	s.Run(k.det)
	s.Run(k.block.det)
}

func (k *allWithBlock) move(s *model.State, r *rand.Rand) float64 {
	lp0 := s.LogProb(k.union)
	for j, t := range k.nodes {
		k.from[j] = s.V[k.cell(j)]
		k.u0[j] = t.forward(k.from[j])
		_, logJ := t.back(k.u0[j])
		lp0 += logJ
	}
	for i, c := range k.cells {
		k.off[i] = s.V[c]
	}
	lp0 += k.mix.choose(s, r)
	k.fit.draw(r, k.u)
	accept := r.Float64()
	if !vec.Finite(lp0) || !k.centre(s, nil, nil) {
		return 0
	}
	lp0 -= k.whiten() + k.fit.logQ(k.u0)
	a := 0.0
	if logJ, ok := k.place(s, k.u); ok && k.centre(s, nil, nil) {
		logQ := k.draw(r, 0) + k.fit.logQ(k.u)
		k.apply(s, k.delta)
		a = vec.Exp(s.LogProb(k.union) + k.mix.logP(s) + logJ - logQ - lp0)
		if math.IsNaN(a) {
			a = 0
		}
	}
	if accept >= a {
		k.undo(s)
	}
	return min(1, a)
}

// idle is what a kernel tells that rests in an iteration.
func idle() mcmc.Info { return mcmc.Info{Accepted: true, AcceptProb: 1} }

// Step moves the nodes and the block.
func (k *allWithBlock) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.on == 0 {
		return idle()
	}
	a := k.move(s, r)
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

// Adapt learns where the nodes are from the second quarter of warm-up on, and moves them in the second half where one of them is slow by itself.
func (k *allWithBlock) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if 4*w.Iteration < w.Total {
		return idle()
	}
	for j, t := range k.nodes {
		k.u0[j] = t.forward(s.V[k.cell(j)])
	}
	k.fit.learn(k.u0)
	if w.Iteration%learnEvery == 0 {
		k.fit.settle()
	}
	if 2*w.Iteration < w.Total || !k.fit.settled() || !k.slow() {
		return idle()
	}
	a := k.move(s, r)
	k.tried++
	k.rate += a
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

// slow tells whether a node moved slowly when watched without moves of the block.
func (k *allWithBlock) slow() bool {
	for _, a := range k.alone {
		if a.alone.above(leastSlow) {
			return true
		}
	}
	return false
}

// Freeze ends the warm-up. It comes after those of the moves of single nodes.
func (k *allWithBlock) Freeze() {
	if k.tried == 0 || k.rate < takenSometimes*k.tried {
		return
	}
	k.on = 1
	if k.mix == nil && k.rate < takenOften*k.tried {
		return
	}
	for _, a := range k.alone {
		a.share = min(a.share, seldom)
	}
}

func (k *allWithBlock) fields() []*float64 { return append(k.fit.fields(), &k.on, &k.tried, &k.rate) }

// MarshalBinary writes the tuning.
func (k *allWithBlock) MarshalBinary() ([]byte, error) { return putFields(k.fields()), nil }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *allWithBlock) UnmarshalBinary(b []byte) error { return getFloats(b, k.fields()...) }
